// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What differs between databases in the statements about a table beside the documents: pure text,
// no connection.
#pragma once

#include "connectors/sql/driver/databaseurl.h"
#include "connectors/sql/session/sqlsession.h"
#include "models/designs/donestore.h"
#include "models/shape/catalog.h"

#include <memory>

namespace outbox {

/// The table is named t.
class AuxiliaryDialect
{
public:
    /// `table` is the catalog's entry; every column of `names` is in it.
    AuxiliaryDialect(DoneTable names, CatalogTable table);
    virtual ~AuxiliaryDialect() = default;
    AuxiliaryDialect(const AuxiliaryDialect &) = delete;
    AuxiliaryDialect &operator=(const AuxiliaryDialect &) = delete;

    [[nodiscard]] const DoneTable &names() const { return m_names; }
    [[nodiscard]] const CatalogTable &table() const { return m_table; }

    /// A value of the column's type.
    [[nodiscard]] virtual SqlFragment bound(const QVariant &value, const QString &name) const = 0;
    /// A condition: the id is one of these, give or take what a key takes for the same.
    [[nodiscard]] virtual SqlFragment isOneOf(const QStringList &ids) const = 0;
    /// A column as text; NULL where `name` is empty.
    [[nodiscard]] virtual QString textOf(const QString &name) const = 0;
    /// A time column in microseconds since 1970; NULL where `name` is empty.
    [[nodiscard]] virtual QString microseconds(const QString &name) const = 0;
    /// Now, as the time column holds it.
    [[nodiscard]] virtual QString now() const = 0;
    /// Takes the row of exactly this id away.
    [[nodiscard]] virtual SqlText remove(const QString &id) const = 0;
    /// The end of an INSERT that does nothing where the key is there already.
    [[nodiscard]] virtual QString unlessThere() const = 0;
    /// The server's code for a key that is there; empty where `unlessThere` is a clause.
    [[nodiscard]] virtual QString repeatedKeyCode() const { return {}; }

protected:
    [[nodiscard]] const CatalogColumn &column(const QString &name) const;
    /// nullptr where `name` is empty.
    [[nodiscard]] const CatalogColumn *columnOrNone(const QString &name) const;

    DoneTable m_names;
    CatalogTable m_table;
};

[[nodiscard]] std::unique_ptr<AuxiliaryDialect>
makeSideDialect(DatabaseUrl::Dialect dialect, const DoneTable &names, const CatalogTable &table);

} // namespace outbox
