// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A real outbox and a real queue with thousands of sound messages, and inconsistencies put among
// them on purpose, each known by name.
#pragma once

#include "app/operations/core/operatorsession.h"
#include "models/operations/scanreport.h"
#include "tests/support/testoutbox.h"

#include <QMap>
#include <QSet>

namespace outbox {

/// A session with an open transaction that somebody forgot.
class ForgottenSession
{
public:
    ForgottenSession();
    ~ForgottenSession();
    Q_DISABLE_COPY_MOVE(ForgottenSession)

    [[nodiscard]] bool hold(const PrivatePostgres &server, const QString &databaseUrl,
                            const QString &select);
    [[nodiscard]] bool letGo();

private:
    QString m_name; ///< of its connection
};

class ReconcileWorld
{
public:
    ReconcileWorld(PrivatePostgres &postgres, PrivateRedis &redis);

    /// Sound messages in every state that a system at work has: `count` rows, most of them with a
    /// task, some expired, some still to be delivered; tasks of other producers beside them.
    [[nodiscard]] bool setUp(int count);
    /// Puts `count` cases of a kind that stand still although a relay and a worker run.
    /// Of a kind that is about queues: in so many queues, each named by a row.
    [[nodiscard]] bool seed(FindingKind kind, int count);
    /// Those that a relay or a worker would heal or take up: for a system at rest.
    [[nodiscard]] bool seedAtRest(FindingKind kind, int count);
    /// Rows that a relay is to deliver, as an application writes them.
    [[nodiscard]] bool writeRows(int count);
    /// So many sound queues beside "default", each with a row that is done, one whose task waits
    /// and one that a relay is to deliver.
    [[nodiscard]] bool addQueues(int count);
    /// How far the database's clock is ahead of this computer's, for sessions that open after the
    /// first call.
    [[nodiscard]] bool setDatabaseClock(int aheadSeconds);
    /// The forgotten session of K24 ends, and its rows are free.
    [[nodiscard]] bool letGo();
    /// For how long that session has held its rows, by the database's clock; s.
    [[nodiscard]] double heldSeconds();

    [[nodiscard]] TestOutbox &fixture() { return m_fixture; }
    [[nodiscard]] const OutboxShape &shape() const { return m_shape; }
    [[nodiscard]] OperatorSessionSettings settings(const QString &stateFolder) const;
    /// What must be found: names (see `nameOf`) by kind.
    [[nodiscard]] const QMap<FindingKind, QSet<QString>> &expected() const { return m_expected; }
    void forgetExpected() { m_expected.clear(); }
    /// Tasks whose one effect is still to come: of rows that wait and of damaged tasks that repairs
    /// bring back.
    [[nodiscard]] const QSet<QString> &toRun() const { return m_toRun; }
    /// Queues that a worker serves: all but those of K21.
    [[nodiscard]] const QStringList &served() const { return m_served; }
    [[nodiscard]] const QStringList &unserved() const { return m_unserved; }
    [[nodiscard]] static QString nameOf(const Finding &finding);

private:
    enum class Rows { Waiting, Processed, LongProcessed };
    /// Task ids of new rows.
    [[nodiscard]] QStringList newRows(int count, Rows rows);
    /// The same, and the n-th of them names the queue `queues` + n.
    [[nodiscard]] QStringList newRows(int count, Rows rows, const QString &queues);
    [[nodiscard]] bool seedQueues(FindingKind kind, int count);
    [[nodiscard]] bool seedHeldRows(int count);
    [[nodiscard]] bool seedLeases(int count);
    [[nodiscard]] bool fillArchive(const QString &queue, int count);
    [[nodiscard]] QString strayId();
    [[nodiscard]] EnqueueRequest requestFor(const QString &task) const;
    [[nodiscard]] bool place(const QString &task, TaskState state);
    [[nodiscard]] bool damageAll(FindingKind kind, const QStringList &tasks);
    [[nodiscard]] bool redis(const RedisCommand &command);
    void expect(FindingKind kind, const QStringList &names);
    void expectRun(const QStringList &tasks);

    PrivatePostgres &m_postgres;
    TestOutbox m_fixture;
    OutboxShape m_shape;
    QMap<FindingKind, QSet<QString>> m_expected;
    QSet<QString> m_toRun;
    QMap<QString, QString> m_rowOfTask;
    QMap<QString, QString> m_queueOfTask;
    QStringList m_served{QStringLiteral("default")};
    QStringList m_unserved;
    ForgottenSession m_holder;
    int m_stray = 0;
};

} // namespace outbox
