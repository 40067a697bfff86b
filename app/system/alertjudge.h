// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The alerts of an opened system, judged by the looks that are taken anyway.
#pragma once

#include "app/system/system.h"
#include "models/alerts/watchedalert.h"
#include "models/system/systemhistory.h"

#include <QList>
#include <QObject>

namespace outbox {

/// An alert is judged when the source that tells its figure has answered or failed. Asks nothing.
/// Lives in the thread of the system.
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

signals:
    /// An alert may have another line now.
    void judged();
    /// It was raised, or is over: for those whom it tells, and later where it is muted or it is a
    /// quiet time.
    void noticed(const outbox::Alert &alert, const outbox::AlertEvent &event);

private:
    void takeQueues(const QList<QueueSnapshot> &queues);
    void judge(AlertOrigin origin, const AlertSources &sources);

    System &m_system;
    SystemHistory m_own; ///< of the profile's queue alone, for the rate of tasks that come
    QList<WatchedAlert> m_watched;
};

} // namespace outbox
