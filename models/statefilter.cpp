// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/statefilter.h"

#include "models/filter/filter.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The `state:` terms that hold for the whole of the filter.
QList<FilterTerm> stateTerms(const QString &text)
{
    QList<FilterTerm> terms;
    const FilterParse parse = parseFilter(text);
    for (const FilterNode &part : parse.filter.root.parts) {
        if (part.kind == FilterNode::Kind::Term && part.term.field == "state"_L1
            && (part.term.op == FilterOp::Matches || part.term.op == FilterOp::Equals))
            terms += part.term;
    }
    return terms;
}

} // namespace

QStringList statesInFilter(const QString &text)
{
    QStringList words;
    for (const FilterTerm &term : stateTerms(text)) {
        for (const FilterValue &value : term.values)
            words += value.text.toLower();
    }
    return words;
}

QString filterWithStates(const QString &text, const QStringList &words)
{
    const QString wanted = words.isEmpty() ? QString() : QString(u"state:"_s + words.join(u','));
    QList<FilterTerm> terms = stateTerms(text);
    QString changed = text;
    while (!terms.isEmpty()) { // from the end, so that the places before stay right
        const FilterTerm term = terms.takeLast();
        const QString left = changed.left(term.position);
        const QString right = changed.mid(term.position + term.length);
        if (terms.isEmpty() && !wanted.isEmpty())
            return left + wanted + right;
        changed = left + right.mid(right.startsWith(u' ') ? 1 : 0);
    }
    changed = changed.trimmed();
    if (wanted.isEmpty())
        return changed;
    // What is beside `or` must be held together before anything is put in front of it.
    const Filter rest = parseFilter(changed).filter;
    const bool isAny
        = rest.root.parts.size() == 1 && rest.root.parts.first().kind == FilterNode::Kind::Any;
    if (isAny)
        changed = u'(' + changed + u')';
    return changed.isEmpty() ? wanted : QString(wanted + u' ' + changed);
}

} // namespace outbox
