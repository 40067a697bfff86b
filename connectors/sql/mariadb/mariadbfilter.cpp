// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Filters in the words of MariaDB.
#include "connectors/sql/dialect/conditions.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/mariadb/mariadbdialect.h"
#include "models/mapping/meaning.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

class MariadbFilter : public FilterSql
{
public:
    MariadbFilter(const OutboxShape &shape, const CatalogTable &table, QString keyText)
        : FilterSql(shape, table), m_keyText(std::move(keyText))
    { }

protected:
    [[nodiscard]] RowStates states() const override
    {
        return {m_shape, m_table, mariadb::stateTexts()};
    }
    // Who holds a row is not seen here, but leases are.
    [[nodiscard]] QString isHeld() const override { return conditions::sqlFalse; }
    [[nodiscard]] QString bound(const QVariant &number) override
    {
        return mariadb::bind(*m_sql, number);
    }
    [[nodiscard]] QString textOf(const CatalogColumn &column) const override
    {
        return mariadb::textOf(m_table, column.name);
    }
    [[nodiscard]] QString keyText() const override { return m_keyText; }
    [[nodiscard]] QString isMissing(const Cell &cell) const override
    {
        return u"IFNULL(CHAR_LENGTH("_s + cell.text + u"), 0) = 0"_s; // blanks are letters
    }
    [[nodiscard]] QString equals(const Cell &cell, const QString &text) override
    {
        QString condition;
        if (hasCollation(cell.column)) // for its index; the case is minded below
            condition = mariadb::aliased(cell.column->name) + u" = "_s + mariadb::bind(*m_sql, text)
                + u" AND "_s;
        condition += mariadb::exactly(cell.text) + u" = "_s;
        return condition + mariadb::exactly(mariadb::bind(*m_sql, text));
    }
    [[nodiscard]] QString fits(const Cell &cell, const QString &wildcards) override
    {
        const QString whole = mariadb::exactly(cell.text) + u" LIKE "_s;
        return whole + mariadb::exactly(mariadb::bind(*m_sql, likePattern(wildcards)))
            + u" ESCAPE '!'"_s;
    }
    [[nodiscard]] Condition holds(const Cell &cell, const QString &folded) override
    {
        // Two letters of other alphabets become an i or a k here, and only here.
        const bool exact = isAscii(folded) && !folded.contains(u'i') && !folded.contains(u'k');
        const QString lower = u"LOWER("_s + mariadb::exactly(cell.text) + u") LIKE "_s;
        return {lower + mariadb::exactly(mariadb::bind(*m_sql, likePart(folded)))
                    + u" ESCAPE '!'"_s,
                exact};
    }
    [[nodiscard]] Condition payloadHolds(const CatalogColumn &column,
                                         const QString &folded) override
    {
        if (column.typeClass != TypeClass::Bytes)
            return holds({mariadb::aliased(column.name), &column}, folded);
        // Bytes of whatever encoding: each is a letter, and those of ASCII are themselves.
        const ByteText part = byteText(folded);
        return {u"LOWER(CONVERT("_s + mariadb::aliased(column.name)
                    + u" USING latin1)) LIKE CONVERT("_s + mariadb::bind(*m_sql, part.pattern)
                    + u" USING latin1) COLLATE latin1_bin ESCAPE '!'"_s,
                part.exact};
    }
    [[nodiscard]] bool isTextKey(const CatalogColumn &key) const override
    {
        return !isUuidBytes(key) && FilterSql::isTextKey(key);
    }
    [[nodiscard]] Condition keyIs(const CatalogColumn &key, const QString &text) override
    {
        return {isTextKey(key) ? equals({textOf(key), &key}, text)
                               : mariadb::equals(*m_sql, key, text)};
    }
    [[nodiscard]] Condition keyBegins(const CatalogColumn &key, const QString &start) override;
    [[nodiscard]] QString payloadBytes(const CatalogColumn &column) const override
    {
        const QString cell = mariadb::aliased(column.name);
        return u"IFNULL(LENGTH(%1), 0)"_s.arg(
            column.typeClass == TypeClass::Bytes ? cell : u"CONVERT(%1 USING utf8mb4)"_s.arg(cell));
    }
    [[nodiscard]] QString microseconds(const CatalogColumn &column) const override
    {
        return mariadb::microseconds(&column, m_shape.zoneOf(column.name));
    }
    [[nodiscard]] bool needsZone(const CatalogColumn &column) const override
    {
        return mariadb::isWithoutZone(column);
    }
    [[nodiscard]] QString nowUs() const override { return mariadb::nowUs(); }
    [[nodiscard]] QString timeWithin(const CatalogColumn &column, const FilterSpan &span) override;
    [[nodiscard]] QString agedWithin(const CatalogColumn &column, const FilterSpan &span) override;

private:
    [[nodiscard]] static bool hasCollation(const CatalogColumn *column)
    {
        return column
            && (column->typeClass == TypeClass::Text || column->plainType.endsWith("char"_L1));
    }
    const QString m_keyText;
};

