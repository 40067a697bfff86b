// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/pattern.h"

namespace outbox {

namespace {

/// Characters that take the place of `at`: two where a pair of surrogates stands there.
qsizetype widthAt(QStringView text, qsizetype at)
{
    return text.at(at).isHighSurrogate() && at + 1 < text.size() && text.at(at + 1).isLowSurrogate()
        ? 2
        : 1;
}

} // namespace

bool fitsWildcards(QStringView pattern, QStringView text)
{
    qsizetype p = 0;
    qsizetype t = 0;
    qsizetype star = -1; // the last one met, and where its text may end at the earliest
    qsizetype behindStar = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern.at(p) == u'*') {
            star = p++;
            behindStar = t;
        } else if (p < pattern.size() && pattern.at(p) == u'?') {
            ++p;
            t += widthAt(text, t);
        } else if (p < pattern.size() && pattern.at(p) == text.at(t)) {
            ++p;
            ++t;
        } else if (star >= 0) {
            p = star + 1;
            behindStar += widthAt(text, behindStar);
            t = behindStar;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern.at(p) == u'*')
        ++p;
    return p == pattern.size();
}

QString foldedText(QStringView text)
{
    QString folded;
    folded.reserve(text.size());
    for (qsizetype at = 0; at < text.size(); at += widthAt(text, at)) {
        const char32_t character = widthAt(text, at) == 2
            ? QChar::surrogateToUcs4(text.at(at), text.at(at + 1))
            : text.at(at).unicode();
        const char32_t lower = QChar::toCaseFolded(character);
        // The sign of Kelvin would be a k, and the long s an s.
        folded.append(
            QStringView(QChar::fromUcs4(lower < 128 && character >= 128 ? character : lower)));
    }
    return folded;
}

bool holdsFolded(QStringView text, QStringView part)
{
    return foldedText(text).contains(part);
}

} // namespace outbox
