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
    auto answers = connection.pipeline({RedisCommand{"EVALSHA", m_sha} + rest});
    if (answers && answers->first().errorPrefix() == "NOSCRIPT")
        answers = connection.pipeline({RedisCommand{"EVAL", m_text} + rest});
    if (!answers) {
        answers.error().doing = what;
        return passOn(answers);
    }
    const RedisReply &reply = answers->first();
    if (reply.isError())
        return tl::unexpected(errorFromReply(reply, what, connection.asker(m_text)));
    return reply;
}

Result<void> RedisScript::load(RedisConnection &connection) const
{
    TRY(connection.command({"SCRIPT", "LOAD", m_text}, u"loading a script"_s));
    return {};
}

} // namespace outbox
