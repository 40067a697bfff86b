// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An operator's statements for SQLite 3.38 and later: they name rows by key alone, since what was
// seen of a row is compared outside.
#include "connectors/sql/dialect/editdialect.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/sqlite/sqlitetexts.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString jsonText(const QJsonArray &array)
{
    return QString::fromUtf8(QJsonDocument(array).toJson(QJsonDocument::Compact));
}

QString member(int index)
{
    return u"json_extract(g.value, '$[%1]')"_s.arg(index);
}

class SqliteEditDialect : public EditDialect
{
public:
    using EditDialect::EditDialect;

    [[nodiscard]] QString begin() const override { return u"BEGIN IMMEDIATE"_s; }
    [[nodiscard]] bool comparesVersions() const override { return false; }
    [[nodiscard]] SqlText rights() const override
    {
        // Who may write the file may do everything in it.
        const bool byTime = m_shape.canMark();
        const bool byLease = m_shape.lockedHow == OutboxShape::LockedHow::Until;
        const bool hasEdit = !editableColumns(m_shape, m_table).isEmpty();
        return {u"SELECT 'true', "_s + (byTime ? u"'true'"_s : u"'false'"_s)
                    + u", 'true', 'true', "_s + (byLease ? u"'true'"_s : u"'false'"_s) + u", "_s
                    + (hasEdit ? u"'true'"_s : u"'false'"_s)
                    + u", '', '%1', CASE WHEN (SELECT count(*) FROM pragma_table_info('%1')"
                      " WHERE name IN (SELECT value FROM json_each(?))) = %2"
                      " THEN 'true' ELSE 'false' END"_s.arg(auditTableName(),
                                                            QString::number(auditColumns().size())),
                {auditColumns()}};
    }
    [[nodiscard]] SqlText whole(const QStringList &keys) const override
    {
        QStringList cells{u"g.key"_s, keyText(), flavor().version(m_table)};
        for (const QString &name : wholeColumns()) {
            const QString cell = aliased(name);
            cells += u"nullif(typeof("_s + cell + u"), 'null')"_s;
            cells += u"CASE WHEN typeof(%1) = 'text' THEN CAST(%1 AS BLOB) ELSE %1 END"_s.arg(cell);
        }
        return u"SELECT "_s + cells.join(u", "_s) + u" FROM json_each("_s + SqlFragment::of(keys)
            + u") AS g JOIN "_s + tableName() + u" AS t ON "_s + aliased(m_shape.keyColumn)
            + u" = g.value"_s;
    }
    [[nodiscard]] SqlText hold(const QList<RowGuard> &rows, bool lock) const override
    {
        Q_UNUSED(lock) // the open transaction holds the whole file
        return u"SELECT "_s + keyText() + u", "_s + flavor().version(m_table) + u" FROM "_s
            + tableName() + u" AS t"_s + among(rows);
    }
    [[nodiscard]] bool isProcessedText(const QString &text) const override
    {
        static const QStringList kinds{u"text"_s, u"integer"_s, u"real"_s};
        if (text.isEmpty()) // the mark is no time
            return m_shape.processedHow != OutboxShape::ProcessedHow::Time;
        return text.contains(u':') && kinds.contains(text.section(u':', 0, 0));
    }
    [[nodiscard]] SqlText markProcessed(const QList<RowGuard> &rows,
                                        const QStringList &processed) const override
    {
        QJsonArray marks;
        for (qsizetype i = 0; i < rows.size(); ++i) {
            const QString &text = processed.at(i);
            marks
                += QJsonArray{rows.at(i).id.text, text.section(u':', 0, 0), text.section(u':', 1)};
        }
        QStringList sets{states().markProcessed(false)};
        if (const QString when = m_shape.processedWhenColumn(); !when.isEmpty()) {
            sets += quotedName(when)
                + u" = CASE g.kind WHEN 'integer' THEN CAST(g.time AS INTEGER) WHEN 'real' THEN"
                  " CAST(g.time AS REAL) WHEN '' THEN NULL ELSE g.time END"_s;
        }
        sets.removeAll(QString());
        return {u"UPDATE "_s + tableName() + u" AS t SET "_s + sets.join(u", "_s)
                    + u" FROM (SELECT "_s + member(0) + u" AS id, "_s + member(1) + u" AS kind, "_s
                    + member(2) + u" AS time FROM json_each(?) AS g) AS g WHERE "_s
                    + aliased(m_shape.keyColumn) + u" = g.id"_s
                    + condition(RowChange::MarkProcessed) + returning(),
                {jsonText(marks)}};
    }
    [[nodiscard]] SqlText remove(const QList<RowGuard> &rows) const override
    {
        return u"DELETE FROM "_s + tableName() + u" AS t"_s + among(rows) + returning();
    }
    [[nodiscard]] SqlText record(const TableName &audit, const QList<AuditRow> &rows) const override
    {
        QJsonArray records;
        for (const AuditRow &row : rows)
            records += QJsonArray::fromStringList(auditValues(row));
        QStringList members;
        for (int i = 0; i + 1 < auditColumns().size(); ++i)
            members += member(i);
        return {u"INSERT INTO "_s + quotedName(audit) + u' ' + nameList(auditColumns())
                    + u" SELECT strftime('%Y-%m-%d %H:%M:%f', 'now'), "_s + members.join(u", "_s)
                    + u" FROM json_each(?) AS g"_s,
                {jsonText(records)}};
    }

private:
    [[nodiscard]] const SqlFlavor &flavor() const override { return sqliteFlavor(); }
    [[nodiscard]] QString returning() const override
    {
        return u" RETURNING CAST("_s + quotedName(m_shape.keyColumn) + u" AS TEXT)"_s;
    }
    [[nodiscard]] QString emptied(const CatalogColumn &column) const override
    {
        if (column.nullable || column.typeClass == TypeClass::Integer)
            return EditDialect::emptied(column);
        return column.name == m_shape.leaseColumn ? u"'1970-01-01 00:00:00'"_s : u"''"_s;
    }
    [[nodiscard]] SqlFragment placeOf(const Cell &cell,
                                      const CatalogColumn & /*column*/) const override
    {
        switch (cell.kind) {
        case Cell::Kind::Null:
            return SqlFragment::of(QVariant());
        case Cell::Kind::Integer:
            return SqlFragment::of(cell.bytes.toLongLong());
        case Cell::Kind::Real:
            return SqlFragment::of(cell.bytes.toDouble());
        case Cell::Kind::Bytes:
        case Cell::Kind::Text:
            break;
        }
        // Text goes in as bytes, so that NUL and what is no UTF-8 stay as they are.
        const SqlFragment place = SqlFragment::of(cell.boundBytes());
        return cell.kind == Cell::Kind::Text ? u"CAST("_s + place + u" AS TEXT)"_s : place;
    }
    [[nodiscard]] SqlFragment holds(const Cell &cell, const CatalogColumn &column) const override
    {
        const QString name = aliased(column.name);
        const QByteArray bytes = cell.boundBytes();
        switch (cell.kind) {
        case Cell::Kind::Text: // its bytes, whatever the column's collation does
            return u"typeof("_s + name + u") = 'text' AND CAST("_s + name + u" AS BLOB) = "_s
                + SqlFragment::of(bytes);
        case Cell::Kind::Bytes:
            return u"typeof("_s + name + u") = 'blob' AND "_s + name + u" = "_s
                + SqlFragment::of(bytes);
        case Cell::Kind::Integer:
        case Cell::Kind::Real:
        case Cell::Kind::Null:
            break;
        }
        return name + u" IS "_s + placeOf(cell, column);
    }
    /// WHERE of these rows.
    [[nodiscard]] SqlFragment among(const QList<RowGuard> &rows) const
    {
        return u" WHERE "_s + aliased(m_shape.keyColumn) + u" IN "_s + sqlite::keysIn(idsOf(rows));
    }
};

} // namespace

std::unique_ptr<EditDialect> makeSqliteEditDialect(const OutboxShape &shape,
                                                   const CatalogTable &table)
{
    return std::make_unique<SqliteEditDialect>(shape, table);
}

} // namespace outbox
