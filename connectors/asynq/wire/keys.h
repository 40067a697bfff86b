// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The names of asynq's keys; names of queues and tasks go in raw.
#pragma once

#include "models/ids.h"
#include "models/message/messagestate.h"

#include <QByteArray>
#include <QDate>

namespace outbox::asynq {

inline constexpr char allQueues[] = "asynq:queues";
inline constexpr char allServers[] = "asynq:servers";
inline constexpr char allWorkers[] = "asynq:workers";
inline constexpr char allSchedulers[] = "asynq:schedulers";
inline constexpr char cancelChannel[] = "asynq:cancel";

/// How many tasks asynq keeps in an archive: its workers push the oldest out beyond it.
inline constexpr qint64 archiveLimit = 9'999;

/// The keys of one queue. The braces of the prefix are Redis Cluster's hash tag: all of them share
/// a slot.
class QueueKeys
{
public:
    explicit QueueKeys(const QueueName &queue)
        : m_prefix("asynq:{" + queue.text.toUtf8() + "}:") { }

    [[nodiscard]] const QByteArray &prefix() const { return m_prefix; }
    [[nodiscard]] QByteArray task(const TaskId &id) const { return task(id.text.toUtf8()); }
    [[nodiscard]] QByteArray task(const QByteArray &id) const { return m_prefix + "t:" + id; }
    [[nodiscard]] QByteArray taskPrefix() const { return m_prefix + "t:"; }
    [[nodiscard]] QByteArray pending() const { return m_prefix + "pending"; }
    [[nodiscard]] QByteArray active() const { return m_prefix + "active"; }
    [[nodiscard]] QByteArray lease() const { return m_prefix + "lease"; }
    [[nodiscard]] QByteArray scheduled() const { return m_prefix + "scheduled"; }
    [[nodiscard]] QByteArray retry() const { return m_prefix + "retry"; }
    [[nodiscard]] QByteArray archived() const { return m_prefix + "archived"; }
    [[nodiscard]] QByteArray completed() const { return m_prefix + "completed"; }
    [[nodiscard]] QByteArray paused() const { return m_prefix + "paused"; }
    [[nodiscard]] QByteArray processed() const { return m_prefix + "processed"; }
    [[nodiscard]] QByteArray failed() const { return m_prefix + "failed"; }
    [[nodiscard]] QByteArray processed(const QDate &day) const
    {
        return counter("processed:", day);
    }
    [[nodiscard]] QByteArray failed(const QDate &day) const { return counter("failed:", day); }
    /// A key of ours, which no asynq program reads: see `QueueFence`.
    [[nodiscard]] QByteArray fence() const { return m_prefix + "outboxdeck"; }
    /// Another one, on which scripts try what their user may do; nothing stands there.
    [[nodiscard]] QByteArray rightsTry() const { return m_prefix + "outboxdeck:try"; }
    [[nodiscard]] QByteArray groups() const { return m_prefix + "groups"; }
    [[nodiscard]] QByteArray group(const QByteArray &name) const { return m_prefix + "g:" + name; }
    [[nodiscard]] QByteArray aggregationSets() const { return m_prefix + "aggregation_sets"; }
    [[nodiscard]] QByteArray lockPrefix() const { return m_prefix + "unique:"; }
    /// What workers before 0.22 have instead of leases.
    [[nodiscard]] QByteArray deadlines() const { return m_prefix + "deadlines"; }
    /// The list or sorted set that holds the ids in `state`; empty where there is none, or one a
    /// group.
    [[nodiscard]] QByteArray container(TaskState state) const;

private:
    [[nodiscard]] QByteArray counter(const char *name, const QDate &day) const
    {
        return m_prefix + name + day.toString(Qt::ISODate).toLatin1();
    }

    QByteArray m_prefix;
};

} // namespace outbox::asynq
