// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Statements about documents for MariaDB: JSON_TABLE takes a document apart. One that the server's
// JSON cannot read to the end is handed out whole: it is deeper than 32 levels, writes a name with
// escapes, or is no JSON at all.
#include "connectors/sql/dialect/documentdialect.h"
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

private:
    [[nodiscard]] const SqlFlavor &flavor() const override { return mariadbFlavor(); }
    [[nodiscard]] QString wholeDocument() const override { return aliased(m_shape.documentColumn); }
    [[nodiscard]] SqlFragment isExactly(const QString &name, const QString &text) const override
    {
        return mariadb::isExactly(m_table, name, text);
    }
    [[nodiscard]] SqlFragment isVersion(const QString &seen) const override
    {
        return isExactly(m_shape.versionColumn, seen);
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
                  key, textOf(m_shape.idColumn), textOf(m_shape.versionColumn), document,
                  mariadbPath(m_shape.mapPath), changedUs(), tableName());
        return sql + behind(after, limit);
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
