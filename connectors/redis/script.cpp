// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/redis/script.h"

#include <QCryptographicHash>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

RedisScript::RedisScript(QByteArray text)
    : m_text(std::move(text)),
      m_sha(QCryptographicHash::hash(m_text, QCryptographicHash::Sha1).toHex())
{ }

Result<RedisReply> RedisScript::run(RedisConnection &connection, const QByteArrayList &keys,
                                    const QByteArrayList &arguments, const QString &what) const
{
    const RedisCommand rest = RedisCommand{QByteArray::number(keys.size())} + keys + arguments;
    Result<RedisReply> answer = connection.command(RedisCommand{"EVALSHA", m_sha} + rest, what);
    if (!answer && answer.error().code == u"NOSCRIPT"_s)
        answer = connection.command(RedisCommand{"EVAL", m_text} + rest, what);
    return answer;
}

Result<void> RedisScript::load(RedisConnection &connection) const
{
    const auto loaded = connection.command({"SCRIPT", "LOAD", m_text}, u"loading a script"_s);
    if (!loaded)
        return passOn(loaded);
    return {};
}

} // namespace outbox
