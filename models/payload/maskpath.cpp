// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/payload/maskpath.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

/// Reads one path from its first character to its last one.
class MaskPathReader
{
public:
    explicit MaskPathReader(const QString &text) { m_path.m_text = text; }

    [[nodiscard]] Result<MaskPath> read();

private:
    using Step = MaskPath::Step;

    [[nodiscard]] QChar peek() const
    {
        return m_at < m_path.m_text.size() ? m_path.m_text.at(m_at) : QChar();
    }
    bool take(char16_t c)
    {
        if (m_at >= m_path.m_text.size() || m_path.m_text.at(m_at) != c)
            return false;
        ++m_at;
        return true;
    }
    static bool isDigit(QChar c) { return c >= u'0' && c <= u'9'; }
    static bool isOfName(QChar c) { return c.isLetterOrNumber() || c == u'_' || c == u'-'; }
    /// What was expected where the reader stands.
    [[nodiscard]] Failure expected(const QString &what) const;
    [[nodiscard]] Result<void> readMember();
    [[nodiscard]] Result<void> readInBrackets();
    [[nodiscard]] Result<Step> readPlace();
    [[nodiscard]] Result<Step> readQuoted();

    MaskPath m_path;
    qsizetype m_at = 0;
};

Failure MaskPathReader::expected(const QString &what) const
{
    Failure failure = fail(Error::Kind::Invalid, u"reading the path of a mask"_s,
                           u"character %1: %2"_s.arg(m_at + 1).arg(what), {},
                           u"$.card.number, *.password or $.items[*].iban"_s);
    failure.value().position = static_cast<int>(m_at);
    return failure;
}

Result<void> MaskPathReader::readMember()
{
    Step step;
    if (take(u'*')) {
        step.kind = Step::Kind::AnyName;
    } else {
        const qsizetype from = m_at;
        if (isDigit(peek()))
            return expected(u"a name that begins with a digit stands in [\"…\"]"_s);
        while (m_at < m_path.m_text.size() && isOfName(peek()))
            ++m_at;
        if (m_at == from)
            return expected(u"a name, or * for any member"_s);
        step.name = m_path.m_text.sliced(from, m_at - from).toCaseFolded();
    }
    m_path.m_steps += step;
    return {};
}

Result<MaskPathReader::Step> MaskPathReader::readPlace()
{
    constexpr int mostDigits = 9;
    const qsizetype from = m_at;
    while (isDigit(peek()))
        ++m_at;
    const QString digits = m_path.m_text.sliced(from, m_at - from);
    if (digits.size() > mostDigits || (digits.size() > 1 && digits.at(0) == u'0')) {
        m_at = from;
        return expected(u"a number below 1000000000 without zeros before it"_s);
    }
    Step step;
    step.kind = Step::Kind::Place;
    step.place = digits.toInt();
    return step;
}

Result<MaskPathReader::Step> MaskPathReader::readQuoted()
{
    Step step;
    while (!take(u'"')) {
        if (take(u'\\') && peek() != u'"' && peek() != u'\\')
            return expected(u"\" or \\ behind a \\"_s);
        if (m_at >= m_path.m_text.size())
            return expected(u"the closing \""_s);
        step.name += m_path.m_text.at(m_at++);
    }
    step.name = step.name.toCaseFolded();
    return step;
}

Result<void> MaskPathReader::readInBrackets()
{
    Step step;
    if (take(u'*')) {
        step.kind = Step::Kind::AnyPlace;
    } else if (take(u'"')) {
        step = TRY(readQuoted());
    } else if (isDigit(peek())) {
        step = TRY(readPlace());
    } else {
        return expected(u"a number, * for any element, or a name in quotes"_s);
    }
    if (!take(u']'))
        return expected(u"the closing ]"_s);
    m_path.m_steps += step;
    return {};
}

Result<MaskPath> MaskPathReader::read()
{
    if (m_path.m_text.size() > MaskPath::mostCharacters) {
        m_at = MaskPath::mostCharacters;
        return expected(u"a path has at most %1 characters"_s.arg(MaskPath::mostCharacters));
    }
    m_path.m_isAnywhere = take(u'*');
    if (!m_path.m_isAnywhere && !take(u'$'))
        return expected(u"a path begins with $ (the whole payload) or * (any place in it)"_s);
    while (m_at < m_path.m_text.size()) {
        if (m_path.m_steps.size() >= MaskPath::mostSteps)
            return expected(u"a path has at most %1 steps"_s.arg(MaskPath::mostSteps));
        if (take(u'.')) {
            TRY(readMember());
        } else if (take(u'[')) {
            TRY(readInBrackets());
        } else {
            return expected(u"'.' or '['"_s);
        }
    }
    if (m_path.m_isAnywhere && m_path.m_steps.isEmpty())
        return expected(u"what is meant at any place: *.name"_s);
    return m_path;
}

Result<MaskPath> MaskPath::fromText(const QString &text)
{
    return MaskPathReader(text).read();
}

MaskPath::Passed MaskPath::atMember(Passed passed, const QString &foldedName) const
{
    return stepped(passed, [&foldedName](const Step &step) {
        return step.kind == Step::Kind::AnyName
            || (step.kind == Step::Kind::Name && step.name == foldedName);
    });
}

MaskPath::Passed MaskPath::atElement(Passed passed, int place) const
{
    return stepped(passed, [place](const Step &step) {
        return step.kind == Step::Kind::AnyPlace
            || (step.kind == Step::Kind::Place && step.place == place);
    });
}

} // namespace outbox
