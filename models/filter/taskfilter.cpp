// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/taskfilter.h"

#include "models/filter/fields.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

Result<void> takeStates(const FilterTerm &term, TaskFilter &filter)
{
    QStringList known{u"dead"_s, u"done"_s};
    for (const TaskState state : soundTaskStates())
        known += word(state);
    return eachWord(term, known, [&filter](const QString &text) {
        const auto state = taskStateFromWord(text);
        if (state && !filter.states.contains(*state))
            filter.states += *state;
        return state.has_value();
    });
}

Result<void> take(const FilterTerm &term, TaskFilter &filter)
{
    if (term.field == "state"_L1)
        return takeStates(term, filter);
    const QString first = term.values.first().text;
    const bool isId = term.isWord() ? looksLikeId(first) : term.field == "id"_L1;
    if (!term.isWord() && !isId && term.field != "type"_L1)
        return fieldFault(term, {u"state"_s, u"type"_s, u"id"_s});
    Result<QString> text = isId ? first : u'*' + first + u'*';
    if (!term.isWord())
        text = isId ? idPrefixOf(term) : patternOf(term);
    if (!text)
        return passOn(text);
    QString &wanted = isId ? filter.idPrefix : filter.typePattern;
    if (!wanted.isEmpty()) {
        return filterFault(Error::Kind::Unsupported, term.position,
                           u"only one type and one id can be asked for yet"_s);
    }
    wanted = *text;
    return {};
}

} // namespace

Result<TaskFilter> TaskFilter::fromText(const QString &text)
{
    const auto filter = Filter::fromText(text);
    if (!filter)
        return passOn(filter);
    if (const auto once = onceEach(*filter, {u"state"_s, u"type"_s, u"id"_s}); !once)
        return passOn(once);
    TaskFilter wanted;
    for (const FilterTerm &term : filter->terms) {
        if (const auto taken = take(term, wanted); !taken)
            return passOn(taken);
    }
    return wanted;
}

bool TaskFilter::matches(const Task &task) const
{
    return (states.isEmpty() || states.contains(task.state))
        && (typePattern.isEmpty() || fitsPattern(typePattern, task.type))
        && task.id.text.startsWith(idPrefix);
}

} // namespace outbox
