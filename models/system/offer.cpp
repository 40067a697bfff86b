// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/system/offer.h"

#include "models/operations/verbdescriptor.h"

#include <algorithm>

namespace outbox {

namespace {

constexpr Translation offerText("outbox::Offer");

/// "%1" and "%2" are the verb and the state.
template <typename State> QString whyText(const char *why, Verb verb, State state)
{
    const QString text = why ? verbTexts(why) : QString();
    return text.contains(u"%1") ? text.arg(label(verb), label(state).toLower()) : text;
}

bool isOffered(VerbOffer offer, const IdVerdict &facts)
{
    const TaskState task = facts.task ? facts.task->state : TaskState::None;
    const bool rowWithQueue = facts.row && !facts.taskError;
    switch (offer) {
    case VerbOffer::RowWithoutTask:
        return rowWithQueue && task == TaskState::None;
    case VerbOffer::ParkedRow:
        return facts.row && facts.row->state == MessageState::Parked;
    case VerbOffer::Task:
        return task != TaskState::None;
    case VerbOffer::DeadTask:
        return task == TaskState::Archived;
    case VerbOffer::OpenRow: {
        const bool isKnown = !facts.taskError || facts.taskError->kind == Error::Kind::Unsupported;
        return facts.row && isKnown && (task == TaskState::None || task == TaskState::Completed);
    }
    case VerbOffer::FinishedRow:
        return rowWithQueue && (task == TaskState::None || task == TaskState::Completed);
    case VerbOffer::Never:
        break;
    }
    return false;
}

} // namespace

QString whyNotInState(Verb verb, MessageState state)
{
    const auto whyNot = descriptorOf(verb).whyNotRow;
    return whyText(whyNot ? whyNot(state) : nullptr, verb, state);
}

QString whyNotInState(Verb verb, TaskState state)
{
    if (state == TaskState::Stub || state == TaskState::Orphan || state == TaskState::WrongType)
        return offerText("A damaged task: see Reconcile on the Dedup page.");
    if (state == TaskState::Active && !descriptorOf(verb).onRunning)
        return offerText("A worker runs these tasks: wait, or ask it to give up.");
    const auto whyNot = descriptorOf(verb).whyNotTask;
    return whyText(whyNot ? whyNot(state) : nullptr, verb, state);
}

QString whyNotForShape(Verb verb, const OutboxShape &shape)
{
    const auto whyNot = descriptorOf(verb).whyNotShape;
    if (const char *why = whyNot ? whyNot(shape) : nullptr)
        return verbTexts(why);
    if (!shape.keyParts.isEmpty() && actsOnRows(verb))
        return offerText("No single column is the key of this table: its rows are only watched.");
    return {};
}

QList<Verb> offerableVerbs()
{
    QList<Verb> verbs;
    for (const VerbDescriptor &one : verbDescriptors()) {
        if (one.offer != VerbOffer::Never)
            verbs += one.verb;
    }
    std::stable_sort(verbs.begin(), verbs.end(), [](Verb one, Verb other) {
        return descriptorOf(one).offer < descriptorOf(other).offer;
    });
    return verbs;
}

QList<Verb> offeredVerbs(const IdVerdict &facts)
{
    const TaskState task = facts.task ? facts.task->state : TaskState::None;
    QList<Verb> verbs = offerableVerbs();
    verbs.removeIf([&](Verb verb) {
        if (!isOffered(descriptorOf(verb).offer, facts))
            return true;
        return !(actsOnRows(verb) ? whyNotInState(verb, facts.row->state)
                                  : whyNotInState(verb, task))
                    .isEmpty();
    });
    return verbs;
}

} // namespace outbox
