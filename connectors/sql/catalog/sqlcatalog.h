// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How one database is asked for its tables, and for what belongs to them.
#pragma once

#include "connectors/sql/driver/databaseurl.h"
#include "connectors/sql/session/sqlsession.h"
#include "models/result.h"
#include "models/shape/catalog.h"

namespace outbox {

/// What a session may do with a table.
struct TableRights
{
    bool read = false;
    bool write = false; ///< INSERT, UPDATE and DELETE
};

/// One object for each database. Statements are pure text.
/// Errors: those of `SqlSession`.
class SqlCatalog
{
public:
    SqlCatalog() = default;
    virtual ~SqlCatalog() = default;
    SqlCatalog(const SqlCatalog &) = delete;
    SqlCatalog &operator=(const SqlCatalog &) = delete;

    /// All tables; where `readsByName`, those alone that are called so, if there are names.
    [[nodiscard]] virtual Result<Catalog> read(SqlSession &session,
                                               const QStringList &names) const = 0;
    [[nodiscard]] virtual bool readsByName() const { return false; }
    [[nodiscard]] virtual Result<TableRights> rightsOn(SqlSession &session, const TableName &table,
                                                       const QStringList &columns) const = 0;

    /// Counts the tables of this name.
    [[nodiscard]] virtual SqlText isThere(const TableName &table) const = 0;
    /// The first column of each index, and its condition.
    [[nodiscard]] virtual SqlText indexesOf(const CatalogTable &table) const = 0;
    /// For people; `listed` are the columns in brackets, and what may follow them.
    [[nodiscard]] virtual QString createIndex(const TableName &table, const QString &suffix,
                                              const QString &listed) const = 0;
    /// The foreign keys that refer to the table, one line for each column of each key: schema,
    /// table, name and rule of the key, whether row security hides rows, column, referenced column,
    /// place.
    [[nodiscard]] virtual SqlText childKeysOf(const TableName &table) const = 0;
    /// Names of what runs when rows are deleted, or of all triggers, then with their texts.
    [[nodiscard]] virtual SqlText deleteTriggersOf(const TableName &table) const = 0;
    /// The names by which the server tells the database from all others; empty for a file.
    [[nodiscard]] virtual SqlText ownNames() const { return {}; }
    /// How many rows were ever inserted; empty where the server does not count them.
    [[nodiscard]] virtual SqlText insertedRows(const TableName & /*table*/) const { return {}; }
    /// What the server says instead where it does not tell which rows are held, as a sentence for a
    /// person; takes no lock. Empty elsewhere.
    [[nodiscard]] virtual QString lockNote(SqlSession & /*session*/) const { return {}; }
};

[[nodiscard]] const SqlCatalog &catalogOf(DatabaseUrl::Dialect dialect);

} // namespace outbox
