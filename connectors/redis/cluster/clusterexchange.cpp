// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Many commands to many nodes at once, and what is sent again.
#include "connectors/redis/cluster/clusterlink.h"

#include <QHash>
#include <QSet>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 bytesUnderWay = 16LL * 1024 * 1024; ///< bounds our memory, not the exchange
/// Smaller commands for one node are sent together: each packet costs more than its bytes.
constexpr qsizetype bytesTogether = 8LL * 1024;

} // namespace

QString ClusterLink::Answer::place() const
{
    return node ? addressOf(*node).text() : silent;
}

struct ClusterLink::Round
{
    const Encode &encode;
    QList<Answer> &answers;
    QSet<qsizetype> inFull{}; ///< commands whose script was forgotten
    QHash<RedisConnection *, QList<qsizetype>> owed{}; ///< commands without a reply yet
    RedisConnection *writing = nullptr; ///< what stands in `wire` goes there
    RedisWire wire{};
    qint64 bytes = 0; ///< sent, and not replied to
};

Result<QList<ClusterLink::Answer>> ClusterLink::exchange(const QByteArrayList &keys,
                                                         const Encode &encode)
{
    QList<Answer> answers(keys.size());
    Round round{encode, answers};
    QList<qsizetype> open;
    for (qsizetype command = 0; command < keys.size(); ++command)
        open += command;
    for (int hop = 0; !open.isEmpty(); ++hop) {
        if (hop > 0 && isCluster()) {
            TRY(ensureOpen());
        }
        for (const qsizetype command : std::as_const(open)) {
            TRY(send(round, keys.at(command), command));
        }
        TRY(receive(round));
        QList<qsizetype> again;
        for (const qsizetype command : std::as_const(open)) {
            const Answer &answer = answers.at(command);
            if (!answer.reply || hop == mostHops)
                continue;
            if (answer.reply->errorPrefix() == "NOSCRIPT") {
                round.inFull += command;
                again += command;
            } else if (isCluster() && follow(*answer.reply, *answer.node)) {
                again += command;
            }
        }
        open = again;
    }
    return answers;
}

Result<void> ClusterLink::send(Round &round, const QByteArray &key, qsizetype command)
{
    RedisConnection *connection = &m_alone;
    if (isCluster()) {
        const auto owner = ownerOf(key);
        Result<void> connected = owner ? Result<void>() : passOn(owner);
        // One that owes replies is not asked whether it is up: these would be in the way.
        if (owner && !round.owed.contains(&(*owner)->connection))
            connected = connect(**owner);
        if (!connected) {
            const QString silent = owner ? (*owner)->address.text() : QString();
            round.answers[command] = {passOn(connected), nullptr, 0, silent};
            return {};
        }
        connection = &(*owner)->connection;
    }
    if (round.writing != connection) {
        TRY(flush(round));
    }
    round.writing = connection;
    round.owed[connection] += command;
    round.encode(round.wire, command, round.inFull.contains(command));
    if (round.wire.bytes().size() < bytesTogether)
        return {};
    TRY(flush(round));
    return round.bytes < bytesUnderWay ? Result<void>() : receive(round);
}

Result<void> ClusterLink::flush(Round &round)
{
    if (round.wire.commands() == 0)
        return {};
    const Result<void> sent = round.writing->send(round.wire.bytes(), round.wire.commands());
    round.bytes += round.wire.bytes().size();
    round.wire = {};
    return isCluster() ? Result<void>() : sent; // of a node, reading the replies tells
}

Result<void> ClusterLink::receive(Round &round)
{
    TRY(flush(round));
    round.bytes = 0;
    const QDeadlineTimer deadline(m_timeout); // nodes that are silent are waited for together
    const auto owed = std::exchange(round.owed, {});
    for (auto part = owed.cbegin(); part != owed.cend(); ++part) {
        RedisConnection &connection = *part.key();
        Result<QList<RedisReply>> replies = connection.receive(deadline);
        if (replies && replies->size() != part->size())
            replies = fail(Error::Kind::Protocol, u"reading the replies of a node"_s,
                           u"they are not as many as the commands"_s);
        if (!replies && !isCluster())
            return passOn(replies);
        for (qsizetype i = 0; i < part->size(); ++i) {
            Answer &answer = round.answers[part->at(i)];
            if (replies)
                answer = {replies->at(i), &connection, connection.timesConnected()};
            else
                answer = {passOn(replies), nullptr, 0, addressOf(connection).text()};
            const bool isPassing = !replies || concernsNode(replies->at(i));
            m_isDoubted = m_isDoubted || (isCluster() && isPassing);
        }
    }
    return {};
}

} // namespace outbox
