// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Filters in the words of PostgreSQL.
#include "connectors/sql/dialect/conditions.h"
#include "connectors/sql/dialect/filtersql.h"
#include "connectors/sql/postgres/postgresdialect.h"
#include "connectors/sql/postgres/postgrestexts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

class PostgresFilter : public FilterSql
{
public:
    PostgresFilter(const OutboxShape &shape, const CatalogTable &table, QString isHeld)
        : FilterSql(shape, table, postgresFlavor()), m_isHeld(std::move(isHeld))
    { }

protected:
    [[nodiscard]] QString isHeld() const override { return m_isHeld; }
    [[nodiscard]] Condition payloadHolds(const CatalogColumn &column,
                                         const QString &folded) const override
    {
        const QString cell = aliased(column.name);
        if (column.typeClass != TypeClass::Bytes)
            return holds({QString(cell + u"::text"_s), &column}, folded);
        // Bytes beyond ASCII, of whatever encoding, become a backslash and three digits.
        const ByteText part = byteText(folded, u"\\\\"_s);
        const bool mayBeEscape = folded.isEmpty() || (folded.at(0) >= u'0' && folded.at(0) <= u'9');
        return {isLike(m_flavor.lowered(u"encode("_s + cell + u", 'escape')"_s), part.pattern),
                part.exact && !mayBeEscape};
    }
    [[nodiscard]] Condition textKeyBegins(const CatalogColumn &key,
                                          const QString &start) const override
    {
        return {u"starts_with("_s + aliased(key.name) + u"::text, "_s
                + SqlFragment::of(start, u"text"_s) + u')'};
    }
    [[nodiscard]] SqlFragment timeWithin(const CatalogColumn &column,
                                         const FilterSpan &span) const override
    {
        if (column.typeClass != TypeClass::Time)
            return within(microseconds(column), span, 1000);
        const QString name = aliased(column.name);
        const auto moment = [&](double ms) -> SqlFragment {
            auto time = static_cast<qlonglong>(ms);
            if (postgres::isWithoutZone(column))
                time = firstLocalOf(time * 1000, m_shape.zoneOf(column.name)) / 1000;
            const SqlFragment at = u"to_timestamp("_s + SqlFragment::of(QVariant(time), u"bigint"_s)
                + u" / 1000.0)"_s;
            return postgres::isWithoutZone(column) ? u'(' + at + u" AT TIME ZONE 'UTC')"_s : at;
        };
        QList<SqlFragment> ends{u"isfinite("_s + name + u')'}; // what never ends is no time
        if (span.from)
            ends += name + u" >= "_s
                + moment(*span.from); // the bare column, so that its index serves
        if (span.to)
            ends += name + u" < "_s + moment(*span.to);
        return u'(' + SqlFragment::joined(ends, u" AND "_s) + u')';
    }
    [[nodiscard]] SqlFragment agedWithin(const CatalogColumn &column,
                                         const FilterSpan &span) const override
    {
        if (column.typeClass != TypeClass::Time)
            return within(m_flavor.nowUs() + u" - "_s + microseconds(column), span, 1e6);
        const QString name = aliased(column.name);
        const auto before = [&](double seconds) -> SqlFragment {
            return postgres::nowFor(column) + u" - make_interval(secs => "_s
                + SqlFragment::of(seconds, u"double precision"_s) + u')';
        };
        QList<SqlFragment> ends{u"isfinite("_s + name + u')'};
        if (postgres::isWithoutZone(column)) {
            const auto local = [&](double seconds, bool isAfter) {
                return postgres::firstLocal(seconds, m_shape.zoneOf(column.name), isAfter);
            };
            if (span.from)
                ends += name + u" < "_s + local(*span.from, span.withFrom);
            if (span.to)
                ends += name + u" >= "_s + local(*span.to, !span.withTo);
            return u'(' + SqlFragment::joined(ends, u" AND "_s) + u')';
        }
        if (span.from)
            ends += name + (span.withFrom ? u" <= "_s : u" < "_s) + before(*span.from);
        if (span.to)
            ends += name + (span.withTo ? u" >= "_s : u" > "_s) + before(*span.to);
        return u'(' + SqlFragment::joined(ends, u" AND "_s) + u')';
    }
    [[nodiscard]] std::optional<Condition> memberMeets(const CatalogColumn &column,
                                                       const FieldCheck &check) const override
    {
        if (column.type != u"json"_s && column.type != u"jsonb"_s)
            return std::nullopt;
        const QString cell = aliased(column.name);
        const SqlFragment path = SqlFragment::of(check.path, u"text[]"_s);
        const SqlFragment member = u'(' + cell + u" #>> "_s + path + u')';
        Condition condition = textMeets({member, nullptr}, check, false);
        if (condition.sql == conditions::sqlTrue)
            return std::nullopt;
        QList<SqlFragment> ways{condition.sql};
        for (const FilterSpan &span : check.spans) {
            ways += SqlFragment::filled(
                u"CASE WHEN %1_typeof(%2 #> %3) = 'number' THEN %4 END"_s,
                {column.type, cell, path, within(member + u"::numeric"_s, span)});
        }
        return Condition{either(ways), condition.exact};
    }

private:
    const QString m_isHeld;
};

} // namespace

Result<FilterPush> PostgresDialect::push(const CheckNode &checks, PayloadTexts texts) const
{
    return PostgresFilter(m_shape, m_table, isRowHeld()).push(checks, texts);
}

} // namespace outbox
