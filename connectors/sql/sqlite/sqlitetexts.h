// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Statements in the words of SQLite: pieces that looking and acting share, so that both see a row
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

// The classes of SQLite, for the one place that chooses between those of all databases.
[[nodiscard]] std::unique_ptr<SqlSession> makeSqliteSession(SocketBreaker &breaker);
[[nodiscard]] Result<StoreDurability> sqliteDurability(SqlSession &session,
                                                       const StoreSettings &settings);
[[nodiscard]] const SqlCatalog &sqliteCatalog();
[[nodiscard]] const SqlFlavor &sqliteFlavor();
[[nodiscard]] std::unique_ptr<Dialect> makeSqliteDialect(const OutboxShape &shape,
                                                         const CatalogTable &table);
[[nodiscard]] std::unique_ptr<EditDialect> makeSqliteEditDialect(const OutboxShape &shape,
                                                                 const CatalogTable &table);
[[nodiscard]] std::unique_ptr<DocumentDialect> makeSqliteDocumentDialect(const DocumentShape &shape,
                                                                         const CatalogTable &table);

} // namespace outbox

namespace outbox::sqlite {

/// Columns of this name, side by side, are answered by a session as one: the digest of their
/// values, 32 hex digits. SQLite itself has no hash, and the values may be too large to be held.
inline constexpr QLatin1StringView digestColumn("outbox_digest");

/// The text of a column, NULL where the shape has none.
[[nodiscard]] QString textOf(const QString &name);

/// Text that compares equal to the column's value again: a cast of a REAL keeps 15 digits only, and
/// a cursor beside its row would skip rows or repeat them.
[[nodiscard]] QString exactTextOf(const QString &name);

/// Now in microseconds since 1970, to the millisecond.
[[nodiscard]] QString nowUs();

/// The condition that a cell is a text without zone.
[[nodiscard]] QString isWithoutZone(const QString &cell);

/// Microseconds since 1970, whatever way the column holds its time; NULL for times without zone
/// where `zone` is empty.
[[nodiscard]] QString microseconds(const QString &name, const QString &zone,
                                   Reading reading = Reading::Earlier);

/// Now, as `column` of the outbox holds its times in `zone`.
[[nodiscard]] QString nowAs(const OutboxShape &shape, const CatalogColumn &column,
                            const QString &zone);

/// The values of a JSON array of keys. They have no type of their own: beside a column they take
/// the column's, where they can, and a text that is no number equals no number.
[[nodiscard]] SqlFragment keysIn(const QStringList &keys);

/// See `FilterSql::push`.
[[nodiscard]] Result<FilterPush> push(const OutboxShape &shape, const CatalogTable &table,
                                      const CheckNode &checks, PayloadTexts texts);

} // namespace outbox::sqlite
