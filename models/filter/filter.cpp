// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/filter.h"

#include <QStringList>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString readingFilter = u"reading the filter"_s;

QString written(const FilterValue &value)
{
    if (value.quoted) {
        QString text = value.text;
        text.replace(u'\\', u"\\\\"_s).replace(u'"', u"\\\""_s);
        return u'"' + text + u'"';
    }
    return value.isRange() ? QString(value.text + ".."_L1 + value.to) : value.text;
}

QString written(const FilterTerm &term)
{
    QStringList values;
    for (const FilterValue &value : term.values)
        values += written(value);
    const QString list = values.join(u',');
    return term.isWord() ? list : QString(term.field + sign(term.op) + list);
}

/// How tightly a part holds together: `or` is the weakest.
int strength(const FilterNode &node)
{
    switch (node.kind) {
    case FilterNode::Kind::Any:
        return 0;
    case FilterNode::Kind::All:
        return 1;
    case FilterNode::Kind::Not:
        return 2;
    case FilterNode::Kind::Term:
        break;
    }
    return 3;
}

QString written(const FilterNode &node)
{
    if (node.kind == FilterNode::Kind::Term)
        return written(node.term);
    const auto inner = [&node](const FilterNode &part) -> QString {
        return strength(part) > strength(node) ? written(part) : u'(' + written(part) + u')';
    };
    if (node.kind == FilterNode::Kind::Not)
        return u'-' + inner(node.parts.first());
    QStringList parts;
    for (const FilterNode &part : node.parts)
        parts += inner(part);
    return parts.join(node.kind == FilterNode::Kind::Any ? u" or "_s : u" "_s);
}

bool mentioned(const FilterNode &node, const QString &name)
{
    if (node.kind == FilterNode::Kind::Term)
        return node.term.name() == name;
    return std::any_of(node.parts.begin(), node.parts.end(),
                       [&name](const FilterNode &part) { return mentioned(part, name); });
}

} // namespace

QString sign(FilterOp op)
{
    switch (op) {
    case FilterOp::Matches:
        return u":"_s;
    case FilterOp::Equals:
        return u"="_s;
    case FilterOp::Differs:
        return u"!="_s;
    case FilterOp::Less:
        return u"<"_s;
    case FilterOp::LessOrEqual:
        return u"<="_s;
    case FilterOp::Greater:
        return u">"_s;
    case FilterOp::GreaterOrEqual:
        return u">="_s;
    case FilterOp::Contains:
        return u"~"_s;
    case FilterOp::Lacks:
        break;
    }
    return u"!~"_s;
}

QString FilterTerm::name() const
{
    const auto ends = [](QChar c) { return c == u'.' || c == u'['; };
    return field.left(std::find_if(field.begin(), field.end(), ends) - field.begin());
}

Filter Filter::of(const QList<FilterTerm> &terms)
{
    Filter filter;
    for (const FilterTerm &term : terms)
        filter.root.parts += FilterNode{FilterNode::Kind::Term, term, {}};
    return filter;
}

QString Filter::text() const
{
    const bool isOne = root.parts.size() == 1; // `a or b` needs no brackets around it
    return isOne ? written(root.parts.first()) : written(root);
}

bool Filter::mentions(const QString &name) const
{
    return mentioned(root, name);
}

Failure filterFault(int position, QString text, QString hint, Error::Kind kind)
{
    auto fault = fail(kind, readingFilter, std::move(text), {}, std::move(hint));
    fault.value().position = position;
    return fault;
}

bool isFilterFault(const Error &error)
{
    return error.position >= 0 && error.doing == readingFilter;
}

namespace {

bool startsName(QChar c)
{
    return c.isLetter() || c == u'_';
}

bool goesOnName(QChar c)
{
    return c.isLetterOrNumber() || c == u'_';
}

/// Names of a path are those of other people's members.
bool goesOnPath(QChar c)
{
    return goesOnName(c) || c == u'-';
}

bool isSign(QChar c)
{
    return QStringView(u":=<>~").contains(c);
}

bool endsBare(QChar c)
{
    return c.isSpace() || c == u',' || c == u'(' || c == u')' || c == u'"';
}

/// A group of its parts, as `FilterNode` wants them.
FilterNode grouped(FilterNode::Kind kind, QList<FilterNode> parts)
{
    if (parts.size() == 1)
        return std::move(parts.first());
    FilterNode group{kind, {}, {}};
    for (FilterNode &part : parts) {
        if (part.kind == kind)
            group.parts += part.parts;
        else
            group.parts += std::move(part);
    }
    return group;
}

class Parser
{
public:
    explicit Parser(QStringView text) : m_text(text) { }

