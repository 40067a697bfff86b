// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/statefilter.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Cuts at blanks outside of quotes and brackets.
QStringList termsOf(const QString &text)
{
    QStringList terms;
    QString term;
    bool quoted = false;
    int depth = 0;
    for (qsizetype at = 0; at < text.size(); ++at) {
        const QChar c = text.at(at);
        if (c == u'"' && (at == 0 || text.at(at - 1) != u'\\'))
            quoted = !quoted;
        if (!quoted && c == u'(')
            ++depth;
        if (!quoted && c == u')')
            --depth;
        if (c.isSpace() && !quoted && depth <= 0) {
            if (!term.isEmpty())
                terms.append(term);
            term.clear();
        } else {
            term += c;
        }
    }
    if (!term.isEmpty())
        terms.append(term);
    return terms;
}

bool isStateTerm(const QString &term)
{
    return term.startsWith("state:"_L1, Qt::CaseInsensitive);
}

} // namespace

QStringList statesInFilter(const QString &text)
{
    QStringList words;
    const QStringList terms = termsOf(text);
    for (const QString &term : terms) {
        if (isStateTerm(term))
            words += term.mid(6).toLower().split(u',', Qt::SkipEmptyParts);
    }
    return words;
}

QString filterWithStates(const QString &text, const QStringList &words)
{
    QStringList kept;
    const QString wanted = words.isEmpty() ? QString() : QString(u"state:"_s + words.join(u','));
    bool placed = wanted.isEmpty();
    const QStringList terms = termsOf(text);
    for (const QString &term : terms) {
        if (!isStateTerm(term)) {
            kept.append(term);
        } else if (!placed) {
            kept.append(wanted);
            placed = true;
        }
    }
    if (!placed)
        kept.prepend(wanted);
    return kept.join(u' ');
}

} // namespace outbox
