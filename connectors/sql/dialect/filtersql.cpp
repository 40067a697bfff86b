// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/dialect/filtersql.h"

#include "connectors/sql/dialect/conditions.h"
#include "connectors/sql/dialect/dialect.h"

#include <algorithm>
#include <cmath>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace conditions;

namespace {

/// Checks that the predicate cannot make on what it is given of a row.
const FieldCheck *columnCheck(const CheckNode &node)
{
    if (node.kind == FilterNode::Kind::Term)
        return needsOf(node).columns ? &node.check : nullptr;
    for (const CheckNode &part : node.parts) {
        if (const FieldCheck *found = columnCheck(part))
            return found;
    }
    return nullptr;
}

} // namespace

Result<FilterPush> FilterSql::push(const CheckNode &checks, SqlText &sql, PayloadTexts texts)
{
    m_sql = &sql;
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
    QStringList parts;
    const auto start = sql.values.size();
    for (const CheckNode &part : checks.parts) {
        const Condition one = node(part, Side::Over);
        if (!one.exact)
            result.rest.parts += part;
        if (one.text == sqlFalse)
            result.condition = sqlFalse;
        if (one.text != sqlTrue)
            parts += one.text;
    }
    m_sql = nullptr;
    if (m_fault)
        return Failure(*m_fault);
    if (const FieldCheck *undecided = columnCheck(result.rest)) {
        return filterFault(
            undecided->position,
            u"`%1` cannot stand here beside what the database does not know"_s.arg(undecided->name),
            u"let it hold by itself, outside of brackets and `or`"_s, Error::Kind::Unsupported);
    }
    if (result.condition == sqlFalse)
        sql.values.resize(start);
    else if (!parts.isEmpty())
        result.condition = parts.join(u" AND "_s);
    return result;
}

FilterSql::Condition FilterSql::negated(const Condition &condition) const
{
    return {opposite(notNull(condition.text)), condition.exact};
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
    // Values are bound in the order of the text: what is dropped from it takes its values along.
    const QString decides = node.kind == FilterNode::Kind::All ? sqlFalse : sqlTrue;
    const QString neutral = node.kind == FilterNode::Kind::All ? sqlTrue : sqlFalse;
    const auto start = m_sql->values.size();
    QStringList kept;
    bool exact = true;
    for (const CheckNode &part : node.parts) {
        const Condition one = this->node(part, side);
        if (one.text == decides && one.exact) {
            m_sql->values.resize(start);
            return {decides, true};
        }
        exact = exact && one.exact;
        if (one.text == decides) { // what follows may still be wrong, but it changes nothing
            m_sql->values.resize(start);
            return {decides, false};
        }
        if (one.text != neutral)
            kept += u'(' + one.text + u')';
    }
    if (kept.isEmpty())
        return {neutral, exact};
    return {u'(' + kept.join(node.kind == FilterNode::Kind::All ? u" AND "_s : u" OR "_s) + u')',
            exact};
}

FilterSql::Condition FilterSql::leaf(const FieldCheck &check, Side side)
{
    const auto start = m_sql->values.size();
    const auto condition = ofField(check);
    if (condition && (condition->exact || side == Side::Over))
        return *condition;
    m_sql->values.resize(start);
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
    const auto start = m_sql->values.size();
    QStringList ways;
    bool exact = true;
    for (qsizetype i = 0; i < count; ++i) {
        const Condition way = one(i);
        exact = exact && way.exact;
        if (way.text == sqlTrue) {
            m_sql->values.resize(start);
            return {sqlTrue, way.exact};
        }
        if (way.text != sqlFalse)
            ways += way.text;
    }
    return {either(ways), exact};
}

QString FilterSql::isMissing(const Cell &cell) const
{
    return u'(' + cell.text + u" IS NULL OR "_s + cell.text + u" = '')"_s;
}

FilterSql::Condition FilterSql::textMeets(const Cell &cell, const FieldCheck &check,
                                          bool emptyIsMissing)
{
    const QString missing = emptyIsMissing ? isMissing(cell) : QString(cell.text + u" IS NULL"_s);
    if (check.orMissing && check.orGiven)
        return {sqlTrue};
    const qsizetype count = check.patterns.size();
    return anyOf(count + 2, [&](qsizetype i) -> Condition {
        if (i == 0)
            return {check.orMissing ? missing : sqlFalse};
        if (i == 1)
            return {check.orGiven ? opposite(missing) : sqlFalse};
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

QString FilterSql::within(const QString &number, const FilterSpan &span, double unit)
{
    const auto value = [&](double end) -> QString {
        const double scaled = end * unit;
        const bool isWhole = std::abs(scaled) < 9e15 && std::trunc(scaled) == scaled;
        return bound(isWhole ? QVariant(static_cast<qlonglong>(scaled)) : QVariant(scaled));
    };
    QStringList ends;
    if (span.from)
        ends += u'(' + number + u')' + (span.withFrom ? u" >= "_s : u" > "_s) + value(*span.from);
    if (span.to)
        ends += u'(' + number + u')' + (span.withTo ? u" <= "_s : u" < "_s) + value(*span.to);
    return u'(' + ends.join(u" AND "_s) + u')';
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

bool FilterSql::isTextKey(const CatalogColumn &key) const
{
    return key.typeClass != TypeClass::Integer;
}

QString FilterSql::numberBegins(const QString &name, const QString &start)
{
    QStringList ranges;
    for (const auto &[low, high] : integerRanges(start)) {
        const QString from = bound(low);
        ranges += name + u" BETWEEN "_s + from + u" AND "_s + bound(high);
    }
    return conditions::either(ranges);
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
