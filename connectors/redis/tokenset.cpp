// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/redis/tokenset.h"

#include "connectors/redis/redistrust.h"
#include "connectors/redis/servererror.h"

#include <QJsonArray>
#include <QJsonDocument>

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

} // namespace

Result<void> TokenSet::open(const RedisEndpoint &endpoint, RedisConnection::Access access,
                            const QString &clientName, const DoneKeys &keys)
{
    if (keys.prefix.isEmpty())
        return fail(Error::Kind::Invalid, u"opening the tokens"_s, u"their set has no name"_s);
    m_set = keys.prefix;
    m_attempts = keys.prefix + ":attempts";
    TRY(m_connection.open(endpoint, access, clientName));
    m_trust = TRY(durabilityOf(m_connection, false));
    return {};
}

Result<QList<RedisReply>> TokenSet::ask(const QList<RedisCommand> &commands, const QString &doing)
{
    TRY(m_connection.ensureOpen());
    auto replies = m_connection.pipeline(commands);
    if (!replies)
        return replies;
    for (const RedisReply &reply : *replies) {
        if (reply.isError())
            return tl::unexpected(
                errorFromReply(reply, doing, m_connection.asker({}, m_set + '*')));
    }
    return replies;
}

Result<QList<RedisReply>> TokenSet::together(QList<RedisCommand> commands, const QString &doing)
{
    commands.prepend(RedisCommand{"MULTI"});
    commands.append(RedisCommand{"EXEC"});
    const auto replies = TRY(ask(commands, doing));
    for (const RedisReply &reply : replies.last().elements) {
        if (reply.isError())
            return tl::unexpected(
                errorFromReply(reply, doing, m_connection.asker({}, m_set + '*')));
    }
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
    const auto replies = TRY(ask(commands, u"asking for %1 tokens"_s.arg(tokens.size())));
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

Result<QList<Token>> TokenSet::page(QString &cursor, int limit)
{
    const QString doing = u"listing the tokens"_s;
    const QByteArray from = cursor.isEmpty() ? QByteArray("0") : cursor.toLatin1();
    const auto scanned
        = TRY(ask({{"SSCAN", m_set, from, "COUNT", QByteArray::number(limit)}}, doing));
    const QList<RedisReply> parts = scanned.first().elements;
    if (parts.size() != 2)
        return fail(Error::Kind::Protocol, doing, u"the scan answered something else"_s);
    QList<Token> tokens;
    const QList<RedisReply> members = parts.last().elements;
    if (!members.isEmpty()) {
        RedisCommand records{"HMGET", m_attempts};
        for (const RedisReply &member : members)
            records += member.bytes;
        const auto made = TRY(ask({records}, doing));
        for (qsizetype i = 0; i < members.size(); ++i)
            tokens += tokenFrom(members.at(i).bytes, made.first().elements.value(i).bytes);
    }
    const QByteArray next = parts.first().bytes;
    cursor
        = next == "0" ? QString() : QString::fromLatin1(next); // a step that failed moves nothing
    return tokens;
}

} // namespace outbox
