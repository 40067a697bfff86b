// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/checks.h"

#include "models/filter/pattern.h"
#include "models/filter/values.h"
#include "models/nearest.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using Taken = Result<void>;

constexpr int mostStarsOfValue = 12; ///< databases try every way to place them

bool isEquality(FilterOp op)
{
    return op == FilterOp::Matches || op == FilterOp::Equals || op == FilterOp::Differs;
}

bool isOrder(FilterOp op)
{
    return op == FilterOp::Less || op == FilterOp::LessOrEqual || op == FilterOp::Greater
        || op == FilterOp::GreaterOrEqual;
}

bool isPart(FilterOp op)
{
    return op == FilterOp::Contains || op == FilterOp::Lacks;
}

bool hasWildcard(QStringView text)
{
    return text.contains(u'*') || text.contains(u'?');
}

class CheckReader
{
public:
    CheckReader(const FilterTerm &term, const FieldInfo &info, FilterSubject subject,
                const QDateTime &now)
        : m_term(term), m_info(info), m_subject(subject), m_now(now)
    {
        m_check.field = info.field;
        m_check.name = term.field;
        m_check.position = term.position;
        m_check.negated = term.op == FilterOp::Differs || term.op == FilterOp::Lacks;
    }

    Result<FieldCheck> check()
    {
        TRY(path());
        for (const FilterValue &value : m_term.values) {
            TRY(takePresence(value) ? Taken() : take(value));
        }
        return m_check;
    }

private:
    [[nodiscard]] Failure signFault() const
    {
        return filterFault(m_term.position,
                           u"`%1` does not take `%2`"_s.arg(m_term.field, sign(m_term.op)),
                           u"write `%1`"_s.arg(m_info.example));
    }

    /// Only payload, header and col have members.
    Taken path()
    {
        const bool isValue = m_info.kind == FilterKind::Value;
        QString rest = m_term.field.mid(m_term.name().size());
        if (!isValue && !rest.isEmpty()) {
            return filterFault(m_term.position, u"`%1` has no members"_s.arg(m_info.name),
                               u"write `%1`"_s.arg(m_info.example));
        }
        if (m_info.field == FilterField::Column) // a name, whatever is in it
            m_check.path = rest.isEmpty() ? QStringList() : QStringList{rest.mid(1)};
        else
            m_check.path = rest.replace(u'[', u'.').remove(u']').split(u'.', Qt::SkipEmptyParts);
        if (isValue && m_check.path.isEmpty()
            && !(m_info.field == FilterField::Payload && isPart(m_term.op))) {
            return filterFault(m_term.position, u"`%1` needs a member"_s.arg(m_info.name),
                               m_info.field == FilterField::Payload
                                   ? u"write `payload.user.id:42`, or `payload~text`"_s
                                   : u"write `%1`"_s.arg(m_info.example));
        }
        return {};
    }

    bool takePresence(const FilterValue &value)
    {
        if (!isEquality(m_term.op) || value.quoted || value.isRange()
            || m_info.kind == FilterKind::Words)
            return false;
        m_check.orMissing = m_check.orMissing || value.text == "none"_L1;
        m_check.orGiven = m_check.orGiven || value.text == "any"_L1;
        return value.text == "none"_L1 || value.text == "any"_L1;
    }

    Taken take(const FilterValue &value)
    {
        switch (m_info.kind) {
        case FilterKind::Words:
            return takeWord(value);
        case FilterKind::Text:
        case FilterKind::Start:
            return takeText(value);
        case FilterKind::Number:
        case FilterKind::Size:
        case FilterKind::Duration:
            return takeNumber(value);
        case FilterKind::Time:
            return takeTime(value);
        case FilterKind::Presence:
            break;
        case FilterKind::Value:
            if (!isOrder(m_term.op) && !value.isRange())
                return takeText(value);
            if (m_info.field != FilterField::Column || numberAt(value.text, value.position))
                return takeNumber(value);
            m_check.spansAreTimes = true;
            return takeTime(value);
        }
        return signFault();
    }

    Taken takeWord(const FilterValue &value)
    {
        if (!isEquality(m_term.op))
            return signFault();
        const QStringList known = wordsOf(m_subject, m_info.field);
        const QString word = value.text.toLower();
        if (!value.isRange() && known.contains(word)) {
            if (!m_check.words.contains(word))
                m_check.words += word;
            return {};
        }
        const QString nearest = nearestWord(word, known);
        return filterFault(value.position, u"`%1`: unknown %2"_s.arg(value.text, m_info.name),
                           nearest.isEmpty() ? u"known are %1"_s.arg(known.join(u", "_s))
                                             : u"Did you mean `%1`?"_s.arg(nearest));
    }

