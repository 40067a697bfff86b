// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What relays leave in the fence of a queue, beside what the fence checks: who they are.
#pragma once

#include "connectors/redis/reply.h"
#include "models/system/relayentry.h"

#include <QByteArray>
#include <QList>

namespace outbox::asynq {

/// Longer values are not read, and not written.
inline constexpr qsizetype mostRelayBytes = 512;
/// So many fields of a fence one look asks for.
inline constexpr char mostRelayFields[] = "1000";

/// The value of the field `h:<relay>`: "1 web1 0.9.0 2 1795225841 1000 a 0", that is the version of
/// this form, host and program version (percent-encoded), worker, start in Unix s, largest batch,
/// "a" for always or "s" for a schedule, and the end in Unix s or 0. Later forms may put more
/// behind it.
[[nodiscard]] QByteArray relayValue(const RelayAbout &about);
/// nullopt: it is no such value.
[[nodiscard]] std::optional<RelayAbout> relayAbout(const QByteArray &value);

/// The relays that the answer to HSCAN of a fence tells of: each that has a number of a batch there
/// and a name of our kind; the rest is left out.
[[nodiscard]] QList<RelayEntry> relaysIn(const RedisReply &scan);
/// The answer to HSCAN holds all fields that there are.
[[nodiscard]] bool isWhole(const RedisReply &scan);

} // namespace outbox::asynq
