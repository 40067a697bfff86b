// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A saved system: where the outbox and the queue are, and how careful to be with them. No secret
// inside.
#pragma once

#include "models/designs/documentshape.h"
#include "models/designs/donestore.h"
#include "models/designs/nextstep.h"
#include "models/payload/payloadmasks.h"
#include "models/profile/protobufmapping.h"
#include "models/result.h"
#include "models/shape/outboxshape.h"

#include <QJsonObject>
#include <QString>

#include <optional>

namespace outbox {

/// What a saved system says when its messages wait inside documents: the design, the table, and the
/// store beside it.
struct DesignProfile
{
    Design design = Design::EntityState;
    DocumentShape documents;
    // The other store: at most one of the two, and none where the design has no such store.
    std::optional<DoneTable> doneTable;
    std::optional<DoneKeys> doneKeys; ///< the prefix is text in UTF-8

    [[nodiscard]] QJsonObject toJson() const;
    /// Fails with Invalid when a member cannot be understood, or two of them exclude each other.
    [[nodiscard]] static Result<DesignProfile> fromJson(const QJsonObject &json);
    /// What is wrong with it, for people; empty: nothing. `retentionSeconds` is how long a copy of
    /// a message may still come.
    [[nodiscard]] QString problem(qint64 retentionSeconds) const;
    bool operator==(const DesignProfile &) const = default;
};

/// What stands behind a connection; decides the band's colour and how much confirmation an act
/// needs.
enum class Environment { Unsaid, Development, Staging, Production, Demo };

[[nodiscard]] QString word(Environment environment);
[[nodiscard]] QString label(Environment environment);
[[nodiscard]] std::optional<Environment> environmentFromWord(QStringView word);

/// A table in which the receiver notes how far the effect of a message is (step 5 of the article on
/// the Postgres + Redis relay: the status of a mail).
struct StatusTable
{
    TableName table;
    QString idColumn; ///< holds the outbox key
    QString statusColumn;
    QString done = QStringLiteral("sent"); ///< the value that says that the effect has happened

    bool operator==(const StatusTable &) const = default;
};

struct Profile
{
    QString name;
    QString group; ///< systems that belong together have the same; empty: it is in none
    Environment environment = Environment::Unsaid;
    QString databaseUrl; ///< as in cli.md, without a password
    QString table = QStringLiteral("outbox");
    std::optional<OutboxShape> shape; ///< confirmed mapping; else the catalog is probed
    QString redisUrl; ///< as in cli.md, without a password
    QString queue = QStringLiteral("default");
    qint64 retentionSeconds = 86'400; ///< the dedup window
    bool readOnly = true; ///< no relay and no operation may be started unless it is unlocked
    int refreshMs = 1000;
    QString actingUser; ///< database role for operations; empty = that of the URL
    QString actingRedisUser; ///< the same for Redis
    int mostItems = 1'000'000; ///< a plan never freezes more
    std::optional<StatusTable> status;
    QString taskId; ///< instead of the mapping's; empty = that one
    QString source; ///< the same
    QStringList alsoTaskIds; ///< the same
    QString timeZone; ///< of times without one, the same
    QStringList
        decoder; ///< a command that decodes a payload, and its arguments; empty: there is none
    ProtobufMapping protobuf; ///< what payloads are, where they are messages of protobuf
    std::optional<DesignProfile> design; ///< messages wait inside documents; then `table` and
                                         ///< `shape` have no meaning
    PayloadMasks masks = PayloadMasks::none(); ///< values of payloads that are not to be seen

    /// No Redis is named: its queue is not watched, and nothing is sent to it.
    [[nodiscard]] bool isDatabaseOnly() const { return redisUrl.isEmpty(); }
    /// `mapping` with the ids of tasks and the zone of times that are said here.
    [[nodiscard]] OutboxShape refined(OutboxShape mapping) const;
    /// Those of the mapping; empty where it has none, as every one that is found in a catalog.
    [[nodiscard]] QueueShards shards() const
    {
        return shape && shape->hasShards() ? shape->queueShards : QueueShards();
    }
    /// The queue that the outbox is sent to; of shards the first.
    [[nodiscard]] QueueName ownQueue() const
    {
        const QueueShards parts = shards();
        return QueueName{parts.isEmpty() ? queue : parts.name(0)};
    }
    /// The outbox is sent to this queue: it is the profile's, or one of the shards.
    [[nodiscard]] bool sendsTo(const QueueName &one) const
    {
        const QueueShards parts = shards();
        return parts.isEmpty() ? one.text == queue : parts.contains(one.text);
    }

    [[nodiscard]] QJsonObject toJson() const;
    /// Fails with Invalid when a member cannot be understood, or with the shape's own error.
    [[nodiscard]] static Result<Profile> fromJson(const QJsonObject &json);
    bool operator==(const Profile &) const = default;
};

/// "Profile changed: table outbox -> app.outbox; mapping.processed.column …", "Profile added",
/// "Profile removed". At least one of the two is there. Passwords are in no profile; one that
/// stands in an address is left out.
[[nodiscard]] QString profileChange(const std::optional<Profile> &before,
                                    const std::optional<Profile> &after);

} // namespace outbox
