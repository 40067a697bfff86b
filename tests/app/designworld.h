// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Documents with an entry in each state, the store beside them and the queue, set up by hand in
// real servers, of which Redis may be a Cluster (tests/support/queueserver.h); and what stands
// there, read without the code under test.
#pragma once

#include "app/designs/documentstores.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/queueserver.h"
#include "tests/support/redisqueue.h"

#include <QJsonObject>
#include <QMap>
#include <QSet>

namespace outbox {

/// What stands in a document for an incoming message, and in the queue for its two messages.
enum class EntryIs {
    NoDocument,
    NoEntry,
    Waiting, ///< messages inside, none of them sent
    HalfOut, ///< the first one is in the queue: a crash between two dispatches
    AllOut, ///< both are: a crash before the clean-up
    OutAndDone, ///< both, completed and retained
    Empty, ///< a list without messages
    NullYoung, ///< null, inside the retention
    NullOld,
    NullBare, ///< null and nothing else: nobody knows since when
    Unreadable,
    Collides, ///< another message has the id of the second one
    Stubbed, ///< a task without a message stands under the id of the second one
    Tokenless, ///< tokens: the entry does not say which token was its message's
};

/// What the other store says of the incoming message.
enum class StoreSays { Nothing, Open, Done };

[[nodiscard]] QString word(EntryIs entry);
[[nodiscard]] QString word(StoreSays store);

struct DesignGround
{
    Design design = Design::EntityState;
    DatabaseUrl::Dialect dialect = DatabaseUrl::Dialect::PostgreSql;
    bool inRedis = false; ///< the other store
};

struct DesignCell
{
    EntryIs entry = EntryIs::Waiting;
    StoreSays store = StoreSays::Nothing;
    int number = 0;

    [[nodiscard]] QString document() const { return QStringLiteral("d-%1").arg(number); }
    [[nodiscard]] QString incoming() const { return QStringLiteral("m-%1").arg(number); }
    /// Of the incoming message.
    [[nodiscard]] QString token() const { return QStringLiteral("in-%1").arg(number); }
    /// The payload of an outgoing message, 1 or 2.
    [[nodiscard]] QByteArray payload(int message) const;
};

/// Everything that a verb could change, as it stands.
struct DesignSight
{
    QMap<QString, QString> documents; ///< id to version and text
    QMap<QString, QByteArray> tasks; ///< task id to its state and message
    QSet<QString> store; ///< ids or tokens

    bool operator==(const DesignSight &) const = default;
};

/// One set of stores with all cells of its design.
class DesignWorld
{
public:
    DesignWorld(Databases &databases, PrivateRedis &redis, const DesignGround &ground);

    [[nodiscard]] const QList<DesignCell> &cells() const { return m_cells; }
    [[nodiscard]] DesignPlace place() const;
    [[nodiscard]] QString address() const { return m_address; }
    [[nodiscard]] DesignSight look() const;
    [[nodiscard]] QJsonObject document(const DesignCell &cell) const;
    /// The tasks that hold a message of the cell: how many, and their ids.
    [[nodiscard]] QStringList tasksOf(const DesignCell &cell) const;
    [[nodiscard]] QString attemptOf(const QString &token) const;

    // What others do between a plan and its act.
    void putDocument(const DesignCell &cell, const QString &json);
    void dropDocument(const DesignCell &cell);
    void setDone(const DesignCell &cell, bool isDone);
    void putToken(const QString &token, const QString &attempt, const QString &incoming);
    void dropToken(const QString &token);
    void putTask(const QString &id);
    /// The document of a cell with this entry.
    [[nodiscard]] QString documentWith(const DesignCell &cell, EntryIs entry) const;

private:
    void fill(const DesignCell &cell);
    void placeTasks(const DesignCell &cell);
    [[nodiscard]] bool isCheckpointed(const DesignCell &cell) const;
    /// The id of the task that an outgoing message becomes.
    [[nodiscard]] QString taskId(const DesignCell &cell, int message) const;
    [[nodiscard]] QString entryText(const DesignCell &cell, EntryIs entry) const;
    [[nodiscard]] RedisReply asked(const RedisCommand &command) const;

    DesignGround m_ground;
    DatabaseUrl m_url;
    QString m_address;
    RedisEndpoint m_endpoint; ///< as the code under test is told
    QByteArray m_tokens = tokenSetName();
    QList<DesignCell> m_cells;
    mutable RedisConnection m_redis;
    std::unique_ptr<SideSession> m_side;
};

} // namespace outbox
