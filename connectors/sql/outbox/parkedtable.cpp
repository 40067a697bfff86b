// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/outbox/parkedtable.h"

#include "connectors/sql/catalog/catalogreader.h"
#include "connectors/sql/catalog/sqlcatalog.h"
#include "connectors/sql/dialect/sqlflavor.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/outbox/sidetable.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QStringList &columnNames()
{
    static const QStringList names{u"outbox"_s,   u"id"_s,        u"reason"_s,
                                   u"attempts"_s, u"parked_at"_s, u"parked_by"_s};
    return names;
}

const QStringList &keyNames()
{
    static const QStringList names{u"outbox"_s, u"id"_s};
    return names;
}

/// One statement must not meet an id twice; the last word on it counts.
QList<ParkedRow> withoutRepeats(const QList<ParkedRow> &rows)
{
    QList<ParkedRow> unique;
    QHash<MessageId, qsizetype> places;
    for (const ParkedRow &row : rows) {
        const auto known = places.constFind(row.id);
        if (known != places.constEnd()) {
            unique[*known] = row;
            continue;
        }
        places.insert(row.id, unique.size());
        unique += row;
    }
    return unique;
}

/// Whether there may be a table of parked rows beside this outbox. Asking for that alone costs the
/// server a tenth of what reading its catalog does, and mostly there is none.
Result<bool> mayBeThere(SqlSession &session, DatabaseUrl::Dialect dialect, const TableName &outbox)
{
    if (outbox.schema.isEmpty())
        return true; // the catalog tells which one is meant
    const SqlText sql = catalogOf(dialect).isThere({outbox.schema, parkedTableName()});
    const auto found = TRY(session.query(sql, u"looking for "_s + parkedTableName()));
    return found.size() == 0 || found.integer(0, 0).value_or(1) > 0;
}

} // namespace

QString parkedTableName()
{
    return u"outbox_parked"_s;
}

ParkedTableAccess ParkedTableAccess::without(const TableName &outbox)
{
    ParkedTableAccess access;
    access.m_outbox = outbox.text();
    access.m_table = {outbox.schema, parkedTableName()};
    return access;
}

Result<void> ParkedTableAccess::find(SqlSession &session, DatabaseUrl::Dialect dialect,
                                     const Catalog &catalog, const OutboxShape &shape)
{
    *this = {};
    const CatalogTable *outbox = catalog.find(shape.table);
    if (!outbox) {
        return fail(Error::Kind::Invalid, u"looking for "_s + shape.table.text(),
                    u"there is no such table, or we may not see it"_s);
    }
    *this = without(outbox->name);
    m_dialect = dialect;
    const CatalogTable *table = catalog.find(m_table);
    if (!table)
        return {};
    m_obstacle = whyNotOurs(*table, columnNames(), keyNames());
    if (!m_obstacle.isEmpty())
        return {};
    const auto rights = TRY(catalogOf(m_dialect).rightsOn(session, m_table, columnNames()));
    m_readable = rights.read;
    m_writable = rights.write;
    m_obstacle = whyNotAllowed(rights);
    return {};
}

SqlText ParkedTableAccess::rowsSql(int most) const
{
    const SqlFlavor &flavor = flavorOf(m_dialect);
    return u"SELECT t.id, t.reason, %1, %2, t.parked_by FROM %3 AS t WHERE t.outbox = "_s.arg(
               flavor.answer(u"t.attempts"_s), flavor.milliseconds(u"t.parked_at"_s),
               quotedName(m_table))
        + flavor.bound(m_outbox, u"text"_s) + u" ORDER BY t.parked_at, t.id LIMIT "_s
        + flavor.bound(most, u"bigint"_s);
}

Result<QList<ParkedRow>> ParkedTableAccess::rows(SqlSession &session, int most) const
{
    const auto found = TRY(session.query(rowsSql(most), u"reading "_s + m_table.text()));
    QList<ParkedRow> rows;
    rows.reserve(found.size());
    for (qsizetype row = 0; row < found.size(); ++row) {
        ParkedRow parked;
        parked.id.text = found.text(row, 0);
        parked.reason = found.text(row, 1);
        parked.attempts = static_cast<int>(found.integer(row, 2).value_or(0));
        if (const auto at = found.integer(row, 3))
            parked.at = QDateTime::fromMSecsSinceEpoch(*at, Qt::UTC);
        parked.by = found.text(row, 4);
        rows += parked;
    }
    return rows;
}

