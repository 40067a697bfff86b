// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An outbox of a few lines of text and of rows that came each minute, as a probe reads it.
#pragma once

#include "connectors/sql/roles/rowroleassignment.h"
#include "tests/connectors/catalogtext.h"

namespace outbox::rowreading {

using Cells = QMap<QString, QString>;

inline constexpr qint64 now = 1'790'000'000; // seconds
inline constexpr int minute = 60;

/// Rows of an outbox that came each minute, the last just now; `more` fills the other columns, or
/// one of these otherwise.
template <typename More> RowReading readingOf(const QString &columns, int rows, More more)
{
    const CatalogTable given
        = table(u"outbox"_s,
                u"id bigint key, type text, payload jsonb, created_at timestamptz, "_s + columns);
    RowSample sample;
    sample.rows = rows;
    sample.now = now * 1000;
    for (int row = 0; row < rows; ++row) {
        const qint64 created = now - qint64(rows - row) * minute;
        sample.cells[u"id"_s] += QString::number(row + 1);
        sample.cells[u"type"_s] += row % 2 == 0 ? u"OrderCreated"_s : u"StockChanged"_s;
        sample.cells[u"payload"_s] += u"{}"_s;
        sample.cells[u"created_at"_s] += QString::number(created);
        const QMap<QString, QString> cells = more(row, created);
        for (auto cell = cells.cbegin(); cell != cells.cend(); ++cell) {
            QStringList &values = sample.cells[cell.key()];
            values = values.mid(0, row) + QStringList{cell.value()};
        }
    }
    TableFacts facts(given, sample);
    return RowRoleAssignment(facts, rolesOf(given)).read();
}

/// A cell that is empty unless `isSet`.
inline QString timeIf(bool isSet, qint64 at)
{
    return isSet ? QString::number(at) : QString();
}

} // namespace outbox::rowreading
