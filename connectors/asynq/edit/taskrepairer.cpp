// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/edit/taskrepairer.h"

#include "connectors/asynq/edit/pacededit.h"
#include "connectors/asynq/edit/queuenode.h"
#include "connectors/asynq/observe/factsread.h"
#include "connectors/asynq/observe/reading.h"
#include "connectors/asynq/observe/taskfacts.h"
#include "connectors/asynq/scripts.h"
#include "connectors/asynq/wire/keys.h"

#include <QElapsedTimer>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace asynq;

namespace {

constexpr qsizetype mostAtOnce = 500;
constexpr qint64 mostListSteps = 100'000; ///< ids that all LPOS of a script may pass: about 2 ms
constexpr qint64 mostBytesHashed
    = 1024LL * 1024; ///< of messages that a script reads and hashes: 2 ms
constexpr qint64 quickMs = 2;
constexpr qint64 slowMs = 5;

bool isOfTasks(Repair repair)
{
    switch (repair) {
    case Repair::None:
    case Repair::Drop:
    case Repair::Requeue:
    case Repair::ClearLease:
    case Repair::Settle:
    case Repair::RestoreStatus:
    case Repair::Reattach:
        return true;
    case Repair::FreeLock:
    case Repair::RegisterQueue:
    case Repair::Reopen:
    case Repair::SetStatus:
    case Repair::Release:
        break;
    }
    return false;
}

/// No node of a Cluster took it.
bool wasNotTaken(const Error &error)
{
    return error.effect == Error::Effect::None;
}

/// What was sent may be under way still: a look behind it would come too early.
bool hasNoAnswer(const Error &error)
{
    if (wasNotTaken(error))
        return false;
    return error.kind == Error::Kind::Timeout || error.kind == Error::Kind::Unreachable;
}

qint64 messageBytesIn(const QByteArray &signature)
{
    return messageIn(signature).split(':').first().toLongLong();
}

TaskAnswer repairAnswer(TaskAnswer::Kind kind, const QString &detail = {})
{
    return {kind, TaskState::None, {}, detail};
}

TaskAnswer repairAnswerOf(const RedisReply &reply)
{
    const QByteArray word = reply.elements.value(0).bytes;
    if (word == "done")
        return repairAnswer(TaskAnswer::Kind::Done);
    if (word == "full")
        return repairAnswer(TaskAnswer::Kind::Full);
    return repairAnswer(TaskAnswer::Kind::Changed,
                        QString::fromUtf8(reply.elements.value(1).bytes));
}

} // namespace

TaskRepairer::TaskRepairer(ClusterLink &link)
    : m_link(link), m_repair(QByteArray(editingLua) + repairLua), m_freeLock(freeLockLua)
{ }

