// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/taskfilter.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Result<TaskFilter> TaskFilter::fromText(const QString &text, const QDateTime &now)
{
    const auto filter = Filter::fromText(text);
    if (!filter)
        return passOn(filter);
    const auto checks = checksOf(*filter, FilterSubject::Tasks, now);
    if (!checks)
        return passOn(checks);
    TaskFilter wanted{TaskPredicate(*checks, now)};
    if (!filter->mentions(u"state"_s))
        return wanted;
    for (const TaskState state : soundTaskStates()) {
        const Truth may = truthOf(*checks, [state](const FieldCheck &check) {
            if (check.field != FilterField::State)
                return Truth::Unknown;
            for (const QString &word : check.words) {
                if (taskStateFromWord(word) == state)
                    return Truth::Yes;
            }
            return Truth::No;
        });
        if (may != Truth::No)
            wanted.m_states += state;
    }
    return wanted;
}

int TaskFilter::payloadBytes() const
{
    constexpr int searched = 65'536; // what is longer is told apart as not searched
    constexpr int shown = 64;
    return needsOf(m_predicate.checks()).payload ? searched : shown;
}

} // namespace outbox
