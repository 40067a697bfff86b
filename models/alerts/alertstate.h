// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One alert through time: raised once, over once, whatever is not known in between. Pure; the
// moments come from outside.
#pragma once

#include "models/alerts/alertrule.h"

#include <QDateTime>

#include <optional>

namespace outbox {

/// An alert was raised, or is over.
struct AlertEvent
{
    enum class Kind { Raised, Over };
    Kind kind = Kind::Raised;
    QDateTime at; ///< of the look that told it
    QDateTime since; ///< of the first look in which the rule held, of this time
    double value = 0; ///< of the figure, at `at`
    bool hadGaps = false; ///< some looks between `since` and `at` did not know the figure
    /// Over because nobody looks for it any more: it was removed or changed. No look told `value`.
    bool isWithdrawn = false;
    bool isLeast = false; ///< counting stopped at `value`

    bool operator==(const AlertEvent &) const = default;
};

/// Fed with every look. Time counts where two looks in a row, both known, saw the rule hold; a gap
/// counts nothing and takes nothing away. A clock that is set back counts nothing either.
class AlertState
{
public:
    explicit AlertState(const AlertRule &rule) : m_rule(rule) { }

    /// What this look changes: Raised, and later one Over; mostly nothing. `at` is in any zone.
    [[nodiscard]] std::optional<AlertEvent> take(const QDateTime &at, const AlertReading &reading);
    [[nodiscard]] bool isRaised() const { return m_isRaised; }
    /// The first look in which the rule held, of this time; nullopt: it does not hold.
    [[nodiscard]] const std::optional<QDateTime> &heldSince() const { return m_since; }
    /// Since when no look knew whether the rule holds; nullopt: the last one did, or none came yet.
    [[nodiscard]] const std::optional<QDateTime> &unknownSince() const { return m_unknownSince; }
    [[nodiscard]] int unknownLooks() const { return m_unknownLooks; } ///< in a row

private:
    void miss(const QDateTime &at);
    void forget();

    AlertRule m_rule;
    std::optional<QDateTime> m_since; ///< nullopt: it does not hold
    std::optional<QDateTime> m_lastHeld; ///< the last look, where the rule held in it
    std::optional<QDateTime> m_unknownSince;
    qint64 m_heldMs = 0;
    int m_unknownLooks = 0;
    bool m_isRaised = false;
    bool m_hadGaps = false;
};

} // namespace outbox
