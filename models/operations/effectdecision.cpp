// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/operations/effectdecision.h"

#include "models/translation.h"

namespace outbox {

namespace {

constexpr Translation decisionText("outbox::EffectDecision");

} // namespace

EffectDecision decideEffect(EffectStatus status, EffectTask task, ProviderAnswer provider)
{
    const bool neverSeen = provider == ProviderAnswer::NotFound;
    if (task == EffectTask::Waiting || task == EffectTask::Retry)
        return EffectDecision::Wait;
    if (task == EffectTask::Active)
        return EffectDecision::HandsOff;
    if (status == EffectStatus::Sent)
        return neverSeen ? EffectDecision::AlarmNeverSent : EffectDecision::Fine;
    if (task == EffectTask::Completed)
        return neverSeen ? EffectDecision::AlarmNoEffect : EffectDecision::SetSent;
    if (provider == ProviderAnswer::Delivered)
        return EffectDecision::SetSent;
    if (provider == ProviderAnswer::Unknown)
        return EffectDecision::AskOperator;
    return task == EffectTask::Archived ? EffectDecision::RunArchived
                                        : EffectDecision::EnqueueAgain;
}

QString textOf(EffectDecision decision)
{
    switch (decision) {
    case EffectDecision::Wait:
        return decisionText("It waits in the queue: nothing to do.");
    case EffectDecision::HandsOff:
        return decisionText("A worker has it, or its lease must end first: never touch it.");
    case EffectDecision::Fine:
        return decisionText("It was sent.");
    case EffectDecision::AlarmNeverSent:
        return decisionText("The status says that it was sent, but the provider never saw it.");
    case EffectDecision::AlarmNoEffect:
        return decisionText("The worker ended well, but the provider never saw it.");
    case EffectDecision::SetSent:
        return decisionText("It was sent: only the status is behind.");
    case EffectDecision::AskOperator:
        return decisionText(
            "Whether it was sent is not known: sending again may be a second time.");
    case EffectDecision::EnqueueAgain:
        return decisionText("It was not sent, and nothing is on its way: it may be sent again.");
    case EffectDecision::RunArchived:
        break;
    }
    return decisionText("It was not sent: run the archived task again.");
}

EffectTask effectTaskOf(TaskState state)
{
    switch (state) {
    case TaskState::Pending:
    case TaskState::Scheduled:
    case TaskState::Aggregating:
        return EffectTask::Waiting;
    case TaskState::Active:
        return EffectTask::Active;
    case TaskState::Retry:
        return EffectTask::Retry;
    case TaskState::Archived:
        return EffectTask::Archived;
    case TaskState::Completed:
        return EffectTask::Completed;
    case TaskState::None:
    case TaskState::Stub:
    case TaskState::Orphan:
    case TaskState::WrongType:
        break;
    }
    return EffectTask::Absent;
}

} // namespace outbox
