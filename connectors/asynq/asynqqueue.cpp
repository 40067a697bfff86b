// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/asynqqueue.h"

#include "connectors/asynq/judgedservers.h"
#include "connectors/asynq/observe/containersearch.h"
#include "connectors/asynq/relaypresence.h"
#include "connectors/asynq/replicawait.h"
#include "connectors/asynq/wire/enqueuecommand.h"
#include "connectors/redis/cluster/clusterlink.h"

#include <QHash>
#include <QMap>
#include <QSet>

#include <algorithm>
#include <chrono>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace asynq;

namespace {

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

    ClusterLink link;
    QStringList rowKeys;
    EnqueueCommand command;
    QueueFence fence;
    QSet<QueueName> lastQueues;
    // Of a Cluster, in the last batch:
    QHash<QueueName, AnswerPlace> answered; ///< by whom first
    QSet<QueueName> moved; ///< answered by another one later
    bool isListAway = false; ///< that of all queues, when it was asked last
    JudgedServers servers;
    RelayPresence presence; ///< who the relay is

    void beginAnswers()
    {
        answered.clear();
        moved.clear();
    }
    /// The connections of the link are made anew.
    void forgetNodes()
    {
        beginAnswers();
        servers.forgetNodes();
    }
    /// Who answered for the queue was judged, is there, and has the queue still.
    [[nodiscard]] bool isStillAt(const QueueName &queue, const AnswerPlace &place) const
    {
        RedisConnection &node = *place.first;
        return node.isOpen() && node.timesConnected() == place.second && servers.isAsJudged(node)
            && link.isAt(QueueKeys(queue).pending(), node);
    }
    /// Where a connection was made anew meanwhile, what was sent may be lost with a server that
    /// ended, or be with one that nobody judged; a queue that has another node now may be without
    /// what the one before took. One server fails then; of a Cluster such queues are not answered
    /// for.
    [[nodiscard]] Result<void> doubtWhatChanged(const QList<EnqueueRequest> &batch,
                                                QList<EnqueueAnswer> &answers)
    {
        const QString doing = u"enqueueing rows"_s;
        if (!link.isCluster()) {
            if (servers.isAsJudged(link.alone()))
                return {};
            return fail(Error::Kind::Unreachable, doing,
                        u"the connection to Redis was lost and made anew meanwhile"_s);
        }
        QHash<QueueName, EnqueueAnswer> doubted;
        for (auto place = answered.cbegin(); place != answered.cend(); ++place) {
            if (!moved.contains(place.key()) && isStillAt(place.key(), *place))
                continue;
            RedisConnection &node = *place->first;
            const auto unjudged = servers.whyUnjudged(node);
            const Failure why = unjudged
                ? Failure(*unjudged)
                : fail(Error::Kind::Unreachable, doing,
                       u"the queue has another node, or was lost sight of, meanwhile"_s);
            doubted.insert(place.key(), awayQueue(why, ClusterLink::placeOf(node)));
        }
        takeBack(doubted, batch, answers);
        return {};
    }
    /// The nodes of these queues did not answer everything that was asked of them: what they said
    /// of rows does not count.
    void takeBack(const QHash<QueueName, EnqueueAnswer> &away, const QList<EnqueueRequest> &batch,
                  QList<EnqueueAnswer> &answers)
    {
        using Kind = EnqueueAnswer::Kind;
        if (away.isEmpty())
            return;
        for (auto queue = away.keyBegin(); queue != away.keyEnd(); ++queue)
            fence.setAside(*queue);
        for (qsizetype row = 0; row < answers.size(); ++row) {
            const auto why = away.constFind(batch.at(row).queue);
            const Kind kind = answers.at(row).kind;
            if (why == away.constEnd() || kind == Kind::Invalid || kind == Kind::QueueAway)
                continue;
            answers[row] = *why;
            answers[row].wasStored = kind == Kind::Stored;
        }
    }
    /// An answer to each call. The queues are introduced first, in every batch: whoever deleted
    /// one, or all of Redis, would else make it invisible for good.
    [[nodiscard]] Result<QList<ClusterLink::Answer>> ask(const QList<EnqueueRequest> &batch,
                                                         const QList<EnqueueCall> &calls)
    {
        const auto queueOf = [&](const EnqueueCall &call) -> const QueueName & {
            return batch.at(call.rows.first()).queue;
        };
        QSet<QueueName> named;
        for (const EnqueueCall &call : calls)
            named += queueOf(call);
        const QList<QueueName> queues = named.values();
        const QByteArray list = allQueues;
        QByteArrayList keys(queues.size(), list);
        for (const EnqueueCall &call : calls) // of one server nobody asks where they lie
            keys += link.isCluster() ? QueueKeys(queueOf(call)).pending() : list;
        const qint64 now = unixNanoseconds();
        const auto encode = [&](RedisWire &wire, qsizetype at, bool isInFull) {
            if (at < queues.size()) {
                wire.begin(3);
                wire.add("SADD");
                wire.add(allQueues);
                wire.add(queues.at(at).text.toUtf8());
                return;
            }
            const EnqueueCall &call = calls.at(at - queues.size());
            command.append(wire, batch, call, now, isInFull, fence.stampFor(queueOf(call)));
        };
        TRY(link.ensureOpen());
        Result<QList<ClusterLink::Answer>> answers = link.exchange(keys, encode);
        if (!answers) {
            answers.error().doing = enqueueing(batch.size());
            return answers;
        }
        return introduced(queues, *std::move(answers), batch.size());
    }
    /// Without the answers to the introductions. A queue that could not be introduced now has not
    /// been answered for.
    [[nodiscard]] Result<QList<ClusterLink::Answer>>
    introduced(const QList<QueueName> &queues, QList<ClusterLink::Answer> answers, qsizetype rows)
    {
        isListAway = false;
        for (qsizetype i = 0; i < queues.size(); ++i) {
            const ClusterLink::Answer &answer = answers.at(i);
            if (isAway(answer)) {
                isListAway = true;
                // All of them are on one list, so what holds for one holds for all.
                const EnqueueAnswer list = awayBy(answer, rows);
                const Result<RedisReply> why = fail(
                    Error::Kind::Unreachable, enqueueing(rows),
                    u"asynq:queues, the list of all queues, is away: "_s + list.detail, list.code);
                for (ClusterLink::Answer &one : answers)
                    one = {why, nullptr, 0, list.node};
                break;
            }
            if (answer.reply->isError()) {
                return tl::unexpected(
                    errorFromReply(*answer.reply, enqueueing(rows), answer.node->asker()));
            }
        }
        return answers.mid(queues.size());
    }
    /// The queue's node cannot answer for it now, or refuses all that is asked of it; others may
    /// be well.
    [[nodiscard]] bool isAway(const ClusterLink::Answer &answer) const
    {
        if (!link.isCluster() || !answer.reply)
            return link.isCluster();
        const RedisReply &reply = *answer.reply;
        if (!reply.isError() || concernsQueue(reply))
            return false;
        return concernsNode(reply) || concernsServer(reply) || errorWord(reply) == "NOPERM";
    }
    /// What is said then of each row of the queue, in a batch of so many.
    [[nodiscard]] EnqueueAnswer awayBy(const ClusterLink::Answer &answer, qsizetype rows) const
    {
        EnqueueAnswer away = awayQueue(answer.reply, answer.place());
        if (!answer.reply || concernsNode(*answer.reply))
            return away; // it passes by itself
        const RedisAsker asker = answer.node->asker(command.script().text());
        const QString hint = errorFromReply(*answer.reply, enqueueing(rows), asker).hint;
        if (!hint.isEmpty())
            away.detail += u" ("_s + hint + u')';
        return away;
    }
    /// The node that answered for the queue, "host:port"; empty where none did.
    [[nodiscard]] QString nodeOf(const QueueName &queue) const
    {
        const auto place = answered.constFind(queue);
        return place == answered.constEnd() ? QString() : ClusterLink::placeOf(*place->first);
    }
    /// A call without tasks: what it meets is what all tasks of the queue share. Its answer stands
    /// first, and behind it what relays said of themselves where that is asked for.
    [[nodiscard]] Result<QList<ClusterLink::Answer>> askFence(const QueueName &queue,
                                                              bool withRelays = false)
    {
        const auto encode = [&](RedisWire &wire, qsizetype at, bool) {
            if (at == 0)
                command.appendMeeting(wire, queue, fence.stampFor(queue));
            else
                RelayPresence::appendScan(wire, queue);
        };
        return link.exchange(QByteArrayList(withRelays ? 2 : 1, QueueKeys(queue).pending()),
                             encode);
    }
    /// Where only the keys of single rows may not be touched these are at fault, and not the queue.
    [[nodiscard]] Result<void> blameRows(const QList<EnqueueRequest> &batch,
                                         QList<EnqueueAnswer> &answers)
    {
        QHash<QueueName, bool> mayTouch;
        for (qsizetype row = 0; row < answers.size(); ++row) {
            EnqueueAnswer &answer = answers[row];
            const bool isOfKeys = answer.code == "NOPERM"_L1 && answer.detail.contains(" key"_L1);
            if (answer.kind != EnqueueAnswer::Kind::QueueAway || !isOfKeys || answer.isOfAll)
                continue;
            const QueueName &queue = batch.at(row).queue;
            if (!answered.contains(queue) && !mayTouch.contains(queue)) {
                const auto met = TRY(askFence(queue)).first();
                mayTouch.insert(queue, met.reply && !met.reply->isError());
            }
            if (!mayTouch.value(queue, true))
                continue;
            answer.kind = EnqueueAnswer::Kind::Rejected;
            answer.node.clear();
        }
        return {};
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
        const auto answers = TRY(ask(batch, calls));
        Rows alone;
        for (qsizetype i = 0; i < calls.size(); ++i) {
            const ClusterLink::Answer &answer = answers.at(i);
            const Rows &rows = calls.at(i).rows;
            if (isAway(answer)) {
                const bool isOfKeys = answer.reply && errorWord(*answer.reply) == "NOPERM"
                    && !concernsServer(*answer.reply);
                if (isOfKeys && rows.size() > 1) { // they may be those of one row
                    alone += rows;
                    continue;
                }
                EnqueueAnswer away = awayBy(answer, batch.size());
                away.isOfAll = isListAway;
                for (const qsizetype row : rows)
                    findings[row] = EnqueueFinding{away};
                continue;
            }
            const RedisReply &reply = *answer.reply;
            if (reply.isError()) {
                if (concernsQueue(reply)) {
                    for (const qsizetype row : rows)
                        findings[row] = brokenQueue(reply);
                    continue;
                }
                if (concernsServer(reply))
                    return tl::unexpected(
                        errorFromReply(reply, enqueueing(batch.size()),
                                       answer.node->asker(command.script().text())));
                if (rows.size() == 1)
                    findings[rows.first()] = rejectedBy(reply);
                else // one of them is at fault, and the others are not to suffer for it
                    alone += rows;
                continue;
            }
            const QueueName &queue = batch.at(rows.first()).queue;
            TRY(fence.take(queue, reply.elements));
            noteAnswer(queue, {answer.node, answer.connection});
            TRY(EnqueueCommand::read(batch, calls.at(i), reply, findings, rowKeys));
            for (const qsizetype row : rows) {
                if (findings.at(row).askAlone)
                    alone += row;
            }
        }
        return alone;
    }
    /// Of one server it is enough to know that it is the same at the end.
    void noteAnswer(const QueueName &queue, const AnswerPlace &place)
    {
        if (!link.isCluster())
            return;
        const auto before = answered.constFind(queue);
        if (before == answered.constEnd())
            answered.insert(queue, place);
        else if (*before != place)
            moved += queue;
    }
    /// Searches for the unseen together, and answers those that were not met.
    [[nodiscard]] Result<Rows> search(const QList<EnqueueRequest> &batch, const Rows &unseen,
                                      QList<EnqueueFinding> &findings)
    {
        struct Searched
        {
            QueueName queue;
            QSet<QByteArray> ids;
        };
        QMap<QByteArray, Searched> lists; // by container
        Rows missed;
        for (const qsizetype row : unseen) {
            const EnqueueRequest &request = batch.at(row);
            const EnqueueFinding &finding = findings.at(row);
            const QueueKeys keys(request.queue);
            const QByteArray id = finding.id.text.toUtf8();
            if (finding.answer.state != TaskState::Aggregating) {
                Searched &searched = lists[keys.container(finding.answer.state)];
                searched.queue = request.queue;
                searched.ids += id;
                continue;
            }
            const auto stands = link.at(keys.pending(), [&](RedisConnection &connection) {
                noteAnswer(request.queue, {&connection, connection.timesConnected()});
                return findInGroup(connection, keys, finding.group, id);
            });
            if (!stands && !isOfNode(stands))
                return passOn(stands);
            if (!stands)
                findings[row] = EnqueueFinding{awayQueue(passOn(stands), nodeOf(request.queue))};
            else if (stands->isNil())
                missed += row;
        }
        QHash<QByteArray, Error> unread; // lists that could not be looked through now
        for (auto list = lists.begin(); list != lists.end(); ++list) {
            const auto found = link.at(list.key(), [&](RedisConnection &connection) {
                noteAnswer(list->queue, {&connection, connection.timesConnected()});
                return findInList(connection, list.key(), list->ids);
            });
            if (found)
                list->ids.subtract(*found);
            else if (isOfNode(found))
                unread.insert(list.key(), found.error());
            else
                return passOn(found);
        }
        for (const qsizetype row : unseen) {
            const EnqueueRequest &request = batch.at(row);
            const QByteArray list
                = QueueKeys(request.queue).container(findings.at(row).answer.state);
            if (list.isEmpty())
                continue;
            if (const auto why = unread.constFind(list); why != unread.constEnd())
                findings[row]
                    = EnqueueFinding{awayQueue(tl::unexpected(*why), nodeOf(request.queue))};
            else if (lists.value(list).ids.contains(findings.at(row).id.text.toUtf8()))
                missed += row;
        }
        return missed;
    }
    /// A look failed, and not for what it asked.
    template <typename T> [[nodiscard]] bool isOfNode(const Result<T> &look) const
    {
        if (look)
            return false;
        const bool isRefusing = link.isCluster() && look.error().kind == Error::Kind::Refused;
        return isRefusing || link.isOfNode(look.error());
    }
    /// Of a Cluster each node that answered for a queue is asked.
    void awaitAtNodes(int replicas, int timeoutMs, const QList<EnqueueRequest> &batch,
                      QList<EnqueueAnswer> &answers)
    {
        using Kind = EnqueueAnswer::Kind;
        auto lacking = withoutCopies(answered, replicas, timeoutMs);
        for (qsizetype row = 0; row < answers.size(); ++row) {
            const QueueName &queue = batch.at(row).queue;
            const Kind kind = answers.at(row).kind;
            if ((kind == Kind::Stored || kind == Kind::Exists) && !answered.contains(queue))
                lacking.insert(queue, awayQueue(nobodyAnswered(), {})); // nor was asked for copies
        }
        takeBack(lacking, batch, answers);
    }
};

