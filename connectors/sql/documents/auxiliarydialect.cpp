// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/documents/auxiliarydialect.h"

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

AuxiliaryDialect::AuxiliaryDialect(const SqlFlavor &flavor, DoneTable names, CatalogTable table)
    : m_flavor(flavor), m_names(std::move(names)), m_table(std::move(table))
{ }

const CatalogColumn &AuxiliaryDialect::column(const QString &name) const
{
    return *m_table.column(name);
}

SqlFragment AuxiliaryDialect::bound(const QVariant &value, const QString &name) const
{
    return m_flavor.bound(m_flavor.valueOf(value, column(name)), column(name).plainType);
}

SqlFragment AuxiliaryDialect::isOneOf(const QStringList &ids) const
{
    return m_flavor.isOneOf(column(m_names.idColumn), ids);
}

QString AuxiliaryDialect::microseconds(const QString &name) const
{
    return m_flavor.answer(m_flavor.microseconds(m_table, name, u"UTC"_s));
}

QString AuxiliaryDialect::now() const
{
    return m_flavor.nowBeside(column(m_names.timeColumn));
}

SqlText AuxiliaryDialect::remove(const QString &id) const
{
    return m_flavor.removal(m_table, m_names.idColumn, id);
}

std::unique_ptr<AuxiliaryDialect> makeSideDialect(DatabaseUrl::Dialect dialect,
                                                  const DoneTable &names, const CatalogTable &table)
{
    return std::make_unique<AuxiliaryDialect>(flavorOf(dialect), names, table);
}

} // namespace outbox
