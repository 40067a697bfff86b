// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Text to terms. One pass from left to right; the first fault ends it.
#include "models/filter/filter.h"

#include <optional>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

bool startsName(QChar c)
{
    return c.isLetter() || c == u'_';
}

bool goesOnName(QChar c)
{
    return c.isLetterOrNumber() || c == u'_' || c == u'.' || c == u'[' || c == u']';
}

bool endsBare(QChar c)
{
    return c.isSpace() || c == u',' || c == u'(' || c == u')' || c == u'"';
}

class Parser
{
public:
    explicit Parser(const QString &text) : m_text(text) { }

    Result<Filter> filter()
    {
        Filter filter;
        for (skipBlanks(); !atEnd(); skipBlanks()) {
            auto term = this->term();
            if (!term)
                return passOn(term);
            if (*term)
                filter.terms += **term;
        }
        return filter;
    }

private:
    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    [[nodiscard]] QChar here() const { return atEnd() ? QChar() : m_text.at(m_at); }
    [[nodiscard]] QChar next() const
    {
        return m_at + 1 < m_text.size() ? m_text.at(m_at + 1) : QChar();
    }
    [[nodiscard]] int position() const { return static_cast<int>(m_at); }
    void skipBlanks()
    {
        while (here().isSpace())
            ++m_at;
    }

    static Failure notYet(int position, const QString &what)
    {
        return filterFault(
            Error::Kind::Unsupported, position, what + u" is not supported yet"_s,
            u"all terms of a filter must hold; quote a text that is meant as it stands"_s);
    }

    /// A term or word; nothing for the word `and`, which is what stands between terms anyway.
    Result<std::optional<FilterTerm>> term()
    {
        const int start = position();
        const QChar c = here();
        if (c == u'(' || c == u')')
            return notYet(start, u"a group in parentheses"_s);
        if (c == u'-')
            return notYet(start, u"negation with `-`"_s);
        if (c == u'"')
            return word(start);
        qsizetype end = m_at;
        if (startsName(c)) {
            while (end < m_text.size() && goesOnName(m_text.at(end)))
                ++end;
        }
        const QString name = m_text.mid(m_at, end - m_at);
        if (const auto found = opAt(end); found && !name.isEmpty()) {
            m_at = end + sign(*found).size();
            return values(start, name, *found);
        }
        if (const auto found = opAt(m_at)) {
            return filterFault(Error::Kind::Invalid, start,
                               u"`%1` needs a field before it"_s.arg(sign(*found)),
                               u"for example `state:pending`"_s);
        }
        const bool isWhole = end >= m_text.size() || endsBare(m_text.at(end));
        if (isWhole && name.compare("or"_L1, Qt::CaseInsensitive) == 0)
            return notYet(start, u"`or`"_s);
        if (isWhole && name.compare("not"_L1, Qt::CaseInsensitive) == 0)
            return notYet(start, u"`not`"_s);
        if (isWhole && name.compare("and"_L1, Qt::CaseInsensitive) == 0) {
            m_at = end;
            return std::optional<FilterTerm>();
        }
        return word(start);
    }

    [[nodiscard]] std::optional<FilterOp> opAt(qsizetype at) const
    {
        const QStringView rest = QStringView(m_text).mid(at);
        for (const FilterOp op : {FilterOp::Differs, FilterOp::Lacks, FilterOp::LessOrEqual,
                                  FilterOp::GreaterOrEqual, FilterOp::Matches, FilterOp::Equals,
                                  FilterOp::Less, FilterOp::Greater, FilterOp::Contains}) {
            if (rest.startsWith(sign(op)))
                return op;
        }
        return std::nullopt;
    }

    Result<std::optional<FilterTerm>> word(int start)
    {
        FilterTerm term;
        term.position = start;
        auto value = this->value(false);
        if (!value)
            return passOn(value);
        term.values += *value;
        return term;
    }

    Result<std::optional<FilterTerm>> values(int start, const QString &name, FilterOp op)
    {
        FilterTerm term{name.toLower(), op, {}, start};
        while (true) {
            auto value = this->value(true);
            if (!value)
                return passOn(value);
            term.values += *value;
            if (here() != u',')
                return term;
            ++m_at;
        }
    }

    Result<FilterValue> value(bool mayBeRange)
    {
        if (here() == u'"')
            return quoted();
        FilterValue value;
        value.position = position();
        const qsizetype start = m_at;
        while (!atEnd() && !endsBare(here()))
            ++m_at;
        value.text = m_text.mid(start, m_at - start);
        if (value.text.isEmpty()) {
            return filterFault(Error::Kind::Invalid, value.position, u"a value is missing here"_s,
                               u"a text with blanks or commas stands in quotes"_s);
        }
        if (mayBeRange) {
            if (const qsizetype dots = value.text.indexOf(".."_L1); dots >= 0) {
                value.to = value.text.mid(dots + 2);
                value.text.truncate(dots);
                if (value.text.isEmpty() || value.to.isEmpty()) {
                    return filterFault(Error::Kind::Invalid, value.position,
                                       u"a range needs both ends"_s, u"for example `age:5m..2h`"_s);
                }
            }
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
            if (here() == u'\\' && (next() == u'"' || next() == u'\\'))
                ++m_at;
            value.text += here();
        }
        return filterFault(Error::Kind::Invalid, value.position, u"the closing quote is missing"_s);
    }

    const QString m_text;
    qsizetype m_at = 0;
};

} // namespace

Result<Filter> Filter::fromText(const QString &text)
{
    return Parser(text).filter();
}

} // namespace outbox
