// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/activityfilter.h"

#include "models/filter/pattern.h"
#include "models/filter/predicate.h"

#include <algorithm>

namespace outbox {

namespace {

using Field = FilterField;

void fold(CheckNode &node)
{
    for (FilterPattern &pattern : node.check.patterns)
        pattern.text = foldedText(pattern.text);
    for (CheckNode &part : node.parts)
        fold(part);
}

/// Whether an id that it met fits: its own, a row's or a task's.
bool metId(const FilterPattern &pattern, const Activity &activity)
{
    const auto fits = [&pattern](const QString &id) { return pattern.fits(foldedText(id)); };
    return fits(activity.operation)
        || std::any_of(activity.items.begin(), activity.items.end(),
                       [&](const AuditedItem &item) { return fits(item.row) || fits(item.task); });
}

bool says(const FilterPattern &pattern, const Activity &activity)
{
    const QString verbs
        = activity.verb ? QString(word(*activity.verb) + u' ' + label(*activity.verb)) : QString();
    const QStringList texts{verbs,        activity.what,   activity.note,
                            activity.who, activity.target, activity.error};
    return std::any_of(texts.begin(), texts.end(),
                       [&pattern](const QString &text) { return holdsFolded(text, pattern.text); });
}

bool holds(const FieldCheck &check, const Activity &activity)
{
    const auto anyPattern = [&check](const auto &test) {
        return std::any_of(check.patterns.begin(), check.patterns.end(), test);
    };
    switch (check.field) {
    case Field::Word:
        return anyPattern([&](const FilterPattern &one) -> bool {
            return one.how == FilterPattern::How::Start ? metId(one, activity)
                                                        : says(one, activity);
        });
    case Field::Id:
        return check.orGiven
            || anyPattern([&](const FilterPattern &one) { return metId(one, activity); });
    case Field::When:
        return meets(check, std::optional(activity.at));
    case Field::Verb:
        return activity.verb && check.words.contains(word(*activity.verb));
    case Field::Outcome:
        return check.words.contains(word(activity.state));
    case Field::Record:
        return check.words.contains(word(activity.record));
    case Field::Who:
        return meets(check, foldedText(activity.who));
    case Field::Profile:
        return meets(check, foldedText(activity.profile));
    case Field::Note:
        return meets(check, foldedText(activity.note));
    default:
        return false;
    }
}

} // namespace

Result<CheckNode> activityChecksOf(const QString &text, const QDateTime &now)
{
    const Filter filter = TRY(Filter::fromText(text));
    auto checks = TRY(checksOf(filter, FilterSubject::Activities, now));
    fold(checks);
    return checks;
}

bool matches(const CheckNode &checks, const Activity &activity)
{
    return truthOf(checks,
                   [&activity](const FieldCheck &check) {
                       return holds(check, activity) ? Truth::Yes : Truth::No;
                   })
        == Truth::Yes;
}

} // namespace outbox
