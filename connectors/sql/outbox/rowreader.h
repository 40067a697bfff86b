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

/// The place where a page ended, as a text that is opaque to everybody else.
[[nodiscard]] QString cursorText(bool newestFirst, const QStringList &place);
/// The place in such a text. Fails with Invalid unless the text was made for `order` columns in the
/// same direction.
[[nodiscard]] Result<QStringList> placeOfCursor(const QString &text, bool newestFirst,
                                                qsizetype order);

/// The snapshot's answer; `before` and `after` are our clock around the statement, in µs since
/// 1970.
[[nodiscard]] OutboxSnapshot snapshotFrom(const SqlRows &rows, const OutboxShape &shape,
                                          const CountCaps &caps, qint64 before, qint64 after);

} // namespace outbox
