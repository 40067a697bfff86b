// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Filters in the words of SQLite.
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/sqlite/sqlitetexts.h"

#include <QDateTime>

#include <cstdlib>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// GLOB knows the same wildcards and minds the case; only its bracket must be kept plain.
QString globPattern(QString wildcards)
{
    return wildcards.replace(u'[', u"[[]"_s);
}

/// A pattern that fits this text alone.
QString globText(const QString &text)
{
    QString pattern = u""_s; // one that is null would be bound as NULL
    for (const QChar c : text) {
        const bool isSign = c == u'[' || c == u'*' || c == u'?';
        pattern += isSign ? QString(u'[' + QString(c) + u']') : QString(c);
    }
    return pattern;
}

/// Texts that hold `folded`; letters beyond ASCII are any.
QString globPart(const QString &folded)
{
    QString pattern = u"*"_s;
    for (const char32_t character : folded.toUcs4())
        pattern += character >= 128 ? u"?"_s : globText(QString(QChar(character)));
    return pattern + u'*';
}

class SqliteFilter : public FilterSql
{
public:
    using FilterSql::FilterSql;

protected:
    [[nodiscard]] SqlFragment equals(const Cell &cell, const QString &text) const override
    {
        // Where open rows are meant, their own index had better be walked: there are few.
        if (!cell.column || cell.column->typeClass != TypeClass::Text || m_isOfOpenRows)
            return glob(cell, globText(text));
        // The collation of the column may not mind the case; but its index finds one value so, and
        // gives its rows in the order of what follows. The sign keeps it from a range instead.
        const QString name = aliased(cell.column->name);
        return name + u" = "_s + SqlFragment::of(text.isNull() ? u""_s : text) + u" AND +"_s + name
            + u" GLOB "_s + SqlFragment::of(globText(text));
    }
    [[nodiscard]] SqlFragment fits(const Cell &cell, const QString &wildcards) const override
    {
        return glob(cell, globPattern(wildcards));
    }
    [[nodiscard]] Condition holds(const Cell &cell, const QString &folded) const override
    {
        return {u"lower("_s + cell.text + u") GLOB "_s + SqlFragment::of(globPart(folded)),
                isAscii(folded)};
    }
    [[nodiscard]] Condition payloadHolds(const CatalogColumn &column,
                                         const QString &folded) const override
    {
        // GLOB would end at a NUL. Only the longest part of ASCII letters can be looked for so.
        const ByteText part = byteText(folded);
        return {u"instr(lower(CAST("_s + aliased(column.name) + u" AS TEXT)), "_s
                    + SqlFragment::of(part.longest) + u") > 0"_s,
                part.exact};
    }
    [[nodiscard]] Condition keyIs(const CatalogColumn &key, const QString &text) const override
    {
        return {aliased(key.name) + u" = "_s + SqlFragment::of(text) + u" AND "_s + textOf(key)
                + u" GLOB "_s + SqlFragment::of(globText(text))};
    }
    [[nodiscard]] Condition textKeyBegins(const CatalogColumn &key,
                                          const QString &start) const override
    {
        // Nothing that begins with it is above it followed by the last code point.
        const char32_t last = 0x10FFFF;
        return {aliased(key.name) + u" BETWEEN "_s + SqlFragment::of(start) + u" AND "_s
                + SqlFragment::of(QString(start + QString::fromUcs4(&last, 1))) + u" AND "_s
                + textOf(key) + u" GLOB "_s + SqlFragment::of(QString(globText(start) + u'*'))};
    }
    [[nodiscard]] QString payloadBytes(const CatalogColumn &column) const override
    {
        return u"ifnull("_s + m_flavor.payloadSize(column) + u", 0)"_s;
    }
    [[nodiscard]] SqlFragment timeWithin(const CatalogColumn &column,
                                         const FilterSpan &span) const override
    {
        SqlFragment bounds;
        if (span.from && isListed(column) && isDay(*span.from))
            bounds += notBefore(column, SqlFragment::of(textAt(*span.from, -slackHours)));
        if (span.to && isDay(*span.to)) {
            bounds += aliased(column.name) + u" < "_s
                + SqlFragment::of(textAt(*span.to, slackHours)) + u" AND "_s;
        }
        return u'(' + bounds + within(microseconds(column), span, 1000) + u')';
    }
    [[nodiscard]] SqlFragment agedWithin(const CatalogColumn &column,
                                         const FilterSpan &span) const override
    {
        SqlFragment bounds;
        if (span.to && isListed(column) && isAge(*span.to))
            bounds += notBefore(column, textBefore(*span.to, -slackHours));
        if (span.from && isAge(*span.from)) {
            bounds += aliased(column.name) + u" < "_s + textBefore(*span.from, slackHours)
                + u" AND "_s;
        }
        return u'(' + bounds
            + within(m_flavor.nowUs() + u" - ("_s + microseconds(column) + u')', span, 1e6) + u')';
    }

private:
    [[nodiscard]] static SqlFragment glob(const Cell &cell, const QString &pattern)
    {
        // The bare column of a text, so that its index may serve.
        const bool isText = cell.column && cell.column->typeClass == TypeClass::Text;
        return (isText ? SqlFragment(aliased(cell.column->name)) : cell.text) + u" GLOB "_s
            + SqlFragment::of(pattern);
    }
    // A time may be a text or a number of any unit, and only an expression tells which. An index
    // on the column serves texts, with room for their zones; all numbers are below them. A blank or
    // a T stands before the hour: the blank is less.
    static constexpr int slackHours = 15;
    [[nodiscard]] static QString textAt(double ms, int hours)
    {
        return QDateTime::fromMSecsSinceEpoch(qint64(ms), Qt::UTC)
            .addSecs(qint64{hours} * 3600)
            .toString(hours < 0 ? u"yyyy-MM-dd hh:mm"_s : u"yyyy-MM-dd'T'hh:mm"_s);
    }
    /// Whether its day is written with four digits for the year.
    [[nodiscard]] static bool isDay(double ms)
    {
        constexpr double of1001 = -3.0578e13;
        constexpr double of9998 = 2.5334e14;
        return ms > of1001 && ms < of9998;
    }
    [[nodiscard]] static bool isAge(double seconds)
    {
        constexpr double aThousandYears = 3.1e10;
        return seconds >= 0 && seconds < aThousandYears;
    }
    [[nodiscard]] static SqlFragment textBefore(double seconds, int hours)
    {
        return u"strftime('%Y-%m-%d"_s + (hours < 0 ? u" "_s : u"T"_s) + u"%H:%M', 'now', '-' || "_s
            + SqlFragment::of(QString::number(seconds, 'f', 0)) + u" || ' seconds', '"_s
            + (hours < 0 ? u"-"_s : u"+"_s) + QString::number(std::abs(hours)) + u" hours')"_s;
    }
    /// Whether rows are listed by it: then it had better have an index, since it is asked whether
    /// it holds numbers.
    [[nodiscard]] bool isListed(const CatalogColumn &column) const
    {
        const QString first = m_shape.order.value(0);
        return first == column.name || first == u'-' + column.name;
    }
    [[nodiscard]] SqlFragment notBefore(const CatalogColumn &column, const SqlFragment &text) const
    {
        return aliased(column.name) + u" >= CASE WHEN EXISTS (SELECT 1 FROM "_s
            + quotedName(m_table.name) + u" AS n WHERE n."_s + quotedName(column.name)
            + u" < '') THEN -9e999 ELSE "_s + text + u" END AND "_s;
    }
};

} // namespace

Result<FilterPush> sqlite::push(const OutboxShape &shape, const CatalogTable &table,
                                const CheckNode &checks, PayloadTexts texts)
{
    return SqliteFilter(shape, table, sqliteFlavor()).push(checks, texts);
}

} // namespace outbox
