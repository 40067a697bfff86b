// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/edit/taskrepairer.h"

#include "connectors/asynq/edit/pacededit.h"
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

/// What was sent may be under way still: a look behind it would come too early.
bool hasNoAnswer(const Error &error)
{
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

TaskRepairer::TaskRepairer(RedisConnection &connection)
    : m_connection(connection), m_repair(QByteArray(editingLua) + repairLua),
      m_freeLock(freeLockLua)
{ }

Result<QList<TaskAnswer>> TaskRepairer::repair(const QueueName &queue,
                                               const QList<RepairStep> &tasks)
{
    const QString doing = u"repairing %1 tasks of %2"_s.arg(tasks.size()).arg(queue.text);
    const QueueKeys keys(queue);
    const QByteArrayList names = editedKeys(keys) + QByteArrayList{keys.active(), keys.lease()};
    QList<TaskAnswer> answers(tasks.size());
    qsizetype at = 0;
    while (at < tasks.size()) {
        const auto state = TRY(ask(
            m_connection, {{"TIME"}, {"LLEN", keys.pending()}, {"LLEN", keys.active()}}, doing));
        const QDateTime now = redisTime(state.at(0));
        const qint64 steps = state.at(1).integer + state.at(2).integer + 1;
        const qsizetype most
            = std::clamp<qsizetype>(mostListSteps / steps, 1, std::min(mostAtOnce, m_atOnce));

        QByteArrayList arguments{keys.prefix(), QByteArray::number(now.toSecsSinceEpoch()),
                                 QByteArray::number(now.toMSecsSinceEpoch() * 1'000'000),
                                 QByteArray::number(archiveLimit)};
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
            arguments += {one.task.text.toUtf8(), word(one.repair).toLatin1(), one.signature,
                          groupKeyIn(one.signature)};
            sent += at;
        }
        if (sent.isEmpty())
            continue;
        QElapsedTimer clock;
        clock.start();
        const auto reply = m_repair.run(m_connection, names, arguments, doing);
        if (!reply && hasNoAnswer(reply.error()))
            return passOn(reply);
        QList<TaskAnswer> told;
        if (reply) {
            for (qsizetype i = 0; i < sent.size(); ++i)
                told += repairAnswerOf(reply->elements.value(i));
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

QList<TaskAnswer> TaskRepairer::lookAfter(const Error &error, const QueueName &queue,
                                          const QList<RepairStep> &tasks)
{
    Suspects ids;
    for (const RepairStep &one : tasks) {
        QByteArrayList &groups = ids[one.task.text.toUtf8()];
        if (const QByteArray group = groupKeyIn(one.signature); !group.isEmpty())
            groups += group;
    }
    const auto now = readFacts(m_connection, queue, ids);
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
    const QueueKeys keys(queue);
    const QString doing = u"freeing a unique lock of %1"_s.arg(queue.text);
    if (!lock.startsWith(keys.lockPrefix()))
        return fail(Error::Kind::Invalid, doing, u"this key is no lock of the queue"_s);
    TRY(m_connection.ensureOpen());
    const auto reply = TRY(m_freeLock.run(m_connection, {lock, keys.task(id)}, {id}, doing));
    return reply.integer == 1;
}

Result<void> TaskRepairer::registerQueue(const QueueName &queue)
{
    TRY(askAll(m_connection, {{"SADD", allQueues, queue.text.toUtf8()}},
               u"listing the queue %1"_s.arg(queue.text)));
    return {};
}

} // namespace outbox
