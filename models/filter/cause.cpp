// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/cause.h"

#include <QRegularExpression>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype mostRead = 2'000; ///< of an error, whatever its length
constexpr qsizetype shortestHex = 6; ///< with a digit in it; words of letters alone are longer
constexpr qsizetype shortestHexWord = 8;
constexpr qsizetype shortestToken = 20; ///< letters and digits mixed: the id of something
constexpr qsizetype longestCode = 15; ///< three times three digits, and three before them
constexpr int mostStarsOfCause = 8; ///< databases try every way to place them

bool isDigit(QChar c)
{
    return c >= u'0' && c <= u'9';
}

bool isHex(QChar c)
{
    return isDigit(c) || (c >= u'a' && c <= u'f') || (c >= u'A' && c <= u'F');
}

bool isOfWord(QChar c)
{
    return c == u'_' || c.isLetterOrNumber() || c.isSurrogate();
}

bool isOfAddress(QChar c)
{
    return isOfWord(c) || c == u'.' || c == u'-' || c == u'+';
}

/// Nothing to look at, or another thing at each look.
bool isUnseen(QChar c)
{
    switch (c.category()) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_NotAssigned:
    case QChar::Other_PrivateUse:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    default:
        return c == QChar::ReplacementCharacter;
    }
}

class CauseReader
{
public:
    explicit CauseReader(QStringView error) : m_text(error) { }

    QString cause()
    {
        while (m_at < m_text.size() && m_cause.size() < mostCauseCharacters)
            step();
        if (m_at < m_text.size())
            star();
        return m_cause;
    }

private:
    [[nodiscard]] QChar at(qsizetype place) const
    {
        return place >= 0 && place < m_text.size() ? m_text.at(place) : QChar();
    }
    template <typename Test> [[nodiscard]] qsizetype endOf(qsizetype from, Test test) const
    {
        while (from < m_text.size() && test(m_text.at(from)))
            ++from;
        return from;
    }
    void star()
    {
        if (!m_cause.endsWith(u'*'))
            m_cause += u'*';
    }
    void skipTo(qsizetype end)
    {
        star();
        m_at = end;
    }

    void step()
    {
        const QChar c = at(m_at);
        const bool beginsWord = !isOfWord(at(m_at - 1));
        if (isUnseen(c) || c == u'*')
            return skipTo(m_at + 1);
        if (const qsizetype close = closingQuote(); close > 0) {
            m_cause += c;
            skipTo(close);
            m_cause += at(m_at++);
            return;
        }
        if (beginsWord) {
            for (const qsizetype end : {endOfMail(), endOfUuid(m_at), endOfIp6(), endOfId(m_at)}) {
                if (end > m_at)
                    return skipTo(end);
            }
        }
        if (isDigit(c)) {
            const qsizetype end = endOfNumber();
            if (!beginsWord || !isCode(end))
                return skipTo(end);
            m_cause += m_text.mid(m_at, end - m_at);
            m_at = end;
            return;
        }
        if (c.isSurrogate())
            return surrogates();
        m_cause += c;
        ++m_at;
    }

    void surrogates()
    {
        if (!at(m_at).isHighSurrogate() || !at(m_at + 1).isLowSurrogate())
            return skipTo(m_at + 1); // half of one is no character
        m_cause += at(m_at);
        m_cause += at(m_at + 1);
        m_at += 2;
    }

    /// The place of the quote that closes the one here; 0 where none is open. That of `don't` opens
    /// nothing, and what closes is followed by no word.
    [[nodiscard]] qsizetype closingQuote() const
    {
        static const QString opening = u"\"'`\u201c\u2018\u00ab"_s;
        static const QString closing = u"\"'`\u201d\u2019\u00bb"_s;
        const qsizetype kind = opening.indexOf(at(m_at));
        if (at(m_at).isNull() || kind < 0 || isOfWord(at(m_at - 1)))
            return 0;
        for (qsizetype end = m_at + 1; end < m_text.size(); ++end) {
            if (m_text.at(end) == u'\\')
                ++end;
            else if (m_text.at(end) == closing.at(kind) && !isOfWord(at(end + 1)))
                return end;
        }
        return 0;
    }

    /// `ana@example.org`
    [[nodiscard]] qsizetype endOfMail() const
    {
        const qsizetype name = endOf(m_at, isOfAddress);
        if (name == m_at || at(name) != u'@' || !isOfWord(at(name + 1)))
            return 0;
        qsizetype end = endOf(name + 1, isOfAddress);
        while (!isOfWord(at(end - 1))) // the full stop behind it
            --end;
        return end;
    }

    [[nodiscard]] qsizetype endOfUuid(qsizetype end) const
    {
        for (const int digits : {8, 4, 4, 4, 12}) {
            if (digits != 8 && at(end++) != u'-')
                return 0;
            for (int i = 0; i < digits; ++i) {
                if (!isHex(at(end++)))
                    return 0;
            }
        }
        return isOfWord(at(end)) ? 0 : end;
    }

