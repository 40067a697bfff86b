// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/activityfilter.h"

#include "models/filter/fields.h"
#include "models/filter/moments.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QStringList &activityFields()
{
    static const QStringList fields{u"when"_s,    u"verb"_s, u"who"_s, u"profile"_s,
                                    u"outcome"_s, u"note"_s, u"id"_s};
    return fields;
}

Result<void> takeWhen(const FilterTerm &term, const QDateTime &now, ActivityFilter &filter)
{
    const FilterValue &value = term.values.first();
    if (term.values.size() > 1) {
        return filterFault(Error::Kind::Invalid, term.values.at(1).position,
                           u"`when` takes one value"_s, u"a range is written `a..b`"_s);
    }
    const auto first = momentsOf(value.text, now, value.position);
    if (!first)
        return passOn(first);
    const bool isRange = !value.to.isEmpty();
    Result<Moments> last = first;
    if (isRange) {
        last = momentsOf(value.to, now, value.position + static_cast<int>(value.text.size()) + 2);
    }
    if (!last)
        return passOn(last);
    switch (term.op) {
    case FilterOp::Matches:
    case FilterOp::Equals:
        filter.notBefore = first->begin;
        filter.before = last->end;
        return {};
    case FilterOp::Greater:
    case FilterOp::GreaterOrEqual:
        if (isRange)
            break;
        filter.notBefore = first->begin;
        return {};
    case FilterOp::Less:
    case FilterOp::LessOrEqual:
        if (isRange)
            break;
        filter.before = term.op == FilterOp::Less ? first->begin : first->end;
        return {};
    default:
        break;
    }
    return signFault(term, u"`when:today`, `when>-2h` or `when:2026-11-20..2026-11-21`"_s);
}

/// The words of a list as values, each at most once.
template <typename Value>
Result<void> takeWords(const FilterTerm &term, const QList<Value> &all, QList<Value> &taken)
{
    QStringList known;
    for (const Value &value : all)
        known += word(value);
    return eachWord(term, known, [&](const QString &text) {
        const qsizetype at = known.indexOf(text.toLower());
        if (at >= 0 && !taken.contains(all.at(at)))
            taken += all.at(at);
        return at >= 0;
    });
}

Result<void> takePattern(const FilterTerm &term, QString &pattern)
{
    auto text = patternOf(term);
    if (!text)
        return passOn(text);
    pattern = *std::move(text);
    return {};
}

Result<void> takeNote(const FilterTerm &term, ActivityFilter &filter)
{
    const FilterValue &value = term.values.first();
    const bool plain = term.op == FilterOp::Matches && term.values.size() == 1 && !value.quoted;
    if (plain && (value.text == "any"_L1 || value.text == "none"_L1)) {
        filter.hasNote = value.text == "any"_L1;
        return {};
    }
    return takePattern(term, filter.note);
}

Result<void> takeId(const FilterTerm &term, ActivityFilter &filter)
{
    auto prefix = idPrefixOf(term);
    if (!prefix)
        return passOn(prefix);
    filter.idPrefix = *std::move(prefix);
    return {};
}

Result<void> take(const FilterTerm &term, const QDateTime &now, ActivityFilter &filter)
{
    const QString first = term.values.first().text;
    if (term.isWord() && (!looksLikeId(first) || !filter.idPrefix.isEmpty())) {
        filter.words += first;
        return {};
    }
    if (term.isWord()) {
        filter.idPrefix = first;
        return {};
    }
    if (term.field == "when"_L1)
        return takeWhen(term, now, filter);
    if (term.field == "verb"_L1)
        return takeWords(term, allVerbs(), filter.verbs);
    if (term.field == "outcome"_L1)
        return takeWords(term, allActivityStates(), filter.outcomes);
    if (term.field == "who"_L1)
        return takePattern(term, filter.who);
    if (term.field == "profile"_L1)
        return takePattern(term, filter.profile);
    if (term.field == "note"_L1)
        return takeNote(term, filter);
    if (term.field == "id"_L1)
        return takeId(term, filter);
    return fieldFault(term, activityFields());
}

bool fits(const QString &pattern, const QString &text)
{
    return pattern.isEmpty() || fitsPattern(pattern, text, Qt::CaseInsensitive);
}

bool meets(const Activity &activity, const QString &prefix)
{
    const auto begins
        = [&prefix](const QString &id) { return id.startsWith(prefix, Qt::CaseInsensitive); };
    return begins(activity.operation)
        || std::any_of(activity.items.begin(), activity.items.end(), [&](const AuditedItem &item) {
               return begins(item.row) || begins(item.task);
           });
}

bool says(const Activity &activity, const QString &word)
{
    const QString verbs = activity.verb
        ? QString(outbox::word(*activity.verb) + u' ' + label(*activity.verb))
        : QString();
    for (const QString &text :
         {verbs, activity.what, activity.note, activity.who, activity.target, activity.error}) {
        if (text.contains(word, Qt::CaseInsensitive))
            return true;
    }
    return false;
}

} // namespace

Result<ActivityFilter> ActivityFilter::fromText(const QString &text, const QDateTime &now)
{
    const auto filter = Filter::fromText(text);
    if (!filter)
        return passOn(filter);
    if (const auto once = onceEach(*filter, activityFields()); !once)
        return passOn(once);
    ActivityFilter wanted;
    for (const FilterTerm &term : filter->terms) {
        if (const auto taken = take(term, now, wanted); !taken)
            return passOn(taken);
    }
    return wanted;
}

bool ActivityFilter::matches(const Activity &activity) const
{
    return (notBefore.isNull() || activity.at >= notBefore)
        && (before.isNull() || activity.at < before)
        && (verbs.isEmpty() || (activity.verb && verbs.contains(*activity.verb)))
        && (outcomes.isEmpty() || outcomes.contains(activity.state)) && fits(who, activity.who)
        && fits(profile, activity.profile) && fits(note, activity.note)
        && (!hasNote || *hasNote != activity.note.isEmpty())
        && (idPrefix.isEmpty() || meets(activity, idPrefix))
        && std::all_of(words.begin(), words.end(),
                       [&](const QString &word) { return says(activity, word); });
}

} // namespace outbox
