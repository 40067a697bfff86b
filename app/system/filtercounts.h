// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counts the rows for rules on filters, again and again, for window and `watch` alike, and costs
// the database next to nothing.
#pragma once

#include "app/system/jobs/slicedjob.h"
#include "app/system/sources/outboxsource.h"
#include "app/system/sources/target.h"
#include "models/alerts/alerttrial.h"
#include "models/shape/outboxshape.h"

#include <QDeadlineTimer>
#include <QList>
#include <QObject>
#include <QTimer>

#include <chrono>
#include <optional>

namespace outbox {

/// One statement at a time, in a session of its own that only looks and is there while there are
/// rules. The server ends a statement after a second, where it can. Each rule is counted every 10
/// s, or more seldom, so that all of them together keep the database busy for a hundredth of the
/// time at most. Lives in the asker's thread and never waits but in its destructor, for a room that
/// is woken; on SQLite, which wakes nobody, until the count that is under way has ended.
class FilterCounts : public QObject
{
    Q_OBJECT

public:
    static constexpr int shortestRestMs = 10'000;
    static constexpr int mostMsOfCount = 1'000;
    /// Counts that are held of one rule, for a trial: about a day of them; the oldest go.
    static constexpr qsizetype mostHeld = 9'000;

    /// `program` is what other operators see of the session.
    FilterCounts(Target target, QString program, QObject *parent = nullptr);

    /// Those of the rules that are on filters, from now on. What was counted of a filter stays as
    /// long as a rule is on it.
    void setRules(const QList<AlertRule> &rules);
    /// A look has seen the outbox, by this shape: it may be counted. Cheap to call at each look.
    void setShape(const OutboxShape &shape);
    /// A look has not: nothing is counted until one has.
    void lose(const Error &why);
    /// While it does not run nobody is asked; what is under way is dropped.
    void setRunning(bool running);
    /// Judges a rule by what was counted of its filter until now.
    [[nodiscard]] AlertTrial tried(const AlertRule &rule) const;
    /// How long a rule rests behind a count that took so long, where there are so many rules.
    [[nodiscard]] static std::chrono::milliseconds restAfter(double tookMs, qsizetype rules);

signals:
    /// Of this rule so much was counted, or why it was not.
    void counted(const outbox::AlertRule &rule, const outbox::FilterCount &count);

private:
    struct Counted
    {
        AlertRule rule;
        QDeadlineTimer due{0}; ///< the next count
        QList<CountedRows> looks{};
    };
    struct Answer
    {
        Result<qint64> rows;
        /// Of the count alone; nullopt: none was begun, for a reason that all rules share.
        std::optional<double> tookMs{};
        bool isTurnedAway = false; ///< at the door: a login that is wrong stays wrong
    };

    [[nodiscard]] static Answer countOne(OutboxSource &source, const StoreSettings &settings,
                                         const OutboxShape &shape, const QString &stateFolder,
                                         const RowCountRequest &request);
    void askNext();
    void ask(const AlertRule &rule);
    void take(const AlertRule &rule, qint64 most, const Answer &answer);
    void tell(const AlertRule &rule, const FilterCount &count);
    void tellAll(const Error &why);

    Target m_target;
    QString m_program;
    QList<Counted> m_rules;
    std::optional<OutboxShape> m_shape; ///< nullopt: nothing may be counted
    std::optional<Error> m_turnedAway; ///< nobody asks again before it is stopped and runs again
    bool m_isRunning = true;
    bool m_isAsking = false;
    QTimer m_next;
    SlicedJob<OutboxSource> m_job; ///< last: its thread ends first
};

} // namespace outbox
