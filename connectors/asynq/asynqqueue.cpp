// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/asynqqueue.h"

#include "connectors/asynq/observe/containersearch.h"
#include "connectors/asynq/observe/serverfacts.h"
#include "connectors/asynq/wire/enqueuecommand.h"

#include <QMap>
#include <QSet>

#include <chrono>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace asynq;

namespace {

constexpr qsizetype bytesUnderWay = 16LL * 1024 * 1024; ///< bounds our memory, not the batch
constexpr int searchRounds = 3;

qint64 unixNanoseconds()
{
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

QString enqueueing(qsizetype rows)
{
    return u"enqueueing %1 tasks"_s.arg(rows);
}

} // namespace

struct AsynqQueue::Private
{
    using Rows = EnqueueRows;

    RedisConnection connection;
    QStringList rowKeys;
    EnqueueCommand command;
    QueueFence fence;
    QSet<QueueName> lastQueues;
    /// The server behind the connection, where it is checked.
    struct Server
    {
        ServerRule rule = nullptr; ///< nullptr: it is not checked
        bool isDue = true; ///< it is judged before the next batch
        /// `timesConnected` when it was judged, 0 before: any other is judged anew
        qint64 connection = 0;
        RedisFacts facts; ///< as they were then
        std::optional<RedisFacts> news; ///< see `takeNewFacts`
    };
    Server server;

