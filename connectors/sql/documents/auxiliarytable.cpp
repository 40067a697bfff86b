// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/documents/auxiliarytable.h"

#include "connectors/sql/catalog/catalogreader.h"
#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/driver/sqlerror.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/session/storedurability.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Result<void> AuxiliaryTable::open(const StoreSettings &settings, const DoneTable &table)
{
    m_table.reset();
    return m_session.open(settings, [&] { return prepare(table); });
}

Result<void> AuxiliaryTable::prepare(const DoneTable &table)
{
    const QString doing = u"checking the table \"%1\""_s.arg(table.table.text());
    const StoreSettings &settings = m_session.settings();
    const auto catalog = TRY(readTables(*m_session, settings.url.dialect, {table.table}));
    const CatalogTable *found = catalog.find(table.table);
    if (!found)
        return fail(Error::Kind::Invalid, doing, u"there is no such table, or we may not see it"_s);
    for (const QString &name :
         {table.idColumn, table.timeColumn, table.attemptColumn, table.incomingColumn}) {
        const bool isMissing = name == table.idColumn ? name.isEmpty() : false;
        if (isMissing || (!name.isEmpty() && (!found->column(name) || name.contains(u'?'))))
            return fail(Error::Kind::Invalid, doing, u"it has no usable column \"%1\""_s.arg(name));
    }
    if (settings.access != StoreAccess::ReadOnly && !found->transactional)
        return tl::unexpected(notTransactional(doing, m_session.database()));
    m_trust = TRY(durabilityOf(*m_session, settings));
    m_names = table;
    m_table = *found;
    return {};
}

bool AuxiliaryTable::isId(const QString &text) const
{
    return m_table && fitsType(text, *m_table->column(m_names.idColumn));
}

QString AuxiliaryTable::tableName() const
{
    return quotedName(m_table->name);
}

SqlFragment AuxiliaryTable::bound(const QVariant &value, const QString &name) const
{
    const CatalogColumn &column = *m_table->column(name);
    return flavor().bound(flavor().valueOf(value, column), column.plainType);
}

QString AuxiliaryTable::now() const
{
    return flavor().nowBeside(*m_table->column(m_names.timeColumn));
}

Result<SqlRows> AuxiliaryTable::query(const SqlText &sql, const QString &doing)
{
    TRY(m_session.ready(doing));
    return m_session->query(sql, doing);
}

Result<SqlRows> AuxiliaryTable::write(const SqlText &sql, const QString &doing)
{
    if (m_session.settings().access == StoreAccess::ReadOnly)
        return fail(Error::Kind::Refused, doing, u"this session only looks"_s);
    return query(sql, doing);
}

Result<QSet<QString>> AuxiliaryTable::have(const QStringList &ids, const QString &doing)
{
    QStringList possible;
    QMultiHash<QString, QString> asked; // by what the server writes, whatever was asked for
    for (const QString &id : ids) {
        if (!isId(id))
            continue;
        possible += id;
        asked.insert(asWritten(id, *m_table->column(m_names.idColumn)), id);
    }
    QSet<QString> found;
    if (possible.isEmpty())
        return found;
    const auto rows = TRY(query(
        u"SELECT "_s + flavor().textOf(*m_table, m_names.idColumn) + u" FROM "_s + tableName()
            + u" AS t WHERE "_s + flavor().isOneOf(*m_table->column(m_names.idColumn), possible),
        doing));
    for (qsizetype row = 0; row < rows.size(); ++row) {
        for (const QString &id : asked.values(rows.text(row, 0)))
            found.insert(id);
    }
    return found;
}

} // namespace outbox
