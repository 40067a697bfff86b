// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Statements about documents for MariaDB: JSON_TABLE takes a document apart. One that the server's
// JSON cannot read to the end is handed out whole: it is deeper than 32 levels, writes a name with
// escapes, or is no JSON at all.
#include "connectors/sql/dialect/documentdialect.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/mariadb/mariadbtexts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The path to a member as an SQL text: JSON_TABLE takes none from a placeholder.
QString mariadbPath(const QStringList &names, const QString &behind = {})
{
    QString path = u"$"_s;
    for (QString name : names)
        path += QString(u".\""_s + name.replace(u'\\', u"\\\\"_s) + u'"');
    return mariadbFlavor().literal(path + behind);
}

class MariadbDocuments : public DocumentDialect
{
public:
    using DocumentDialect::DocumentDialect;

    [[nodiscard]] SqlText page(const QString &after, int limit) const override
    {
        const QString state
            = u"CASE JSON_TYPE(e.entry) WHEN 'OBJECT' THEN"
              " IFNULL(JSON_TYPE(e.messages), 'NONE') ELSE JSON_TYPE(e.entry) END"_s;
        const QString made = m_shape.timeMember.isEmpty() ? u"NULL"_s : u"e.made"_s;
        const SqlFragment rows = SqlFragment::filled(
            u"SELECT d.*, %1 AS state, %2 AS made FROM (%3) AS d LEFT JOIN %4 AS e ON true"_s,
            {state, made, documents(after, limit), entries()});
        const auto count = [](const QString &filter) -> QString {
            return u"CASE kind WHEN 'object' THEN CAST(COUNT(CASE WHEN state "_s + filter
                + u" THEN 1 END) AS SIGNED) END"_s;
        };
        const auto oldest = [](const QString &filter) -> QString {
            return u"MIN(CASE WHEN state = "_s + filter + u" THEN made END)"_s;
        };
        const QString malformed = u"NOT IN ('ARRAY', 'NULL')"_s;
        return u"SELECT id, version, bytes, kind, "_s + count(u"= 'ARRAY'"_s) + u", "_s
            + count(u"= 'NULL'"_s) + u", "_s + count(malformed) + u", "_s + oldest(u"'ARRAY'"_s)
            + u", "_s + oldest(u"'NULL'"_s) + u", changed, "_s + mariadb::nowUs()
            + u", CASE WHEN kind = 'invalid' OR ((kind IS NULL OR MAX(state "_s + malformed
            + u")) AND LOCATE('\\\\', document) > 0) THEN document END FROM ("_s + rows
            + u") AS r GROUP BY sorted ORDER BY sorted"_s;
    }
    [[nodiscard]] SqlText find(const QString &id) const override
    {
        return u"SELECT %1, %2, %3, %4 FROM %5 AS t WHERE "_s.arg(
                   textOfColumn(m_shape.idColumn), textOfColumn(m_shape.versionColumn),
                   aliased(m_shape.documentColumn), mariadb::nowUs(), tableName())
            + mariadb::isExactly(m_table, m_shape.idColumn, id);
    }
    [[nodiscard]] SqlText write(const QString &id, const QString &seen,
                                const QByteArray &json) const override
    {
        // Without a key it would read, lock and wait for the rows of others.
        const bool hasKey = m_table.uniqueColumns.contains(m_shape.idColumn);
        return (hasKey ? mariadb::byKey() : QString()) + u"UPDATE "_s + tableName()
            + u" AS t SET "_s + aliased(m_shape.documentColumn) + u" = "_s
            + SqlFragment::of(QString::fromUtf8(json)) + u", "_s + aliased(m_shape.versionColumn)
            + u" = "_s + SqlFragment::of(value(versionAfter(seen), m_shape.versionColumn))
            + u" WHERE "_s + mariadb::isExactly(m_table, m_shape.idColumn, id) + u" AND "_s
            + mariadb::isExactly(m_table, m_shape.versionColumn, seen);
    }
    [[nodiscard]] SqlText insert(const QString &id, const QByteArray &json) const override
    {
        // Not IGNORE: it would make what does not fit fit.
        return {u"INSERT INTO %1 (%2, %3, %4) VALUES (?, ?, ?)"_s.arg(
                    tableName(), quotedName(m_shape.idColumn), quotedName(m_shape.versionColumn),
                    quotedName(m_shape.documentColumn)),
                {value(id, m_shape.idColumn), value(versionAfter(u"0"_s), m_shape.versionColumn),
                 QString::fromUtf8(json)}};
    }

private:
    [[nodiscard]] QString textOfColumn(const QString &name) const
    {
        return mariadb::textOf(m_table, name);
    }
    [[nodiscard]] QVariant value(const QString &text, const QString &name) const
    {
        return mariadb::valueOf(text, column(name));
    }
    /// The documents of a page, each with what its map is, as d.
    [[nodiscard]] SqlFragment documents(const QString &after, int limit) const
    {
        const QString document = aliased(m_shape.documentColumn);
        const QString key = aliased(m_shape.idColumn);
        // All at once: names may be anything, placeholders too.
        SqlFragment sql
            = u"SELECT %1 AS sorted, %2 AS id, %3 AS version, LENGTH(CONVERT(%4 USING utf8mb4)) AS"
              " bytes, CASE WHEN JSON_VALID(%4) THEN LOWER(JSON_TYPE(JSON_EXTRACT(%4, %5)))"
              " ELSE 'invalid' END AS kind, %6 AS changed, %4 AS document FROM %7 AS t"_s.arg(
                  key, textOfColumn(m_shape.idColumn), textOfColumn(m_shape.versionColumn),
                  document, mariadbPath(m_shape.mapPath),
                  mariadb::microseconds(m_table.column(m_shape.changedColumn), changedZone()),
                  tableName());
        if (!after.isEmpty()) {
            sql += u" WHERE "_s + key + u" > "_s + SqlFragment::of(value(after, m_shape.idColumn));
        }
        return sql + u" ORDER BY %1 LIMIT %2"_s.arg(key, QString::number(limit + 1));
    }
    /// Their entries, as e.
    [[nodiscard]] QString entries() const
    {
        const QString made = m_shape.timeMember.isEmpty()
            ? QString()
            : QString(u", made TEXT PATH "_s + mariadbPath({m_shape.timeMember}));
        return u"JSON_TABLE(CASE d.kind WHEN 'object' THEN d.document ELSE '{}' END, %1 COLUMNS ("
               "entry JSON PATH '$', messages JSON PATH %2%3))"_s.arg(
                   mariadbPath(m_shape.mapPath, u".*"_s), mariadbPath({m_shape.messagesMember}),
                   made);
    }
};

} // namespace

std::unique_ptr<DocumentDialect> makeMariadbDocumentDialect(const DocumentShape &shape,
                                                            const CatalogTable &table)
{
    return std::make_unique<MariadbDocuments>(shape, table);
}

} // namespace outbox
