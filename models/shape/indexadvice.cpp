// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/shape/indexadvice.h"

#include "models/phrases.h"

#include <QCoreApplication>

namespace outbox {

QString sentenceOf(const IndexAdvice &advice, qint64 rows)
{
    const bool isOfCounts = advice.of == IndexAdvice::Statement::Counts;
    return QCoreApplication::translate(
               "outbox::Health",
               isOfCounts ? "No index finds the rows that wait: every look reads the whole table, "
                            "%1 rows or more."
                          : "No index has the order of the rows: every page sorts the whole "
                            "table, %1 rows or more.")
        .arg(countText(rows));
}

} // namespace outbox
