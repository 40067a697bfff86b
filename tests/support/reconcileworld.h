// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A real outbox and a real queue with thousands of sound messages, and inconsistencies put among
// them on purpose, each known by name.
#pragma once

#include "app/demo/demoworker.h"
#include "app/operations/workbench.h"
#include "models/operations/lookreport.h"
#include "tests/support/outboxbench.h"

#include <QMap>
#include <QSet>

namespace outbox {

class ReconcileWorld
{
public:
    ReconcileWorld(PrivatePostgres &postgres, PrivateRedis &redis);

    /// Sound messages in every state that a system at work has: `count` rows, most of them with a
    /// task, some expired, some still to be delivered; tasks of other producers beside them.
    [[nodiscard]] bool setUp(int count);
    /// Puts `count` cases of a kind that stand still although a relay and a worker run.
    [[nodiscard]] bool seed(FindingKind kind, int count);
    /// Those that a relay or a worker would heal or take up: for a system at rest.
    [[nodiscard]] bool seedAtRest(FindingKind kind, int count);
    /// Rows that a relay is to deliver, as an application writes them.
    [[nodiscard]] bool writeRows(int count);

    [[nodiscard]] OutboxBench &bench() { return m_bench; }
    [[nodiscard]] const OutboxShape &shape() const { return m_shape; }
    [[nodiscard]] WorkbenchSettings settings(const QString &stateFolder) const;
    /// What must be found: names (see `nameOf`) by kind.
    [[nodiscard]] const QMap<FindingKind, QSet<QString>> &expected() const { return m_expected; }
    void forgetExpected() { m_expected.clear(); }
    /// Tasks whose one effect is still to come: of rows that wait and of damaged tasks that repairs
    /// bring back.
    [[nodiscard]] const QSet<QString> &toRun() const { return m_toRun; }
    [[nodiscard]] static QString nameOf(const Finding &finding);

private:
    enum class Rows { Waiting, Processed, LongProcessed };
    /// Task ids of new rows.
    [[nodiscard]] QStringList newRows(int count, Rows rows);
    [[nodiscard]] QString strayId();
    [[nodiscard]] EnqueueRequest requestFor(const QString &task) const;
    [[nodiscard]] bool place(const QString &task, TaskState state);
    [[nodiscard]] bool damageAll(FindingKind kind, const QStringList &tasks);
    [[nodiscard]] bool redis(const RedisCommand &command);
    void expect(FindingKind kind, const QStringList &names);
    void expectRun(const QStringList &tasks);

    PrivatePostgres &m_postgres;
    PrivateRedis &m_redis;
    OutboxBench m_bench;
    OutboxShape m_shape;
    QMap<FindingKind, QSet<QString>> m_expected;
    QSet<QString> m_toRun;
    QMap<QString, QString> m_rowOfTask;
    int m_stray = 0;
};

/// A worker that counts what it runs; for a room of its own. It has no janitor: what expires stays.
struct CountingWorker
{
    DemoWorker worker;
    QHash<QString, int> ran;
    QList<Task> inHand;

    [[nodiscard]] Result<void> open(const RedisEndpoint &endpoint);
    /// Ends what it took in the step before, then takes some more; answers how many it ended.
    [[nodiscard]] Result<int> step();
    /// Ends what it has, and takes its name off the list of servers.
    [[nodiscard]] Result<void> leave();
};

} // namespace outbox
