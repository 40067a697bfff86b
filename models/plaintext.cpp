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
constexpr qsizetype labelCharacters = 2000;
constexpr int labelLines = 40;

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

QString shownText(const QString &text, Lines lines)
{
    qsizetype end = std::min(text.size(), labelCharacters);
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
    if (end == text.size())
        return plainText(text, lines);
    if (end > 0 && text.at(end - 1).isHighSurrogate())
        --end;
    return plainText(text.left(end), lines) + u'…';
}

QString buttonText(const QString &text)
{
    return shownText(text).replace(u'&', u"&&"_s);
}

QString plainTooltip(const QString &text)
{
    // Always marked up, so that no guess is made: escaped text without a tag would show its
    // entities.
    return u"<span style=\"white-space:pre-wrap\">"_s + plainText(text, Lines::Many).toHtmlEscaped()
        + u"</span>"_s;
}

} // namespace outbox
