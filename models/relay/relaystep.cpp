// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/relay/relaystep.h"

#include "models/enumtext.h"

namespace outbox {

namespace {

constexpr auto relayStates = enumTexts<RelayState>({
    {RelayState::Stopped, u"stopped", "Stopped"},
    {RelayState::Starting, u"starting", "Starting"},
    {RelayState::Running, u"running", "Running"},
    {RelayState::Paused, u"paused", "Paused"},
    {RelayState::Draining, u"draining", "Draining"},
    {RelayState::BackingOff, u"backing-off", "Backing off"},
    {RelayState::Stopping, u"stopping", "Stopping"},
    {RelayState::Failed, u"failed", "Failed"},
});

} // namespace

void RelayTotals::add(const RelayStep &step)
{
    parked += step.parked.size();
    if (step.doubt == RelayStep::Doubt::Open) {
        ++inDoubt;
        return;
    }
    if (step.doubt == RelayStep::Doubt::Settled)
        --inDoubt;
    if (step.claimed == 0 && !step.error)
        return;
    if (!step.committed) {
        ++rollbacks;
        return;
    }
    ++batches;
    enqueued += step.enqueued;
    alreadyQueued += step.alreadyQueued;
    alreadyDone += step.alreadyDone;
    deadInQueue += step.deadInQueue;
}

QString word(RelayState state)
{
    return relayStates.word(state);
}

QString label(RelayState state)
{
    return relayStates.label(state, "outbox::RelayState");
}

} // namespace outbox
