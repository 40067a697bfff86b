// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shape and catalog to the statements of an operator: pure text, no connection. Every write names
// the version of the row it was planned for.
#pragma once

#include "connectors/sql/dialect/rowstates.h"
#include "connectors/sql/dialect/wholerow.h"
#include "connectors/sql/driver/databaseurl.h"
#include "connectors/sql/session/sqlsession.h"
#include "models/content/rowcontent.h"
#include "models/operations/auditrow.h"
#include "models/operations/verb.h"
#include "models/operations/verbdescriptor.h"
#include "models/shape/catalog.h"
#include "models/shape/outboxshape.h"

#include <memory>
#include <optional>

namespace outbox {

/// Columns of the answer about rights.
namespace RightColumn {
enum { Lock, Reopen, Remove, Insert, Release, Edit, AuditSchema, AuditTable, Audit };
}

/// Columns of whole rows; for each column of the table its kind ("text", "blob", "integer", "real"
/// or NULL) and its value follow.
namespace WholeColumn {
enum { Place, Key, Version, FirstOfCells };
}

[[nodiscard]] QString auditTableName();
/// The first one is the time.
[[nodiscard]] QStringList auditColumns();
/// The values of one record, for the columns after the time.
[[nodiscard]] QStringList auditValues(const AuditRow &row);

class EditDialect
{
public:
    /// As Dialect: every name of `shape` is in `table`.
    EditDialect(OutboxShape shape, CatalogTable table);
    virtual ~EditDialect() = default;
    EditDialect(const EditDialect &) = delete;
    EditDialect &operator=(const EditDialect &) = delete;

    [[nodiscard]] const CatalogTable &table() const { return m_table; }
    /// The columns of a whole row: all but the generated ones.
    [[nodiscard]] QStringList wholeColumns() const;

    [[nodiscard]] virtual QString begin() const = 0;
    /// Answers one line.
    [[nodiscard]] virtual SqlText rights() const = 0;
    /// Changes nothing; fails where rows may not be deleted. nullopt where `rights` says it.
    [[nodiscard]] virtual std::optional<SqlText> tryRemove() const { return std::nullopt; }
    [[nodiscard]] virtual SqlText whole(const QStringList &keys) const = 0;
    /// False where statements cannot compare versions: then `hold` answers key and version of the
    /// rows whatever their guards say, the caller compares, and the open transaction keeps it true.
    [[nodiscard]] virtual bool comparesVersions() const { return true; }
    /// Keys of the rows that are as they were seen and free; `lock` takes them.
    [[nodiscard]] virtual SqlText hold(const QList<RowGuard> &rows, bool lock) const = 0;
    /// Key, server process and application of one session that holds one of the rows; nullopt where
    /// rows cannot be held.
    [[nodiscard]] virtual std::optional<SqlText> holderOf(const QStringList &keys) const
    {
        Q_UNUSED(keys)
        return std::nullopt;
    }
    /// Where a write does not answer what it wrote: the keys of the rows that it will write, to be
    /// asked for before it, while the open transaction holds them.
    [[nodiscard]] virtual std::optional<SqlText> toBeWritten(RowChange change,
                                                             const QList<RowGuard> &rows) const
    {
        Q_UNUSED(change)
        Q_UNUSED(rows)
        return std::nullopt;
    }
    /// Whether `markProcessed` can write this: a text of this dialect's pages.
    [[nodiscard]] virtual bool isProcessedText(const QString &text) const;
    /// These answer key and version of what they wrote, the key alone where versions are not
    /// compared, or nothing where `toBeWritten` does. The first two need a processed time, the
    /// third a lease.
    [[nodiscard]] SqlText reopen(const QList<RowGuard> &rows) const;
    [[nodiscard]] virtual SqlText markProcessed(const QList<RowGuard> &rows,
                                                const QStringList &processed) const = 0;
    [[nodiscard]] SqlText release(const QList<RowGuard> &rows) const;
    /// The same of one row: writes the cells that are to hold something else, where each of `cells`
    /// is as it was seen.
    [[nodiscard]] SqlText edit(const RowGuard &row, const QList<EditedCell> &cells) const;
    /// What the column makes of a value that it may refuse, or write in its own way; nullopt where
    /// it takes any value as it is.
    [[nodiscard]] virtual std::optional<SqlText> asStored(const Cell &cell,
                                                          const CatalogColumn &column) const
    {
        Q_UNUSED(cell)
        Q_UNUSED(column)
        return std::nullopt;
    }
    /// Answers the key.
    [[nodiscard]] virtual SqlText remove(const QList<RowGuard> &rows) const = 0;
    /// `rows` have the same columns, each of them in the table. Answers the keys of the rows that
    /// it wrote, and passes over those whose key is there. Where the database has a
    /// `SqlDatabase::repeatedKeyCode` it answers nothing, and fails with that for such a key.
    [[nodiscard]] SqlText insert(const QList<WholeRow> &rows) const;
    [[nodiscard]] virtual SqlText record(const TableName &audit,
                                         const QList<AuditRow> &rows) const = 0;

