// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The fields of a filter in the words of a shape: which cells of a row they ask.
#include "connectors/sql/dialect/conditions.h"
#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/dialect/filtersql.h"
#include "connectors/sql/driver/sqlnames.h"
#include "models/filter/cause.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace conditions;

namespace {

using Field = FilterField;

/// The beginning of a pattern, up to its first wildcard.
QString literalStart(const QString &wildcards)
{
    const auto isWild = [](QChar c) { return c == u'*' || c == u'?'; };
    return wildcards.left(std::find_if(wildcards.begin(), wildcards.end(), isWild)
                          - wildcards.begin());
}

} // namespace

FilterSql::Condition FilterSql::constant(bool holds)
{
    return {holds ? sqlTrue : sqlFalse, true};
}

std::optional<FilterSql::Condition> FilterSql::ofField(const FieldCheck &check)
{
    switch (check.field) {
    case Field::Word:
        return wordMeets(check);
    case Field::State:
        return inStates(check);
    case Field::Id:
        return idMeets(check);
    case Field::Type:
        return typeMeets(check);
    case Field::Queue: {
        if (m_shape.hasShards()) // no database knows our hash
            return std::nullopt;
        const CatalogColumn *column = m_table.column(m_shape.queueColumn);
        return column ? textMeets({textOf(*column), column}, check, true)
                      : constant(meets(check, QString()));
    }
    case Field::Error: {
        const QString error = states().error(u"t."_s);
        return error.isEmpty() ? constant(meets(check, QString()))
                               : textMeets({error, nullptr}, check, true);
    }
    case Field::Cause:
        return causeMeets(check);
    case Field::Created:
        return timeMeets(m_shape.createdColumn, check, false);
    case Field::Processed:
        return timeMeets(m_shape.processedWhenColumn(), check, false);
    case Field::Due:
        return timeMeets(m_shape.dueColumn, check, false);
    case Field::Age:
        return timeMeets(m_shape.createdColumn, check, true);
    case Field::Wait:
        return waitMeets(check);
    case Field::Attempts:
        return countMeets(m_shape.attemptsColumn, check);
    case Field::Max:
        if (m_shape.maxAttemptsColumn.isEmpty() && m_shape.maxAttempts > 0)
            return constant(meets(check, std::optional<double>(m_shape.maxAttempts)));
        return countMeets(m_shape.maxAttemptsColumn, check);
    case Field::Locked: {
        const QString locked = states().filter(u"t."_s, {MessageState::Locked}, isHeld());
        if (check.orGiven && check.orMissing)
            return constant(true);
        return Condition{check.orGiven ? locked : opposite(locked)};
    }
    case Field::Size: {
        const CatalogColumn *column = m_table.column(m_shape.payloadColumn);
        if (m_shape.payloadForm == OutboxShape::PayloadForm::Reference)
            return std::nullopt;
        return column ? numberMeets(payloadBytes(*column), check)
                      : constant(meets(check, std::optional<double>(0)));
    }
    case Field::Payload: {
        const CatalogColumn *column = m_table.column(m_shape.payloadColumn);
        if (!column || m_shape.payloadForm == OutboxShape::PayloadForm::Reference)
            return std::nullopt;
        if (!check.path.isEmpty())
            return memberMeets(*column, check);
        if (m_texts == PayloadTexts::Apart)
            return std::nullopt;
        return anyOf(check.patterns.size(), [&](qsizetype i) -> Condition {
            return payloadHolds(*column, check.patterns.at(i).text);
        });
    }
    case Field::Header:
    case Field::Column:
        return columnMeets(check);
    default: // who holds a row is told of those on a page only, and the queue knows no SQL
        return std::nullopt;
    }
}

FilterSql::Condition FilterSql::inStates(const FieldCheck &check) const
{
    QList<MessageState> wanted;
    for (const QString &word : check.words) {
        if (const auto state = messageStateFromWord(word); state)
            wanted += *state;
    }
    // No row is parked by what stands in it. Of no states at all RowStates would give every row.
    wanted.removeAll(MessageState::Parked);
    return {wanted.isEmpty() ? sqlFalse : states().filter(u"t."_s, wanted, isHeld()), true};
}

FilterSql::Condition FilterSql::keyFits(const CatalogColumn &key, const FilterPattern &pattern)
{
    switch (pattern.how) {
    case FilterPattern::How::Start:
        return keyBegins(key, pattern.text);
    case FilterPattern::How::Exact:
        return fitsExactly(pattern.text, key) ? keyIs(key, pattern.text) : constant(false);
    case FilterPattern::How::Whole:
        if (isTextKey(key))
            return {fits({textOf(key), &key}, pattern.text)};
        if (const QString start = literalStart(pattern.text); !start.isEmpty())
            return {keyBegins(key, start).sql, false};
        break;
    case FilterPattern::How::Part:
        if (isTextKey(key))
            return holds({textOf(key), &key}, pattern.text);
        break;
    }
    return {conditions::sqlTrue, false};
}

FilterSql::Condition FilterSql::idMeets(const FieldCheck &check)
{
    if (check.orGiven || check.orMissing) // every row has a key
        return constant(check.orGiven);
    const CatalogColumn *key = m_table.column(m_shape.keyColumn);
    return anyOf(check.patterns.size(), [&](qsizetype i) -> Condition {
        if (key)
            return keyFits(*key, check.patterns.at(i));
        FieldCheck alone;
        alone.patterns = {check.patterns.at(i)};
        return textMeets({keyText(), nullptr}, alone, true);
    });
}

