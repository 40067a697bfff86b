// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/plaintext.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// True for what would not be seen, or would change how its neighbours are seen.
bool isHidden(char32_t c)
{
    switch (QChar::category(c)) {
    case QChar::Other_Control:
    case QChar::Other_Format: // bidi controls, zero-width characters, tags
    case QChar::Other_Surrogate:
    case QChar::Other_NotAssigned:
    case QChar::Other_PrivateUse:
    case QChar::Separator_Line:
    case QChar::Separator_Paragraph:
        return true;
    default:
        // Fillers that are letters by category and yet draw nothing.
        return c == 0x115F || c == 0x1160 || c == 0x3164 || c == 0xFFA0;
    }
}

QString escaped(char32_t c)
{
    switch (c) {
    case U'\0':
        return u"\\0"_s;
    case U'\n':
        return u"\\n"_s;
    case U'\r':
        return u"\\r"_s;
    case U'\t':
        return u"\\t"_s;
    default:
        break;
    }
    const QString digits = QString::number(static_cast<uint>(c), 16);
    if (c > 0xFFFF)
        return u"\\u{"_s + digits + u'}';
    return u"\\u"_s + digits.rightJustified(4, u'0');
}

QString shown(QStringView text, bool keepLines)
{
    QString result;
    result.reserve(text.size());
    for (qsizetype at = 0; at < text.size(); ++at) {
        const QChar unit = text.at(at);
        if (unit.unicode() >= u' ' && unit.unicode() < 0x7f) {
            result += unit;
            continue;
        }
        char32_t c = unit.unicode();
        if (unit.isHighSurrogate() && at + 1 < text.size() && text.at(at + 1).isLowSurrogate())
            c = QChar::surrogateToUcs4(unit, text.at(++at));
        const bool kept = keepLines && (c == U'\n' || c == U'\t');
        if (!kept && isHidden(c))
            result += escaped(c);
        else
            result += QChar::fromUcs4(c);
    }
    return result;
}

} // namespace

QString plainLine(QStringView text, qsizetype limit)
{
    qsizetype length = std::min(text.size(), limit);
    if (length < text.size() && length > 0 && text.at(length - 1).isHighSurrogate())
        --length; // the second half is there, only cut off
    QString line = shown(text.first(length), false);
    if (length < text.size())
        line += u'…';
    return line;
}

QString plainBlock(QStringView text)
{
    return shown(text, true);
}

} // namespace outbox