    Taken takeText(const FilterValue &value)
    {
        if (isOrder(m_term.op))
            return signFault();
        if (value.isRange()) {
            return filterFault(value.position, u"`%1` takes no range"_s.arg(m_term.field),
                               u"a text with two dots in it stands in quotes"_s);
        }
        if (m_term.op == FilterOp::Matches && value.text.count(u'*') > mostStarsOfValue) {
            return filterFault(
                value.position,
                u"a value has at most %1 of the wildcard `*`"_s.arg(mostStarsOfValue));
        }
        FilterPattern pattern{FilterPattern::How::Exact, value.text};
        const bool isMember = m_info.kind == FilterKind::Value;
        if (isPart(m_term.op)) {
            if (value.text.isEmpty())
                return filterFault(value.position, u"there is nothing in these quotes"_s);
            pattern = {FilterPattern::How::Part, foldedText(value.text)};
        } else if (value.text.isEmpty() && !isMember) {
            m_check.orMissing = true;
        } else if (m_term.op == FilterOp::Matches && !value.text.isEmpty()
                   && value.text.count(u'*') == value.text.size()) {
            m_check.orGiven = true;
            m_check.orMissing = !isMember;
            return {};
        } else if (m_term.op == FilterOp::Matches) {
            const bool isStart = m_info.kind == FilterKind::Start;
            if (isStart && pattern.text.endsWith(u'*'))
                pattern.text.chop(1); // an id is found by its beginning anyway
            pattern.how = hasWildcard(pattern.text) ? FilterPattern::How::Whole
                : isStart                           ? FilterPattern::How::Start
                                                    : FilterPattern::How::Exact;
            if (isStart && pattern.how == FilterPattern::How::Whole && value.text.endsWith(u'*'))
                pattern.text += u'*';
        }
        m_check.patterns += pattern;
        return {};
    }

    [[nodiscard]] Result<double> numberAt(const QString &text, int position) const
    {
        if (m_info.kind == FilterKind::Duration)
            return secondsOf(text, position);
        return m_info.kind == FilterKind::Size ? bytesOf(text, position) : numberOf(text, position);
    }

    Taken takeNumber(const FilterValue &value)
    {
        const bool isExact = isEquality(m_term.op) && !value.isRange();
        if (isPart(m_term.op) || (isOrder(m_term.op) && value.isRange())
            || (isExact && m_info.kind == FilterKind::Duration))
            return signFault(); // nothing is five minutes old but for a moment
        const auto number = TRY(numberAt(value.text, value.position));
        FilterSpan span{number, number, true, true};
        if (value.isRange()) {
            span.to = TRY(numberAt(value.to, value.endPosition()));
        }
        if (m_term.op == FilterOp::Less || m_term.op == FilterOp::LessOrEqual)
            span.from.reset();
        if (m_term.op == FilterOp::Greater || m_term.op == FilterOp::GreaterOrEqual)
            span.to.reset();
        span.withTo = m_term.op != FilterOp::Less;
        span.withFrom = m_term.op != FilterOp::Greater;
        return keep(span, value);
    }

    Taken takeTime(const FilterValue &value)
    {
        if (isPart(m_term.op) || (isOrder(m_term.op) && value.isRange()))
            return signFault();
        Moments moments = TRY(momentsOf(value.text, m_now, value.position));
        if (value.isRange()) {
            const auto last = TRY(momentsOf(value.to, m_now, value.endPosition()));
            moments.end = last.isSpan ? last.begin : last.end;
        }
        const auto begin = static_cast<double>(moments.begin.toMSecsSinceEpoch());
        const auto end = static_cast<double>(moments.end.toMSecsSinceEpoch());
        const double behind = moments.isSpan ? begin : end; // `-15m` is then a moment
        switch (m_term.op) {
        case FilterOp::Less:
            return keep({{}, begin, true, false}, value);
        case FilterOp::LessOrEqual:
            return keep({{}, behind, true, false}, value);
        case FilterOp::Greater:
            return keep({behind, {}, true, false}, value);
        case FilterOp::GreaterOrEqual:
            return keep({begin, {}, true, false}, value);
        default:
            return keep({begin, end, true, false}, value);
        }
    }

    Taken keep(const FilterSpan &span, const FilterValue &value)
    {
        if (span.from && span.to && *span.from > *span.to) {
            return filterFault(value.position, u"the range ends before it begins"_s,
                               u"write the smaller end first"_s);
        }
        m_check.spans += span;
        return {};
    }

    const FilterTerm &m_term;
    const FieldInfo &m_info;
    const FilterSubject m_subject;
    const QDateTime &m_now;
    FieldCheck m_check;
};

Result<CheckNode> checked(const FilterNode &node, FilterSubject subject, const QDateTime &now)
{
    CheckNode result{node.kind, {}, {}};
    if (node.kind != FilterNode::Kind::Term) {
        for (const FilterNode &part : node.parts) {
            result.parts += TRY(checked(part, subject, now));
        }
        return result;
    }
    if (node.term.isWord()) {
        const FilterValue &word = node.term.values.first();
        if (word.text.isEmpty())
            return filterFault(word.position, u"there is nothing in these quotes"_s);
        result.check.position = node.term.position;
        result.check.name = word.text;
        result.check.patterns += FilterPattern{FilterPattern::How::Start, word.text};
        if (word.quoted || !looksLikeId(word.text)) // an id alone is found by its index
            result.check.patterns += FilterPattern{FilterPattern::How::Part, foldedText(word.text)};
        return result;
    }
    const FieldInfo *info = fieldNamed(subject, node.term.name());
    if (!info)
        return fieldFault(node.term, subject);
    result.check = TRY(CheckReader(node.term, *info, subject, now).check());
    return result;
}

} // namespace

bool FilterPattern::fits(const QString &whole) const
{
    switch (how) {
    case FilterPattern::How::Whole:
        return fitsWildcards(text, whole);
    case FilterPattern::How::Start:
        return whole.startsWith(text);
    case FilterPattern::How::Part:
        return holdsFolded(whole, text);
    case FilterPattern::How::Exact:
        break;
    }
    return whole == text;
}

bool FilterSpan::has(double value) const
{
    return (!from || (withFrom ? value >= *from : value > *from))
        && (!to || (withTo ? value <= *to : value < *to));
}

Result<CheckNode> checksOf(const Filter &filter, FilterSubject subject, const QDateTime &now)
{
    return checked(filter.root, subject, now);
}

} // namespace outbox