    /// What `verb` runs, in its order; `audit` is where its record goes.
    [[nodiscard]] QStringList statementsOf(Verb verb, const std::optional<TableName> &audit) const;
    /// What an edit of these cells runs.
    [[nodiscard]] QStringList statementsOf(const QList<EditedCell> &cells,
                                           const std::optional<TableName> &audit) const;

protected:
    [[nodiscard]] const CatalogColumn &column(const QString &name) const;
    [[nodiscard]] QString tableName() const;
    [[nodiscard]] virtual const SqlFlavor &flavor() const = 0;
    [[nodiscard]] RowStates states() const { return {m_shape, m_table, flavor()}; }
    [[nodiscard]] QString keyText() const { return flavor().textOf(m_table, m_shape.keyColumn); }
    /// UPDATE of these rows; `condition` is what they must be beside being meant.
    [[nodiscard]] virtual SqlText updateOf(const SqlFragment &sets, const QList<RowGuard> &rows,
                                           const SqlFragment &condition) const;
    /// ` AND ` what a row must be, beside being meant, to be written; empty: anything.
    [[nodiscard]] QString condition(RowChange change) const;
    /// ` RETURNING ` what a write answers; empty where it answers nothing.
    [[nodiscard]] virtual QString returning() const { return {}; }
    /// What an emptied column of a lease holds.
    [[nodiscard]] virtual QString emptied(const CatalogColumn &column) const;
    /// `("a", "b")`.
    [[nodiscard]] static QString nameList(const QStringList &names);
    [[nodiscard]] static QStringList idsOf(const QList<RowGuard> &rows);

    OutboxShape m_shape;
    CatalogTable m_table;

private:
    /// A cell of a whole row as a value of its column.
    [[nodiscard]] virtual SqlFragment placeOf(const Cell &cell,
                                              const CatalogColumn &column) const = 0;
    /// The condition that the column holds this, byte for byte; the cell is not NULL.
    [[nodiscard]] virtual SqlFragment holds(const Cell &cell,
                                            const CatalogColumn &column) const = 0;
    /// What stands around the statements of an act.
    [[nodiscard]] QStringList withRecord(const QStringList &acts,
                                         const std::optional<TableName> &audit) const;
    /// An edit of all that may be changed, where nothing is known of the row.
    [[nodiscard]] QList<EditedCell> anyEdit() const;
    /// `insert` of these lines; both `names` and each line are in brackets.
    [[nodiscard]] virtual SqlText insertion(const QString &names, const SqlFragment &lines) const;
};

/// False where a database is only looked at.
[[nodiscard]] bool hasEditDialect(DatabaseUrl::Dialect dialect);
/// nullptr where there is none.
[[nodiscard]] std::unique_ptr<EditDialect>
makeEditDialect(DatabaseUrl::Dialect dialect, const OutboxShape &shape, const CatalogTable &table);

} // namespace outbox