    /// Connects where that is needed, and judges the server where that is due.
    [[nodiscard]] Result<void> judgeWhereDue()
    {
        if (!server.rule)
            return {};
        TRY(connection.ensureOpen());
        if (!server.isDue && connection.timesConnected() == server.connection)
            return {};
        server.isDue = true;
        const auto facts = TRY(readFacts(connection));
        const bool isFirst = server.connection == 0;
        if (const QString refusal = server.rule(facts); !refusal.isEmpty()) {
            if (connection.endpoint().sentinels)
                connection.close(); // they may name another one by now
            return fail(Error::Kind::Refused,
                        isFirst ? u"starting the relay"_s : u"going on with Redis"_s, refusal);
        }
        if (!isFirst && facts.runId != server.facts.runId)
            server.news = facts;
        server.facts = facts;
        server.isDue = false;
        server.connection = connection.timesConnected();
        return {};
    }
    /// Fails where the connection was made anew since: what was sent may be lost with a server that
    /// ended, or be with one that nobody judged.
    [[nodiscard]] Result<void> isAsJudged() const
    {
        if (!server.rule || connection.timesConnected() == server.connection)
            return {};
        return fail(Error::Kind::Unreachable, u"enqueueing rows"_s,
                    u"the connection to Redis was lost and made anew meanwhile"_s);
    }
    /// A reply to each call; calls that met a forgotten script are sent again with its text, so
    /// that nobody who flushes scripts can come in between.
    [[nodiscard]] Result<QList<RedisReply>> ask(const QList<EnqueueRequest> &batch,
                                                const QList<EnqueueCall> &calls)
    {
        TRY(connection.ensureOpen());
        Result<QList<RedisReply>> replies = send(batch, calls, false);
        if (!replies)
            return replies;
        QList<qsizetype> forgotten;
        QList<EnqueueCall> again;
        for (qsizetype i = 0; i < calls.size(); ++i) {
            if (replies->at(i).errorPrefix() == "NOSCRIPT") {
                forgotten += i;
                again += calls.at(i);
            }
        }
        if (forgotten.isEmpty())
            return replies;
        QList<RedisReply> later = TRY(send(batch, again, true));
        for (qsizetype i = 0; i < forgotten.size(); ++i)
            (*replies)[forgotten.at(i)] = std::move(later[i]);
        return replies;
    }
    /// Redis works on a call while the next one is encoded. `isInFull`: see
    /// `EnqueueCommand::append`.
    [[nodiscard]] Result<QList<RedisReply>> send(const QList<EnqueueRequest> &batch,
                                                 const QList<EnqueueCall> &calls, bool isInFull)
    {
        const qint64 now = unixNanoseconds();
        QSet<QueueName> queues;
        for (const EnqueueCall &call : calls)
            queues += batch.at(call.rows.first()).queue;

        RedisWire wire;
        // In every batch: whoever deleted the queue, or all of Redis, would else make it invisible
        // for good.
        for (const QueueName &queue : std::as_const(queues)) {
            wire.begin(3);
            wire.add("SADD");
            wire.add(allQueues);
            wire.add(queue.text.toUtf8());
        }
        QList<RedisReply> replies; // those to the introductions first
        replies.reserve(queues.size() + calls.size());
        qsizetype underWay = 0;
        for (qsizetype i = 0; i < calls.size(); ++i) {
            command.append(wire, batch, calls.at(i), now, isInFull,
                           fence.stampFor(batch.at(calls.at(i).rows.first()).queue));
            const bool isLast = i + 1 == calls.size();
            Result<void> sent = connection.send(wire.bytes(), wire.commands());
            if (!sent) {
                sent.error().doing = enqueueing(batch.size());
                return passOn(sent);
            }
            underWay += wire.bytes().size();
            wire = {};
            if (!isLast && underWay < bytesUnderWay)
                continue;
            Result<QList<RedisReply>> part = connection.receive();
            if (!part) {
                part.error().doing = enqueueing(batch.size());
                return part;
            }
            replies += *std::move(part);
            underWay = 0;
        }
        for (qsizetype i = 0; i < queues.size(); ++i) {
            if (replies.at(i).isError())
                return tl::unexpected(
                    errorFromReply(replies.at(i), enqueueing(batch.size()), connection.asker()));
        }
        return replies.mid(queues.size());
    }
    /// Asks and writes down what was found; answers the rows whose container was not searched
    /// through.
    [[nodiscard]] Result<Rows> settle(const QList<EnqueueRequest> &batch, const Rows &rows,
                                      QList<EnqueueFinding> &findings)
    {
        QMap<qsizetype, Rows> open{{0, rows}}; // by the first of the other ids that is asked for
        while (!open.isEmpty()) {
            const qsizetype firstOther = open.firstKey();
            const Rows some = open.take(firstOther);
            TRY(settleFrom(batch, some, firstOther, findings));
            for (const qsizetype row : some) {
                if (const qsizetype ruledOut = findings.at(row).ruledOut; ruledOut > 0)
                    open[firstOther + ruledOut] += row;
            }
        }
        Rows unseen;
        for (const qsizetype row : rows) {
            if (findings.at(row).unseen)
                unseen += row;
        }
        return unseen;
    }
    /// One round of it: of the other ids it asks for those from `firstOther` on.
    [[nodiscard]] Result<void> settleFrom(const QList<EnqueueRequest> &batch, const Rows &rows,
                                          qsizetype firstOther, QList<EnqueueFinding> &findings)
    {
        const auto alone = TRY(settleCalls(batch, callsFor(batch, rows, firstOther), findings));
        if (alone.isEmpty())
            return {};
        QList<EnqueueCall> calls; // they stand behind the rest of the batch then
        for (const qsizetype row : alone)
            calls += callsFor(batch, {row}, firstOther);
        TRY(settleCalls(batch, calls, findings));
        return {};
    }
    /// Its calls; answers the rows that have to be asked for one by one.
    [[nodiscard]] Result<Rows> settleCalls(const QList<EnqueueRequest> &batch,
                                           const QList<EnqueueCall> &calls,
                                           QList<EnqueueFinding> &findings)
    {
        const auto replies = TRY(ask(batch, calls));
        Rows alone;
        for (qsizetype i = 0; i < calls.size(); ++i) {
            const RedisReply &reply = replies.at(i);
            const Rows &rows = calls.at(i).rows;
            if (reply.isError()) {
                if (concernsQueue(reply)) {
                    for (const qsizetype row : rows)
                        findings[row] = brokenQueue(reply);
                    continue;
                }
                if (concernsServer(reply))
                    return tl::unexpected(
                        errorFromReply(reply, enqueueing(batch.size()),
                                       connection.asker(command.script().text())));
                if (rows.size() == 1)
                    findings[rows.first()] = rejectedBy(reply);
                else // one of them is at fault, and the others are not to suffer for it
                    alone += rows;
                continue;
            }
            TRY(fence.take(batch.at(rows.first()).queue, reply.elements));
            TRY(EnqueueCommand::read(batch, calls.at(i), reply, findings, rowKeys));
            for (const qsizetype row : rows) {
                if (findings.at(row).askAlone)
                    alone += row;
            }
        }
        return alone;
    }
    /// Searches for the unseen together, and answers those that were not met.
    [[nodiscard]] Result<Rows> search(const QList<EnqueueRequest> &batch, const Rows &unseen,
                                      const QList<EnqueueFinding> &findings)
    {
        QMap<QByteArray, QSet<QByteArray>> lists; // container → ids
        Rows missed;
        for (const qsizetype row : unseen) {
            const EnqueueRequest &request = batch.at(row);
            const EnqueueFinding &finding = findings.at(row);
            const QueueKeys keys(request.queue);
            const QByteArray id = finding.id.text.toUtf8();
            if (finding.answer.state != TaskState::Aggregating) {
                lists[keys.container(finding.answer.state)] += id;
                continue;
            }
            const auto stands = TRY(findInGroup(connection, keys, finding.group, id));
            if (stands.isNil())
                missed += row;
        }
        for (auto list = lists.begin(); list != lists.end(); ++list) {
            const auto found = TRY(findInList(connection, list.key(), list.value()));
            list.value().subtract(found);
        }
        for (const qsizetype row : unseen) {
            const EnqueueRequest &request = batch.at(row);
            const QByteArray list
                = QueueKeys(request.queue).container(findings.at(row).answer.state);
            if (!list.isEmpty() && lists.value(list).contains(findings.at(row).id.text.toUtf8()))
                missed += row;
        }
        return missed;
    }
};

AsynqQueue::AsynqQueue() : d(std::make_unique<Private>())
{ }

AsynqQueue::~AsynqQueue() = default;

Result<void> AsynqQueue::open(const RedisEndpoint &endpoint, const QString &clientName,
                              std::chrono::milliseconds timeout)
{
    const auto opened
        = d->connection.open(endpoint, RedisConnection::Access::Act, clientName, timeout);
    return opened ? d->command.script().load(d->connection) : opened;
}

void AsynqQueue::close()
{
    d->connection.close();
}

bool AsynqQueue::isOpen() const
{
    return d->connection.isOpen();
}

RedisConnection &AsynqQueue::connection()
{
    return d->connection;
}

void AsynqQueue::setRowKeys(const QStringList &columns)
{
    d->rowKeys = columns;
}

void AsynqQueue::watchLives(const QByteArray &relay, const QList<QueueLife> &known)
{
    d->fence.watch(relay, known);
}

QList<QueueLife> AsynqQueue::lives() const
{
    return d->fence.known();
}

void AsynqQueue::checkServer(ServerRule rule)
{
    d->server = {};
    d->server.rule = rule;
}

Result<void> AsynqQueue::judge()
{
    d->server.isDue = true;
    return d->judgeWhereDue();
}

void AsynqQueue::judgeBeforeBatch()
{
    d->server.isDue = true;
}

const RedisFacts &AsynqQueue::facts() const
{
    return d->server.facts;
}

std::optional<RedisFacts> AsynqQueue::takeNewFacts()
{
    return std::exchange(d->server.news, std::nullopt);
}

const QSet<QueueName> &AsynqQueue::lastQueues() const
{
    return d->lastQueues;
}

qint64 AsynqQueue::lastBatch() const
{
    return d->fence.batch();
}

void AsynqQueue::committed(qint64 batch, int rows)
{
    d->fence.committed(batch, rows);
}

Result<void> AsynqQueue::meet(const QueueName &queue)
{
    const QString doing = u"meeting queue "_s + queue.text;
    TRY(d->connection.ensureOpen());
    d->fence.begin();
    RedisWire wire;
    d->command.appendMeeting(wire, queue, d->fence.stampFor(queue));
    TRY(d->connection.send(wire.bytes(), wire.commands()));
    const auto replies = TRY(d->connection.receive());
    if (replies.first().isError()) {
        return tl::unexpected(errorFromReply(replies.first(), doing,
                                             d->connection.asker(d->command.script().text())));
    }
    return d->fence.take(queue, replies.first().elements);
}

Result<QList<EnqueueAnswer>> AsynqQueue::enqueue(const QList<EnqueueRequest> &batch)
{
    TRY(d->judgeWhereDue());
    d->fence.begin();
    d->lastQueues.clear();
    QList<EnqueueFinding> findings(batch.size());
    Private::Rows rows;
    rows.reserve(batch.size());
    for (qsizetype row = 0; row < batch.size(); ++row) {
        d->lastQueues += batch.at(row).queue;
        QString refused = refusal(batch.at(row));
        if (refused.isEmpty()) {
            rows += row;
        } else {
            findings[row].answer.kind = EnqueueAnswer::Kind::Invalid;
            findings[row].answer.detail = std::move(refused);
        }
    }

    // An id that was not met may have moved on while it was looked for: only one that is missed
    // although its hash goes on saying the same is called an orphan.
    for (int round = 0; !rows.isEmpty(); ++round) {
        const auto unseen = TRY(d->settle(batch, rows, findings));
        rows = TRY(d->search(batch, unseen, findings));
        if (round + 1 < searchRounds)
            continue;
        for (const qsizetype row : std::as_const(rows)) {
            EnqueueAnswer &answer = findings[row].answer;
            answer = orphanAnswer(word(answer.state), answer.same);
        }
        break;
    }

    TRY(d->isAsJudged());
    QList<EnqueueAnswer> answers;
    answers.reserve(batch.size());
    for (EnqueueFinding &finding : findings)
        answers += std::move(finding.answer);
    return answers;
}

Result<int> AsynqQueue::replicasThatHaveIt(int replicas, int timeoutMs)
{
    const QString doing = u"waiting for %1 replicas"_s.arg(replicas);
    const auto replies = TRY(d->connection.pipeline(
        {{"WAIT", QByteArray::number(replicas), QByteArray::number(timeoutMs)}},
        std::chrono::milliseconds(timeoutMs) + std::chrono::seconds(3)));
    if (replies.first().isError())
        return tl::unexpected(errorFromReply(replies.first(), doing, d->connection.asker()));
    return static_cast<int>(replies.first().integer);
}

Result<qint64> AsynqQueue::backlog(const QueueName &queue)
{
    TRY(d->connection.ensureOpen());
    const auto reply = TRY(d->connection.command({"LLEN", QueueKeys(queue).pending()},
                                                 u"reading the length of queue "_s + queue.text));
    return reply.integer;
}

} // namespace outbox
