// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/batchenqueue.h"

#include "connectors/asynq/observe/containersearch.h"
#include "connectors/asynq/relaypresence.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/redis/servererror.h"

#include <QMap>

#include <chrono>
#include <utility>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

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

/// A look failed, and not for what it asked.
template <typename T> bool isOfNode(const ClusterLink &link, const Result<T> &look)
{
    if (look)
        return false;
    const bool isRefusing = link.isCluster() && look.error().kind == Error::Kind::Refused;
    return isRefusing || link.isOfNode(look.error());
}

} // namespace

BatchEnqueue::BatchEnqueue(ClusterLink &link, EnqueueCommand &command, QueueFence &fence,
                           const JudgedServers &servers, const QStringList &rowKeys)
    : m_link(link), m_command(command), m_fence(fence), m_servers(servers), m_rowKeys(rowKeys)
{ }

void BatchEnqueue::forgetAnswers()
{
    m_answered.clear();
    m_moved.clear();
}

Result<QList<EnqueueAnswer>> BatchEnqueue::run(const QList<EnqueueRequest> &batch)
{
    forgetAnswers();
    QList<EnqueueFinding> findings(batch.size());
    EnqueueRows rows;
    rows.reserve(batch.size());
    for (qsizetype row = 0; row < batch.size(); ++row) {
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
        const auto unseen = TRY(settle(batch, rows, findings));
        rows = TRY(search(batch, unseen, findings));
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
    TRY(blameRows(batch, answers));
    TRY(doubtWhatChanged(batch, answers));
    return answers;
}

Result<QList<ClusterLink::Answer>> BatchEnqueue::askFence(const QueueName &queue, bool withRelays)
{
    const auto encode = [&](RedisWire &wire, qsizetype at, bool) {
        if (at == 0)
            m_command.appendMeeting(wire, queue, m_fence.stampFor(queue));
        else
            RelayPresence::appendScan(wire, queue);
    };
    return m_link.exchange(QByteArrayList(withRelays ? 2 : 1, QueueKeys(queue).pending()), encode);
}

bool BatchEnqueue::isAway(const ClusterLink::Answer &answer) const
{
    if (!m_link.isCluster() || !answer.reply)
        return m_link.isCluster();
    const RedisReply &reply = *answer.reply;
    if (!reply.isError() || concernsQueue(reply))
        return false;
    return concernsNode(reply) || concernsServer(reply) || errorWord(reply) == "NOPERM";
}

Result<QList<ClusterLink::Answer>> BatchEnqueue::ask(const QList<EnqueueRequest> &batch,
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
        keys += m_link.isCluster() ? QueueKeys(queueOf(call)).pending() : list;
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
        m_command.append(wire, batch, call, now, isInFull, m_fence.stampFor(queueOf(call)));
    };
    TRY(m_link.ensureOpen());
    Result<QList<ClusterLink::Answer>> answers = m_link.exchange(keys, encode);
    if (!answers) {
        answers.error().doing = enqueueing(batch.size());
        return answers;
    }
    return introduced(queues, *std::move(answers), batch.size());
}

