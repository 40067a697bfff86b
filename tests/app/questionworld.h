// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A system as a first-time operator met it: a large outbox in PostgreSQL that nobody empties, a
// Redis with two queues, and damage; and what both say of it, asked apart from the console.
#pragma once

#include "models/profile/profile.h"
#include "tests/support/plainpostgres.h"
#include "tests/support/testoutbox.h"

#include <QDateTime>
#include <QMap>
#include <QStringList>

#include <optional>

namespace outbox {

/// 200,000 rows: 195,000 are delivered, 200 of them within the last day, and their tasks are kept;
/// 5,000 wait since 41 min, 5 of them are held by the session "billing-nightly", 4 are parked, 2
/// stand beside another message under their id. Nothing has left for 40 min, and the longest delay
/// was 1 h 43 min. Both servers run already, and outlive this.
class QuestionWorld
{
public:
    QuestionWorld(PrivatePostgres &postgres, PrivateRedis &redis);

    /// What could not be made; empty: all stands.
    [[nodiscard]] QString setUp();
    /// One more stub, twelve more orphans, two more dead leases; false where Redis refused.
    [[nodiscard]] bool plantDamage();

    /// In production, writing allowed.
    [[nodiscard]] Profile profile() const;
    [[nodiscard]] const OutboxShape &shape() const { return m_shape; }

    // By plain SQL.
    [[nodiscard]] qint64 number(const QString &sql) { return m_fixture.scalar(sql).toLongLong(); }
    [[nodiscard]] double seconds(const QString &sql) { return m_fixture.scalar(sql).toDouble(); }
    [[nodiscard]] QString text(const QString &sql) { return m_fixture.scalar(sql).toString(); }
    [[nodiscard]] QStringList texts(const QString &sql);
    [[nodiscard]] bool exec(const QString &sql) { return m_fixture.exec(sql); }
    /// Rows that wait, but those that are held or parked.
    [[nodiscard]] qint64 pendingRows();

    // By plain Redis.
    /// Tasks in this set or list, of both queues.
    [[nodiscard]] qint64 tasksIn(const QByteArray &container);
    /// Until when the completed task is kept; nullopt: it is not.
    [[nodiscard]] std::optional<QDateTime> keptUntil(const QString &queue, const QString &task);
    /// How many tasks that are retried or dead begin their error so, of both queues.
    [[nodiscard]] QMap<QString, qint64> failuresByBegin(const QStringList &begins);
    /// How many of these tasks are in the queue "default", in whatever state.
    [[nodiscard]] qint64 tasksOf(const QStringList &ids);
    /// How many of the planted stubs and orphans are as they were planted.
    [[nodiscard]] qint64 damaged();

    /// Rows by their numbers of birth.
    [[nodiscard]] static QString idOf(int number);
    /// A delivered row whose task is kept.
    [[nodiscard]] static QString keptId() { return idOf(194'900); }
    /// Delivered to the queue "mail", and its row was deleted.
    [[nodiscard]] static QString deletedId()
    {
        return QStringLiteral("7e57d004-2b97-4e7a-8000-0000000000ff");
    }
    [[nodiscard]] static QStringList heldIds();
    /// The beginnings of all errors that were planted.
    [[nodiscard]] static QStringList errorBegins();

private:
    [[nodiscard]] bool makeTable();
    [[nodiscard]] bool holdRows();
    /// The tasks of the rows that were delivered within the last day.
    [[nodiscard]] bool placeKept();
    [[nodiscard]] bool placeOthers();
    [[nodiscard]] bool placeCollisions();
    [[nodiscard]] bool place(const QString &queue, TaskState state, int count,
                             const QString &error);

    TestOutbox m_fixture;
    OutboxShape m_shape;
    PlainPostgres m_holder; ///< billing-nightly
    QStringList m_stubs;
    QStringList m_orphans;
    int m_placed = 0;
};

} // namespace outbox
