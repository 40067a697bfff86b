// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Answers of the dialects' statements as values of the models.
#pragma once

#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/outbox/outboxstore.h"
#include "connectors/sql/session/sqlsession.h"

namespace outbox {

/// One row of a page. `dialect` gives the shape.
[[nodiscard]] Message messageFrom(const SqlRows &rows, qsizetype row, const OutboxShape &shape);

/// Where a page ended: opaque to everybody else.
struct PageCursor
{
    bool newestFirst = true;
    QStringList after;

    [[nodiscard]] QString text() const;
    /// Fails with Invalid unless it was made for `order` columns in the same direction.
    [[nodiscard]] static Result<PageCursor> fromText(const QString &text, bool newestFirst,
                                                     qsizetype order);
};

/// The snapshot's answer; `before` and `after` are our clock around the statement, in µs since
/// 1970.
[[nodiscard]] OutboxSnapshot snapshotFrom(const SqlRows &rows, const OutboxShape &shape,
                                          const CountCaps &caps, qint64 before, qint64 after);

} // namespace outbox
