// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keys of rows as a person writes them in SQL, for the clipboard. No statement of ours is made of
// it.
#pragma once

#include "models/shape/outboxshape.h"

#include <QList>
#include <QString>

namespace outbox {

/// "IN ('7e57…', '81a0…')", to stand behind the key column of `shape` in the language of the
/// database at `databaseUrl`. Each text is quoted so that it means the same in every setting of a
/// session, and holds no control character. Empty where there are no keys, the key has several
/// columns or none, a key does not have the form that the shape says, or the address is none. Pure;
/// any thread.
[[nodiscard]] QString sqlKeyList(const QList<MessageId> &keys, const OutboxShape &shape,
                                 const QString &databaseUrl);

} // namespace outbox
