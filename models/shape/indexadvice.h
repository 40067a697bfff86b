// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What looks at a large table miss.
#pragma once

#include <QString>

namespace outbox {

/// An index that looks at a large table miss, and how it is made.
struct IndexAdvice
{
    enum class Statement {
        Counts, ///< of the rows that are not processed
        Pages
    };
    Statement of = Statement::Counts;
    QString statement;

    bool operator==(const IndexAdvice &) const = default;
};

/// For people: "No index finds the rows that wait: …"; of a table of so many rows.
[[nodiscard]] QString sentenceOf(const IndexAdvice &advice, qint64 rows);

} // namespace outbox
