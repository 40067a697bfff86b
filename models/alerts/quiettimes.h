// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Hours of each day in which nobody is disturbed, and what is left to say at their end. Pure.
#pragma once

#include "models/alerts/alertstate.h"
#include "models/result.h"

#include <QDateTime>
#include <QString>
#include <QTime>

#include <optional>

namespace outbox {

/// `22:00-07:00`: by the clock on the wall, also in the two nights in which it is changed.
struct QuietTimes
{
    QTime from; ///< belongs to it
    QTime to; ///< does not

    /// Fails with Invalid, the position of the fault and what to write.
    [[nodiscard]] static Result<QuietTimes> fromText(const QString &text);
    [[nodiscard]] QString text() const; ///< what `fromText` reads
    /// `local` is in the zone whose clock counts.
    [[nodiscard]] bool has(const QDateTime &local) const;

    bool operator==(const QuietTimes &) const = default;
};

/// What those who are told still have to hear of one alert. They hear "raised" and "over" in turn:
/// what came and went while they were not to be disturbed is never told.
class AlertNotice
{
public:
    /// Asked at every look, also where there is no event: the notice that is due now.
    [[nodiscard]] std::optional<AlertEvent> take(const std::optional<AlertEvent> &event,
                                                 bool isQuiet);

private:
    std::optional<AlertEvent> m_held; ///< the last event that was not told
    bool m_isTold = false; ///< what was told last is that it is raised
};

} // namespace outbox