    [[nodiscard]] qsizetype endOfIp6() const
    {
        const qsizetype end
            = endOf(m_at, [](QChar c) { return isHex(c) || c == u':' || c == u'.'; });
        QStringView address = m_text.mid(m_at, end - m_at);
        while (address.endsWith(u'.') || (address.endsWith(u':') && !address.endsWith(u"::")))
            address.chop(1);
        const bool has = address.count(u':') >= 2
            && (address.startsWith(u"::") || std::any_of(address.begin(), address.end(), isDigit));
        return has && address.size() > 2 && !isOfWord(at(end)) ? m_at + address.size() : 0;
    }

    /// `0x1f`, `deadbeef42`, or letters and digits mixed that no person writes.
    [[nodiscard]] qsizetype endOfId(qsizetype start) const
    {
        const qsizetype end = endOf(start, isOfWord);
        const QStringView word = m_text.mid(start, end - start);
        const bool hasDigit = std::any_of(word.begin(), word.end(), isDigit);
        const auto isAllHex
            = [](QStringView part) { return std::all_of(part.begin(), part.end(), isHex); };
        if (word.size() > 2 && word.startsWith(u"0x", Qt::CaseInsensitive) && isAllHex(word.mid(2)))
            return end;
        if (isAllHex(word) && word.size() >= (hasDigit ? shortestHex : shortestHexWord))
            return end;
        return hasDigit && word.size() >= shortestToken ? end : 0;
    }

    /// Whether the number that ends there says what went wrong: `503`, `5.1.1`, `550-5.1.1`. One
    /// that measures something does not, nor one in a path.
    [[nodiscard]] bool isCode(qsizetype end) const
    {
        static const QRegularExpression code(QRegularExpression::anchoredPattern(
            u"[0-9]{1,3}|([0-9]{3}-)?[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}"_s));
        const QChar before = at(m_at - 1);
        if (before == u'/' || before == u'#' || end - m_at > longestCode || isOfWord(at(end))
            || m_cause.size() + longestCode > mostCauseCharacters)
            return false;
        return code.match(m_text.mid(m_at, end - m_at).toString()).hasMatch() && !isUnit(end);
    }

    /// Whether a unit begins there: ` ms`, `%`.
    [[nodiscard]] bool isUnit(qsizetype start) const
    {
        static const QString units
            = u" ns us \u00b5s ms microseconds milliseconds s sec secs second seconds min mins "
              "minute minutes h hour hours d day days b byte bytes kb mb gb kib mib gib "_s;
        if (at(start) == u' ')
            ++start;
        if (at(start) == u'%')
            return true;
        const qsizetype end = endOf(start, isOfWord);
        const QString word = m_text.mid(start, end - start).toString().toLower();
        // What a star follows was longer in the error.
        return !word.isEmpty() && at(end) != u'*' && units.contains(u' ' + word + u' ');
    }

    /// A number with its signs, a time, a date, an address of four numbers and a port.
    [[nodiscard]] qsizetype endOfNumber() const
    {
        qsizetype end = endOf(m_at, isDigit);
        while (end + 1 < m_text.size() && isDigit(m_text.at(end + 1))) {
            const bool isInWord = m_text.at(end) == u'T' || m_text.at(end) == u'e';
            if (!isInWord && !QStringView(u".,:-/+").contains(m_text.at(end)))
                break;
            const qsizetype digits = endOf(end + 1, isDigit);
            const bool isWhole = !isOfWord(at(digits)); // not the beginning of a word
            if (!isInWord && (endOfUuid(end + 1) > 0 || (!isWhole && endOfId(end + 1) > 0)))
                break; // what begins there is another thing: `v1/7e57d004-…`
            end = digits;
        }
        const bool isTime = QStringView(m_text.mid(m_at, end - m_at)).contains(u':');
        return isTime && at(end) == u'Z' && !isOfWord(at(end + 1)) ? end + 1 : end;
    }

    const QStringView m_text;
    qsizetype m_at = 0;
    QString m_cause;
};

} // namespace

QString causeOf(QStringView error)
{
    const qsizetype nul = error.indexOf(QChar(0)); // for a database a text may end there
    const qsizetype end = std::min({error.size(), mostRead, nul < 0 ? error.size() : nul});
    QString cause = CauseReader(error.left(end)).cause();
    if (end < error.size() && !cause.endsWith(u'*'))
        cause += u'*';
    return cause;
}

FilterPattern errorsOfCause(const FilterPattern &pattern)
{
    if (pattern.how == FilterPattern::How::Part) {
        QString longest; // between the stars, which stand for anything
        for (const QString &piece : pattern.text.split(u'*')) {
            if (piece.size() > longest.size())
                longest = piece;
        }
        return longest.isEmpty() ? FilterPattern{FilterPattern::How::Whole, u"*"_s}
                                 : FilterPattern{FilterPattern::How::Part, longest};
    }
    FilterPattern wider{FilterPattern::How::Whole, {}};
    int stars = 0;
    for (const QChar c : pattern.text) {
        // A question mark may stand for the star of a cause; one that is plain is a wildcard here.
        const bool isStar = c == u'*' || (c == u'?' && pattern.how == FilterPattern::How::Whole);
        if (isStar && wider.text.endsWith(u'*'))
            continue;
        wider.text += isStar ? u'*' : c;
        if (isStar && ++stars == mostStarsOfCause)
            break;
    }
    if (pattern.how == FilterPattern::How::Start && !wider.text.endsWith(u'*'))
        wider.text += u'*';
    return wider;
}

} // namespace outbox