AsynqQueue::AsynqQueue() : d(std::make_unique<Private>())
{ }

AsynqQueue::~AsynqQueue() = default;

Result<void> AsynqQueue::open(const RedisEndpoint &endpoint, const QString &clientName,
                              std::chrono::milliseconds timeout)
{
    d->forgetNodes();
    d->presence = {}; // who it was before may be another process by now
    const auto opened = d->link.open(endpoint, RedisConnection::Access::Act, clientName, timeout);
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
    d->servers.begin(rule);
}

Result<void> AsynqQueue::judge()
{
    d->servers.askAgain();
    return d->servers.judgeWhereDue(d->link);
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

void AsynqQueue::committed(qint64 batch, int rows)
{
    d->fence.committed(batch, rows);
}

Result<void> AsynqQueue::meet(const QueueName &queue)
{
    TRY(d->link.ensureOpen());
    d->fence.begin();
    d->presence.met(queue);
    const auto answers = TRY(d->askFence(queue, d->presence.isTold()));
    const ClusterLink::Answer &answer = answers.first();
    // It is met with its first rows, which wait until then. A right that is missing is told now.
    if (d->isAway(answer) && !(answer.reply && errorWord(*answer.reply) == "NOPERM"))
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
    d->beginAnswers();
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

    QList<EnqueueAnswer> answers;
    answers.reserve(batch.size());
    for (EnqueueFinding &finding : findings)
        answers += std::move(finding.answer);
    TRY(d->blameRows(batch, answers));
    TRY(d->doubtWhatChanged(batch, answers));
    return answers;
}

Result<void> AsynqQueue::awaitReplicas(int replicas, int timeoutMs,
                                       const QList<EnqueueRequest> &batch,
                                       QList<EnqueueAnswer> &answers)
{
    if (d->link.isCluster()) {
        d->awaitAtNodes(replicas, timeoutMs, batch, answers);
        return {};
    }
    const auto counts = countReplicas({&d->link.alone()}, replicas, timeoutMs);
    const int have = TRY(counts.first());
    if (have < replicas)
        return tl::unexpected(tooFewReplicas(have, replicas, timeoutMs));
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
