// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/copywait.h"

#include "connectors/asynq/wire/enqueuecommand.h"
#include "connectors/redis/cluster/clusterlink.h"
#include "connectors/redis/servererror.h"
#include "connectors/redis/wire.h"

#include <QDeadlineTimer>

#include <chrono>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

void addDiskQuestion(RedisWire &wire, int timeoutMs)
{
    wire.begin(4);
    wire.add("WAITAOF");
    wire.add(qint64{1}); // its own disk
    wire.add(qint64{0}); // those of no replica: WAIT speaks of replicas, which may keep no file
    wire.add(qint64{timeoutMs});
}

/// What each of them replies to the same bytes; `timeoutMs` is how long it may wait in all.
QList<Result<QList<RedisReply>>> repliesOf(const QList<RedisConnection *> &nodes,
                                           const RedisWire &wire, int timeoutMs)
{
    QList<Result<void>> sent;
    for (RedisConnection *node : nodes)
        sent += node->send(wire.bytes(), wire.commands());
    const QDeadlineTimer deadline(std::chrono::milliseconds(timeoutMs) + std::chrono::seconds(3));
    QList<Result<QList<RedisReply>>> replies;
    for (qsizetype i = 0; i < nodes.size(); ++i) {
        if (sent.at(i))
            replies += nodes.at(i)->receive(deadline);
        else
            replies += Result<QList<RedisReply>>(passOn(sent.at(i)));
    }
    return replies;
}

/// An error reply to WAITAOF.
Error diskRefusal(const RedisReply &reply, const RedisConnection &node)
{
    Error error = errorFromReply(reply, u"waiting for the disk of Redis"_s, node.asker());
    if (errorWord(reply) == "UNKNOWNCOMMAND") {
        error.kind = Error::Kind::Refused;
        error.text = u"this server does not know WAITAOF"_s;
        error.hint = u"Redis 7.2 is needed, or 8.0 and newer, with no command renamed; or do not "
                     "wait for the disk (--wait-aof)"_s;
    } else if (reply.bytes.contains("appendonly")) {
        error.kind = Error::Kind::Refused;
        error.text = u"this Redis keeps no append-only file (appendonly no), so nothing is on its "
                     "disk"_s;
        error.hint = u"Set appendonly yes there, in its configuration as well; or do not wait for "
                     "the disk (--wait-aof)"_s;
    }
    return error;
}

/// What one server replied to the questions of `terms`.
Result<void> copiesSaid(const QList<RedisReply> &replies, const CopyTerms &terms,
                        const RedisConnection &node)
{
    const QString hint = u"The rows stay in the outbox; see to the "_s;
    if (terms.replicas > 0) {
        const RedisReply &reply = replies.first();
        if (reply.isError())
            return tl::unexpected(errorFromReply(
                reply, u"waiting for %1 replicas"_s.arg(terms.replicas), node.asker()));
        if (reply.integer < terms.replicas) {
            return fail(Error::Kind::Timeout, u"waiting for replicas of Redis"_s,
                        u"%1 of %2 have the batch after %3 ms"_s.arg(reply.integer)
                            .arg(terms.replicas)
                            .arg(terms.timeoutMs),
                        {}, hint + u"replicas"_s);
        }
    }
    if (terms.onDisk) {
        const RedisReply &reply = replies.last();
        if (reply.isError())
            return tl::unexpected(diskRefusal(reply, node));
        if (reply.elements.value(0).integer < 1) {
            return fail(Error::Kind::Timeout, u"waiting for the disk of Redis"_s,
                        u"it does not have the batch after %1 ms"_s.arg(terms.timeoutMs), {},
                        hint
                            + u"disk of Redis, and to appendfsync: with everysec it takes a second "
                              "or two, and with no it may take any time"_s);
        }
    }
    return {};
}

} // namespace

QList<Result<void>> askForCopies(const QList<RedisConnection *> &nodes, const CopyTerms &terms)
{
    RedisWire wire;
    if (terms.replicas > 0) {
        wire.begin(3);
        wire.add("WAIT");
        wire.add(qint64{terms.replicas});
        wire.add(qint64{terms.timeoutMs});
    }
    if (terms.onDisk)
        addDiskQuestion(wire, terms.timeoutMs);
    QList<Result<void>> there;
    const auto replies = repliesOf(nodes, wire, terms.longestMs());
    for (qsizetype i = 0; i < nodes.size(); ++i) {
        const Result<QList<RedisReply>> &said = replies.at(i);
        if (said)
            there += copiesSaid(*said, terms, *nodes.at(i));
        else
            there += Result<void>(passOn(said));
    }
    return there;
}

QList<Result<void>> tryWaitForDisk(const QList<RedisConnection *> &nodes)
{
    RedisWire wire;
    constexpr int timeoutMs = 1; // 0 would wait for ever
    addDiskQuestion(wire, timeoutMs);
    QList<Result<void>> tried;
    const auto replies = repliesOf(nodes, wire, timeoutMs);
    for (qsizetype i = 0; i < nodes.size(); ++i) {
        const Result<QList<RedisReply>> &said = replies.at(i);
        if (!said)
            tried += Result<void>(passOn(said));
        else if (said->first().isError())
            tried += Result<void>(tl::unexpected(diskRefusal(said->first(), *nodes.at(i))));
        else
            tried += Result<void>();
    }
    return tried;
}

QHash<QueueName, EnqueueAnswer> withoutCopies(const QHash<QueueName, AnswerPlace> &answered,
                                              const CopyTerms &terms)
{
    QList<RedisConnection *> nodes;
    for (const AnswerPlace &place : answered) {
        if (!nodes.contains(place.first))
            nodes += place.first;
    }
    const QList<Result<void>> copies = askForCopies(nodes, terms);
    QHash<QueueName, EnqueueAnswer> lacking;
    for (auto place = answered.cbegin(); place != answered.cend(); ++place) {
        RedisConnection &node = *place->first;
        const Result<void> &there = copies.at(nodes.indexOf(&node));
        const bool isSame = node.isOpen() && node.timesConnected() == place->second;
        if (isSame && there)
            continue;
        const Failure why = there ? nobodyAnswered(terms) : passOn(there);
        lacking.insert(place.key(), awayQueue(why, addressOf(node).text()));
    }
    return lacking;
}

Failure nobodyAnswered(const CopyTerms &terms)
{
    return fail(Error::Kind::Unreachable,
                terms.replicas > 0 ? u"waiting for replicas of Redis"_s
                                   : u"waiting for the disk of Redis"_s,
                u"the connection to the node of the queue was lost meanwhile"_s);
}

} // namespace outbox::asynq