SqlText ParkedTableAccess::putSql(const QList<ParkedRow> &rows, const QString &by) const
{
    const SqlFlavor &flavor = flavorOf(m_dialect);
    QVariantList ids;
    QVariantList reasons;
    QVariantList attempts;
    for (const ParkedRow &row : rows) {
        ids += row.id.text;
        reasons += storable(row.reason);
        attempts += row.attempts;
    }
    return flavor.overwrite(m_table, keyNames(),
                            {{u"outbox"_s, {}, {}, flavor.bound(m_outbox, u"text"_s)},
                             {u"id"_s, u"text"_s, ids},
                             {u"reason"_s, u"text"_s, reasons},
                             {u"attempts"_s, u"integer"_s, attempts},
                             {u"parked_at"_s, {}, {}, flavor.nowAsTime()},
                             {u"parked_by"_s, {}, {}, flavor.bound(by, u"text"_s)}},
                            {});
}

SqlText ParkedTableAccess::releaseSql(const QList<MessageId> &ids) const
{
    QStringList texts;
    for (const MessageId &id : ids)
        texts += id.text;
    const SqlFlavor &flavor = flavorOf(m_dialect);
    return flavor.database().beforeWrite + u"DELETE FROM "_s + quotedName(m_table)
        + u" WHERE outbox = "_s + flavor.bound(m_outbox, u"text"_s) + u" AND "_s
        + flavor.isAmong(u"id"_s, texts);
}

Result<void> ParkedTableAccess::put(SqlSession &session, const QList<ParkedRow> &rows,
                                    const QString &by) const
{
    if (rows.isEmpty())
        return {};
    const QString doing = u"parking %1 rows in %2"_s.arg(rows.size()).arg(m_table.text());
    TRY(session.query(putSql(withoutRepeats(rows), by), doing));
    return {};
}

Result<void> ParkedTableAccess::release(SqlSession &session, const QList<MessageId> &ids) const
{
    if (ids.isEmpty())
        return {};
    const QString doing = u"releasing %1 rows from %2"_s.arg(ids.size()).arg(m_table.text());
    TRY(session.query(releaseSql(ids), doing));
    return {};
}

QString ParkedTableAccess::putText() const
{
    return putSql({ParkedRow()}, {}).text;
}

QString ParkedTableAccess::releaseText() const
{
    return releaseSql({MessageId()}).text;
}

QString ParkedTableAccess::sql(DatabaseUrl::Dialect dialect)
{
    const SqlDatabase &database = databaseOf(dialect);
    if (QString own = flavorOf(dialect).createParked(parkedTableName()); !own.isEmpty())
        return own;
    const QHash<QString, QString> types{{u"attempts"_s, u"integer"_s},
                                        {u"parked_at"_s, database.timeType}};
    QString text = createSideTable(parkedTableName(), columnNames(), types, keyNames());
    if (!database.isFile()) {
        text += u"-- for each role that relays or parks, and SELECT for those that only look:\n"
                "-- GRANT SELECT, INSERT, UPDATE, DELETE ON "_s
            + parkedTableName() + u" TO deck_act;\n"_s;
    }
    return text;
}

Result<void> ParkedTable::open(const StoreSettings &settings, const OutboxShape &shape,
                               const std::optional<TableName> &alone)
{
    m_session.setSettings(settings);
    m_shape = shape;
    if (!alone)
        return ensureOpen();
    m_access = ParkedTableAccess::without(*alone);
    return {};
}

Result<void> ParkedTable::find()
{
    const DatabaseUrl::Dialect dialect = m_session.dialect();
    if (!TRY(mayBeThere(*m_session, dialect, m_shape.table)))
        return {};
    const auto catalog = TRY(readTables(*m_session, dialect, {m_shape.table}, {parkedTableName()}));
    return m_access.find(*m_session, dialect, catalog, m_shape);
}

Result<void> ParkedTable::ensureOpen()
{
    if (m_session.isUp())
        return {};
    m_access = ParkedTableAccess::without(m_shape.table);
    auto opened = m_session.ensureOpen([this] { return find(); });
    if (!m_access.isReadable())
        close();
    return opened;
}

Result<QList<ParkedRow>> ParkedTable::rows(int most)
{
    TRY(ensureOpen());
    return m_session ? m_access.rows(*m_session, most) : Result<QList<ParkedRow>>();
}

Result<void> ParkedTable::put(const QList<ParkedRow> &rows)
{
    TRY(ensureOpen());
    if (!m_session || !m_access.isWritable()) {
        return fail(Error::Kind::Refused, u"parking rows"_s,
                    u"%1 cannot be written to any more"_s.arg(parkedTableName()));
    }
    return m_access.put(*m_session, rows, m_session.settings().applicationName);
}

Result<void> ParkedTable::release(const QList<MessageId> &ids)
{
    TRY(ensureOpen());
    return m_session ? m_access.release(*m_session, ids) : Result<void>();
}

} // namespace outbox
