// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One alert judged look by look, and what those it tells have to hear; the same for window and
// `watch`. Pure; the moments come from outside.
#pragma once

#include "models/alerts/alert.h"

#include <QDateTime>

#include <optional>

namespace outbox {

/// What one look changes.
struct AlertChange
{
    std::optional<AlertEvent> event; ///< it was raised, or is over
    std::optional<AlertEvent> notice; ///< what its targets are told now
    bool isLost = false; ///< patience is at its end: too many looks in a row did not know, or one
                         ///< that says that the next will not know either
};

/// What is shown of one alert.
struct AlertLine
{
    enum class State {
        Unseen, ///< no look was judged yet
        Quiet,
        Holding, ///< the rule holds, and not for long enough
        Raised,
        Unknown, ///< the last look did not know the figure; it is not raised
    };
    Alert alert;
    State state = State::Unseen;
    QDateTime since{}; ///< the rule holds, or nothing is known; invalid: neither
    AlertReading reading{}; ///< of the last look
    bool isUnknown = false; ///< the last look did not know it, raised or not
    bool isMuted = false;
    QString why{}; ///< it is not known: the reason, where one was told; for people, on one line

    bool operator==(const AlertLine &) const = default;
};

class WatchedAlert
{
public:
    /// After so many looks in a row that do not know the figure of a rule, that is told, once.
    static constexpr int patientLooks = 3;

    explicit WatchedAlert(const Alert &alert) : m_alert(alert), m_state(alert.rule) { }

    /// A look at what the figure of the rule is read from.
    [[nodiscard]] AlertChange take(const QDateTime &at, const AlertSources &sources);
    /// Other quiet times, or another end of muting: what is known of it stays.
    void change(const Alert &alert) { m_alert = alert; }
    /// It is removed or changed: what those have to hear now, also in a quiet time, who heard that
    /// it is raised; nullopt: nobody waits for its end.
    [[nodiscard]] std::optional<AlertEvent> end(const QDateTime &at);
    [[nodiscard]] const Alert &alert() const { return m_alert; }
    [[nodiscard]] const AlertState &state() const { return m_state; }
    [[nodiscard]] const QString &why() const { return m_why; } ///< as `AlertLine::why`
    [[nodiscard]] AlertLine line(const QDateTime &now) const;

private:
    Alert m_alert;
    AlertState m_state;
    AlertNotice m_notice;
    AlertReading m_reading;
    QString m_why;
    bool m_isSeen = false;
    bool m_isLost = false; ///< it was told that nobody knows
};

[[nodiscard]] QString label(AlertLine::State state); ///< "Raised", for people
/// "3 min", "at least 10,000", "not counted".
[[nodiscard]] QString alertValueText(const AlertLine &line);
/// Which of them cannot be judged and why, a line each; empty: none is told to be so.
[[nodiscard]] QString unjudgedText(const QList<AlertLine> &lines);
/// All that are raised, in one sentence without numbers that move; empty: none is.
[[nodiscard]] QString raisedSentence(const QList<AlertLine> &lines, const QDateTime &now);

} // namespace outbox
