// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/dialect/documentdialect.h"

#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/driver/sqlnames.h"

#include <QUuid>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

DocumentDialect::DocumentDialect(DocumentShape shape, CatalogTable table)
    : m_shape(std::move(shape)), m_table(std::move(table))
{ }

bool DocumentDialect::isId(const QString &text) const
{
    return fitsType(text, column(m_shape.idColumn));
}

QString DocumentDialect::versionAfter(const QString &seen) const
{
    if (column(m_shape.versionColumn).typeClass == TypeClass::Integer)
        return QString::number(seen.toLongLong() + 1);
    return QUuid::createUuid().toString(QUuid::WithoutBraces);
}

const CatalogColumn &DocumentDialect::column(const QString &name) const
{
    return *m_table.column(name);
}

QString DocumentDialect::tableName() const
{
    return quotedName(m_table.name);
}

QString DocumentDialect::changedZone() const
{
    const CatalogColumn *changed = m_table.column(m_shape.changedColumn);
    return changed && changed->isUtcByDefault ? u"UTC"_s : QString();
}

} // namespace outbox
