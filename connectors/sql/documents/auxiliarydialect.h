// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The statements about a table beside the documents: pure text, no connection.
#pragma once

#include "connectors/sql/dialect/sqlflavor.h"
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
    AuxiliaryDialect(const SqlFlavor &flavor, DoneTable names, CatalogTable table);

    [[nodiscard]] const DoneTable &names() const { return m_names; }
    [[nodiscard]] const CatalogTable &table() const { return m_table; }

    /// A value of the column's type.
    [[nodiscard]] SqlFragment bound(const QVariant &value, const QString &name) const;
    /// A condition: the id is one of these, give or take what a key takes for the same.
    [[nodiscard]] SqlFragment isOneOf(const QStringList &ids) const;
    /// A column as text; NULL where `name` is empty.
    [[nodiscard]] QString textOf(const QString &name) const
    {
        return m_flavor.textOf(m_table, name);
    }
    /// A time column in microseconds since 1970; NULL where `name` is empty.
    [[nodiscard]] QString microseconds(const QString &name) const;
    /// Now, as the time column holds it.
    [[nodiscard]] QString now() const;
    /// Takes the row of exactly this id away.
    [[nodiscard]] SqlText remove(const QString &id) const;
    /// The end of an INSERT that does nothing where the key is there already.
    [[nodiscard]] QString unlessThere() const { return m_flavor.unlessThere(); }
    /// The server's code for a key that is there; empty where `unlessThere` is a clause.
    [[nodiscard]] QString repeatedKeyCode() const { return m_flavor.database().repeatedKeyCode; }

private:
    [[nodiscard]] const CatalogColumn &column(const QString &name) const;

    const SqlFlavor &m_flavor;
    DoneTable m_names;
    CatalogTable m_table;
};

[[nodiscard]] std::unique_ptr<AuxiliaryDialect>
makeSideDialect(DatabaseUrl::Dialect dialect, const DoneTable &names, const CatalogTable &table);

} // namespace outbox
