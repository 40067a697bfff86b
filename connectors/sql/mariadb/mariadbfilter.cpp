// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Filters in the words of MariaDB.
#include "connectors/sql/mariadb/mariadbtexts.h"
#include "models/mapping/meaning.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

class MariadbFilter : public FilterSql
{
public:
    MariadbFilter(const OutboxShape &shape, const CatalogTable &table, QString keyText)
        : FilterSql(shape, table, mariadbFlavor()), m_keyText(std::move(keyText))
    { }

protected:
    [[nodiscard]] QString keyText() const override { return m_keyText; }
    [[nodiscard]] SqlFragment isMissing(const Cell &cell) const override
    {
        return u"IFNULL(CHAR_LENGTH("_s + cell.text + u"), 0) = 0"_s; // blanks are letters
    }
    [[nodiscard]] SqlFragment equals(const Cell &cell, const QString &text) const override
    {
        SqlFragment condition;
        if (hasCollation(cell.column)) // for its index; the case is minded below
            condition = aliased(cell.column->name) + u" = "_s + SqlFragment::of(text) + u" AND "_s;
        return condition + FilterSql::equals(cell, text);
    }
    [[nodiscard]] Condition holds(const Cell &cell, const QString &folded) const override
    {
        // Two letters of other alphabets become an i or a k here, and only here.
        Condition condition = FilterSql::holds(cell, folded);
        condition.exact = condition.exact && !folded.contains(u'i') && !folded.contains(u'k');
        return condition;
    }
    [[nodiscard]] Condition payloadHolds(const CatalogColumn &column,
                                         const QString &folded) const override
    {
        if (column.typeClass != TypeClass::Bytes)
            return holds({aliased(column.name), &column}, folded);
        // Bytes of whatever encoding: each is a letter, and those of ASCII are themselves.
        const ByteText part = byteText(folded);
        return {u"LOWER(CONVERT("_s + aliased(column.name) + u" USING latin1)) LIKE CONVERT("_s
                    + SqlFragment::of(part.pattern)
                    + u" USING latin1) COLLATE latin1_bin ESCAPE '!'"_s,
                part.exact};
    }
    [[nodiscard]] Condition keyIs(const CatalogColumn &key, const QString &text) const override
    {
        return isTextKey(key) ? Condition{equals({textOf(key), &key}, text)}
                              : FilterSql::keyIs(key, text);
    }
    [[nodiscard]] Condition textKeyBegins(const CatalogColumn &key,
                                          const QString &start) const override
    {
        QString escaped = start;
        escaped.replace(u'!', u"!!"_s).replace(u'%', u"!%"_s).replace(u'_', u"!_"_s);
        const QString pattern = escaped + u'%';
        SqlFragment condition;
        if (hasCollation(&key)) { // for its index; the case is minded below
            condition = aliased(key.name) + u" LIKE "_s + SqlFragment::of(pattern)
                + u" ESCAPE '!' AND "_s;
        }
        return {condition + isLike(mariadb::exactly(textOf(key)), pattern)};
    }
    [[nodiscard]] QString payloadBytes(const CatalogColumn &column) const override
    {
        return u"IFNULL("_s + m_flavor.payloadSize(column) + u", 0)"_s;
    }
    [[nodiscard]] SqlFragment timeWithin(const CatalogColumn &column,
                                         const FilterSpan &span) const override
    {
        if (column.typeClass != TypeClass::Time)
            return within(microseconds(column), span, 1000);
        const auto moment = [&](double ms) -> SqlFragment {
            auto us = static_cast<qlonglong>(ms * 1000);
            if (mariadb::isWithoutZone(column))
                us = firstLocalOf(us, m_shape.zoneOf(column.name));
            return u"TIMESTAMP'1970-01-01 00:00:00' + INTERVAL "_s + SqlFragment::of(QVariant(us))
                + u" MICROSECOND"_s;
        };
        QList<SqlFragment> ends; // the bare column, so that its index serves
        if (span.from)
            ends += aliased(column.name) + u" >= "_s + moment(*span.from);
        if (span.to)
            ends += aliased(column.name) + u" < "_s + moment(*span.to);
        return u'(' + SqlFragment::joined(ends, u" AND "_s) + u')';
    }
    [[nodiscard]] SqlFragment agedWithin(const CatalogColumn &column,
                                         const FilterSpan &span) const override
    {
        if (column.typeClass != TypeClass::Time)
            return within(m_flavor.nowUs() + u" - ("_s + microseconds(column) + u')', span, 1e6);
        const QString zone
            = mariadb::isWithoutZone(column) ? m_shape.zoneOf(column.name) : u"UTC"_s;
        const auto first = [&](double seconds, bool isAfter) {
            return mariadb::firstLocal(static_cast<qint64>(seconds * 1e6) - (isAfter ? 1 : 0),
                                       zone);
        };
        QList<SqlFragment> ends; // the bare column, so that its index serves
        if (span.from)
            ends += aliased(column.name) + u" < "_s + first(*span.from, span.withFrom);
        if (span.to)
            ends += aliased(column.name) + u" >= "_s + first(*span.to, !span.withTo);
        return u'(' + SqlFragment::joined(ends, u" AND "_s) + u')';
    }

private:
    [[nodiscard]] static bool hasCollation(const CatalogColumn *column)
    {
        return column
            && (column->typeClass == TypeClass::Text || column->plainType.endsWith("char"_L1));
    }
    const QString m_keyText;
};

} // namespace

Result<FilterPush> mariadb::push(const OutboxShape &shape, const CatalogTable &table,
                                 const QString &keyText, const CheckNode &checks,
                                 PayloadTexts texts)
{
    return MariadbFilter(shape, table, keyText).push(checks, texts);
}

} // namespace outbox
