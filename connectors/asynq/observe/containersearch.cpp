// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/observe/containersearch.h"

#include <algorithm>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 searchPage = 1000;
constexpr qint64 overlap = 100; ///< removals before the page shift the rest to the left
constexpr int pagesAtOnce = 8;
constexpr int setsToLookAt = 100;

QString searching()
{
    return u"looking for tasks deep in their queue"_s;
}

} // namespace

Result<QSet<QByteArray>> findInList(RedisConnection &connection, const QByteArray &key,
                                    const QSet<QByteArray> &ids)
{
    QSet<QByteArray> found;
    QList<RedisCommand> commands;
    // Most of what is asked for is about to run or has just come: the right end, then from the
    // left.
    for (qint64 end = -1; end > -pagesAtOnce * searchPage; end -= searchPage) {
        commands
            += {"LRANGE", key, QByteArray::number(end - searchPage + 1), QByteArray::number(end)};
    }
    qint64 start = 0;
    while (true) {
        for (int page = 0; page < pagesAtOnce; ++page, start += searchPage - overlap) {
            commands += {"LRANGE", key, QByteArray::number(start),
                         QByteArray::number(start + searchPage - 1)};
        }
        const auto pages = TRY(connection.pipeline(commands));
        for (const RedisReply &page : pages) {
            if (page.isError())
                return tl::unexpected(errorFromReply(page, searching(), connection.asker()));
            for (const RedisReply &id : page.elements) {
                if (ids.contains(id.bytes))
                    found += id.bytes;
            }
            if (page.elements.size() < searchPage || found.size() == ids.size())
                return found;
        }
        commands.clear();
    }
}

Result<RedisReply> findInGroup(RedisConnection &connection, const QueueKeys &keys,
                               const QByteArray &group, const QByteArray &id)
{
    const QByteArray groupKey = keys.group(group);
    const auto first = TRY(connection.pipeline(
        {{"ZSCORE", groupKey, id},
         {"ZRANGE", keys.aggregationSets(), "0", QByteArray::number(setsToLookAt - 1)}}));
    for (const RedisReply &reply : first) {
        if (reply.isError())
            return tl::unexpected(errorFromReply(reply, searching(), connection.asker()));
    }
    if (!first.at(0).isNil())
        return first.at(0);

    const QByteArray setPrefix = groupKey + ':';
    QList<RedisCommand> commands;
    for (const RedisReply &set : first.at(1).elements) {
        if (set.bytes.startsWith(setPrefix))
            commands += {"ZSCORE", set.bytes, id};
    }
    if (commands.isEmpty())
        return RedisReply();
    const auto scores = TRY(connection.pipeline(commands));
    for (const RedisReply &reply : scores) { // an id that nobody was asked for is not missing
        if (reply.isError() && errorWord(reply) != "WRONGTYPE")
            return tl::unexpected(errorFromReply(reply, searching(), connection.asker()));
    }
    const auto score = std::find_if(scores.begin(), scores.end(), [](const RedisReply &reply) {
        return reply.kind == RedisReply::Kind::Bulk;
    });
    return score == scores.end() ? RedisReply() : *score;
}

} // namespace outbox::asynq
