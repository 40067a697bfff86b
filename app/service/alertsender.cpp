// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/service/alertsender.h"

#include "models/phrases.h"

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

AlertSender::AlertSender(int deadlineMs, QObject *parent)
    : QObject(parent), m_deadlineMs(deadlineMs)
{
    m_deadline.setSingleShot(true);
    connect(&m_deadline, &QTimer::timeout, this, [this] {
        m_isLate = true;
        giveUp();
    });
}

void AlertSender::send(const QByteArray &body)
{
    m_waiting += body;
    if (m_waiting.size() > mostWaiting) {
        m_waiting.removeFirst();
        tellFailure(u"more than %1 alerts wait for it; the oldest is dropped"_s.arg(mostWaiting));
    }
    next();
}

void AlertSender::next()
{
    if (m_isBusy || m_waiting.isEmpty())
        return;
    m_isBusy = true;
    m_isLate = false;
    m_deadline.start(m_deadlineMs);
    begin(m_waiting.takeFirst());
}

void AlertSender::ended(const QString &why)
{
    if (!m_isBusy)
        return;
    m_deadline.stop();
    m_isBusy = false;
    // What went well is no failure, also where that is learned only when its time is over.
    const QString fault = m_isLate && !why.isEmpty()
        ? QString(u"no answer within "_s + spanText(m_deadlineMs / 1000.0))
        : why;
    if (fault.isEmpty())
        m_isFailing = false;
    else
        tellFailure(fault);
    // Not from within the signal of a process or a reply that has just ended.
    QTimer::singleShot(0, this, &AlertSender::next);
}

void AlertSender::tellFailure(const QString &why)
{
    if (!std::exchange(m_isFailing, true))
        emit failed(why);
}

} // namespace outbox
