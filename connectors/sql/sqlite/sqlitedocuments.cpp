// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Statements about documents for SQLite: its JSON functions take a text apart; one that is no JSON
// is told apart first, since it would fail the whole page.
#include "connectors/sql/dialect/documentdialect.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/sqlite/sqlitetexts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The path to a member as an SQL text; names with a quotation mark are refused before.
QString sqlitePath(const QStringList &names)
{
    QString path = u"$"_s;
    for (const QString &name : names)
        path += QString(u".\""_s + name + u'"');
    return u'\'' + path.replace(u'\'', u"''"_s) + u'\'';
}

class SqliteDocuments : public DocumentDialect
{
public:
    using DocumentDialect::DocumentDialect;

    [[nodiscard]] SqlText page(const QString &after, int limit) const override
    {
        const QString made = m_shape.timeMember.isEmpty()
            ? u"NULL"_s
            : u"CASE e.type WHEN 'object' THEN json_extract(e.value, %1) END"_s.arg(
                sqlitePath({m_shape.timeMember}));
        const QString state
            = u"CASE e.type WHEN 'object' THEN coalesce(json_type(e.value, %1), 'none')"
              " ELSE e.type END"_s.arg(sqlitePath({m_shape.messagesMember}));
        const QString entries = u"SELECT d.*, %1 AS state, %2 AS made FROM (%3) AS d"
                                " LEFT JOIN json_each(CASE d.kind WHEN 'object' THEN d.document"
                                " ELSE '{}' END, %4) AS e ON true"_s;
        const auto count = [](const QString &filter) -> QString {
            return u"CASE kind WHEN 'object' THEN count(*) FILTER (WHERE state "_s + filter
                + u") END"_s;
        };
        return u"SELECT id, version, bytes, kind, "_s + count(u"= 'array'"_s) + u", "_s
            + count(u"= 'null'"_s) + u", "_s + count(u"NOT IN ('array', 'null')"_s)
            + u", min(made) FILTER (WHERE state = 'array'),"
              " min(made) FILTER (WHERE state = 'null'), changed, "_s
            + sqlite::nowUs() + u", NULL FROM ("_s
            + SqlFragment::filled(
                   entries, {state, made, documents(after, limit), sqlitePath(m_shape.mapPath)})
            + u") GROUP BY key ORDER BY key"_s;
    }
    [[nodiscard]] SqlText insert(const QString &id, const QByteArray &json) const override
    {
        return {u"INSERT OR IGNORE INTO %1 (%2, %3, %4) VALUES (?, ?, ?)"_s.arg(
                    tableName(), quotedName(m_shape.idColumn), quotedName(m_shape.versionColumn),
                    quotedName(m_shape.documentColumn)),
                {id, versionAfter(u"0"_s), QString::fromUtf8(json)}};
    }

private:
    [[nodiscard]] const SqlFlavor &flavor() const override { return sqliteFlavor(); }
    /// The documents of a page, each with what its map is.
    [[nodiscard]] SqlText documents(const QString &after, int limit) const
    {
        const QString document = u"CAST(%1 AS TEXT)"_s.arg(aliased(m_shape.documentColumn));
        const QString key = aliased(m_shape.idColumn);
        // All at once: names may be anything, placeholders too.
        SqlFragment sql
            = u"SELECT %1 AS key, %2 AS id, %3 AS version, length(CAST(%4 AS BLOB)) AS bytes,"
              " CASE WHEN json_valid(%4) THEN json_type(%4, %5) ELSE 'invalid' END AS kind,"
              " %6 AS changed, %4 AS document FROM %7 AS t"_s.arg(
                  key, textOf(m_shape.idColumn), textOf(m_shape.versionColumn), document,
                  sqlitePath(m_shape.mapPath), changedUs(), tableName());
        return sql + behind(after, limit);
    }
};

} // namespace

std::unique_ptr<DocumentDialect> makeSqliteDocumentDialect(const DocumentShape &shape,
                                                           const CatalogTable &table)
{
    return std::make_unique<SqliteDocuments>(shape, table);
}

} // namespace outbox
