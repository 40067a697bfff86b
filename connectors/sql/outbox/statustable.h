// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads and sets the status that a receiver notes for each message, in a table of its own.
#pragma once

#include "connectors/sql/driver/databaseurl.h"
#include "connectors/sql/session/sqlsession.h"
#include "models/ids.h"
#include "models/profile/profile.h"
#include "models/result.h"
#include "models/shape/catalog.h"

#include <QHash>

#include <optional>

namespace outbox {

/// Used in its session's thread. The names of a table are checked against the catalog the first
/// time it is asked about.
/// Errors: those of `SqlSession`; Invalid for a name that the catalog does not know.
class StatusTableAccess
{
public:
    /// Status by id; an id without a row is left out, NULL is a null QString.
    [[nodiscard]] Result<QHash<MessageId, QString>> read(SqlSession &session,
                                                         DatabaseUrl::Dialect dialect,
                                                         const StatusTable &table,
                                                         const QList<MessageId> &ids);
    /// True when the one row of `id` had the status `expected` and has `status` now; false when it
    /// had not, or is not there. Fails with Conflict when there is more than one row.
    [[nodiscard]] Result<bool> write(SqlSession &session, DatabaseUrl::Dialect dialect,
                                     const StatusTable &table, const MessageId &id,
                                     const QString &expected, const QString &status);
    /// The catalog may have changed.
    void forget() { m_known.reset(); }

private:
    [[nodiscard]] Result<CatalogTable> known(SqlSession &session, DatabaseUrl::Dialect dialect,
                                             const StatusTable &table);
    StatusTable m_asked; ///< what `m_known` is the catalog's entry of
    std::optional<CatalogTable> m_known;
};

} // namespace outbox
