// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/sidetable.h"

#include "connectors/sql/catalogreader.h"
#include "connectors/sql/dialect.h"
#include "connectors/sql/postgrestexts.h"
#include "connectors/sql/sqlitetexts.h"
#include "connectors/sql/sqlnames.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Result<void> SideTable::open(const StoreSettings &settings, const DoneTable &table)
{
    const QString doing = u"checking the table \"%1\""_s.arg(table.table.text());
    m_session.reset();
    m_settings = settings;
    if (settings.url.dialect != DatabaseUrl::Dialect::PostgreSql && !isSqlite())
        return fail(Error::Kind::Unsupported, doing, u"not in this kind of database yet"_s);
    m_names = table;
    auto session = makeSession(settings, m_breaker);
    if (auto opened = session->open(settings); !opened)
        return opened;
    const auto catalog = readCatalog(*session, settings.url.dialect);
    if (!catalog)
        return passOn(catalog);
    const CatalogTable *found = catalog->find(table.table);
    if (!found)
        return fail(Error::Kind::Invalid, doing, u"there is no such table, or we may not see it"_s);
    for (const QString &name :
         {table.idColumn, table.timeColumn, table.attemptColumn, table.incomingColumn}) {
        const bool isMissing = name == table.idColumn ? name.isEmpty() : false;
        if (isMissing || (!name.isEmpty() && (!found->column(name) || name.contains(u'?'))))
            return fail(Error::Kind::Invalid, doing, u"it has no usable column \"%1\""_s.arg(name));
    }
    m_table = *found;
    m_session = std::move(session);
    return learnTrust();
}

Result<void> SideTable::learnTrust()
{
    if (isSqlite()) {
        m_trust = {true, u"SQLite: every reader of the file sees what was committed before"_s};
        return {};
    }
    const QString doing = u"asking whether the server is a standby"_s;
    const auto rows = m_session->query(
        {u"SELECT pg_is_in_recovery()::text, current_setting('synchronous_commit')"_s, {}}, doing);
    if (!rows)
        return passOn(rows);
    if (rows->text(0, 0) == u"true") {
        m_trust = {false,
                   u"This PostgreSQL is a standby: what it answers may be stale, and a message "
                   "could run twice"_s};
        return {};
    }
    m_trust = {true, u"PostgreSQL, primary server: every read sees what was committed before"_s};
    if (m_settings.access == StoreAccess::Look || rows->text(0, 1) != u"off")
        return {};
    // A record that its server forgets is one that was never there.
    const auto set
        = m_session->query({u"SELECT set_config('synchronous_commit', 'on', false)"_s, {}}, doing);
    return set ? Result<void>() : Result<void>(passOn(set));
}

bool SideTable::isSqlite() const
{
    return m_settings.url.dialect == DatabaseUrl::Dialect::Sqlite;
}

const CatalogColumn &SideTable::column(const QString &name) const
{
    return *m_table.column(name);
}

bool SideTable::isId(const QString &text) const
{
    return fitsType(text, column(m_names.idColumn));
}

QString SideTable::tableName() const
{
    return quotedName(m_table.name);
}

Result<SqlRows> SideTable::query(const SqlText &sql, const QString &doing)
{
    if (!m_session || !m_session->isUp())
        return fail(Error::Kind::Unreachable, doing, u"the database is not connected"_s);
    return m_session->query(sql, doing);
}

Result<SqlRows> SideTable::write(const SqlText &sql, const QString &doing)
{
    if (m_settings.access == StoreAccess::Look)
        return fail(Error::Kind::Refused, doing, u"this session only looks"_s);
    return query(sql, doing);
}

Result<QSet<QString>> SideTable::have(const QStringList &ids, const QString &doing)
{
    QStringList possible;
    for (const QString &id : ids) {
        if (isId(id))
            possible += id;
    }
    QSet<QString> found;
    if (possible.isEmpty())
        return found;
    SqlText sql;
    sql.text = u"SELECT %1 FROM %2 AS t WHERE %3"_s.arg(textOf(m_names.idColumn), tableName(),
                                                        isOneOf(sql, possible));
    const auto rows = query(sql, doing);
    if (!rows)
        return passOn(rows);
    for (qsizetype row = 0; row < rows->size(); ++row)
        found.insert(rows->text(row, 0));
    return found;
}

QString SideTable::bind(SqlText &sql, const QVariant &value, const QString &name) const
{
    return isSqlite() ? sqlite::bind(sql, value)
                      : postgres::bind(sql, value, column(name).plainType);
}

QString SideTable::isOneOf(SqlText &sql, const QStringList &ids) const
{
    const QString name = u"t."_s + quotedName(m_names.idColumn);
    const CatalogColumn &id = column(m_names.idColumn);
    if (isSqlite())
        return name + u" IN "_s + sqlite::keysIn(sql, ids, id);
    return name + u" = ANY("_s + postgres::bind(sql, ids, id.plainType + u"[]"_s) + u')';
}

QString SideTable::textOf(const QString &name) const
{
    return isSqlite() ? sqlite::textOf(name) : postgres::textOf(u"t."_s, name);
}

QString SideTable::now() const
{
    const CatalogColumn &time = column(m_names.timeColumn);
    if (!isSqlite())
        return postgres::nowFor(time);
    return time.typeClass == TypeClass::Integer ? u"unixepoch()"_s
                                                : u"strftime('%Y-%m-%d %H:%M:%f', 'now')"_s;
}

} // namespace outbox
