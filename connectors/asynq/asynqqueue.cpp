// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/asynqqueue.h"

#include "connectors/asynq/batchenqueue.h"
#include "connectors/asynq/copywait.h"
#include "connectors/asynq/judgedservers.h"
#include "connectors/asynq/keptlives.h"
#include "connectors/asynq/relaypresence.h"
#include "connectors/asynq/wire/enqueuecommand.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/queuefence.h"
#include "connectors/redis/cluster/clusterlink.h"
#include "connectors/redis/servererror.h"

#include <QStringList>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace asynq;

struct AsynqQueue::Private
{
    ClusterLink link;
    QStringList rowKeys;
    EnqueueCommand command;
    QueueFence fence;
    QSet<QueueName> lastQueues;
    JudgedServers servers;
    RelayPresence presence; ///< who the relay is
    BatchEnqueue work{link, command, fence, servers, rowKeys}; ///< of one batch
};

AsynqQueue::AsynqQueue() : d(std::make_unique<Private>())
{ }

AsynqQueue::~AsynqQueue() = default;

Result<void> AsynqQueue::open(const RedisEndpoint &endpoint, const QString &clientName,
                              std::chrono::milliseconds timeout)
{
    d->work.forgetAnswers();
    d->servers.forgetNodes();
    d->presence = {}; // who it was before may be another process by now
    auto opened = d->link.open(endpoint, RedisConnection::Access::Act, clientName, timeout);
    if (!opened || d->link.isCluster()) // a node learns the script with its first call
        return opened;
    return d->command.script().load(d->link.alone());
}

void AsynqQueue::close()
{
    d->link.close();
}

bool AsynqQueue::isOpen() const
{
    return d->link.isOpen();
}

RedisConnection &AsynqQueue::connection()
{
    return d->link.alone();
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

Result<QList<RelayLife>> AsynqQueue::lostAmong(const QList<RelayLife> &kept)
{
    TRY(d->link.ensureOpen());
    return asynq::lostAmong(d->link, kept);
}

void AsynqQueue::introduce(const RelayAbout &about, qint64 goneAfterSeconds)
{
    d->presence.begin(about, goneAfterSeconds);
    d->fence.introduce(d->presence.value());
}

void AsynqQueue::tellEnd()
{
    if (d->presence.isTold() && isOpen())
        d->presence.end(d->link, d->fence.relay(), d->fence.told());
}

void AsynqQueue::checkServer(ServerRule rule)
{
    d->servers.begin(std::move(rule));
}

Result<void> AsynqQueue::judge()
{
    d->servers.askAgain();
    return d->servers.judgeWhereDue(d->link);
}

Result<void> AsynqQueue::tryDisk()
{
    const auto nodes = TRY(d->link.nodes());
    for (const Result<void> &tried : tryWaitForDisk(nodes)) {
        if (!tried && !d->link.isOfNode(tried.error())) // that one is met with its first rows
            return tried;
    }
    return {};
}

void AsynqQueue::judgeBeforeBatch()
{
    d->servers.askAgain();
}

const RedisFacts &AsynqQueue::facts() const
{
    return d->servers.facts();
}

std::optional<RedisFacts> AsynqQueue::takeNewFacts()
{
    return d->servers.takeNews();
}

const QSet<QueueName> &AsynqQueue::lastQueues() const
{
    return d->lastQueues;
}

qint64 AsynqQueue::lastBatch() const
{
    return d->fence.batch();
}

QList<RelayLife> AsynqQueue::livesBy(qint64 batch) const
{
    return d->fence.livesBy(batch);
}

void AsynqQueue::committed(qint64 batch, int rows)
{
    d->fence.committed(batch, rows);
}

Result<void> AsynqQueue::agreeOnShards(const QueueShards &shards, const QString &outbox,
                                       bool isVouchedFor)
{
    TRY(d->link.ensureOpen());
    return asynq::agreeOnShards(d->link, shards, outbox, isVouchedFor);
}

Result<void> AsynqQueue::meet(const QueueName &queue)
{
    TRY(d->link.ensureOpen());
    d->fence.begin();
    d->presence.met(queue);
    const auto answers = TRY(d->work.askFence(queue, d->presence.isTold()));
    const ClusterLink::Answer &answer = answers.first();
    // It is met with its first rows, which wait until then. A right that is missing is told now.
    if (d->work.isAway(answer) && !(answer.reply && errorWord(*answer.reply) == "NOPERM"))
        return {};
    if (answer.reply->isError()) {
        return tl::unexpected(errorFromReply(*answer.reply, u"meeting queue "_s + queue.text,
                                             answer.node->asker(d->command.script().text())));
    }
    TRY(d->fence.take(queue, answer.reply->elements));
    if (const auto &scan = answers.last().reply; answers.size() > 1 && scan)
        static_cast<void>(d->presence.forgetGone(d->link, queue, *scan));
    return {};
}

Result<QList<EnqueueAnswer>> AsynqQueue::enqueue(const QList<EnqueueRequest> &batch)
{
    TRY(d->servers.judgeWhereDue(d->link));
    d->fence.begin();
    d->lastQueues.clear();
    for (const EnqueueRequest &request : batch)
        d->lastQueues += request.queue;
    return d->work.run(batch);
}

Result<void> AsynqQueue::awaitCopies(const CopyTerms &terms, const QList<EnqueueRequest> &batch,
                                     QList<EnqueueAnswer> &answers)
{
    if (!d->link.isCluster())
        return askForCopies({&d->link.alone()}, terms).first();
    d->work.awaitAtNodes(terms, batch, answers);
    return {};
}

Result<qint64> AsynqQueue::backlog(const QueueName &queue)
{
    const QByteArray key = QueueKeys(queue).pending();
    const auto length = [&](RedisConnection &connection) -> Result<RedisReply> {
        TRY(connection.ensureOpen());
        return connection.command({"LLEN", key}, u"reading the length of queue "_s + queue.text);
    };
    const auto reply = TRY(d->link.at(key, length));
    return reply.integer;
}

} // namespace outbox
