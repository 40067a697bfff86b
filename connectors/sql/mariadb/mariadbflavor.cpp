// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pieces of statements in the words of MariaDB.
#include "connectors/sql/dialect/zonetexts.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/mariadb/mariadbtexts.h"

#include <algorithm>

namespace outbox::mariadb {

using namespace Qt::Literals::StringLiterals;

namespace {

class MariadbFlavor : public SqlFlavor
{
public:
    [[nodiscard]] const SqlDatabase &database() const override
    {
        return databaseOf(DatabaseUrl::Dialect::MariaDb);
    }

    [[nodiscard]] SqlFragment isOneOf(const CatalogColumn &column,
                                      const QStringList &texts) const override
    {
        return among(column, texts);
    }
    [[nodiscard]] SqlFragment isSame(const CatalogTable &table, const QString &name,
                                     const QVariant &text) const override
    {
        // By its bytes: the column's own collation may take two words for one.
        return u"CAST("_s + mariadb::textOf(table, name) + u" AS BINARY) <=> CAST("_s
            + SqlFragment::of(text) + u" AS BINARY)"_s;
    }

    [[nodiscard]] QVariant valueOf(const QVariant &text, const CatalogColumn &column) const override
    {
        return mariadb::valueOf(text.toString(), column);
    }
    [[nodiscard]] SqlFragment removal(const CatalogTable &table, const QString &name,
                                      const QString &text) const override
    {
        // Of several tables, as the server calls it: there the one may be named t.
        const bool hasKey = table.uniqueColumns.contains(name);
        return (hasKey ? byKey() : QString()) + u"DELETE t FROM "_s + quotedName(table.name)
            + u" AS t WHERE "_s + isExactly(table, name, text);
    }
    [[nodiscard]] SqlFragment overwrite(const TableName &table, const QStringList & /*key*/,
                                        const QList<WrittenColumn> &columns) const override
    {
        QStringList sets;
        qsizetype rows = 0;
        for (const WrittenColumn &one : columns) {
            sets += u"%1 = VALUES(%1)"_s.arg(quotedName(one.name));
            rows = std::max(rows, one.values.size());
        }
        QList<SqlFragment> lines;
        for (qsizetype row = 0; row < rows; ++row) {
            QList<SqlFragment> cells;
            for (const WrittenColumn &one : columns)
                cells += one.same.isEmpty() ? SqlFragment::of(one.values.at(row)) : one.same;
            lines += u'(' + SqlFragment::joined(cells, u", "_s) + u')';
        }
        return u"INSERT INTO "_s + quotedName(table) + u' ' + listOf(columns) + u" VALUES "_s
            + SqlFragment::joined(lines, u", "_s) + u" ON DUPLICATE KEY UPDATE "_s
            + sets.join(u", "_s);
    }
    // Neither IGNORE, which makes what does not fit fit, nor an UPDATE, which counts like an
    // INSERT.
    [[nodiscard]] QString unlessThere() const override { return {}; }

    [[nodiscard]] QString literal(const QString &text) const override
    {
        QString inner = storable(text);
        inner.replace(u'\\', u"\\\\"_s).replace(u'\'', u"''"_s);
        return u'\'' + inner + u'\'';
    }
    [[nodiscard]] QString asText(const QString &cell) const override
    {
        // Minds the case, whatever the column's own collation does.
        return u"CONVERT("_s + cell + u" USING utf8mb4) COLLATE utf8mb4_bin"_s;
    }
    [[nodiscard]] QString textOf(const CatalogTable &table, const QString &name) const override
    {
        return mariadb::textOf(table, name);
    }
    [[nodiscard]] QString sampleOf(const CatalogColumn &column) const override
    {
        return column.type.startsWith("bit("_L1) // else its byte
            ? u"CAST(%1 + 0 AS char)"_s.arg(quotedName(column.name))
            : QString();
    }

    [[nodiscard]] QString microseconds(const CatalogTable &table, const QString &name,
                                       const QString &zone, Reading reading) const override
    {
        return mariadb::microseconds(table.column(name), zone, reading);
    }
    [[nodiscard]] QString milliseconds(const QString &cell) const override
    {
        return u"TIMESTAMPDIFF(MICROSECOND, '1970-01-01', %1) DIV 1000"_s.arg(cell);
    }
    [[nodiscard]] QString nowUs() const override { return mariadb::nowUs(); }
    [[nodiscard]] QString nowAsTime() const override { return u"UTC_TIMESTAMP(6)"_s; }
    [[nodiscard]] QString nowBeside(const CatalogColumn &column) const override
    {
        return column.typeClass == TypeClass::Integer ? u"UNIX_TIMESTAMP()"_s
                                                      : u"UTC_TIMESTAMP(6)"_s;
    }
    [[nodiscard]] QString now(const OutboxShape & /*shape*/, const CatalogColumn &column,
                              const QString &zone) const override
    {
        if (column.typeClass != TypeClass::Time)
            return {};
        return nowIn(isWithoutZone(column) ? zone : u"UTC"_s);
    }
    [[nodiscard]] QString isAfter(const QString &cell, const CatalogColumn &column,
                                  const QString &zone, double ago) const override
    {
        if (column.typeClass != TypeClass::Time && column.typeClass != TypeClass::Integer)
            return u"false"_s;
        return microsecondsOf(cell, column, clockOfNow(zone, ago), Reading::Later) + u" > "_s
            + mariadb::nowUs() + u" - "_s + QString::number(ago * 1e6, 'f', 0);
    }
    [[nodiscard]] QStringList serverZone() const override
    {
        return {u"CASE WHEN @@global.time_zone <> 'SYSTEM' THEN @@global.time_zone"
                " WHEN @@system_time_zone = 'UTC' THEN 'UTC' END"_s,
                numberText(u"TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(), CONVERT_TZ(UTC_TIMESTAMP(),"
                           " '+00:00', @@global.time_zone))"_s)};
    }

    [[nodiscard]] bool isKeyOf(const QString &id, const Cell &cell,
                               const CatalogColumn &column) const override
    {
        return cell.kind == Cell::Kind::Bytes
            ? mariadb::valueOf(id, column).toByteArray() == cell.bytes
            : SqlFlavor::isKeyOf(id, cell, column);
    }
    [[nodiscard]] bool takes(const Cell &cell, const CatalogColumn &column) const override
    {
        return holdsBytes(column)
            || (cell.kind != Cell::Kind::Bytes
                && QString::fromUtf8(cell.bytes).toUtf8() == cell.bytes);
    }
};

} // namespace

} // namespace outbox::mariadb

const outbox::SqlFlavor &outbox::mariadbFlavor()
{
    static const mariadb::MariadbFlavor flavor;
    return flavor;
}
