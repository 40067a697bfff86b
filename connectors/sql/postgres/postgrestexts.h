// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pieces of PostgreSQL statements that looking and acting share, so that both see a row alike, and
// what makes its classes.
// Errors: those of `SqlSession`.
#pragma once

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

// The classes of PostgreSQL, for the one place that chooses between those of all databases.
[[nodiscard]] std::unique_ptr<SqlSession> makePostgresSession(SocketBreaker &breaker);
[[nodiscard]] Result<StoreDurability> postgresDurability(SqlSession &session,
                                                         const StoreSettings &settings);
[[nodiscard]] const SqlCatalog &postgresCatalog();
[[nodiscard]] const SqlFlavor &postgresFlavor();
[[nodiscard]] std::unique_ptr<Dialect> makePostgresDialect(const OutboxShape &shape,
                                                           const CatalogTable &table);
[[nodiscard]] std::unique_ptr<EditDialect> makePostgresEditDialect(const OutboxShape &shape,
                                                                   const CatalogTable &table);
[[nodiscard]] std::unique_ptr<DocumentDialect>
makePostgresDocumentDialect(const DocumentShape &shape, const CatalogTable &table);

} // namespace outbox

namespace outbox::postgres {

inline const QString nullText = QStringLiteral("NULL::text");

/// Whether the column holds times without zone.
[[nodiscard]] bool isWithoutZone(const CatalogColumn &column);

/// Now, in the kind of time the column holds; a time without zone is that of UTC.
[[nodiscard]] QString nowFor(const CatalogColumn &column);

/// Microseconds since 1970 as bigint; NULL for infinity, for texts, where there is no column, and
/// for times without zone where `zone` is empty.
[[nodiscard]] QString microseconds(const QString &prefix, const CatalogColumn *column,
                                   const QString &zone, Reading reading = Reading::Earlier);

/// The first time without zone that is, in `zone`, not before now less `seconds`: the column's
/// index serves a comparison with it. With `isAfter` it is the first that is after it.
[[nodiscard]] SqlFragment firstLocal(double seconds, const QString &zone, bool isAfter);

/// The text of a column, NULL where the shape has none.
[[nodiscard]] QString textOf(const QString &prefix, const QString &columnName);

} // namespace outbox::postgres
