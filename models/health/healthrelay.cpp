// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/health/healthrelay.h"

#include "models/health/healthwords.h"
#include "models/phrases.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace healthwords;

namespace {

/// Whether a row was seen to leave after the relay here was stopped: somebody else delivers then.
/// What left right before is seen by the next look, so that one tells nothing.
bool leavesWithoutIt(const HealthInput &input, double stoppedFor)
{
    const double look = std::max({input.databaseLookSeconds, input.queueLookSeconds, 1.0});
    constexpr double lookAndSomeDelay = 1.5;
    const double left = input.secondsSinceLeft.value_or(stoppedFor);
    return stoppedFor < 2 * look || stoppedFor - left > lookAndSomeDelay * look;
}

} // namespace

QString stoppedHere(const HealthInput &input)
{
    const bool isPaused = input.relayHere == RelayState::Paused;
    if (!isPaused && input.relayHere != RelayState::Stopped)
        return {};
    if (!input.relaySince) {
        return isPaused ? healthText("the relay here is paused")
                        : healthText("the relay here was stopped");
    }
    const QString text = isPaused ? healthText("the relay here was paused at %1")
                                  : healthText("the relay here was stopped at %1");
    return text.arg(momentText(*input.relaySince, input.now));
}

QList<HealthFinding> relayFindings(const HealthInput &input, const OutboxSnapshot *outbox)
{
    const QString page = u"relay"_s;
    if (input.relayHere == RelayState::Failed) {
        const QString why = input.relayError ? clipped(input.relayError->text)
                                             : healthText("for an unknown reason");
        return {
            {HealthReason::RelayFailed,
             {HealthLevel::Broken, healthText("The relay here failed: %1.").arg(why), page, {}}}};
    }
    if (input.relayHere == RelayState::BackingOff) {
        const QString why = input.relayError ? clipped(input.relayError->text)
                                             : healthText("the reason is not known");
        return {{HealthReason::RelayBackingOff,
                 {HealthLevel::Watch,
                  healthText("The relay here delivers nothing and tries again: %1.").arg(why),
                  page,
                  {}}}};
    }
    const QString stopped = stoppedHere(input);
    if (stopped.isEmpty() || !input.relaySince || !outbox || outbox->pending.value_or(0) <= 0)
        return {};
    const double stoppedFor = static_cast<double>(input.relaySince->msecsTo(input.now)) / 1000.0;
    if (leavesWithoutIt(input, stoppedFor))
        return {};
    QString sentence = healthText("%1, and nothing has left since: %2.")
                           .arg(stopped, inside(waiting(*outbox, input.ofDocuments)));
    sentence[0] = sentence.at(0).toUpper();
    return {{HealthReason::RelayStopped, {HealthLevel::Watch, sentence, page, {}}}};
}

} // namespace outbox