    Result<Filter> parse(std::optional<FilterTerm> *unfinished)
    {
        auto filter = whole();
        if (!filter && m_isIncomplete && unfinished)
            *unfinished = m_unfinished;
        return filter;
    }

private:
    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    [[nodiscard]] QChar at(qsizetype place) const
    {
        return place < m_text.size() ? m_text.at(place) : QChar();
    }
    [[nodiscard]] QChar here() const { return at(m_at); }
    [[nodiscard]] int position() const { return static_cast<int>(m_at); }
    void skipBlanks()
    {
        while (!atEnd() && here().isSpace())
            ++m_at;
    }

    /// A fault that goes away when more is written at the end.
    Failure missing(int position, const QString &text, const QString &hint)
    {
        m_isIncomplete = true;
        return filterFault(position, text, hint);
    }

    Result<Filter> whole()
    {
        if (m_text.size() > Filter::mostCharacters) {
            return filterFault(static_cast<int>(Filter::mostCharacters),
                               u"a filter has at most %1 characters"_s.arg(Filter::mostCharacters));
        }
        TRY(onlyText());
        Filter filter;
        skipBlanks();
        if (atEnd())
            return filter;
        auto root = TRY(any());
        if (!atEnd()) {
            return filterFault(position(), u"this bracket was not opened"_s,
                               u"a bracket that is meant as it stands needs quotes"_s);
        }
        if (root.kind == FilterNode::Kind::All)
            filter.root = std::move(root);
        else
            filter.root.parts += std::move(root);
        return filter;
    }

    /// Halves of surrogate pairs and NUL are in no text that a database holds.
    [[nodiscard]] Result<void> onlyText() const
    {
        for (qsizetype place = 0; place < m_text.size(); ++place) {
            const QChar c = m_text.at(place);
            if (c.isHighSurrogate() && at(place + 1).isLowSurrogate())
                ++place;
            else if (c.isNull() || c.isSurrogate())
                return filterFault(static_cast<int>(place), u"no text holds this character"_s);
        }
        return {};
    }

    /// The keyword of this name, if it stands here by itself.
    [[nodiscard]] bool isKeyword(QLatin1StringView word) const
    {
        if (!m_text.mid(m_at).startsWith(word, Qt::CaseInsensitive))
            return false;
        const qsizetype end = m_at + word.size();
        return end >= m_text.size() || endsBare(m_text.at(end));
    }
    bool takeKeyword(QLatin1StringView word)
    {
        if (!isKeyword(word))
            return false;
        m_at += word.size();
        skipBlanks();
        return true;
    }

    Result<FilterNode> any()
    {
        QList<FilterNode> parts;
        do {
            parts += TRY(all());
        } while (takeKeyword("or"_L1));
        return grouped(FilterNode::Kind::Any, std::move(parts));
    }

    Result<FilterNode> all()
    {
        QList<FilterNode> parts;
        do {
            parts += TRY(unary());
            skipBlanks();
            // What follows without a word between is meant to hold too.
        } while (takeKeyword("and"_L1) || !(atEnd() || here() == u')' || isKeyword("or"_L1)));
        return grouped(FilterNode::Kind::All, std::move(parts));
    }

    Result<FilterNode> unary()
    {
        skipBlanks();
        bool negated = takeKeyword("not"_L1);
        if (!negated && here() == u'-') {
            negated = true;
            ++m_at;
        }
        auto part = here() == u'(' ? group() : term();
        if (!part || !negated)
            return part;
        return FilterNode{FilterNode::Kind::Not, {}, {*std::move(part)}};
    }

    Result<FilterNode> group()
    {
        const int start = position();
        if (++m_depth > Filter::mostDepth) {
            return filterFault(start, u"brackets stand at most %1 deep"_s.arg(Filter::mostDepth));
        }
        ++m_at;
        auto inner = any();
        if (!inner)
            return inner;
        if (here() != u')')
            return missing(start, u"this bracket is not closed"_s, u"write `)` behind its end"_s);
        ++m_at;
        --m_depth;
        return inner;
    }

    /// Where the name ends that begins here: `name { "." name | "[" digits "]" }`.
    [[nodiscard]] qsizetype endOfField() const
    {
        qsizetype end = m_at;
        if (!startsName(at(end)))
            return end;
        while (end < m_text.size() && goesOnName(m_text.at(end)))
            ++end;
        while (end < m_text.size()) {
            if (at(end) == u'.' && goesOnPath(at(end + 1))) {
                for (++end; end < m_text.size() && goesOnPath(m_text.at(end));)
                    ++end;
                continue;
            }
            qsizetype close = end + 1;
            while (at(end) == u'[' && close < m_text.size() && close - end < 8
                   && m_text.at(close) >= u'0' && m_text.at(close) <= u'9')
                ++close;
            if (close == end + 1 || at(close) != u']')
                break;
            end = close + 1;
        }
        return end;
    }

