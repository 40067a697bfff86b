// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/dialect/filtersql.h"

#include "connectors/sql/dialect/conditions.h"
#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/driver/sqlnames.h"
#include "models/mapping/meaning.h"

#include <algorithm>
#include <cmath>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace conditions;

Result<FilterPush> FilterSql::push(const CheckNode &checks, PayloadTexts texts)
{
    m_texts = texts;
    m_isOfOpenRows = truthOf(checks,
                             [](const FieldCheck &check) {
                                 if (check.field != FilterField::State)
                                     return Truth::Unknown;
                                 return check.words.contains(word(MessageState::Processed))
                                     ? Truth::Yes
                                     : Truth::No;
                             })
        == Truth::No;
    m_fault.reset();
    FilterPush result{sqlTrue, {}};
    QList<SqlFragment> parts;
    for (const CheckNode &part : checks.parts) {
        const Condition one = node(part, Side::Over);
        if (!one.exact)
            result.rest.parts += part;
        if (one.sql == sqlFalse)
            result.condition = sqlFalse;
        if (one.sql != sqlTrue)
            parts += one.sql;
    }
    if (m_fault)
        return Failure(*m_fault);
    // The predicate cannot make such checks on what it is given of a row.
    if (const FieldCheck *undecided = firstThatNeeds(result.rest, &FilterNeeds::columns)) {
        return filterFault(
            undecided->position,
            u"`%1` cannot stand here beside what the database does not know"_s.arg(undecided->name),
            u"let it hold by itself, outside of brackets and `or`"_s, Error::Kind::Unsupported);
    }
    if (result.condition != sqlFalse && !parts.isEmpty())
        result.condition = SqlFragment::joined(parts, u" AND "_s);
    return result;
}

FilterSql::Condition FilterSql::negated(const Condition &condition) const
{
    if (condition.sql == sqlTrue || condition.sql == sqlFalse)
        return {opposite(condition.sql.text), condition.exact};
    const QString text = u"NOT ("_s + m_flavor.notNull(condition.sql.text) + u')';
    return {SqlFragment(text, condition.sql.values), condition.exact};
}

FilterSql::Condition FilterSql::node(const CheckNode &node, Side side)
{
    const Side other = side == Side::Over ? Side::Under : Side::Over;
    switch (node.kind) {
    case FilterNode::Kind::Not:
        return negated(this->node(node.parts.first(), other));
    case FilterNode::Kind::Term:
        return node.check.negated ? negated(leaf(node.check, other)) : leaf(node.check, side);
    case FilterNode::Kind::All:
    case FilterNode::Kind::Any:
        break;
    }
    return group(node, side);
}

FilterSql::Condition FilterSql::group(const CheckNode &node, Side side)
{
    const QString decides = node.kind == FilterNode::Kind::All ? sqlFalse : sqlTrue;
    const QString neutral = node.kind == FilterNode::Kind::All ? sqlTrue : sqlFalse;
    QList<SqlFragment> kept;
    bool exact = true;
    for (const CheckNode &part : node.parts) {
        const Condition one = this->node(part, side);
        if (one.sql == decides) // what follows may still be wrong, but it changes nothing
            return {decides, one.exact};
        exact = exact && one.exact;
        if (one.sql != neutral)
            kept += u'(' + one.sql + u')';
    }
    if (kept.isEmpty())
        return {neutral, exact};
    const QString between = node.kind == FilterNode::Kind::All ? u" AND "_s : u" OR "_s;
    return {u'(' + SqlFragment::joined(kept, between) + u')', exact};
}

FilterSql::Condition FilterSql::leaf(const FieldCheck &check, Side side)
{
    const auto condition = ofField(check);
    if (condition && (condition->exact || side == Side::Over))
        return *condition;
    return {side == Side::Over ? sqlTrue : sqlFalse, false};
}

void FilterSql::refuse(const FieldCheck &check, Error::Kind kind, const QString &text,
                       const QString &hint)
{
    if (!m_fault)
        m_fault = filterFault(check.position, text, hint, kind).value();
}

