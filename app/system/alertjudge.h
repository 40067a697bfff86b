// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The alerts of an opened system, judged by the looks that are taken anyway, and those on filters
// by counts of their own.
#pragma once

#include "app/system/filtercounts.h"
#include "app/system/system.h"
#include "models/alerts/watchedalert.h"
#include "models/system/systemhistory.h"

#include <QList>
#include <QObject>
#include <QTimer>

namespace outbox {

/// An alert is judged when the source that tells its figure has answered or failed. Asks nothing
/// but what `FilterCounts` does. Lives in the thread of the system.
class AlertJudge : public QObject
{
    Q_OBJECT

public:
    /// `system` outlives this; its looks are joined to it first.
    explicit AlertJudge(System &system, QObject *parent = nullptr);

    /// These from now on. What is known of an alert stays while no more of it is changed than its
    /// quiet times and its muting; of any other that was told as raised `noticed` tells the end.
    void setAlerts(const QList<Alert> &alerts);
    /// Looking was stopped, or goes on: the time between counts for no alert.
    void skip();
    [[nodiscard]] QList<AlertLine> lines(const QDateTime &now) const;
    /// A rule on a filter, judged by what was counted of it until now.
    [[nodiscard]] AlertTrial tried(const AlertRule &rule) const { return m_counts.tried(rule); }

signals:
    /// An alert may have another line now.
    void judged();
    /// It was raised, or is over: for those whom it tells, and later where it is muted or it is a
    /// quiet time.
    void noticed(const outbox::Alert &alert, const outbox::AlertEvent &event);
    /// Nobody knows any more whether it holds; told once, until somebody does.
    void lost(const outbox::Alert &alert, const QString &sentence);

private:
    void takeQueues(const QList<QueueSnapshot> &queues);
    void takeOutbox(const OutboxSnapshot &snapshot);
    /// `only`: of the alerts on filters those with this rule.
    void judge(AlertOrigin origin, const AlertSources &sources, const AlertRule *only = nullptr);

    System &m_system;
    SystemHistory m_own; ///< of the profile's queue alone, for the rate of tasks that come
    QList<WatchedAlert> m_watched;
    QTimer m_tell; ///< counts of many rules may come at once: they are shown once
    FilterCounts m_counts;
};

} // namespace outbox
