// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relays of one system, whatever host they are on, and what each of them does. Pure.
#pragma once

#include "models/system/relayentry.h"
#include "models/system/snapshots.h"

namespace outbox {

/// So many seconds without a batch, while a row has waited as long, are silence.
inline constexpr double relaySilentSeconds = 60;

enum class RelayActivity {
    Working, ///< its last batch is young
    Idle, ///< it sends nothing, and no row waits for long; or it works by a schedule
    Silent, ///< it sends nothing while rows wait
    Stopped, ///< it said that it ended
    Unknown, ///< it sends nothing, and nobody knows whether rows wait
};

[[nodiscard]] QString word(RelayActivity activity); ///< "working", as in `status --json`
[[nodiscard]] QString label(RelayActivity activity); ///< for people: "Working"

struct ListedRelay
{
    RelayEntry entry;
    RelayActivity activity = RelayActivity::Unknown;

    bool operator==(const ListedRelay &) const = default;
};

/// For how many seconds the oldest due row has waited; 0: none waits; nullopt: not known. The rows
/// of a standby, and those that are read by a guess, tell nothing.
[[nodiscard]] std::optional<double> longestWait(const OutboxSnapshot &outbox);

/// Those that `own`, the queue of the system's profile, knows: each relay meets it when it starts.
/// One entry a relay, with its last batch in any of `queues`. Relays that say nothing of themselves
/// are listed for an hour after their last batch. By host and worker.
[[nodiscard]] QList<RelayEntry> relaysOf(const QList<QueueSnapshot> &queues, const QueueName &own);

/// `rowWaits` is what `longestWait` answers.
[[nodiscard]] RelayActivity activityOf(const RelayEntry &relay, const QDateTime &now,
                                       std::optional<double> rowWaits,
                                       double silentSeconds = relaySilentSeconds);

/// The relays of `relaysOf`, each with what it does at the moment of the look at `own`.
[[nodiscard]] QList<ListedRelay> listRelays(const QList<QueueSnapshot> &queues,
                                            const QueueName &own, std::optional<double> rowWaits,
                                            double silentSeconds = relaySilentSeconds);

/// Its last batch was less than an hour before `now`, and it did not end since.
[[nodiscard]] bool wasAtWorkLately(const RelayEntry &relay, const QDateTime &now);

/// "web1", "web1 worker 2", "a relay that names no host".
[[nodiscard]] QString relayName(const RelayEntry &relay);
/// "since 14:02:40" of one that works, "silent for 3 min", "stopped at 14:02:40"; `now` is the
/// moment of the look.
[[nodiscard]] QString activityText(const ListedRelay &relay, const QDateTime &now);
/// "2 (web1 0.9.0 since 14:02:40; web2 0.8.0 silent for 3 min)": those that sent something within a
/// day and did not end. Empty: there is none.
[[nodiscard]] QString relaysText(const QList<ListedRelay> &relays, const QDateTime &now);

} // namespace outbox
