// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Statements about documents for PostgreSQL: json and jsonb are taken apart by the server, a text
// is handed out whole, since one that is no JSON would fail the whole page.
#include "connectors/sql/dialect/documentdialect.h"
#include "connectors/sql/postgres/postgrestexts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

class PostgresDocuments : public DocumentDialect
{
public:
    using DocumentDialect::DocumentDialect;

    [[nodiscard]] SqlText page(const QString &after, int limit) const override
    {
        const bool isText = flavour().isEmpty();
        const QString document = aliased(m_shape.documentColumn);
        const QString counts = isText
            ? u"'text', NULL::text, NULL::text, NULL::text, NULL::text, NULL::text"_s
            : u"m.kind, c.undispatched::text, c.dispatched::text, c.malformed::text,"
              " c.oldest_undispatched, c.oldest_dispatched"_s;
        SqlFragment sql
            = u"SELECT %1::text, %2::text, octet_length(%3::text)::text, %4, %5::text,"
              " (extract(epoch FROM clock_timestamp()) * 1000000)::bigint::text, %6"
              " FROM %7 AS t"_s.arg(aliased(m_shape.idColumn), aliased(m_shape.versionColumn),
                                    document, counts, changedUs(),
                                    isText ? QString(document + u"::text"_s) : u"NULL::text"_s,
                                    tableName());
        if (!isText)
            sql += entries();
        return sql + behind(after, limit);
    }

private:
    [[nodiscard]] const SqlFlavor &flavor() const override { return postgresFlavor(); }
    /// "json" or "jsonb", the first word of the functions; empty for a text.
    [[nodiscard]] QString flavour() const
    {
        const QString type = column(m_shape.documentColumn).plainType;
        return type == u"json" || type == u"jsonb" ? type : QString();
    }
    /// One line for each document: what its map is, and its entries by state.
    [[nodiscard]] SqlFragment entries() const
    {
        const QString json = flavour();
        const SqlFragment map = aliased(m_shape.documentColumn) + u" #> "_s
            + SqlFragment::of(m_shape.mapPath, u"text[]"_s);
        const SqlFragment messages
            = u"(e.value -> "_s + SqlFragment::of(m_shape.messagesMember, u"text"_s) + u')';
        const SqlFragment time = m_shape.timeMember.isEmpty()
            ? SqlFragment(u"NULL::text"_s)
            : u"CASE WHEN "_s + json + u"_typeof(e.value) = 'object' THEN e.value ->> "_s
                + SqlFragment::of(m_shape.timeMember, u"text"_s) + u" END"_s;
        QString text = u" LEFT JOIN LATERAL (SELECT J_typeof(%1) AS kind) AS m ON true"
                       " LEFT JOIN LATERAL (SELECT"
                       " count(*) FILTER (WHERE s.state = 'array') AS undispatched,"
                       " count(*) FILTER (WHERE s.state = 'null') AS dispatched,"
                       " count(*) FILTER (WHERE s.state NOT IN ('array', 'null')) AS malformed,"
                       " min(s.made) FILTER (WHERE s.state = 'array') AS oldest_undispatched,"
                       " min(s.made) FILTER (WHERE s.state = 'null') AS oldest_dispatched"
                       " FROM (SELECT CASE WHEN J_typeof(e.value) = 'object'"
                       " THEN coalesce(J_typeof(%2), 'none') ELSE J_typeof(e.value) END AS state,"
                       " %3 AS made FROM J_each(CASE WHEN m.kind = 'object' THEN %1"
                       " ELSE '{}'::J END) AS e) AS s) AS c ON m.kind IS NOT NULL"_s;
        text.replace(u"J_"_s, json + u'_').replace(u"::J "_s, u"::"_s + json + u' ');
        return SqlFragment::filled(text, {map, messages, time});
    }
};

} // namespace

std::unique_ptr<DocumentDialect> makePostgresDocumentDialect(const DocumentShape &shape,
                                                             const CatalogTable &table)
{
    return std::make_unique<PostgresDocuments>(shape, table);
}

} // namespace outbox