    [[nodiscard]] std::optional<FilterOp> opAt(qsizetype place) const
    {
        const QStringView rest = m_text.mid(place);
        for (const FilterOp op : {FilterOp::Differs, FilterOp::Lacks, FilterOp::LessOrEqual,
                                  FilterOp::GreaterOrEqual, FilterOp::Matches, FilterOp::Equals,
                                  FilterOp::Less, FilterOp::Greater, FilterOp::Contains}) {
            if (rest.startsWith(sign(op)))
                return op;
        }
        return std::nullopt;
    }

    Result<FilterNode> term()
    {
        const int start = position();
        if (atEnd()) {
            return missing(start, u"something is missing here"_s,
                           u"write a term such as `state:pending`"_s);
        }
        if (++m_terms > Filter::mostTerms)
            return filterFault(start, u"a filter has at most %1 terms"_s.arg(Filter::mostTerms));
        FilterNode node{FilterNode::Kind::Term, {}, {}};
        node.term.position = start;
        if (here() == u'"')
            return word(std::move(node));
        const qsizetype end = endOfField();
        if (const auto found = opAt(end); found && end > m_at)
            return values(std::move(node), end, *found);
        if (const auto found = opAt(m_at)) {
            return filterFault(start, u"`%1` needs a field before it"_s.arg(sign(*found)),
                               u"for example `state:pending`"_s);
        }
        for (const QLatin1StringView keyword : {"or"_L1, "and"_L1, "not"_L1}) {
            if (isKeyword(keyword)) {
                return filterFault(start, u"`%1` has nothing to stand beside"_s.arg(keyword),
                                   u"a word that is meant as it stands needs quotes"_s);
            }
        }
        return word(std::move(node));
    }

    Result<FilterNode> word(FilterNode node)
    {
        auto value = TRY(this->value(false));
        const auto sign = std::find_if(value.text.cbegin(), value.text.cend(), isSign);
        if (!value.quoted && sign != value.text.cend()) {
            return filterFault(
                node.term.position,
                u"`%1` is no field"_s.arg(value.text.left(sign - value.text.cbegin())),
                u"a text with a colon stands in quotes"_s);
        }
        node.term.values += value;
        node.term.length = position() - node.term.position;
        return node;
    }

    Result<FilterNode> values(FilterNode node, qsizetype endOfField, FilterOp op)
    {
        FilterTerm &term = node.term;
        term.field = m_text.mid(m_at, endOfField - m_at).toString();
        const qsizetype name = term.name().size();
        for (qsizetype i = 0; i < name; ++i) { // no field has other letters than those of ASCII
            if (term.field.at(i) >= u'A' && term.field.at(i) <= u'Z')
                term.field[i] = term.field.at(i).toLower();
        }
        term.op = op;
        m_at = endOfField + sign(op).size();
        while (true) {
            auto value = this->value(true);
            term.length = position() - term.position;
            if (!value) {
                m_unfinished = term;
                return passOn(value);
            }
            term.values += *value;
            if (here() != u',')
                return node;
            ++m_at;
        }
    }

    Result<FilterValue> value(bool isOfField)
    {
        if (here() == u'"')
            return quoted();
        FilterValue value;
        value.position = position();
        const qsizetype start = m_at;
        while (!atEnd() && !endsBare(here()))
            ++m_at;
        const QStringView text = m_text.mid(start, m_at - start);
        if (text.isEmpty()) {
            const QString what = u"a value is missing here"_s;
            const QString hint = u"a text with blanks, commas or brackets stands in quotes"_s;
            return atEnd() ? missing(position(), what, hint) : filterFault(position(), what, hint);
        }
        const qsizetype dots = isOfField ? text.indexOf(".."_L1) : -1;
        value.text = text.left(dots < 0 ? text.size() : dots).toString();
        if (dots < 0)
            return value;
        value.to = text.mid(dots + 2).toString();
        if (value.text.isEmpty() || value.to.isEmpty()) {
            const QString what = u"a range needs both ends"_s;
            const QString hint = u"for example `age:5m..2h`"_s;
            return atEnd() && !value.text.isEmpty() ? missing(value.position, what, hint)
                                                    : filterFault(value.position, what, hint);
        }
        return value;
    }

    Result<FilterValue> quoted()
    {
        FilterValue value;
        value.position = position();
        value.quoted = true;
        for (++m_at; !atEnd(); ++m_at) {
            if (here() == u'"') {
                ++m_at;
                return value;
            }
            if (here() == u'\\' && (at(m_at + 1) == u'"' || at(m_at + 1) == u'\\'))
                ++m_at;
            value.text += here();
        }
        return missing(value.position, u"the closing quote is missing"_s,
                       u"inside of quotes `\\\"` is a quote"_s);
    }

    const QStringView m_text;
    qsizetype m_at = 0;
    int m_depth = 0;
    int m_terms = 0;
    bool m_isIncomplete = false;
    FilterTerm m_unfinished;
};

} // namespace

Result<Filter> Filter::fromText(QStringView text, std::optional<FilterTerm> *unfinished)
{
    return Parser(text).parse(unfinished);
}

} // namespace outbox