FilterSql::Condition FilterSql::anyOf(qsizetype count,
                                      const std::function<Condition(qsizetype)> &one)
{
    QList<SqlFragment> ways;
    bool exact = true;
    for (qsizetype i = 0; i < count; ++i) {
        Condition way = one(i);
        exact = exact && way.exact;
        if (way.sql == sqlTrue)
            return way;
        if (way.sql != sqlFalse)
            ways += way.sql;
    }
    return {either(ways), exact};
}

SqlFragment FilterSql::either(const QList<SqlFragment> &conditions)
{
    QList<SqlFragment> kept = conditions;
    kept.removeAll(SqlFragment(sqlFalse));
    if (kept.contains(SqlFragment(sqlTrue)))
        return sqlTrue;
    if (kept.size() < 2)
        return kept.value(0, sqlFalse);
    return u"(("_s + SqlFragment::joined(kept, u") OR ("_s) + u"))"_s;
}

QString FilterSql::isHeld() const
{
    return sqlFalse;
}

SqlFragment FilterSql::number(const QVariant &value) const
{
    const bool isWhole = value.typeId() != QMetaType::Double;
    return m_flavor.bound(value, isWhole ? u"bigint"_s : u"double precision"_s);
}

QString FilterSql::keyText() const
{
    return states().key(u"t."_s);
}

bool FilterSql::needsZone(const CatalogColumn &column) const
{
    return outbox::needsZone(column, m_flavor.database().isLoose);
}

SqlFragment FilterSql::isMissing(const Cell &cell) const
{
    return u'(' + cell.text + u" IS NULL OR "_s + cell.text + u" = '')"_s;
}

FilterSql::Condition FilterSql::textMeets(const Cell &cell, const FieldCheck &check,
                                          bool emptyIsMissing) const
{
    const SqlFragment missing = emptyIsMissing ? isMissing(cell) : cell.text + u" IS NULL"_s;
    if (check.orMissing && check.orGiven)
        return {sqlTrue};
    const qsizetype count = check.patterns.size();
    return anyOf(count + 2, [&](qsizetype i) -> Condition {
        if (i == 0)
            return {check.orMissing ? missing : SqlFragment(sqlFalse)};
        if (i == 1)
            return {check.orGiven ? u"NOT ("_s + missing + u')' : SqlFragment(sqlFalse)};
        const FilterPattern &pattern = check.patterns.at(i - 2);
        if (pattern.text.isEmpty() && emptyIsMissing)
            return {sqlFalse}; // said by orMissing
        switch (pattern.how) {
        case FilterPattern::How::Part:
            return holds(cell, pattern.text);
        case FilterPattern::How::Whole:
            return {fits(cell, pattern.text)};
        case FilterPattern::How::Start: {
            // Only keys are asked for by their beginning, and there a star stands for itself.
            QString start = pattern.text;
            if (start.contains(u'*') || start.contains(u'?'))
                return {sqlTrue, false};
            return {fits(cell, start + u'*')};
        }
        case FilterPattern::How::Exact:
            break;
        }
        return {equals(cell, pattern.text)};
    });
}

SqlFragment FilterSql::within(const SqlFragment &number, const FilterSpan &span, double unit) const
{
    const auto value = [&](double end) {
        const double scaled = end * unit;
        const bool isWhole = std::abs(scaled) < 9e15 && std::trunc(scaled) == scaled;
        return this->number(isWhole ? QVariant(static_cast<qlonglong>(scaled)) : QVariant(scaled));
    };
    QList<SqlFragment> ends;
    if (span.from)
        ends += u'(' + number + u')' + (span.withFrom ? u" >= "_s : u" > "_s) + value(*span.from);
    if (span.to)
        ends += u'(' + number + u')' + (span.withTo ? u" <= "_s : u" < "_s) + value(*span.to);
    return u'(' + SqlFragment::joined(ends, u" AND "_s) + u')';
}