Result<QList<ClusterLink::Answer>> BatchEnqueue::introduced(const QList<QueueName> &queues,
                                                            QList<ClusterLink::Answer> answers,
                                                            qsizetype rows)
{
    m_isListAway = false;
    for (qsizetype i = 0; i < queues.size(); ++i) {
        const ClusterLink::Answer &answer = answers.at(i);
        if (isAway(answer)) {
            m_isListAway = true;
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

EnqueueAnswer BatchEnqueue::awayBy(const ClusterLink::Answer &answer, qsizetype rows) const
{
    EnqueueAnswer away = awayQueue(answer.reply, answer.place());
    if (!answer.reply || concernsNode(*answer.reply))
        return away; // it passes by itself
    const RedisAsker asker = answer.node->asker(m_command.script().text());
    const QString hint = errorFromReply(*answer.reply, enqueueing(rows), asker).hint;
    if (!hint.isEmpty())
        away.detail += u" ("_s + hint + u')';
    return away;
}

void BatchEnqueue::noteAnswer(const QueueName &queue, const AnswerPlace &place)
{
    if (!m_link.isCluster())
        return;
    const auto before = m_answered.constFind(queue);
    if (before == m_answered.constEnd())
        m_answered.insert(queue, place);
    else if (*before != place)
        m_moved += queue;
}

QString BatchEnqueue::nodeOf(const QueueName &queue) const
{
    const auto place = m_answered.constFind(queue);
    return place == m_answered.constEnd() ? QString() : addressOf(*place->first).text();
}

Result<EnqueueRows> BatchEnqueue::settle(const QList<EnqueueRequest> &batch,
                                         const EnqueueRows &rows, QList<EnqueueFinding> &findings)
{
    QMap<qsizetype, EnqueueRows> open{{0, rows}}; // by the first of the other ids that is asked for
    while (!open.isEmpty()) {
        const qsizetype firstOther = open.firstKey();
        const EnqueueRows some = open.take(firstOther);
        TRY(settleFrom(batch, some, firstOther, findings));
        for (const qsizetype row : some) {
            if (const qsizetype ruledOut = findings.at(row).ruledOut; ruledOut > 0)
                open[firstOther + ruledOut] += row;
        }
    }
    EnqueueRows unseen;
    for (const qsizetype row : rows) {
        if (findings.at(row).unseen)
            unseen += row;
    }
    return unseen;
}

Result<void> BatchEnqueue::settleFrom(const QList<EnqueueRequest> &batch, const EnqueueRows &rows,
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

Result<EnqueueRows> BatchEnqueue::settleCalls(const QList<EnqueueRequest> &batch,
                                              const QList<EnqueueCall> &calls,
                                              QList<EnqueueFinding> &findings)
{
    const auto answers = TRY(ask(batch, calls));
    EnqueueRows alone;
    for (qsizetype i = 0; i < calls.size(); ++i) {
        const ClusterLink::Answer &answer = answers.at(i);
        const EnqueueRows &rows = calls.at(i).rows;
        if (isAway(answer)) {
            const bool isOfKeys = answer.reply && errorWord(*answer.reply) == "NOPERM"
                && !concernsServer(*answer.reply);
            if (isOfKeys && rows.size() > 1) { // they may be those of one row
                alone += rows;
                continue;
            }
            EnqueueAnswer away = awayBy(answer, batch.size());
            away.isOfAll = m_isListAway;
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
                                   answer.node->asker(m_command.script().text())));
            if (rows.size() == 1)
                findings[rows.first()] = rejectedBy(reply);
            else // one of them is at fault, and the others are not to suffer for it
                alone += rows;
            continue;
        }
        const QueueName &queue = batch.at(rows.first()).queue;
        TRY(m_fence.take(queue, reply.elements));
        noteAnswer(queue, {answer.node, answer.connection});
        TRY(EnqueueCommand::read(batch, calls.at(i), reply, findings, m_rowKeys));
        for (const qsizetype row : rows) {
            if (findings.at(row).askAlone)
                alone += row;
        }
    }
    return alone;
}

Result<EnqueueRows> BatchEnqueue::search(const QList<EnqueueRequest> &batch,
                                         const EnqueueRows &unseen, QList<EnqueueFinding> &findings)
{
    struct Searched
    {
        QueueName queue;
        QSet<QByteArray> ids;
    };
    QMap<QByteArray, Searched> lists; // by container
    EnqueueRows missed;
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
        const auto stands = m_link.at(keys.pending(), [&](RedisConnection &connection) {
            noteAnswer(request.queue, {&connection, connection.timesConnected()});
            return findInGroup(connection, keys, finding.group, id);
        });
        if (!stands && !isOfNode(m_link, stands))
            return passOn(stands);
        if (!stands)
            findings[row] = EnqueueFinding{awayQueue(passOn(stands), nodeOf(request.queue))};
        else if (stands->isNil())
            missed += row;
    }
    QHash<QByteArray, Error> unread; // lists that could not be looked through now
    for (auto list = lists.begin(); list != lists.end(); ++list) {
        const auto found = m_link.at(list.key(), [&](RedisConnection &connection) {
            noteAnswer(list->queue, {&connection, connection.timesConnected()});
            return findInList(connection, list.key(), list->ids);
        });
        if (found)
            list->ids.subtract(*found);
        else if (isOfNode(m_link, found))
            unread.insert(list.key(), found.error());
        else
            return passOn(found);
    }
    for (const qsizetype row : unseen) {
        const EnqueueRequest &request = batch.at(row);
        const QByteArray list = QueueKeys(request.queue).container(findings.at(row).answer.state);
        if (list.isEmpty())
            continue;
        if (const auto why = unread.constFind(list); why != unread.constEnd())
            findings[row] = EnqueueFinding{awayQueue(tl::unexpected(*why), nodeOf(request.queue))};
        else if (lists.value(list).ids.contains(findings.at(row).id.text.toUtf8()))
            missed += row;
    }
    return missed;
}

Result<void> BatchEnqueue::blameRows(const QList<EnqueueRequest> &batch,
                                     QList<EnqueueAnswer> &answers)
{
    QHash<QueueName, bool> mayTouch;
    for (qsizetype row = 0; row < answers.size(); ++row) {
        EnqueueAnswer &answer = answers[row];
        const bool isOfKeys = answer.code == "NOPERM"_L1 && answer.detail.contains(" key"_L1);
        if (answer.kind != EnqueueAnswer::Kind::QueueAway || !isOfKeys || answer.isOfAll)
            continue;
        const QueueName &queue = batch.at(row).queue;
        if (!m_answered.contains(queue) && !mayTouch.contains(queue)) {
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

bool BatchEnqueue::isStillAt(const QueueName &queue, const AnswerPlace &place) const
{
    RedisConnection &node = *place.first;
    return node.isOpen() && node.timesConnected() == place.second && m_servers.isAsJudged(node)
        && m_link.isAt(QueueKeys(queue).pending(), node);
}

Result<void> BatchEnqueue::doubtWhatChanged(const QList<EnqueueRequest> &batch,
                                            QList<EnqueueAnswer> &answers)
{
    const QString doing = u"enqueueing rows"_s;
    if (!m_link.isCluster()) {
        if (m_servers.isAsJudged(m_link.alone()))
            return {};
        return fail(Error::Kind::Unreachable, doing,
                    u"the connection to Redis was lost and made anew meanwhile"_s);
    }
    QHash<QueueName, EnqueueAnswer> doubted;
    for (auto place = m_answered.cbegin(); place != m_answered.cend(); ++place) {
        if (!m_moved.contains(place.key()) && isStillAt(place.key(), *place))
            continue;
        RedisConnection &node = *place->first;
        const auto unjudged = m_servers.whyUnjudged(node);
        const Failure why = unjudged
            ? Failure(*unjudged)
            : fail(Error::Kind::Unreachable, doing,
                   u"the queue has another node, or was lost sight of, meanwhile"_s);
        doubted.insert(place.key(), awayQueue(why, addressOf(node).text()));
    }
    takeBack(doubted, batch, answers);
    return {};
}

void BatchEnqueue::takeBack(const QHash<QueueName, EnqueueAnswer> &away,
                            const QList<EnqueueRequest> &batch, QList<EnqueueAnswer> &answers)
{
    using Kind = EnqueueAnswer::Kind;
    if (away.isEmpty())
        return;
    for (auto queue = away.keyBegin(); queue != away.keyEnd(); ++queue)
        m_fence.setAside(*queue);
    for (qsizetype row = 0; row < answers.size(); ++row) {
        const auto why = away.constFind(batch.at(row).queue);
        const Kind kind = answers.at(row).kind;
        if (why == away.constEnd() || kind == Kind::Invalid || kind == Kind::QueueAway)
            continue;
        answers[row] = *why;
        answers[row].wasStored = kind == Kind::Stored;
    }
}

void BatchEnqueue::awaitAtNodes(const CopyTerms &terms, const QList<EnqueueRequest> &batch,
                                QList<EnqueueAnswer> &answers)
{
    using Kind = EnqueueAnswer::Kind;
    auto lacking = withoutCopies(m_answered, terms);
    for (qsizetype row = 0; row < answers.size(); ++row) {
        const QueueName &queue = batch.at(row).queue;
        const Kind kind = answers.at(row).kind;
        if ((kind == Kind::Stored || kind == Kind::Exists) && !m_answered.contains(queue))
            lacking.insert(queue, awayQueue(nobodyAnswered(terms), {})); // nor was asked for copies
    }
    takeBack(lacking, batch, answers);
}

} // namespace outbox::asynq
