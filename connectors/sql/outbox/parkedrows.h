// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of an outbox that were set aside, wherever that is kept: by id, in words, and as lists show
// them.
#pragma once

#include "models/ids.h"
#include "models/message/message.h"
#include "models/relay/relaystep.h"

#include <QHash>
#include <QList>
#include <QString>

namespace outbox {

/// By id.
using ParkedById = QHash<MessageId, ParkedRow>;
[[nodiscard]] ParkedById parkedById(const QList<ParkedRow> &rows);
/// A row that is parked is in the state Parked, with its reason; one that is processed or held is
/// left as it was seen.
void markParked(Message &row, const ParkedById &parked);
/// "the row has no type; after 3 tries, by outboxctl/ana@desk".
[[nodiscard]] QString parkedText(const ParkedRow &row);

} // namespace outbox
