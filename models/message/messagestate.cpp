// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/message/messagestate.h"

#include "models/enumtext.h"

namespace outbox {

namespace {

constexpr auto messageStates = enumTexts<MessageState>({
    {MessageState::Pending, u"pending", "Pending"},
    {MessageState::Waiting, u"waiting", "Waiting"},
    {MessageState::Locked, u"locked", "Locked"},
    {MessageState::Processed, u"processed", "Processed"},
    {MessageState::Failed, u"failed", "Failed"},
    {MessageState::Parked, u"parked", "Parked"},
    {MessageState::Unknown, u"unknown", "Unknown"},
});

constexpr auto taskStates = enumTexts<TaskState>({
    {TaskState::Pending, u"pending", "Pending"},
    {TaskState::Active, u"active", "Active"},
    {TaskState::Scheduled, u"scheduled", "Scheduled"},
    {TaskState::Retry, u"retry", "Retry"},
    {TaskState::Archived, u"archived", "Dead"},
    {TaskState::Completed, u"completed", "Done"},
    {TaskState::Aggregating, u"aggregating", "Grouped"},
    {TaskState::Stub, u"stub", "Damaged: no message"},
    {TaskState::Orphan, u"orphan", "Damaged: in no list"},
    {TaskState::WrongType, u"wrong-type", "Damaged: wrong type"},
    {TaskState::None, u"none", "Not queued"},
});

} // namespace

QList<MessageState> allMessageStates()
{
    return messageStates.all();
}

QList<TaskState> soundTaskStates()
{
    return {TaskState::Pending,  TaskState::Active,    TaskState::Scheduled,  TaskState::Retry,
            TaskState::Archived, TaskState::Completed, TaskState::Aggregating};
}

QList<TaskState> allTaskStates()
{
    return taskStates.all();
}

QString word(MessageState state)
{
    return messageStates.word(state);
}

QString label(MessageState state)
{
    return messageStates.label(state, "outbox::State");
}

std::optional<MessageState> messageStateFromWord(QStringView text)
{
    return messageStates.fromWord(text, Qt::CaseInsensitive);
}

QString word(TaskState state)
{
    return taskStates.word(state);
}

QString label(TaskState state)
{
    return taskStates.label(state, "outbox::State");
}

std::optional<TaskState> taskStateFromWord(QStringView text)
{
    if (text.compare(u"dead", Qt::CaseInsensitive) == 0)
        return TaskState::Archived;
    if (text.compare(u"done", Qt::CaseInsensitive) == 0)
        return TaskState::Completed;
    const auto state = taskStates.fromWord(text, Qt::CaseInsensitive);
    return state && soundTaskStates().contains(*state) ? state : std::nullopt;
}

} // namespace outbox
