// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Filters in the words of PostgreSQL.
#include "connectors/sql/dialect/conditions.h"
#include "connectors/sql/dialect/filtersql.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/postgres/postgresdialect.h"
#include "connectors/sql/postgres/postgrestexts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

class PostgresFilter : public FilterSql
{
public:
    PostgresFilter(const OutboxShape &shape, const CatalogTable &table, QString isHeld)
        : FilterSql(shape, table), m_isHeld(std::move(isHeld))
    { }

protected:
    [[nodiscard]] RowStates states() const override
    {
        return {m_shape, m_table, postgres::stateTexts()};
    }
    [[nodiscard]] QString isHeld() const override { return m_isHeld; }
    [[nodiscard]] QString bound(const QVariant &number) override
    {
        return postgres::bind(*m_sql, number,
                              number.typeId() == QMetaType::Double ? u"double precision"_s
                                                                   : u"bigint"_s);
    }
    [[nodiscard]] QString textOf(const CatalogColumn &column) const override
    {
        return postgres::textOf(u"t."_s, column.name);
    }
    [[nodiscard]] QString keyText() const override { return states().key(u"t."_s); }
    [[nodiscard]] QString equals(const Cell &cell, const QString &text) override
    {
        return cell.text + u" = "_s + postgres::bind(*m_sql, text, u"text"_s);
    }
    [[nodiscard]] QString fits(const Cell &cell, const QString &wildcards) override
    {
        return cell.text + u" LIKE "_s + postgres::bind(*m_sql, likePattern(wildcards), u"text"_s)
            + u" ESCAPE '!'"_s;
    }
    [[nodiscard]] Condition holds(const Cell &cell, const QString &folded) override
    {
        return {lowered(cell.text) + u" LIKE "_s
                    + postgres::bind(*m_sql, likePart(folded), u"text"_s) + u" ESCAPE '!'"_s,
                isAscii(folded)};
    }
    [[nodiscard]] Condition payloadHolds(const CatalogColumn &column,
                                         const QString &folded) override;
    [[nodiscard]] bool isTextKey(const CatalogColumn &key) const override
    {
        return key.typeClass != TypeClass::Uuid && key.typeClass != TypeClass::Integer;
    }
    [[nodiscard]] Condition keyIs(const CatalogColumn &key, const QString &text) override
    {
        return {u"t."_s + quotedName(key.name) + u" = "_s + postgres::bind(*m_sql, text, key.type)};
    }
    [[nodiscard]] Condition keyBegins(const CatalogColumn &key, const QString &start) override;
    [[nodiscard]] QString payloadBytes(const CatalogColumn &column) const override
    {
        const QString cell = u"t."_s + quotedName(column.name);
        return u"coalesce(octet_length(%1), 0)"_s.arg(
            column.typeClass == TypeClass::Bytes ? cell : QString(cell + u"::text"_s));
    }
    [[nodiscard]] QString microseconds(const CatalogColumn &column) const override
    {
        return postgres::microseconds(u"t."_s, &column, m_shape.zoneOf(column.name));
    }
    [[nodiscard]] bool needsZone(const CatalogColumn &column) const override
    {
        return postgres::isWithoutZone(column);
    }
    [[nodiscard]] QString nowUs() const override
    {
        return u"(extract(epoch FROM clock_timestamp()) * 1000000)::bigint"_s;
    }
    [[nodiscard]] QString timeWithin(const CatalogColumn &column, const FilterSpan &span) override;
    [[nodiscard]] QString agedWithin(const CatalogColumn &column, const FilterSpan &span) override;
    [[nodiscard]] std::optional<Condition> memberMeets(const CatalogColumn &column,
                                                       const FieldCheck &check) override;

private:
    /// The filter's own rule, not that of the database's language; and not translate(), which takes
    /// as long again for each letter of its list.
    [[nodiscard]] static QString lowered(const QString &text)
    {
        return u"lower(("_s + text + u") COLLATE \"C\")"_s;
    }
    const QString m_isHeld;
};

FilterSql::Condition PostgresFilter::payloadHolds(const CatalogColumn &column,
                                                  const QString &folded)
{
    const QString cell = u"t."_s + quotedName(column.name);
    if (column.typeClass != TypeClass::Bytes)
        return holds({cell + u"::text"_s, &column}, folded);
    // Bytes beyond ASCII, of whatever encoding, become a backslash and three digits.
    const ByteText part = byteText(folded, u"\\\\"_s);
    const bool mayBeEscape = folded.isEmpty() || (folded.at(0) >= u'0' && folded.at(0) <= u'9');
    return {lowered(u"encode("_s + cell + u", 'escape')"_s) + u" LIKE "_s
                + postgres::bind(*m_sql, part.pattern, u"text"_s) + u" ESCAPE '!'"_s,
            part.exact && !mayBeEscape};
}

