// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/edit/audittable.h"

#include "connectors/sql/catalog/catalogreader.h"
#include "connectors/sql/catalog/indexadvice.h"
#include "connectors/sql/dialect/editdialect.h"
#include "connectors/sql/dialect/sqlflavor.h"
#include "connectors/sql/driver/sqlnames.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString timeColumn = u"at"_s;
const QString messageColumn = u"message_id"_s;
constexpr int longestText = 2000; ///< of what people and other programs wrote
constexpr int messagePrefix = 100; ///< by which a text is indexed that cannot be whole

QString reading()
{
    return u"reading the table "_s + auditTableName();
}

} // namespace

QString OutboxEditor::auditTableSql(DatabaseUrl::Dialect dialect)
{
    const SqlDatabase &database = databaseOf(dialect);
    QStringList lines;
    for (const QString &name : auditColumns()) {
        QString type = u"text"_s;
        if (lines.isEmpty() && !database.timeType.isEmpty())
            type = database.timeType;
        lines += u"    "_s + quotedName(name, dialect) + u' ' + type + u" NOT NULL"_s;
    }
    if (!database.indexesWholeTexts) {
        lines += u"    INDEX (%1)"_s.arg(quotedName(timeColumn, dialect));
        lines += u"    INDEX (%1(%2))"_s.arg(quotedName(messageColumn, dialect)).arg(messagePrefix);
    }
    QString sql
        = u"CREATE TABLE "_s + auditTableName() + u" (\n"_s + lines.join(u",\n"_s) + u"\n);\n"_s;
    if (database.isFile())
        return sql; // its rows are found by their own number
    if (database.indexesWholeTexts) {
        for (const QString &name : {timeColumn, messageColumn})
            sql += u"CREATE INDEX ON %1 (%2);\n"_s.arg(auditTableName(), quotedName(name));
    }
    return sql
        + u"-- for each role that acts, and nothing more than INSERT:\n"
          "-- GRANT INSERT ON %1 TO deck_act;\n"
          "-- for those that look, so that everybody sees what was done, from wherever:\n"
          "-- GRANT SELECT ON %1 TO deck_view;\n"_s.arg(auditTableName());
}

Result<void> AuditTable::open(const StoreSettings &settings, const TableName &outbox)
{
    close();
    return m_session.open(settings, [&] { return find(outbox); });
}

void AuditTable::close()
{
    m_session.close();
    m_table = {};
    m_isMeasured = m_isOrdered = m_isFound = m_isShort = false;
}

Result<void> AuditTable::find(const TableName &outbox)
{
    const auto catalog
        = TRY(readTables(*m_session, m_session.dialect(), {outbox}, {auditTableName()}));
    const CatalogTable *rows = catalog.find(outbox);
    const QString schema = rows ? rows->name.schema : outbox.schema;
    const CatalogTable *found = catalog.find({schema, auditTableName()});
    if (!found)
        found = catalog.find({{}, auditTableName()});
    if (!found) {
        return fail(Error::Kind::Unsupported, reading(),
                    u"there is no such table, or this role may not see it"_s, {},
                    u"outboxctl audit --sql prints the statements that make it"_s);
    }
    for (const QString &name : auditColumns()) {
        if (!found->column(name))
            return fail(Error::Kind::Invalid, reading(), u"it has no column \"%1\""_s.arg(name));
    }
    m_table = *found;
    return {};
}

/// What finds its rows, and whether it is so short that nothing need do.
Result<void> AuditTable::measure()
{
    if (m_isMeasured)
        return {};
    const SqlFlavor &flavor = flavorOf(m_session.dialect());
    const SqlText sql = u"SELECT %1 FROM (SELECT 1 FROM %2%3) AS t"_s.arg(
        flavor.answer(u"count(*)"_s), quotedName(m_table.name), flavor.atMost(mostUnordered + 1));
    const auto rows = m_session->query(sql, reading());
    if (!rows)
        return tl::unexpected(m_session->explained(rows.error()));
    m_isShort = rows->size() == 1 && rows->integer(0, 0).value_or(0) <= mostUnordered;
    const auto indexes = readTableIndexes(*m_session, m_table, m_session.dialect());
    m_isOrdered = indexes && beginsWith(*indexes, timeColumn);
    m_isFound = indexes && beginsWith(*indexes, messageColumn);
    m_isMeasured = true;
    return {};
}

