// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Statements in the words of MariaDB: pieces that looking and acting share, so that both see a row
// alike, filters, and what makes its classes. The table is named t.
// Errors: those of `SqlSession`; of a filter those of `Dialect`.
#pragma once

#include "connectors/sql/dialect/filtersql.h"
#include "connectors/sql/dialect/rowstates.h"
#include "connectors/sql/session/sqlsession.h"
#include "models/localtime.h"
#include "models/shape/catalog.h"
#include "models/shape/outboxshape.h"

#include <memory>

namespace outbox {

class Dialect;
class DocumentDialect;
class EditDialect;
class SqlCatalog;
struct DocumentShape;
struct StoreDurability;

// The classes of MariaDB, for the one place that chooses between those of all databases.
[[nodiscard]] std::unique_ptr<SqlSession> makeMariadbSession(SocketBreaker &breaker);
[[nodiscard]] Result<StoreDurability> mariadbDurability(SqlSession &session,
                                                        const StoreSettings &settings);
[[nodiscard]] const SqlCatalog &mariadbCatalog();
[[nodiscard]] const SqlFlavor &mariadbFlavor();
[[nodiscard]] std::unique_ptr<Dialect> makeMariadbDialect(const OutboxShape &shape,
                                                          const CatalogTable &table);
[[nodiscard]] std::unique_ptr<EditDialect> makeMariadbEditDialect(const OutboxShape &shape,
                                                                  const CatalogTable &table);
[[nodiscard]] std::unique_ptr<DocumentDialect>
makeMariadbDocumentDialect(const DocumentShape &shape, const CatalogTable &table);

} // namespace outbox

namespace outbox::mariadb {

/// The text of a column as people and task ids write it: 16 bytes as a uuid, other bytes as hex;
/// NULL where the shape has no such column.
[[nodiscard]] QString textOf(const CatalogTable &table, const QString &name);
/// Text that compares equal to the column's value again: a float as it is, not as it is shown.
[[nodiscard]] QString exactTextOf(const CatalogColumn &column);

/// Whether the column's values are text in no encoding.
[[nodiscard]] bool holdsBytes(const CatalogColumn &column);

/// A text of a column, `textOf` or `exactTextOf`, as a value that compares with it by its index.
[[nodiscard]] QVariant valueOf(const QString &text, const CatalogColumn &column);
/// `t."column" = ?`.
[[nodiscard]] SqlFragment equals(const CatalogColumn &column, const QString &text);
/// A text that minds case and blanks at its end, whatever its column's own collation does.
[[nodiscard]] SqlFragment exactly(const SqlFragment &text);
/// As `equals`, by the column's index, and exactly.
[[nodiscard]] SqlFragment isExactly(const CatalogTable &table, const QString &name,
                                    const QString &text);
/// `t."column" IN (?, …)`, "false" where there are none.
[[nodiscard]] SqlFragment among(const CatalogColumn &column, const QStringList &texts);

// A statement that read all of a small table, and the server takes that for the quickest way, would
// lock rows that it does not mean, and wait for those that others hold.

/// Before an UPDATE or DELETE of one table: it goes by a key, or is an error.
[[nodiscard]] QString byKey();
/// FROM for a SELECT that locks: the rows of these keys, as t.
[[nodiscard]] SqlFragment fromRowsOf(const CatalogTable &table, const QString &key,
                                     const QStringList &texts);
/// `DELETE FROM … WHERE` these keys; it knows no t.
[[nodiscard]] SqlText deleteRows(const CatalogTable &table, const QString &key,
                                 const QStringList &texts);

/// The database's clock in microseconds since 1970.
[[nodiscard]] QString nowUs();

/// Whether the column holds times without zone. Those with one the session shows as UTC.
[[nodiscard]] bool isWithoutZone(const CatalogColumn &column);

/// Microseconds since 1970; NULL for texts, where there is no column, and for times without zone
/// where `zone` is empty.
[[nodiscard]] QString microseconds(const CatalogColumn *column, const QString &zone,
                                   Reading reading = Reading::Earlier);

/// The first time without zone that is, in `zone`, not before now less so many microseconds: the
/// column's index serves a comparison with it.
[[nodiscard]] SqlFragment firstLocal(qint64 agoUs, const QString &zone);
/// Now in the zone, as a time without one.
[[nodiscard]] QString nowIn(const QString &zone);

/// Answers one cell: whether this session may `right` ("insert", "update" …) each of `columns`.
[[nodiscard]] SqlText mayAll(const TableName &table, const QStringList &columns,
                             const QString &right);
/// Changes nothing; fails where rows of the table may not be deleted.
[[nodiscard]] SqlText tryDelete(const TableName &table);

/// See `FilterSql::push`; `keyText` is the key as people and task ids write it.
[[nodiscard]] Result<FilterPush> push(const OutboxShape &shape, const CatalogTable &table,
                                      const QString &keyText, const CheckNode &checks,
                                      PayloadTexts texts);

} // namespace outbox::mariadb
