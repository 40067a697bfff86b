// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/observe/tasknames.h"

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr QByteArrayView queueStart = "asynq:{";
constexpr QByteArrayView taskStart = "}:t:"; ///< no queue has a brace in its name

} // namespace

QByteArray literally(const QByteArray &text)
{
    QByteArray pattern;
    for (const char c : text) {
        if (c == '*' || c == '?' || c == '[' || c == ']' || c == '\\')
            pattern += '\\';
        pattern += c;
    }
    return pattern;
}

Result<QList<std::pair<QueueName, TaskId>>> namesOf(RedisConnection &connection,
                                                    const QStringList &parts, QByteArray &cursor)
{
    const QString doing = u"looking for tasks by a part of their id"_s;
    QByteArrayList literal;
    for (const QString &part : parts)
        literal += literally(part.toUtf8());
    const QByteArray pattern = queueStart + QByteArray("*") + taskStart + literal.join('*');
    const auto reply
        = TRY(connection.command({"SCAN", cursor, "MATCH", pattern, "COUNT", "1000"}, doing));
    if (reply.elements.size() != 2)
        return fail(Error::Kind::Protocol, doing, u"the answer has no cursor"_s);
    QList<std::pair<QueueName, TaskId>> tasks;
    cursor = reply.elements.at(0).bytes;
    for (const RedisReply &key : reply.elements.at(1).elements) {
        const qsizetype end = key.bytes.indexOf(taskStart);
        if (end < queueStart.size())
            continue;
        tasks += std::pair(
            QueueName{QString::fromUtf8(key.bytes.mid(queueStart.size(), end - queueStart.size()))},
            TaskId{QString::fromUtf8(key.bytes.mid(end + taskStart.size()))});
    }
    return tasks;
}

} // namespace outbox::asynq
