// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/filter/taskfilter.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Result<TaskFilter> TaskFilter::fromText(const QString &text, const QDateTime &now)
{
    const Filter filter = TRY(Filter::fromText(text));
    const auto checks = TRY(checksOf(filter, FilterSubject::Tasks, now));
    TaskFilter wanted(checks, now);
    wanted.m_speaksOfStates = filter.mentions(u"state"_s);
    if (!wanted.m_speaksOfStates)
        return wanted;
    for (const TaskState state : soundTaskStates()) {
        const Truth may = truthOf(checks, [state](const FieldCheck &check) {
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

QList<TaskState> TaskFilter::statesToRead() const
{
    return m_speaksOfStates ? m_states : soundTaskStates();
}

FilterReach taskReachOf(const CheckNode &checks)
{
    if (checks.kind == FilterNode::Kind::Term)
        return checks.check.field == FilterField::State ? FilterReach::Queue : FilterReach::Scan;
    const bool isSearched
        = std::any_of(checks.parts.begin(), checks.parts.end(),
                      [](const CheckNode &part) { return taskReachOf(part) == FilterReach::Scan; });
    return isSearched ? FilterReach::Scan : FilterReach::Queue;
}

int TaskFilter::payloadBytes() const
{
    constexpr int searched = 65'536; // what is longer is told apart as not searched
    constexpr int shown = 64;
    return needsOf(m_checks).payload ? searched : shown;
}

void TaskSearchView::take(const TaskFilter &filter, const TaskPage &page, qsizetype payloadBytes)
{
    searched += page.tasks.size();
    for (const Task &task : page.tasks) {
        const Truth truth = filter.of(task);
        undecided += truth == Truth::Unknown ? 1 : 0;
        if (truth != Truth::Yes || m_known.contains(task.id))
            continue;
        m_known.insert(task.id);
        tasks += task;
        if (task.payload.size() > payloadBytes)
            tasks.last().payload = QByteArray(task.payload.constData(), payloadBytes);
    }
}

} // namespace outbox
