// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Says that a payload is masked, and shows it unmasked for a minute to somebody who asks.
#pragma once

#include "models/payload/payloadmasks.h"
#include "views/widgets/noticebar.h"

#include <QTimer>

#include <chrono>

namespace outbox {

/// Keeps the payload of a view: the view itself has only what may be shown of it.
class MaskBar : public NoticeBar
{
    Q_OBJECT

public:
    static constexpr std::chrono::seconds unmaskedFor{60};

    /// What is beyond `limits` is hidden where there are masks.
    MaskBar(const QString &name, const PayloadMasks &masks, const DecodeLimits &limits,
            QWidget *parent = nullptr);

    /// From now on; what was shown unmasked is masked again.
    void setMasks(const PayloadMasks &masks);
    /// False for the same payload again, or the beginning of one that is here. Another payload is
    /// masked; one that only has more is shown as its beginning was.
    [[nodiscard]] bool setPayload(const QByteArray &payload, qint64 storedBytes);
    /// There is no payload, and the next one is masked.
    void forget();
    [[nodiscard]] const ShownPayload &shown() const { return m_shown; }
    /// So many bytes are here, shown or not.
    [[nodiscard]] qsizetype heldBytes() const { return m_payload.size(); }

signals:
    /// Another part of the same payload is shown.
    void changed();
    /// Somebody asked to see it; to be put on record.
    void unmasked();

private:
    void press();
    void judge();
    void tell();

    PayloadMasks m_masks;
    DecodeLimits m_limits;
    QByteArray m_payload;
    qint64 m_storedBytes = 0;
    ShownPayload m_shown;
    QTimer m_unmasked; ///< it runs while everything is shown
};

} // namespace outbox