FilterSql::Condition FilterSql::numberMeets(const QString &number, const FieldCheck &check,
                                            double unit)
{
    return anyOf(check.spans.size() + 2, [&](qsizetype i) -> Condition {
        if (i == 0)
            return {check.orMissing ? QString(u'(' + number + u") IS NULL"_s) : sqlFalse};
        if (i == 1)
            return {check.orGiven ? QString(u'(' + number + u") IS NOT NULL"_s) : sqlFalse};
        return {within(number, check.spans.at(i - 2), unit)};
    });
}

SqlFragment FilterSql::isLike(const SqlFragment &text, const QString &pattern) const
{
    return text + u" LIKE "_s + m_flavor.mindingCase(m_flavor.bound(pattern, u"text"_s))
        + u" ESCAPE '!'"_s;
}

SqlFragment FilterSql::equals(const Cell &cell, const QString &text) const
{
    return m_flavor.mindingCase(cell.text) + u" = "_s
        + m_flavor.mindingCase(m_flavor.bound(text, u"text"_s));
}

SqlFragment FilterSql::fits(const Cell &cell, const QString &wildcards) const
{
    return isLike(m_flavor.mindingCase(cell.text), likePattern(wildcards));
}

FilterSql::Condition FilterSql::holds(const Cell &cell, const QString &folded) const
{
    return {isLike(m_flavor.lowered(cell.text), likePart(folded)), isAscii(folded)};
}

bool FilterSql::isTextKey(const CatalogColumn &key) const
{
    return !m_flavor.holdsUuids(key) && key.typeClass != TypeClass::Integer;
}

FilterSql::Condition FilterSql::keyIs(const CatalogColumn &key, const QString &text) const
{
    return {aliased(key.name) + u" = "_s + m_flavor.placed(text, key)};
}

FilterSql::Condition FilterSql::keyBegins(const CatalogColumn &key, const QString &start) const
{
    const QString name = aliased(key.name);
    if (m_flavor.holdsUuids(key)) { // a range finds its rows by the index
        const auto range = uuidRange(start);
        if (!range)
            return {sqlFalse};
        const auto end = [&](const QString &digits) {
            return m_flavor.bound(m_flavor.valueOf(digits, key), u"uuid"_s);
        };
        return {name + u" BETWEEN "_s + end(range->first) + u" AND "_s + end(range->second)};
    }
    if (key.typeClass == TypeClass::Integer)
        return {numberBegins(name, start)};
    return textKeyBegins(key, start);
}

QString FilterSql::payloadBytes(const CatalogColumn &column) const
{
    return u"coalesce("_s + m_flavor.payloadSize(column) + u", 0)"_s;
}

SqlFragment FilterSql::numberBegins(const QString &name, const QString &start) const
{
    QList<SqlFragment> ranges;
    for (const auto &[low, high] : integerRanges(start))
        ranges += name + u" BETWEEN "_s + number(low) + u" AND "_s + number(high);
    return either(ranges);
}

QString likePart(const QString &folded)
{
    QString pattern = u"%"_s;
    for (const char32_t character : folded.toUcs4()) {
        if (character >= 128)
            pattern += u'_';
        else if (QStringView(u"%_!").contains(QChar(character)))
            pattern += QString(u'!') + QChar(character);
        else
            pattern += QChar(character);
    }
    return pattern + u'%';
}

ByteText byteText(const QString &folded, const QString &backslash)
{
    ByteText bytes;
    bytes.pattern = u"%"_s;
    bytes.exact = isAscii(folded);
    bytes.longest = u""_s; // one that is null would be bound as NULL
    QString part = u""_s;
    for (const QChar character : folded) {
        if (character.unicode() >= 128) {
            bytes.pattern += u'%';
            part = u""_s;
            continue;
        }
        if (QStringView(u"%_!").contains(character))
            bytes.pattern += u'!';
        bytes.pattern += character == u'\\' ? backslash : QString(character);
        part += character;
        if (part.size() > bytes.longest.size())
            bytes.longest = part;
    }
    bytes.pattern += u'%';
    return bytes;
}

bool isAscii(QStringView text)
{
    return std::all_of(text.begin(), text.end(), [](QChar c) { return c.unicode() < 128; });
}

} // namespace outbox
