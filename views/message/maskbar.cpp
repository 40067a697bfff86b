// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/message/maskbar.h"

#include "models/phrases.h"

namespace outbox {

MaskBar::MaskBar(const QString &name, const PayloadMasks &masks, const DecodeLimits &limits,
                 QWidget *parent)
    : NoticeBar(name, parent), m_masks(masks), m_limits(limits)
{
    m_unmasked.setSingleShot(true);
    m_unmasked.setInterval(unmaskedFor);
    connect(&m_unmasked, &QTimer::timeout, this, [this] {
        judge();
        emit changed();
    });
    connect(this, &NoticeBar::actionAsked, this, &MaskBar::press);
}

void MaskBar::setMasks(const PayloadMasks &masks)
{
    if (masks == m_masks)
        return;
    m_masks = masks;
    m_unmasked.stop();
    judge();
    if (!m_payload.isEmpty() || m_storedBytes != 0)
        emit changed();
}

bool MaskBar::setPayload(const QByteArray &payload, qint64 storedBytes)
{
    if (storedBytes == m_storedBytes && payload.size() <= m_payload.size()
        && m_payload.startsWith(payload))
        return false;
    if (!payload.startsWith(m_payload)) // nobody asked to see this one
        m_unmasked.stop();
    m_payload = payload;
    m_storedBytes = storedBytes;
    judge();
    return true;
}

void MaskBar::forget()
{
    m_payload = {};
    m_storedBytes = 0;
    m_unmasked.stop();
    judge();
}

void MaskBar::press()
{
    if (m_unmasked.isActive()) {
        m_unmasked.stop();
    } else {
        m_unmasked.start();
        emit unmasked();
    }
    judge();
    emit changed();
}

void MaskBar::judge()
{
    const PayloadMasks none = PayloadMasks::none();
    const PayloadMasks &masks = m_unmasked.isActive() ? none : m_masks;
    m_shown = masks.shown(m_payload, m_storedBytes, m_limits);
    tell();
}

void MaskBar::tell()
{
    if (m_unmasked.isActive()) {
        const QDateTime now = QDateTime::currentDateTimeUtc();
        const QDateTime end = now.addMSecs(m_unmasked.remainingTime());
        return say(Tone::Warning, tr("Shown unmasked until %1.").arg(momentText(end, now)),
                   tr("Mask again"));
    }
    const QString action = tr("Show unmasked for a minute");
    switch (m_shown.how()) {
    case ShownPayload::How::Clear:
        return clear();
    case ShownPayload::How::Masked:
        return say(Tone::Info,
                   tr("Values under masks are shown as %1; the bytes, which hold them, are not "
                      "shown.")
                       .arg(maskedValue()),
                   action);
    case ShownPayload::How::Hidden:
        return say(Tone::Info, tr("The payload is %1.").arg(m_shown.why()), action);
    }
}

} // namespace outbox
