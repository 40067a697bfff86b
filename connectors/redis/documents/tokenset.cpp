// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/redis/documents/tokenset.h"

#include "connectors/redis/cluster/slots.h"
#include "connectors/redis/documents/redistrust.h"
#include "connectors/redis/servererror.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QByteArray recordOf(const Token &token)
{
    const QJsonArray record{token.attempt, token.incoming,
                            token.made ? token.made->toMSecsSinceEpoch() : 0};
    return QJsonDocument(record).toJson(QJsonDocument::Compact);
}

Token tokenFrom(const QByteArray &id, const QByteArray &record)
{
    const QJsonArray parts = QJsonDocument::fromJson(record).array();
    Token token{QString::fromUtf8(id), parts.at(0).toString(), parts.at(1).toString(), {}};
    if (const qint64 made = parts.at(2).toInteger(); made > 0)
        token.made = QDateTime::fromMSecsSinceEpoch(made, Qt::UTC);
    return token;
}

/// The error that a reply is, or that a transaction had at one of its commands; nullptr: none.
const RedisReply *errorIn(const RedisReply &reply)
{
    if (reply.isError())
        return &reply;
    const auto failed = std::find_if(reply.elements.cbegin(), reply.elements.cend(),
                                     [](const RedisReply &one) { return one.isError(); });
    return failed == reply.elements.cend() ? nullptr : &*failed;
}

/// Of a Cluster a cursor means something at the node alone that gave it, which stands before it.
constexpr char borderOfNode = '|';

} // namespace

Result<void> TokenSet::open(const RedisEndpoint &endpoint, RedisConnection::Access access,
                            const QString &clientName, const DoneKeys &keys)
{
    const QString doing = u"opening the tokens"_s;
    if (keys.prefix.isEmpty())
        return fail(Error::Kind::Invalid, doing, u"their set has no name"_s);
    m_set = keys.prefix;
    m_attempts = keys.prefix + ":attempts";
    const bool isActing = access == RedisConnection::Access::Act;
    if (isActing && endpoint.isCluster() && slotOf(m_set) != slotOf(m_attempts)) {
        const QString name = QString::fromUtf8(m_set);
        return fail(Error::Kind::Refused, doing,
                    u"a token and its attempt are written together, and a Cluster has %1 and "
                    "%1:attempts in two slots"_s.arg(name),
                    {},
                    u"Keep them under a name with braces, which is one slot: {%1}, with "
                    "{%1}:attempts"_s.arg(name));
    }
    TRY(m_link.open(endpoint, access, clientName));
    m_trust = TRY(durabilityOf(m_link, m_set, false));
    return {};
}

Result<QList<RedisReply>> TokenSet::ask(const QByteArray &key, const QList<RedisCommand> &commands,
                                        const QString &doing)
{
    const auto askThere = [&](RedisConnection &server) -> Result<QList<RedisReply>> {
        TRY(server.ensureOpen());
        auto replies = server.pipeline(commands);
        if (!replies)
            return replies;
        for (const RedisReply &reply : *replies) {
            if (const RedisReply *error = errorIn(reply))
                return tl::unexpected(errorFromReply(*error, doing, server.asker({}, m_set + '*')));
        }
        return replies;
    };
    return m_link.at(key, askThere);
}

Result<QList<RedisReply>> TokenSet::together(QList<RedisCommand> commands, const QString &doing)
{
    commands.prepend(RedisCommand{"MULTI"});
    commands.append(RedisCommand{"EXEC"});
    const auto replies = TRY(ask(m_set, commands, doing));
    return replies.last().elements;
}

Result<QSet<QString>> TokenSet::have(const QStringList &tokens)
{
    QSet<QString> found;
    QList<RedisCommand> commands;
    for (const QString &token : tokens)
        commands += RedisCommand{"SISMEMBER", m_set, token.toUtf8()};
    if (commands.isEmpty())
        return found;
    const auto replies = TRY(ask(m_set, commands, u"asking for %1 tokens"_s.arg(tokens.size())));
    for (qsizetype i = 0; i < tokens.size(); ++i) {
        if (replies.at(i).integer == 1)
            found.insert(tokens.at(i));
    }
    return found;
}

Result<void> TokenSet::create(const QList<Token> &tokens)
{
    if (tokens.isEmpty())
        return {};
    RedisCommand attempts{"HSET", m_attempts};
    RedisCommand members{"SADD", m_set};
    for (const Token &token : tokens) {
        attempts += {token.id.toUtf8(), recordOf(token)};
        members += token.id.toUtf8();
    }
    TRY(together({attempts, members}, u"creating %1 tokens"_s.arg(tokens.size())));
    return {};
}

Result<bool> TokenSet::consume(const QString &token)
{
    const auto done
        = TRY(together({{"SREM", m_set, token.toUtf8()}, {"HDEL", m_attempts, token.toUtf8()}},
                       u"consuming the token "_s + token));
    return done.value(0).integer == 1;
}

Result<QByteArray> TokenSet::placeOfSet()
{
    if (!m_link.isCluster())
        return QByteArray();
    const RedisConnection *server = TRY(m_link.connectionFor(m_set));
    return QByteArray(addressOf(*server).text().toUtf8() + borderOfNode);
}

Result<QList<Token>> TokenSet::page(QString &cursor, int limit)
{
    const QString doing = u"listing the tokens"_s;
    const QByteArray begun = cursor.toLatin1();
    const QByteArray from
        = begun.isEmpty() ? QByteArray("0") : begun.mid(begun.lastIndexOf(borderOfNode) + 1);
    const auto scanned
        = TRY(ask(m_set, {{"SSCAN", m_set, from, "COUNT", QByteArray::number(limit)}}, doing));
    const auto place = TRY(placeOfSet()); // behind the question, which may have been sent on
    if (from != "0" && !begun.startsWith(place)) {
        return fail(Error::Kind::Unreachable, doing, u"another node has the set by now"_s, {},
                    u"Look again"_s);
    }
    const QList<RedisReply> parts = scanned.first().elements;
    if (parts.size() != 2)
        return fail(Error::Kind::Protocol, doing, u"the scan answered something else"_s);
    QList<Token> tokens;
    const QList<RedisReply> members = parts.last().elements;
    if (!members.isEmpty()) {
        RedisCommand records{"HMGET", m_attempts};
        for (const RedisReply &member : members)
            records += member.bytes;
        const auto made = TRY(ask(m_attempts, {records}, doing));
        for (qsizetype i = 0; i < members.size(); ++i)
            tokens += tokenFrom(members.at(i).bytes, made.first().elements.value(i).bytes);
    }
    const QByteArray next = parts.first().bytes;
    // A step that failed moves nothing.
    cursor = next == "0" ? QString() : QString::fromLatin1(QByteArray(place + next));
    return tokens;
}

} // namespace outbox
