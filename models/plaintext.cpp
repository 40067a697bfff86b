// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/plaintext.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

bool invisible(char32_t code)
{
    switch (QChar::category(code)) {
    case QChar::Other_Control:
    case QChar::Other_Format:
    case QChar::Other_Surrogate:
    case QChar::Other_NotAssigned:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    default:
        // Blank letters and joiners that Unicode files elsewhere.
        return code == 0x115f || code == 0x1160 || code == 0x3164 || code == 0xffa0;
    }
}

bool isMark(char32_t code)
{
    const QChar::Category category = QChar::category(code);
    return category == QChar::Mark_NonSpacing || category == QChar::Mark_SpacingCombining
        || category == QChar::Mark_Enclosing;
}

constexpr int mostMarks = 8;
constexpr int labelLines = 40;
constexpr qsizetype pageCharacters = 20'000;

QString escape(char32_t code)
{
    switch (code) {
    case U'\n':
        return u"\\n"_s;
    case U'\r':
        return u"\\r"_s;
    case U'\t':
        return u"\\t"_s;
    default:
        break;
    }
    const QString digits = QString::number(static_cast<uint>(code), 16);
    return code > 0xffff ? u"\\u{%1}"_s.arg(digits) : u"\\u"_s + digits.rightJustified(4, u'0');
}

/// Up to `end`, and no more than `most` characters where escapes make it longer; between two
/// characters.
QString cutText(const QString &text, qsizetype end, Lines lines, qsizetype most)
{
    const bool splits = end > 0 && end < text.size() && text.at(end - 1).isHighSurrogate();
    QString shown = plainText(text.left(splits ? end - 1 : end), lines);
    if (end == text.size() && shown.size() <= most)
        return shown;
    shown.truncate(most);
    if (!shown.isEmpty() && shown.back().isHighSurrogate())
        shown.chop(1);
    return shown + u'…';
}

} // namespace

QString plainText(const QString &text, Lines lines)
{
    QString shown;
    shown.reserve(text.size());
    int marks = 0; // on the letter in hand
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar unit = text.at(i);
        char32_t code = unit.unicode();
        const bool pair
            = unit.isHighSurrogate() && i + 1 < text.size() && text.at(i + 1).isLowSurrogate();
        if (pair)
            code = QChar::surrogateToUcs4(unit, text.at(i + 1));
        const bool kept = lines == Lines::Many && (code == U'\n' || code == U'\t');
        marks = isMark(code) ? marks + 1 : 0;
        if (!kept && (invisible(code) || marks > mostMarks))
            shown += escape(code);
        else
            shown += QStringView(text).mid(i, pair ? 2 : 1);
        i += pair ? 1 : 0;
    }
    return shown;
}

QString shownText(const QString &text, Lines lines, qsizetype most)
{
    qsizetype end = std::min(text.size(), most);
    if (lines == Lines::Many) {
        qsizetype at = -1;
        for (int breaks = 0; breaks < labelLines; ++breaks) {
            at = text.indexOf(u'\n', at + 1);
            if (at < 0 || at >= end)
                break;
        }
        if (at >= 0)
            end = std::min(end, at);
    }
    return cutText(text, end, lines, most);
}

QString shownPage(const QString &text)
{
    return cutText(text, std::min(text.size(), pageCharacters), Lines::Many, pageCharacters);
}

QString buttonText(const QString &text)
{
    return shownText(text).replace(u'&', u"&&"_s);
}

namespace {

constexpr auto tipBegin = "<span style=\"white-space:pre-wrap\">"_L1;
constexpr auto tipEnd = "</span>"_L1;

} // namespace

QString plainTooltip(const QString &text)
{
    if (text.isEmpty())
        return {};
    // Always marked up, so that no guess is made: escaped text without a tag would show its
    // entities.
    return QString(tipBegin) + shownText(text, Lines::Many, tipCharacters).toHtmlEscaped()
        + QString(tipEnd);
}

std::optional<QString> textOfTooltip(const QString &tooltip)
{
    if (tooltip.isEmpty())
        return tooltip;
    if (!tooltip.startsWith(tipBegin) || !tooltip.endsWith(tipEnd))
        return std::nullopt;
    QString text = tooltip.mid(tipBegin.size(), tooltip.size() - tipBegin.size() - tipEnd.size());
    if (text.contains(u'<')) // more than one, put together
        return std::nullopt;
    text.replace("&lt;"_L1, "<"_L1).replace("&gt;"_L1, ">"_L1).replace("&quot;"_L1, "\""_L1);
    return text.replace("&amp;"_L1, "&"_L1); // last: what it stood before is text
}

} // namespace outbox