FilterSql::Condition PostgresFilter::keyBegins(const CatalogColumn &key, const QString &start)
{
    const QString name = u"t."_s + quotedName(key.name);
    if (key.typeClass == TypeClass::Uuid) { // a range finds its rows by the index
        const auto range = uuidRange(start);
        if (!range)
            return {conditions::sqlFalse};
        const QString from = postgres::bind(*m_sql, range->first, u"uuid"_s);
        return {name + u" BETWEEN "_s + from + u" AND "_s
                + postgres::bind(*m_sql, range->second, u"uuid"_s)};
    }
    if (key.typeClass == TypeClass::Integer)
        return {numberBegins(name, start)};
    return {u"starts_with("_s + name + u"::text, "_s + postgres::bind(*m_sql, start, u"text"_s)
            + u')'};
}

QString PostgresFilter::timeWithin(const CatalogColumn &column, const FilterSpan &span)
{
    if (column.typeClass != TypeClass::Time)
        return within(microseconds(column), span, 1000);
    const QString name = u"t."_s + quotedName(column.name);
    const auto moment = [&](double ms) -> QString {
        auto time = static_cast<qlonglong>(ms);
        if (postgres::isWithoutZone(column))
            time = firstLocalOf(time * 1000, m_shape.zoneOf(column.name)) / 1000;
        const QString at = u"to_timestamp("_s + postgres::bind(*m_sql, QVariant(time), u"bigint"_s)
            + u" / 1000.0)"_s;
        return postgres::isWithoutZone(column) ? QString(u'(' + at + u" AT TIME ZONE 'UTC')"_s)
                                               : at;
    };
    QStringList ends{u"isfinite("_s + name + u')'}; // what never ends is no time
    if (span.from)
        ends += name + u" >= "_s + moment(*span.from); // the bare column, so that its index serves
    if (span.to)
        ends += name + u" < "_s + moment(*span.to);
    return u'(' + ends.join(u" AND "_s) + u')';
}

QString PostgresFilter::agedWithin(const CatalogColumn &column, const FilterSpan &span)
{
    if (column.typeClass != TypeClass::Time)
        return within(nowUs() + u" - "_s + microseconds(column), span, 1e6);
    const QString name = u"t."_s + quotedName(column.name);
    const auto before = [&](double seconds) -> QString {
        return postgres::nowFor(column) + u" - make_interval(secs => "_s
            + postgres::bind(*m_sql, seconds, u"double precision"_s) + u')';
    };
    QStringList ends{u"isfinite("_s + name + u')'};
    if (postgres::isWithoutZone(column)) {
        const auto local = [&](double seconds, bool isAfter) {
            return postgres::firstLocal(postgres::bind(*m_sql, seconds, u"double precision"_s),
                                        seconds, m_shape.zoneOf(column.name), isAfter);
        };
        if (span.from)
            ends += name + u" < "_s + local(*span.from, span.withFrom);
        if (span.to)
            ends += name + u" >= "_s + local(*span.to, !span.withTo);
        return u'(' + ends.join(u" AND "_s) + u')';
    }
    if (span.from)
        ends += name + (span.withFrom ? u" <= "_s : u" < "_s) + before(*span.from);
    if (span.to)
        ends += name + (span.withTo ? u" >= "_s : u" > "_s) + before(*span.to);
    return u'(' + ends.join(u" AND "_s) + u')';
}

std::optional<FilterSql::Condition> PostgresFilter::memberMeets(const CatalogColumn &column,
                                                                const FieldCheck &check)
{
    if (column.type != u"json"_s && column.type != u"jsonb"_s)
        return std::nullopt;
    const QString cell = u"t."_s + quotedName(column.name);
    const QString path
        = postgres::bind(*m_sql, check.path, u"text[]"_s); // may stand in the text many times
    const QString member = u'(' + cell + u" #>> "_s + path + u')';
    Condition condition = textMeets({member, nullptr}, check, false);
    if (condition.text == conditions::sqlTrue)
        return std::nullopt;
    QStringList ways{condition.text};
    for (const FilterSpan &span : check.spans) {
        ways += u"CASE WHEN %1_typeof(%2 #> %3) = 'number' THEN %4 END"_s.arg(
            column.type, cell, path, within(member + u"::numeric"_s, span));
    }
    return Condition{conditions::either(ways), condition.exact};
}

} // namespace

Result<FilterPush> PostgresDialect::push(const CheckNode &checks, SqlText &sql,
                                         PayloadTexts texts) const
{
    return PostgresFilter(m_shape, m_table, isRowHeld()).push(checks, sql, texts);
}

} // namespace outbox
