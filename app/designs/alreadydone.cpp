// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designs/alreadydone.h"

namespace outbox {

Result<QHash<QString, bool>> areDone(const QList<const OutboxEntry *> &entries, DedupStore *done,
                                     TokenStore *tokens)
{
    QHash<QString, bool> known;
    QStringList asked;
    for (const OutboxEntry *entry : entries) {
        if (done)
            asked += entry->incoming;
        else if (tokens && !entry->token.isEmpty())
            asked += entry->token;
    }
    if (asked.isEmpty() || (!done && !tokens))
        return known;
    const auto have = TRY(done ? done->have(asked) : tokens->have(asked));
    for (const OutboxEntry *entry : entries) {
        if (done)
            known.insert(entry->incoming, have.contains(entry->incoming));
        else if (!entry->token.isEmpty()) // the token is the right to execute it: gone means done
            known.insert(entry->incoming, !have.contains(entry->token));
    }
    return known;
}

} // namespace outbox
