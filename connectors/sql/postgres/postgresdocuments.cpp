// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Statements about documents for PostgreSQL: json and jsonb are taken apart by the server, a text
// is handed out whole, since one that is no JSON would fail the whole page.
#include "connectors/sql/dialect/documentdialect.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/postgres/postgrestexts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

class PostgresDocuments : public DocumentDialect
{
public:
    using DocumentDialect::DocumentDialect;

    [[nodiscard]] SqlText page(const DocumentPageRequest &request) const override;
    [[nodiscard]] SqlText find(const QString &id) const override;
    [[nodiscard]] SqlText write(const QString &id, const QString &seen,
                                const QByteArray &json) const override;
    [[nodiscard]] SqlText insert(const QString &id, const QByteArray &json) const override;
    [[nodiscard]] SqlText barrier() const override;

private:
    /// "json" or "jsonb", the first word of the functions; empty for a text.
    [[nodiscard]] QString flavour() const;
    [[nodiscard]] QString ofColumn(const QString &name) const { return u"t."_s + quotedName(name); }
    [[nodiscard]] QString type(const QString &name) const { return column(name).plainType; }
    [[nodiscard]] QString entries(SqlText &sql) const;
};

QString PostgresDocuments::flavour() const
{
    const QString type = column(m_shape.documentColumn).plainType;
    return type == u"json" || type == u"jsonb" ? type : QString();
}

/// One line for each document: what its map is, and its entries by state.
QString PostgresDocuments::entries(SqlText &sql) const
{
    const QString json = flavour();
    const QString map = u"%1 #> %2"_s.arg(ofColumn(m_shape.documentColumn),
                                          postgres::bind(sql, m_shape.mapPath, u"text[]"_s));
    const QString messages
        = u"(e.value -> %1)"_s.arg(postgres::bind(sql, m_shape.messagesMember, u"text"_s));
    const QString time = m_shape.timeMember.isEmpty()
        ? u"NULL::text"_s
        : u"CASE WHEN %1_typeof(e.value) = 'object' THEN e.value ->> %2 END"_s.arg(
            json, postgres::bind(sql, m_shape.timeMember, u"text"_s));
    // The texts that are put in hold placeholders and quoted names: put them in last.
    QString text = u" LEFT JOIN LATERAL (SELECT J_typeof(MAP) AS kind) AS m ON true"
                   " LEFT JOIN LATERAL (SELECT"
                   " count(*) FILTER (WHERE s.state = 'array') AS undispatched,"
                   " count(*) FILTER (WHERE s.state = 'null') AS dispatched,"
                   " count(*) FILTER (WHERE s.state NOT IN ('array', 'null')) AS malformed,"
                   " min(s.made) FILTER (WHERE s.state = 'array') AS oldest_undispatched,"
                   " min(s.made) FILTER (WHERE s.state = 'null') AS oldest_dispatched"
                   " FROM (SELECT CASE WHEN J_typeof(e.value) = 'object'"
                   " THEN coalesce(J_typeof(MESSAGES), 'none') ELSE J_typeof(e.value) END AS state,"
                   " TIME AS made FROM J_each(CASE WHEN m.kind = 'object' THEN MAP"
                   " ELSE '{}'::J END) AS e) AS s) AS c ON m.kind IS NOT NULL"_s;
    text.replace(u"J_"_s, json + u'_').replace(u"::J "_s, u"::"_s + json + u' ');
    return text.replace(u"MESSAGES"_s, messages).replace(u"TIME"_s, time).replace(u"MAP"_s, map);
}

