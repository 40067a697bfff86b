// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/relay/relaystep.h"

#include <QCoreApplication>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

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
    switch (state) {
    case RelayState::Stopped:
        return u"stopped"_s;
    case RelayState::Starting:
        return u"starting"_s;
    case RelayState::Running:
        return u"running"_s;
    case RelayState::Paused:
        return u"paused"_s;
    case RelayState::Draining:
        return u"draining"_s;
    case RelayState::BackingOff:
        return u"backing-off"_s;
    case RelayState::Stopping:
        return u"stopping"_s;
    case RelayState::Failed:
        break;
    }
    return u"failed"_s;
}

QString label(RelayState state)
{
    const auto text = [](const char *source) {
        return QCoreApplication::translate("outbox::RelayState", source);
    };
    switch (state) {
    case RelayState::Stopped:
        return text("Stopped");
    case RelayState::Starting:
        return text("Starting");
    case RelayState::Running:
        return text("Running");
    case RelayState::Paused:
        return text("Paused");
    case RelayState::Draining:
        return text("Draining");
    case RelayState::BackingOff:
        return text("Backing off");
    case RelayState::Stopping:
        return text("Stopping");
    case RelayState::Failed:
        break;
    }
    return text("Failed");
}

} // namespace outbox
