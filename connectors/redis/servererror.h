// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What an error reply of Redis means and what to do about it.
#pragma once

#include "connectors/redis/reply.h"
#include "models/result.h"

namespace outbox {

/// The word that decides: the reply's first word, or, where a script failed on Redis 6, that of the
/// command inside the script.
[[nodiscard]] QByteArray errorWord(const RedisReply &reply);

/// True when the reply is about the server as a whole (OOM, READONLY, LOADING, NOPERM of a command
/// …) and would be the same for any other command of the batch.
[[nodiscard]] bool concernsServer(const RedisReply &reply);

/// Who asked, and what a script said on its lines: with these a missing right has a name.
struct RedisAsker
{
    QString user; ///< empty: it is not known here
    QByteArray script; ///< the text that ran; empty: none did
    QString keyRule = QStringLiteral("~asynq:*"); ///< that would let it touch what it asks for
};

/// Turns an error reply into an Error with the right kind: READONLY, NOPERM, NOAUTH, OOM, MISCONF …
/// are Refused, what passes by itself (LOADING, BUSY, MASTERDOWN …) is Unreachable; the word is the
/// code. Of a missing right the hint names the command, key or channel, and the ACL rule that
/// would give it.
[[nodiscard]] Error errorFromReply(const RedisReply &reply, const QString &doing,
                                   const RedisAsker &asker = {});

} // namespace outbox
