// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How one database writes what all of them can say: the pieces from which statements are built.
// Pure text.
#pragma once

#include "connectors/sql/dialect/wholerow.h"
#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/driver/sqlfragment.h"
#include "models/localtime.h"
#include "models/shape/catalog.h"
#include "models/shape/outboxshape.h"

#include <optional>

namespace outbox {

/// `t."column"`.
[[nodiscard]] QString aliased(const QString &name);

/// A column of rows that are written: one value for each of them, or the same for all.
struct WrittenColumn
{
    QString name;
    QString type; ///< what PostgreSQL casts a value to
    QVariantList values{};
    SqlFragment same{}; ///< empty where there are values
};

/// One object for each database. The table of a column is named t.
class SqlFlavor
{
public:
    SqlFlavor() = default;
    virtual ~SqlFlavor() = default;
    SqlFlavor(const SqlFlavor &) = delete;
    SqlFlavor &operator=(const SqlFlavor &) = delete;

    [[nodiscard]] virtual const SqlDatabase &database() const = 0;

    /// One value; `type` is what PostgreSQL casts it to, empty: what its place makes of it.
    [[nodiscard]] virtual SqlFragment bound(const QVariant &value, const QString &type) const;
    /// The column, of which each of `texts` can be a value, is one of them; by its index.
    [[nodiscard]] virtual SqlFragment isOneOf(const CatalogColumn &column,
                                              const QStringList &texts) const = 0;
    /// The same of a column of any type, and of texts that may be no values of it.
    [[nodiscard]] virtual SqlFragment isAnyOf(const CatalogColumn &column,
                                              const QStringList &texts) const;
    /// The same of an expression that is a text.
    [[nodiscard]] virtual SqlFragment isAmong(const QString &text, const QStringList &texts) const;
    /// The text of a column is exactly this one, or NULL as this is.
    [[nodiscard]] virtual SqlFragment isSame(const CatalogTable &table, const QString &name,
                                             const QVariant &text) const = 0;

    /// Such a text as a value that is compared with the column by its index.
    [[nodiscard]] virtual QVariant valueOf(const QVariant &text, const CatalogColumn &column) const;
    /// The same, in its place beside the column.
    [[nodiscard]] SqlFragment placed(const QString &text, const CatalogColumn &column) const
    {
        return bound(valueOf(text, column), column.type);
    }
    /// Takes the row away that has exactly this text in a column.
    [[nodiscard]] virtual SqlFragment removal(const CatalogTable &table, const QString &name,
                                              const QString &text) const;
    /// Writes rows that `key` tells apart; those that are there already are overwritten, with
    /// `number`, the last of the columns, only where theirs is smaller.
    [[nodiscard]] virtual SqlFragment overwrite(const TableName &table, const QStringList &key,
                                                const QList<WrittenColumn> &columns,
                                                const QString &number) const = 0;
    /// A column on the left of a SET.
    [[nodiscard]] virtual QString assigned(const QString &name) const;
    /// The end of an INSERT that does nothing where the key is there; empty: it fails then.
    [[nodiscard]] virtual QString unlessThere() const;

    // Words that all databases share. One that says any of them in its own way makes it virtual.

    /// The condition, false where it is NULL.
    [[nodiscard]] QString notNull(const QString &condition) const;
    /// A column of the class Flag is true, and is false where it is never NULL.
    [[nodiscard]] QString isTrue(const QString &cell) const;
    [[nodiscard]] QString isFalse(const QString &cell) const;
    /// The one list of values stands before the other.
    [[nodiscard]] QString isLess(const QStringList &these, const QStringList &those) const;
    /// The end of a SELECT: in which order it gives rows, if in any, how many at most, and how many
    /// it leaves out before them.
    [[nodiscard]] QString atMost(qint64 rows, const QString &order = {},
                                 std::optional<qint64> behind = {}) const;
    /// The first characters of a text, or bytes.
    [[nodiscard]] QString beginning(const QString &text, int length) const;

    /// CREATE TABLE of outbox_parked and its grants, for an owner to run, where its keys need more
    /// than their names; empty elsewhere.
    [[nodiscard]] virtual QString createParked(const QString &table) const;
    /// The same of outbox_fence.
    [[nodiscard]] virtual QString createFence(const QString &table) const;