FilterSql::Condition MariadbFilter::keyBegins(const CatalogColumn &key, const QString &start)
{
    const QString name = mariadb::aliased(key.name);
    if (isUuidBytes(key)) {
        const auto range = uuidRange(start);
        if (!range)
            return {conditions::sqlFalse};
        const QString from = mariadb::bind(*m_sql, QByteArray::fromHex(range->first.toLatin1()));
        return {name + u" BETWEEN "_s + from + u" AND "_s
                + mariadb::bind(*m_sql, QByteArray::fromHex(range->second.toLatin1()))};
    }
    if (key.typeClass == TypeClass::Integer)
        return {numberBegins(name, start)};
    QString escaped = start;
    escaped.replace(u'!', u"!!"_s).replace(u'%', u"!%"_s).replace(u'_', u"!_"_s);
    const QString pattern = escaped + u'%';
    QString condition;
    if (hasCollation(&key)) // for its index; the case is minded below
        condition = name + u" LIKE "_s + mariadb::bind(*m_sql, pattern) + u" ESCAPE '!' AND "_s;
    condition += mariadb::exactly(textOf(key)) + u" LIKE "_s;
    return {condition + mariadb::exactly(mariadb::bind(*m_sql, pattern)) + u" ESCAPE '!'"_s};
}

QString MariadbFilter::timeWithin(const CatalogColumn &column, const FilterSpan &span)
{
    if (column.typeClass != TypeClass::Time)
        return within(microseconds(column), span, 1000);
    const auto moment = [&](double ms) -> QString {
        auto us = static_cast<qlonglong>(ms * 1000);
        if (mariadb::isWithoutZone(column))
            us = firstLocalOf(us, m_shape.zoneOf(column.name));
        return u"TIMESTAMP'1970-01-01 00:00:00' + INTERVAL "_s + mariadb::bind(*m_sql, QVariant(us))
            + u" MICROSECOND"_s;
    };
    QStringList ends; // the bare column, so that its index serves
    if (span.from)
        ends += mariadb::aliased(column.name) + u" >= "_s + moment(*span.from);
    if (span.to)
        ends += mariadb::aliased(column.name) + u" < "_s + moment(*span.to);
    return u'(' + ends.join(u" AND "_s) + u')';
}

QString MariadbFilter::agedWithin(const CatalogColumn &column, const FilterSpan &span)
{
    if (column.typeClass != TypeClass::Time)
        return within(nowUs() + u" - ("_s + microseconds(column) + u')', span, 1e6);
    const QString zone = mariadb::isWithoutZone(column) ? m_shape.zoneOf(column.name) : u"UTC"_s;
    const auto first = [&](double seconds, bool isAfter) {
        return mariadb::firstLocal(*m_sql, static_cast<qint64>(seconds * 1e6) - (isAfter ? 1 : 0),
                                   zone);
    };
    QStringList ends; // the bare column, so that its index serves
    if (span.from)
        ends += mariadb::aliased(column.name) + u" < "_s + first(*span.from, span.withFrom);
    if (span.to)
        ends += mariadb::aliased(column.name) + u" >= "_s + first(*span.to, !span.withTo);
    return u'(' + ends.join(u" AND "_s) + u')';
}

} // namespace

Result<FilterPush> MariadbDialect::push(const CheckNode &checks, SqlText &sql,
                                        PayloadTexts texts) const
{
    return MariadbFilter(m_shape, m_table, keyText()).push(checks, sql, texts);
}

bool MariadbDialect::keysAreUuids() const
{
    return !m_shape.keyColumn.isEmpty() && isUuidBytes(column(m_shape.keyColumn));
}

} // namespace outbox