QString AuditTable::newestFirst() const
{
    return m_table.hasRowId ? u" ORDER BY rowid DESC"_s
                            : u" ORDER BY %1 DESC"_s.arg(quotedName(timeColumn));
}

/// Each of them text: the time in milliseconds since 1970, then the others, cut where they are
/// endless.
QString AuditTable::cells() const
{
    const SqlFlavor &flavor = flavorOf(m_session.dialect());
    QStringList cells{flavor.milliseconds(aliased(timeColumn))};
    for (const QString &name : auditColumns().mid(1))
        cells += flavor.beginning(flavor.answer(aliased(name)), longestText);
    return cells.join(u", "_s);
}

Result<AuditPage> AuditTable::read(const SqlFragment &where, int most, const QString &doing)
{
    // One more than are wanted tells whether there are more.
    const auto found = m_session->query(
        SqlFragment::filled(u"SELECT %1 FROM (SELECT * FROM %2%3%4%5) AS t"_s,
                            {cells(), quotedName(m_table.name), where, newestFirst(),
                             flavorOf(m_session.dialect()).atMost(most + 1)}),
        doing);
    if (!found)
        return tl::unexpected(m_session->explained(found.error()));
    AuditPage page;
    page.isWhole = found->size() <= most;
    for (qsizetype row = 0; row < qMin<qsizetype>(found->size(), most); ++row) {
        AuditRow one{found->text(row, 1), found->text(row, 2), found->text(row, 3),
                     found->text(row, 4), found->text(row, 5), found->text(row, 6),
                     found->text(row, 7), found->text(row, 8)};
        if (const auto at = found->integer(row, 0))
            one.at = QDateTime::fromMSecsSinceEpoch(*at, Qt::UTC);
        page.rows += std::move(one);
    }
    // The order within is not promised to be that of the whole.
    std::stable_sort(page.rows.begin(), page.rows.end(),
                     [](const AuditRow &a, const AuditRow &b) { return a.at > b.at; });
    return page;
}

Result<AuditPage> AuditTable::newest(int most)
{
    TRY(m_session.ready(reading()));
    TRY(measure());
    if (!hasOrder()) {
        return fail(Error::Kind::Unsupported, reading(),
                    u"it has more than %1 entries and no index that begins with \"%2\", so the "
                    "newest ones cannot be had without reading all"_s.arg(mostUnordered)
                        .arg(timeColumn),
                    {},
                    u"CREATE INDEX outbox_audit_at ON %1 (%2)"_s.arg(
                        quotedName(m_table.name, m_session.dialect()),
                        quotedName(timeColumn, m_session.dialect())));
    }
    return read({}, qBound(1, most, mostRows), reading());
}

Result<AuditPage> AuditTable::about(const QStringList &messages, int most)
{
    const QString doing = u"looking for a message in the table "_s + auditTableName();
    TRY(m_session.ready(doing));
    if (messages.isEmpty())
        return AuditPage();
    TRY(measure());
    most = qBound(1, most, mostRows);
    if (m_isFound || m_isShort) {
        auto page
            = read(u" WHERE "_s
                       + flavorOf(m_session.dialect()).isAmong(quotedName(messageColumn), messages),
                   most, doing);
        if (page) // a collation may take two ids for one
            page->rows.removeIf(
                [&](const AuditRow &row) { return !messages.contains(row.message); });
        return page;
    }
    if (!hasOrder())
        return AuditPage{{}, false};
    auto page = read({}, mostUnordered, doing);
    if (page)
        page->rows.removeIf([&](const AuditRow &row) { return !messages.contains(row.message); });
    return page;
}

Result<void> AuditTable::write(const AuditRow &row)
{
    const QString doing = u"writing to the table "_s + auditTableName();
    TRY(m_session.ready(doing));
    if (m_session.settings().access == StoreAccess::ReadOnly)
        return fail(Error::Kind::Refused, doing, u"this session only looks"_s);
    const SqlFlavor &flavor = flavorOf(m_session.dialect());
    QList<SqlFragment> places{flavor.nowAsTime()};
    for (const QString &value : auditValues(row)) // no column may be NULL
        places += flavor.bound(value.isNull() ? u""_s : value, u"text"_s);
    QStringList names;
    for (const QString &name : auditColumns())
        names += quotedName(name);
    TRY(m_session->query(u"INSERT INTO "_s + quotedName(m_table.name) + u" ("_s
                             + names.join(u", "_s) + u") VALUES ("_s
                             + SqlFragment::joined(places, u", "_s) + u')',
                         doing));
    return {};
}

} // namespace outbox