FilterSql::Condition FilterSql::typeMeets(const FieldCheck &check)
{
    const QString type = states().type(u"t."_s);
    if (type.isEmpty())
        return constant(meets(check, m_shape.fixedType));
    const CatalogColumn *column
        = m_shape.typeIn.isEmpty() ? m_table.column(m_shape.typeColumn) : nullptr;
    return textMeets({column ? textOf(*column) : type, column}, check, true);
}

FilterSql::Condition FilterSql::causeMeets(const FieldCheck &check)
{
    const QString error = states().error(u"t."_s);
    if (error.isEmpty())
        return constant(meets(check, QString()));
    FieldCheck wider = check;
    for (FilterPattern &pattern : wider.patterns)
        pattern = pattern.text.isEmpty() ? pattern : errorsOfCause(pattern);
    Condition condition = textMeets({error, nullptr}, wider, true);
    condition.exact = condition.exact && check.patterns.isEmpty();
    return condition;
}

FilterSql::Condition FilterSql::wordMeets(const FieldCheck &check)
{
    return anyOf(check.patterns.size(), [&](qsizetype i) -> Condition {
        FieldCheck one;
        one.patterns = {check.patterns.at(i)};
        return one.patterns.first().how == FilterPattern::How::Start ? idMeets(one)
                                                                     : typeMeets(one);
    });
}

FilterSql::Condition FilterSql::countMeets(const QString &column, const FieldCheck &check)
{
    const CatalogColumn *known = m_table.column(column);
    if (!known)
        return constant(meets(check, std::optional<double>()));
    if (known->typeClass == TypeClass::Integer)
        return numberMeets(aliased(known->name), check);
    if (check.field == Field::Max)
        refuse(check, Error::Kind::Unsupported, u"`max` is no whole number in this table"_s);
    return {sqlTrue, false};
}

bool FilterSql::isTold(const CatalogColumn &column, const FieldCheck &check)
{
    if (!needsZone(column) || !m_shape.zoneOf(column.name).isEmpty())
        return true;
    refuse(check, Error::Kind::Unsupported,
           u"nobody said the time zone of \"%1\""_s.arg(column.name), timeZoneHint);
    return false;
}

FilterSql::Condition FilterSql::timeMeets(const QString &column, const FieldCheck &check,
                                          bool byAge)
{
    const CatalogColumn *known = m_table.column(column);
    if (!known)
        return constant(meets(check, std::optional<double>()));
    if (!check.spans.isEmpty() && !isTold(*known, check))
        return {sqlFalse, false};
    const bool isUntold = needsZone(*known) && m_shape.zoneOf(known->name).isEmpty();
    const QString us = isUntold ? aliased(known->name) : microseconds(*known);
    return anyOf(check.spans.size() + 2, [&](qsizetype i) -> Condition {
        if (i == 0)
            return {check.orMissing ? QString(u'(' + us + u") IS NULL"_s) : sqlFalse};
        if (i == 1)
            return {check.orGiven ? QString(u'(' + us + u") IS NOT NULL"_s) : sqlFalse};
        const FilterSpan &span = check.spans.at(i - 2);
        return {byAge ? agedWithin(*known, span) : timeWithin(*known, span)};
    });
}

FilterSql::Condition FilterSql::waitMeets(const FieldCheck &check)
{
    const CatalogColumn *created = m_table.column(m_shape.createdColumn);
    const CatalogColumn *processed = m_table.column(m_shape.processedWhenColumn());
    if (!created)
        return constant(meets(check, std::optional<double>()));
    if (!isTold(*created, check) || (processed && !isTold(*processed, check)))
        return {sqlFalse, false};
    const QString end = processed
        ? u"coalesce("_s + microseconds(*processed) + u", "_s + m_flavor.nowUs() + u')'
        : m_flavor.nowUs();
    return numberMeets(end + u" - ("_s + microseconds(*created) + u')', check, 1e6);
}

std::optional<FilterSql::Condition> FilterSql::columnMeets(const FieldCheck &check)
{
    if (check.field == Field::Header) {
        const CatalogColumn *headers = m_table.column(m_shape.headersColumn);
        auto met = headers ? memberMeets(*headers, check) : std::nullopt;
        if (!met) {
            refuse(check, Error::Kind::Unsupported,
                   headers ? u"the headers of this table cannot be looked into"_s
                           : u"the shape names no column of headers"_s);
        }
        return met;
    }
    const CatalogColumn *known = m_table.column(check.path.first());
    if (!known) {
        QStringList names;
        for (const CatalogColumn &one : m_table.columns)
            names += one.name;
        const QString nearest = nearestName(check.path.first(), names);
        refuse(check, Error::Kind::Invalid,
               u"there is no column \"%1\" in this table"_s.arg(check.path.first()),
               nearest.isEmpty() ? QString() : u"Did you mean `col.%1`?"_s.arg(nearest));
        return std::nullopt;
    }
    if (check.spansAreTimes && known->typeClass == TypeClass::Time)
        return timeMeets(known->name, check, false);
    if (!check.spans.isEmpty()) {
        if (!check.spansAreTimes && known->typeClass == TypeClass::Integer)
            return numberMeets(aliased(known->name), check);
        refuse(check, Error::Kind::Unsupported,
               u"\"%1\" is no column of %2"_s.arg(
                   known->name, check.spansAreTimes ? u"times"_s : u"whole numbers"_s));
        return std::nullopt;
    }
    return textMeets({textOf(*known), known}, check, false);
}

std::optional<FilterSql::Condition> FilterSql::memberMeets(const CatalogColumn & /*column*/,
                                                           const FieldCheck & /*check*/) const
{
    return std::nullopt;
}

} // namespace outbox
