// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where rows that were set aside are kept, with their reason, until somebody releases them.
#pragma once

#include "models/relay/relaystep.h"
#include "models/result.h"

#include <QList>

namespace outbox {

/// Beyond so many something else is wrong than single rows: a relay stops claiming.
constexpr int mostParkedRows = 10'000;

/// The rows of one outbox that the relay leaves out of its claims (correctness.md 3, rules 5 and
/// 6). Blocking; used in the relay's room or the one of an operation. Several relays may share one:
/// each reads it again now and then.
/// Errors: those of the place where rows are kept.
class Parking
{
public:
    virtual ~Parking() = default;

    /// All of them, oldest first, at most `mostParkedRows` + 1.
    [[nodiscard]] virtual Result<QList<ParkedRow>> rows() = 0;
    /// Keeps them for good before it returns; a row that is there already gets the newer reason.
    [[nodiscard]] virtual Result<void> put(const QList<ParkedRow> &rows) = 0;
    /// Rows that are not there any more are no error.
    [[nodiscard]] virtual Result<void> release(const QList<MessageId> &ids) = 0;
};

} // namespace outbox