    [[nodiscard]] virtual QString literal(const QString &text) const = 0;
    /// A cell as a text that minds the case.
    [[nodiscard]] virtual QString asText(const QString &cell) const = 0;
    /// A text that is compared by its letters and blanks alone, whatever its column's collation
    /// does.
    [[nodiscard]] virtual SqlFragment mindingCase(const SqlFragment &text) const { return text; }
    /// The same in small letters: those of ASCII at least, a database may know others.
    [[nodiscard]] virtual SqlFragment lowered(const SqlFragment &text) const;
    [[nodiscard]] virtual QString joined(const QStringList &texts, const QString &between) const;
    /// A text or a whole number as a column of an answer.
    [[nodiscard]] virtual QString answer(const QString &cell) const { return cell; }
    /// A number as the text that answers are read from.
    [[nodiscard]] virtual QString numberText(const QString &number) const;
    /// The text of a column as people and task ids write it; NULL where there is none.
    [[nodiscard]] virtual QString textOf(const CatalogTable &table, const QString &name) const = 0;
    /// A text that compares equal to the column's value again, as `placed`: places are told by it.
    [[nodiscard]] virtual QString exactTextOf(const CatalogTable &table, const QString &name) const
    {
        return textOf(table, name);
    }
    /// The first bytes of a payload, or its first letters, and how many bytes there are in all.
    [[nodiscard]] virtual SqlFragment payloadStart(const CatalogColumn &column,
                                                   qint64 most) const = 0;
    [[nodiscard]] virtual QString payloadSize(const CatalogColumn &column) const = 0;
    /// What changes with every write to the row, as columns of an answer that make one.
    [[nodiscard]] virtual QString version(const CatalogTable &table) const = 0;
    /// Hexadecimal digits of bytes.
    [[nodiscard]] virtual QString hexOf(const QString &bytes) const;
    /// What a sample has of a column, by its bare name, where that is not the beginning of its
    /// text; empty elsewhere.
    [[nodiscard]] virtual QString sampleOf(const CatalogColumn &column) const;

    /// Whether this is what the database calls `id` when it is asked for the key as text.
    [[nodiscard]] virtual bool isKeyOf(const QString &id, const Cell &cell,
                                       const CatalogColumn &column) const;
    /// False where the column takes no such bytes.
    [[nodiscard]] virtual bool takes(const Cell &cell, const CatalogColumn &column) const;
    /// The column holds uuids that are no texts: however somebody writes one, it is the same.
    [[nodiscard]] virtual bool holdsUuids(const CatalogColumn & /*column*/) const { return false; }

    // The times of columns, and the clock of the database.

    /// A time column in microseconds since 1970; NULL where there is none, and for times without
    /// zone where `zone` is empty.
    [[nodiscard]] virtual QString microseconds(const CatalogTable &table, const QString &name,
                                               const QString &zone,
                                               Reading reading = Reading::Earlier) const = 0;
    /// The same of those times alone that say no zone, read as UTC.
    [[nodiscard]] virtual QString untoldMicroseconds(const CatalogTable &table,
                                                     const QString &name) const;
    /// The condition that a cell of any kind is a time that says no zone; empty where types tell
    /// it.
    [[nodiscard]] virtual QString saysNoZone(const QString & /*cell*/) const { return {}; }
    /// A moment that we wrote ourselves, in milliseconds since 1970.
    [[nodiscard]] virtual QString milliseconds(const QString &cell) const = 0;
    [[nodiscard]] virtual QString nowUs() const = 0;
    /// Now, for a column of `SqlDatabase::timeType`.
    [[nodiscard]] virtual QString nowAsTime() const = 0;
    /// Now, as a time column of a table beside the outbox holds it.
    [[nodiscard]] virtual QString nowBeside(const CatalogColumn &column) const = 0;
    /// Now, as `column` of the outbox holds its times; empty where it cannot be told how.
    [[nodiscard]] virtual QString now(const OutboxShape &shape, const CatalogColumn &column,
                                      const QString &zone) const = 0;
    /// Whether the time that `cell` of `column` holds, in that zone, is after now less `ago`
    /// seconds; may be NULL. Of two moments that a local time may mean the later one counts.
    [[nodiscard]] virtual QString isAfter(const QString &cell, const CatalogColumn &column,
                                          const QString &zone, double ago) const = 0;
    /// Whether a lease ended, never NULL; "false" where the shape knows no lease. One that ended
    /// when 1970 began or before was never taken: columns that must not be NULL say so.
    [[nodiscard]] virtual QString leaseIsOver(const OutboxShape &shape,
                                              const CatalogTable &table) const = 0;
    /// The server's zone, by its name and by its offset in seconds.
    [[nodiscard]] virtual QStringList serverZone() const = 0;
    /// The end of what a consumer may read; empty where there is no such guard.
    [[nodiscard]] virtual QString readableEnd() const { return {}; }

protected:
    /// `("a", "b")`.
    [[nodiscard]] static QString listOf(const QList<WrittenColumn> &columns);
    /// ` ON CONFLICT …`: what is there already gets the values of the new row.
    [[nodiscard]] static QString
    orOverwrite(const QStringList &key, const QList<WrittenColumn> &columns, const QString &number);
};

[[nodiscard]] const SqlFlavor &flavorOf(DatabaseUrl::Dialect dialect);

} // namespace outbox