Result<QList<TaskAnswer>> TaskRepairer::repair(const QueueName &queue,
                                               const QList<RepairStep> &tasks)
{
    const QString doing = u"repairing %1 tasks of %2"_s.arg(tasks.size()).arg(queue.text);
    QueueNode node(m_link, queue);
    const QueueKeys &keys = node.keys();
    QList<TaskAnswer> answers(tasks.size());
    qsizetype at = 0;
    while (at < tasks.size()) {
        const auto state = node.look([&](RedisConnection &connection) {
            return ask(connection, {{"TIME"}, {"LLEN", keys.pending()}, {"LLEN", keys.active()}},
                       doing);
        });
        if (!state && wasNotTaken(state.error())) {
            for (; at < tasks.size(); ++at)
                answers[at].detail = oneLine(state.error());
            break;
        }
        if (!state)
            return passOn(state);
        const QDateTime now = redisTime(state->at(0));
        const qint64 steps = state->at(1).integer + state->at(2).integer + 1;
        const qsizetype most
            = std::clamp<qsizetype>(mostListSteps / steps, 1, std::min(mostAtOnce, m_atOnce));

        QByteArrayList arguments{keys.prefix(), QByteArray::number(now.toSecsSinceEpoch()),
                                 QByteArray::number(now.toMSecsSinceEpoch() * 1'000'000),
                                 QByteArray::number(archiveLimit)};
        QByteArrayList groups;
        QByteArrayList dropped;
        QByteArrayList names = editedKeys(keys);
        QList<qsizetype> sent;
        qint64 bytes = 0;
        for (; at < tasks.size() && sent.size() < most; ++at) {
            const RepairStep &one = tasks.at(at);
            const qint64 own = messageBytesIn(one.signature);
            if (!sent.isEmpty() && bytes + own > mostBytesHashed)
                break;
            if (!isOfTasks(one.repair)) {
                answers[at].detail = u"this repair is none of a task"_s;
                continue;
            }
            bytes += own;
            const QByteArray id = one.task.text.toUtf8();
            const QByteArray group = groupKeyIn(one.signature);
            arguments += {id, word(one.repair).toLatin1(), one.signature, group};
            names += keys.task(id);
            if (group.startsWith(keys.prefix()))
                groups += group;
            if (one.repair == Repair::Drop)
                dropped += id;
            sent += at;
        }
        if (sent.isEmpty())
            continue;
        const auto beside = dropped.isEmpty() ? Result<QByteArrayList>(QByteArrayList())
                                              : keysBeside(node, dropped, doing);
        if (beside)
            names += groups + *beside;
        QElapsedTimer clock;
        clock.start();
        const auto reply
            = beside ? run(node, names, arguments, doing) : Result<RedisReply>(passOn(beside));
        if (!reply && hasNoAnswer(reply.error()))
            return passOn(reply);
        QList<TaskAnswer> told;
        if (reply) {
            for (qsizetype i = 0; i < sent.size(); ++i)
                told += repairAnswerOf(reply->elements.value(i));
        } else if (wasNotTaken(reply.error())) {
            told.fill(repairAnswer(TaskAnswer::Kind::Failed, oneLine(reply.error())), sent.size());
        } else {
            QList<RepairStep> doubted;
            for (const qsizetype place : std::as_const(sent))
                doubted += tasks.at(place);
            told = lookAfter(reply.error(), queue, doubted);
        }
        for (qsizetype i = 0; i < sent.size(); ++i)
            answers[sent.at(i)] = told.at(i);
        if (clock.elapsed() > slowMs)
            m_atOnce = std::max<qsizetype>(1, m_atOnce / 2);
        else if (clock.elapsed() < quickMs)
            m_atOnce = std::min(mostAtOnce, m_atOnce * 2);
    }
    return answers;
}

Result<RedisReply> TaskRepairer::run(QueueNode &node, const QByteArrayList &keys,
                                     const QByteArrayList &arguments, const QString &doing)
{
    return node.act([&](RedisConnection &connection) {
        return m_repair.run(connection, keys, arguments, doing);
    });
}

QList<TaskAnswer> TaskRepairer::lookAfter(const Error &error, const QueueName &queue,
                                          const QList<RepairStep> &tasks)
{
    Suspects ids;
    for (const RepairStep &one : tasks) {
        QByteArrayList &groups = ids[one.task.text.toUtf8()];
        if (const QByteArray group = groupKeyIn(one.signature); !group.isEmpty())
            groups += group;
    }
    const auto now = QueueNode(m_link, queue).look([&](RedisConnection &connection) {
        return readFacts(connection, queue, ids);
    });
    QList<TaskAnswer> answers;
    for (const RepairStep &one : tasks) {
        const bool stood
            = now && signatureOf(now->facts.value(one.task.text.toUtf8())) == one.signature;
        answers += repairAnswer(stood ? TaskAnswer::Kind::Failed : TaskAnswer::Kind::InDoubt,
                                oneLine(error));
    }
    return answers;
}

Result<bool> TaskRepairer::freeLock(const QueueName &queue, const QByteArray &id,
                                    const QByteArray &lock)
{
    QueueNode node(m_link, queue);
    const QueueKeys &keys = node.keys();
    const QString doing = u"freeing a unique lock of %1"_s.arg(queue.text);
    if (!lock.startsWith(keys.lockPrefix()))
        return fail(Error::Kind::Invalid, doing, u"this key is no lock of the queue"_s);
    const auto tryToFree = [&](RedisConnection &connection) -> Result<RedisReply> {
        TRY(connection.ensureOpen());
        return m_freeLock.run(connection, {lock, keys.task(id)}, {id}, doing);
    };
    const auto reply = TRY(node.act(tryToFree));
    return reply.integer == 1;
}

Result<void> TaskRepairer::registerQueue(const QueueName &queue)
{
    return QueueNode(m_link, queue).enlist(u"listing the queue %1"_s.arg(queue.text));
}

} // namespace outbox
