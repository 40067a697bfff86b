// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An operator's statements for MariaDB 10.6 and later: the rows are locked first, and compared
// outside with what was seen; the open transaction keeps them so.
#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/dialect/editdialect.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/mariadb/mariadbtexts.h"
#include "models/mapping/meaning.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString bytesOfCell(const CatalogColumn &column)
{
    const QString cell = aliased(column.name);
    if (column.plainType == u"bit")
        return u"UNHEX(LPAD(HEX(%1 + 0), 2 * CEIL(LENGTH(HEX(%1 + 0)) / 2), '0'))"_s.arg(cell);
    return column.typeClass == TypeClass::Bytes || isUuidBytes(column)
        ? cell
        : u"CAST(%1 AS BINARY)"_s.arg(cell);
}

class MariadbEditDialect : public EditDialect
{
public:
    using EditDialect::EditDialect;

    [[nodiscard]] QString begin() const override { return u"START TRANSACTION"_s; }
    [[nodiscard]] bool comparesVersions() const override { return false; }
    [[nodiscard]] SqlText rights() const override
    {
        const auto may
            = [](const TableName &table, QStringList columns, const QString &right) -> SqlFragment {
            columns.removeAll(QString());
            columns.removeDuplicates();
            if (columns.isEmpty())
                return u"'false'"_s;
            return u"IF(("_s + mariadb::mayAll(table, columns, right) + u"), 'true', 'false')"_s;
        };
        const TableName audit{m_table.name.schema, auditTableName()};
        const bool byLease = m_shape.lockedHow == OutboxShape::LockedHow::Until;
        // Who may read a row may lock it.
        QList<SqlFragment> cells{may(m_table.name, {m_shape.keyColumn}, u"select"_s)};
        cells += may(m_table.name,
                     m_shape.canMark()
                         ? QStringList{m_shape.processedColumn, m_shape.processedWhenColumn()}
                         : QStringList(),
                     u"update"_s);
        cells += u"'false'"_s; // no list says it: `tryRemove` does
        cells += may(m_table.name, wholeColumns(), u"insert"_s);
        cells
            += may(m_table.name,
                   byLease ? QStringList{m_shape.leaseColumn, m_shape.ownerColumn} : QStringList(),
                   u"update"_s);
        cells += may(m_table.name, editableColumns(m_shape, m_table), u"update"_s);
        // No placeholder may stand for an answer: the plugin makes room for it before it has a
        // value.
        cells += u"DATABASE()"_s;
        cells += u"'%1'"_s.arg(audit.table);
        cells += may(audit, auditColumns(), u"insert"_s);
        return u"SELECT "_s + SqlFragment::joined(cells, u", "_s);
    }
    [[nodiscard]] std::optional<SqlText> tryRemove() const override
    {
        return mariadb::tryDelete(m_table.name);
    }
    [[nodiscard]] SqlText whole(const QStringList &keys) const override
    {
        const CatalogColumn &known = column(m_shape.keyColumn);
        QList<SqlFragment> places;
        for (const QString &one : keys)
            places += SqlFragment::of(mariadb::valueOf(one, known));
        QList<SqlFragment> cells{u"FIELD("_s + aliased(known.name) + u", "_s
                                     + SqlFragment::joined(places, u", "_s) + u')',
                                 keyText(), flavor().version(m_table)};
        for (const QString &name : wholeColumns()) {
            const CatalogColumn &one = column(name);
            const bool bytes = mariadb::holdsBytes(one);
            cells += u"CASE WHEN "_s + aliased(name) + u" IS NOT NULL THEN "_s
                + (bytes ? u"'blob'"_s : u"'text'"_s) + u" END"_s;
            cells += bytes ? bytesOfCell(one) : mariadb::exactTextOf(one);
        }
        return u"SELECT "_s + SqlFragment::joined(cells, u", "_s) + u" FROM "_s + tableName()
            + u" AS t WHERE "_s + mariadb::among(known, keys);
    }
    /// Waits for rows that others hold, but where `lock` is asked for.
    [[nodiscard]] SqlText hold(const QList<RowGuard> &rows, bool lock) const override
    {
        return u"SELECT "_s + keyText() + u", "_s + flavor().version(m_table)
            + mariadb::fromRowsOf(m_table, m_shape.keyColumn, idsOf(rows))
            + (lock ? u" FOR UPDATE SKIP LOCKED"_s : u" FOR UPDATE"_s);
    }
    [[nodiscard]] std::optional<SqlText> toBeWritten(RowChange change,
                                                     const QList<RowGuard> &rows) const override
    {
        return u"SELECT "_s + keyText()
            + mariadb::fromRowsOf(m_table, m_shape.keyColumn, idsOf(rows)) + u" WHERE true"_s
            + condition(change) + u" FOR UPDATE"_s;
    }
    [[nodiscard]] SqlText markProcessed(const QList<RowGuard> &rows,
                                        const QStringList &processed) const override
    {
        const CatalogColumn &known = column(m_shape.keyColumn);
        QList<SqlFragment> sets{states().markProcessed(false)};
        if (const QString when = m_shape.processedWhenColumn(); !when.isEmpty()) {
            SqlFragment times = aliased(when)
                + u" = CAST('1970-01-01' AS DATETIME(6)) + INTERVAL CASE "_s + aliased(known.name);
            for (qsizetype i = 0; i < rows.size(); ++i) {
                times += u" WHEN "_s + SqlFragment::of(mariadb::valueOf(rows.at(i).id.text, known))
                    + u" THEN "_s
                    + (processed.at(i).isEmpty() ? SqlFragment(u"NULL"_s)
                                                 : SqlFragment::of(processed.at(i).toLongLong()));
            }
            sets += times + u" END MICROSECOND"_s;
        }
        sets.removeAll(SqlFragment());
        return updateOf(SqlFragment::joined(sets, u", "_s), rows,
                        condition(RowChange::MarkProcessed));
    }
    [[nodiscard]] SqlText remove(const QList<RowGuard> &rows) const override
    {
        return mariadb::deleteRows(m_table, m_shape.keyColumn, idsOf(rows));
    }
    [[nodiscard]] SqlText record(const TableName &audit, const QList<AuditRow> &rows) const override
    {
        QList<SqlFragment> lines;
        for (const AuditRow &row : rows) {
            QList<SqlFragment> places{u"UTC_TIMESTAMP(6)"_s};
            for (const QString &value : auditValues(row))
                places += SqlFragment::of(value);
            lines += u'(' + SqlFragment::joined(places, u", "_s) + u')';
        }
        return u"INSERT INTO "_s + quotedName(audit) + u' ' + nameList(auditColumns())
            + u" VALUES "_s + SqlFragment::joined(lines, u", "_s);
    }

private:
    [[nodiscard]] const SqlFlavor &flavor() const override { return mariadbFlavor(); }
    [[nodiscard]] QString emptied(const CatalogColumn &column) const override
    {
        if (column.nullable)
            return EditDialect::emptied(column);
        if (column.typeClass == TypeClass::Time)
            return u"'1970-01-01 00:00:01'"_s; // a timestamp cannot be 0; `leaseIsOver` knows that
        return isUuidBytes(column) ? u"''"_s : EditDialect::emptied(column);
    }
    [[nodiscard]] SqlFragment holds(const Cell &cell, const CatalogColumn &column) const override
    {
        const QByteArray bytes = cell.boundBytes();
        if (mariadb::holdsBytes(column))
            return bytesOfCell(column) + u" = "_s + SqlFragment::of(bytes);
        return mariadb::exactly(mariadb::exactTextOf(column)) + u" = "_s
            + SqlFragment::of(QString::fromUtf8(bytes));
    }
    [[nodiscard]] SqlFragment placeOf(const Cell &cell, const CatalogColumn &column) const override
    {
        if (cell.kind == Cell::Kind::Null)
            return SqlFragment::of(QVariant());
        const QByteArray bytes = cell.boundBytes();
        if (mariadb::holdsBytes(column))
            return SqlFragment::of(bytes);
        return SqlFragment::of(QString::fromUtf8(bytes));
    }
};

} // namespace

std::unique_ptr<EditDialect> makeMariadbEditDialect(const OutboxShape &shape,
                                                    const CatalogTable &table)
{
    return std::make_unique<MariadbEditDialect>(shape, table);
}

} // namespace outbox
