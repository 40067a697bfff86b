// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/message/messagestate.h"

#include "models/translation.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation messageStateText("outbox::State");

} // namespace

QList<MessageState> allMessageStates()
{
    return {MessageState::Pending,   MessageState::Waiting, MessageState::Locked,
            MessageState::Processed, MessageState::Failed,  MessageState::Parked,
            MessageState::Unknown};
}

QList<TaskState> soundTaskStates()
{
    return {TaskState::Pending,  TaskState::Active,    TaskState::Scheduled,  TaskState::Retry,
            TaskState::Archived, TaskState::Completed, TaskState::Aggregating};
}

QList<TaskState> allTaskStates()
{
    return soundTaskStates() << TaskState::Stub << TaskState::Orphan << TaskState::WrongType
                             << TaskState::None;
}

QString word(MessageState state)
{
    switch (state) {
    case MessageState::Pending:
        return u"pending"_s;
    case MessageState::Waiting:
        return u"waiting"_s;
    case MessageState::Locked:
        return u"locked"_s;
    case MessageState::Processed:
        return u"processed"_s;
    case MessageState::Failed:
        return u"failed"_s;
    case MessageState::Parked:
        return u"parked"_s;
    case MessageState::Unknown:
        break;
    }
    return u"unknown"_s;
}

QString label(MessageState state)
{
    switch (state) {
    case MessageState::Pending:
        return messageStateText("Pending");
    case MessageState::Waiting:
        return messageStateText("Waiting");
    case MessageState::Locked:
        return messageStateText("Locked");
    case MessageState::Processed:
        return messageStateText("Processed");
    case MessageState::Failed:
        return messageStateText("Failed");
    case MessageState::Parked:
        return messageStateText("Parked");
    case MessageState::Unknown:
        break;
    }
    return messageStateText("Unknown");
}

std::optional<MessageState> messageStateFromWord(QStringView text)
{
    for (const MessageState state : allMessageStates()) {
        if (text.compare(word(state), Qt::CaseInsensitive) == 0)
            return state;
    }
    return std::nullopt;
}

QString word(TaskState state)
{
    switch (state) {
    case TaskState::Pending:
        return u"pending"_s;
    case TaskState::Active:
        return u"active"_s;
    case TaskState::Scheduled:
        return u"scheduled"_s;
    case TaskState::Retry:
        return u"retry"_s;
    case TaskState::Archived:
        return u"archived"_s;
    case TaskState::Completed:
        return u"completed"_s;
    case TaskState::Aggregating:
        return u"aggregating"_s;
    case TaskState::Stub:
        return u"stub"_s;
    case TaskState::Orphan:
        return u"orphan"_s;
    case TaskState::WrongType:
        return u"wrong-type"_s;
    case TaskState::None:
        break;
    }
    return u"none"_s;
}

QString label(TaskState state)
{
    switch (state) {
    case TaskState::Pending:
        return messageStateText("Pending");
    case TaskState::Active:
        return messageStateText("Active");
    case TaskState::Scheduled:
        return messageStateText("Scheduled");
    case TaskState::Retry:
        return messageStateText("Retry");
    case TaskState::Archived:
        return messageStateText("Dead");
    case TaskState::Completed:
        return messageStateText("Done");
    case TaskState::Aggregating:
        return messageStateText("Grouped");
    case TaskState::Stub:
        return messageStateText("Damaged: no message");
    case TaskState::Orphan:
        return messageStateText("Damaged: in no list");
    case TaskState::WrongType:
        return messageStateText("Damaged: wrong type");
    case TaskState::None:
        break;
    }
    return messageStateText("Not queued");
}

std::optional<TaskState> taskStateFromWord(QStringView text)
{
    if (text.compare(u"dead", Qt::CaseInsensitive) == 0)
        return TaskState::Archived;
    if (text.compare(u"done", Qt::CaseInsensitive) == 0)
        return TaskState::Completed;
    for (const TaskState state : soundTaskStates()) {
        if (text.compare(word(state), Qt::CaseInsensitive) == 0)
            return state;
    }
    return std::nullopt;
}

} // namespace outbox
