// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Replies of Redis: the first byte says how long the pieces are in which they come.
#include "connectors/redis/replyreader.h"
#include "connectors/redis/servererror.h"
#include "tests/fuzz/fuzzing.h"

#include <algorithm>

using namespace outbox;

namespace {

struct Read
{
    QList<RedisReply> replies;
    bool failed = false;
};

bool same(const QList<RedisReply> &one, const QList<RedisReply> &other)
{
    return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                      [](const RedisReply &a, const RedisReply &b) {
                          return a.kind == b.kind && a.integer == b.integer && a.bytes == b.bytes
                              && same(a.elements, b.elements);
                      });
}

Read readIn(const QByteArray &bytes, qsizetype piece)
{
    ReplyReader reader;
    Read read;
    for (qsizetype at = 0; at < bytes.size() && !read.failed; at += piece) {
        read.failed = !reader.feed(bytes.mid(at, piece));
        while (const auto reply = read.failed ? std::nullopt : reader.next())
            read.replies += *reply;
        read.failed = read.failed || !reader.error().isEmpty();
    }
    return read;
}

void look(const RedisReply &reply)
{
    if (reply.isError()) {
        const RedisAsker asker{QStringLiteral("ana"), "redis.call('LPUSH', KEYS[1])\n"};
        const Error error = errorFromReply(reply, QStringLiteral("fuzzing"), asker);
        fuzz::demand(concernsServer(reply) || !oneLine(error).isEmpty());
    }
    for (const RedisReply &element : reply.elements)
        look(element);
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray bytes = fuzz::bytesOf(data, size);
    if (bytes.isEmpty())
        return 0;
    const QByteArray sent = bytes.mid(1);
    const Read whole = readIn(sent, std::max<qsizetype>(sent.size(), 1));
    const Read pieces = readIn(sent, 1 + static_cast<uchar>(bytes.at(0)) % 16);
    // Where it goes wrong, the whole block is refused and nothing of it is believed; else a reply
    // does not depend on where it was cut.
    fuzz::demand(whole.failed == pieces.failed);
    fuzz::demand(whole.failed || same(whole.replies, pieces.replies));
    for (const RedisReply &reply : whole.replies)
        look(reply);
    return 0;
}
