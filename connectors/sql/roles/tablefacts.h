// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the rows that were looked at say of each column: how often it is set, which values it has,
// whether these are times, and whether old rows differ in it from young ones. Pure.
#pragma once

#include "connectors/sql/roles/rowsample.h"

#include <limits>
#include <optional>
#include <vector>

namespace outbox {

/// One truth for each row.
using RowMask = std::vector<bool>;

constexpr qint64 noTime = std::numeric_limits<qint64>::min();

struct ColumnFacts
{
    const CatalogColumn *column = nullptr;
    QStringList words; ///< what its name means
    int place = 0;
    bool isKey = false;
    bool isTime = false; ///< by its type, or all its values are times
    bool isWide = false; ///< may hold a document
    bool isTruth = false; ///< holds yes and no only
    bool isNumber = false;
    QStringList cells;
    QList<qint64> at; ///< by row, where it is a time; noTime where there is none
    qsizetype set = 0; ///< rows that have a value
    QMap<QString, int> counts; ///< by value; not kept of wide ones and times

    [[nodiscard]] const QString &name() const { return column->name; }
    /// NULL is no exception here, it is what every row may begin with.
    [[nodiscard]] bool startsEmpty() const { return column->nullable && !column->hasDefault; }
    /// Whoever writes a row says it: neither NULL nor a default does.
    [[nodiscard]] bool mustBeFilled() const { return !column->nullable && !column->hasDefault; }
    [[nodiscard]] bool isFull() const { return set == cells.size() && set > 0; }
    /// The share of the values for which `holds`; 0 without values.
    template <typename Holds> [[nodiscard]] double share(Holds holds) const
    {
        qsizetype fitting = 0;
        for (const QString &cell : cells)
            fitting += !cell.isNull() && holds(cell) ? 1 : 0;
        return set > 0 ? double(fitting) / double(set) : 0;
    }
};

class TableFacts
{
public:
    TableFacts(const CatalogTable &table, const RowSample &sample);

    [[nodiscard]] qsizetype rows() const { return m_rows; }
    [[nodiscard]] qint64 now() const { return m_now; }
    [[nodiscard]] const QList<ColumnFacts> &columns() const { return m_columns; }
    [[nodiscard]] const ColumnFacts *column(const QString &name) const;

    /// Rows are as old as this column says; nothing came in the future. Else by a number that
    /// counts up, else nobody knows.
    void orderBy(const ColumnFacts *created);
    [[nodiscard]] bool isOrdered() const { return !m_age.empty(); }

    [[nodiscard]] RowMask setIn(const ColumnFacts &column) const;
    [[nodiscard]] RowMask trueIn(const ColumnFacts &column) const;
    [[nodiscard]] RowMask holding(const ColumnFacts &column, const QString &value) const;
    [[nodiscard]] RowMask future(const ColumnFacts &time) const;
    /// How much older rows of the mask are than the others: -1 to 1, 0 where nothing is known.
    /// Rows of `without` do not count.
    [[nodiscard]] double olderBy(const RowMask &mask, const RowMask &without = {}) const;
    /// Rows of the mask are older than the others, more than chance would make them.
    [[nodiscard]] bool isOlder(const RowMask &mask, const RowMask &without = {}) const;
    /// Of the rows of the mask, 0 the oldest to 1: the mean, the first, the last.
    [[nodiscard]] double ageOf(const RowMask &mask) const;
    [[nodiscard]] double firstAgeOf(const RowMask &mask) const;
    [[nodiscard]] double lastAgeOf(const RowMask &mask) const;

private:
    qsizetype m_rows = 0;
    qint64 m_now = 0;
    QList<ColumnFacts> m_columns;
    std::vector<double> m_age; ///< 0 the first, 1 the last
};

/// The number in its type, "varchar(40)"; none where it has no bound.
[[nodiscard]] std::optional<int> lengthOf(const CatalogColumn &column);

[[nodiscard]] qsizetype countOf(const RowMask &mask);
void addRows(RowMask &all, const RowMask &rows);
/// The rows of `mask` that are not in `except`, which may be empty.
[[nodiscard]] RowMask butNot(RowMask mask, const RowMask &except);
[[nodiscard]] qsizetype bothIn(const RowMask &one, const RowMask &other);
/// All of `part` are in `whole`, but for a few that changed while they were read.
[[nodiscard]] bool isWithin(const RowMask &part, const RowMask &whole);
[[nodiscard]] bool isYes(const QString &value);
/// Milliseconds since 1970 of a text or number that is a time between 2000 and 2100.
[[nodiscard]] qint64 timeOf(const QString &value);

} // namespace outbox
