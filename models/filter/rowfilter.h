// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A filter as the question for a page of outbox rows.
#pragma once

#include "models/filter/pagerequest.h"
#include "models/filter/predicate.h"
#include "models/message/message.h"
#include "models/result.h"

#include <QString>

namespace outbox {

/// `base` with its filter replaced by what `text` asks for, as of `now` (see `checksOf`); states,
/// limit, order and payload stay, the cursor is dropped. Fails with Invalid and the position of the
/// fault.
[[nodiscard]] Result<PageRequest>
pageRequestFromFilter(const QString &text, const PageRequest &base, const QDateTime &now);

/// What is left of a filter when a store has listed the rows: the parts that ask for the task of a
/// row. Without parts where there are none. `checks` are those of the filter.
[[nodiscard]] CheckNode queuePart(const CheckNode &checks);
/// Who would find the rows, as far as the filter alone tells: a database may know less.
[[nodiscard]] FilterReach reachOf(const CheckNode &checks);
/// The parts that ask for the state of a row.
[[nodiscard]] CheckNode statePart(const CheckNode &checks);

/// Whoever lists rows does not see which of them are parked: a filter that holds for at least the
/// rows that match when some are, whatever else they seem to be.
[[nodiscard]] Filter widenedForParked(const Filter &filter);

/// The states in which rows may be that match; all of them where it does not speak of states.
[[nodiscard]] QList<MessageState> statesWithin(const Filter &filter);
/// The id that it asks for and that is all it asks for: `id=X`, `id:X`, or a word that could be
/// one.
[[nodiscard]] std::optional<MessageId> idAlone(const Filter &filter);
/// Whether it asks for states and for nothing else.
[[nodiscard]] bool isOfStatesAlone(const Filter &filter);

} // namespace outbox