SqlText PostgresDocuments::page(const DocumentPageRequest &request) const
{
    SqlText sql;
    const bool isText = flavour().isEmpty();
    const QString document = ofColumn(m_shape.documentColumn);
    const QString from = isText ? QString() : entries(sql);
    const QString counts = isText
        ? u"'text', NULL::text, NULL::text, NULL::text, NULL::text, NULL::text"_s
        : u"m.kind, c.undispatched::text, c.dispatched::text, c.malformed::text,"
          " c.oldest_undispatched, c.oldest_dispatched"_s;
    sql.text
        = u"SELECT %1::text, %2::text, octet_length(%3::text)::text, %4, %5::text,"
          " (extract(epoch FROM clock_timestamp()) * 1000000)::bigint::text, %6"
          " FROM %7 AS t"_s.arg(
              ofColumn(m_shape.idColumn), ofColumn(m_shape.versionColumn), document, counts,
              postgres::microseconds(u"t."_s, m_table.column(m_shape.changedColumn), changedZone()),
              isText ? QString(document + u"::text"_s) : u"NULL::text"_s, tableName())
        + from;
    if (!request.after.isEmpty()) {
        sql.text += u" WHERE %1 > %2"_s.arg(
            ofColumn(m_shape.idColumn), postgres::bind(sql, request.after, type(m_shape.idColumn)));
    }
    sql.text += u" ORDER BY %1 LIMIT %2"_s.arg(ofColumn(m_shape.idColumn),
                                               QString::number(request.limit + 1));
    return sql;
}

SqlText PostgresDocuments::find(const QString &id) const
{
    SqlText sql;
    sql.text = u"SELECT %1::text, %2::text, %3::text,"
               " (extract(epoch FROM clock_timestamp()) * 1000000)::bigint::text"
               " FROM %4 AS t WHERE %1 = %5"_s.arg(ofColumn(m_shape.idColumn),
                                                   ofColumn(m_shape.versionColumn),
                                                   ofColumn(m_shape.documentColumn), tableName(),
                                                   postgres::bind(sql, id, type(m_shape.idColumn)));
    return sql;
}

SqlText PostgresDocuments::write(const QString &id, const QString &seen,
                                 const QByteArray &json) const
{
    SqlText sql;
    const QString document
        = postgres::bind(sql, QString::fromUtf8(json), type(m_shape.documentColumn));
    const QString next = postgres::bind(sql, versionAfter(seen), type(m_shape.versionColumn));
    const QString key = postgres::bind(sql, id, type(m_shape.idColumn));
    sql.text = u"UPDATE %1 AS t SET %2 = %3, %4 = %5 WHERE %6 = %7 AND %8::text = %9"_s.arg(
        tableName(), quotedName(m_shape.documentColumn), document,
        quotedName(m_shape.versionColumn), next, ofColumn(m_shape.idColumn), key,
        ofColumn(m_shape.versionColumn), postgres::bind(sql, seen, u"text"_s));
    return sql;
}

SqlText PostgresDocuments::insert(const QString &id, const QByteArray &json) const
{
    SqlText sql;
    const QString key = postgres::bind(sql, id, type(m_shape.idColumn));
    const QString version = postgres::bind(sql, versionAfter(u"0"_s), type(m_shape.versionColumn));
    const QString document
        = postgres::bind(sql, QString::fromUtf8(json), type(m_shape.documentColumn));
    sql.text = u"INSERT INTO %1 (%2, %3, %4) VALUES (%5, %6, %7) ON CONFLICT DO NOTHING"_s.arg(
        tableName(), quotedName(m_shape.idColumn), quotedName(m_shape.versionColumn),
        quotedName(m_shape.documentColumn), key, version, document);
    return sql;
}

SqlText PostgresDocuments::barrier() const
{
    // The commit of a transaction that wrote something flushes all that was logged before it.
    return {u"SELECT set_config('synchronous_commit', 'on', true),"
            " pg_logical_emit_message(true, 'outboxdeck', '')::text"_s,
            {}};
}

} // namespace

std::unique_ptr<DocumentDialect> makePostgresDocumentDialect(const DocumentShape &shape,
                                                             const CatalogTable &table)
{
    return std::make_unique<PostgresDocuments>(shape, table);
}

} // namespace outbox
