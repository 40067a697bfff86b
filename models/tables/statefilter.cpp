// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/statefilter.h"

#include "models/filter/completion.h"
#include "models/filter/filter.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The terms of a field, with `:` or `=`, that hold for the whole of the filter.
QList<FilterTerm> termsOf(const QString &text, QStringView field)
{
    QList<FilterTerm> terms;
    const Filter filter = Filter::fromText(text).value_or(Filter());
    for (const FilterNode &part : filter.root.parts) {
        if (part.kind == FilterNode::Kind::Term && part.term.field == field
            && (part.term.op == FilterOp::Matches || part.term.op == FilterOp::Equals))
            terms += part.term;
    }
    return terms;
}

} // namespace

QStringList statesInFilter(const QString &text)
{
    QStringList words;
    for (const QString &value : valuesInFilter(text, u"state"_s))
        words += value.toLower();
    return words;
}

QStringList valuesInFilter(const QString &text, const QString &field)
{
    QStringList values;
    for (const FilterTerm &term : termsOf(text, field)) {
        for (const FilterValue &value : term.values)
            values += value.text;
    }
    return values;
}

QString filterWithStates(const QString &text, const QStringList &words)
{
    const QString wanted = words.isEmpty() ? QString() : QString(u"state:"_s + words.join(u','));
    QList<FilterTerm> terms = termsOf(text, u"state");
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
    const Filter rest = Filter::fromText(changed).value_or(Filter());
    const bool isAny
        = rest.root.parts.size() == 1 && rest.root.parts.first().kind == FilterNode::Kind::Any;
    if (isAny)
        changed = u'(' + changed + u')';
    return changed.isEmpty() ? wanted : QString(wanted + u' ' + changed);
}

QString termFor(const QString &field, const QString &value)
{
    if (value.isEmpty() || value.size() > Filter::mostCharacters / 4)
        return {};
    const QString term = field + u'=' + asFilterValue(value);
    return Filter::fromText(term) ? term : QString();
}

QString filterNarrowedTo(const QString &text, const QString &term)
{
    const auto wanted = Filter::fromText(term);
    auto narrowed = Filter::fromText(text);
    if (!wanted || !narrowed || wanted->root.parts.isEmpty())
        return text;
    const QString field = wanted->root.parts.first().term.field;
    narrowed->root.parts.removeIf([&field](const FilterNode &part) {
        return part.kind == FilterNode::Kind::Term && part.term.field == field;
    });
    narrowed->root.parts += wanted->root.parts;
    return narrowed->text();
}

} // namespace outbox
