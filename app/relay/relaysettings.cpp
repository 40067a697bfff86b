// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/relaysettings.h"

#include "connectors/sql/driver/sqldatabases.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

std::optional<Error> refusalOf(const RelaySettings &settings, const StoreSettings &store,
                               const OutboxShape &shape)
{
    const auto refusal = [](const QString &text, const QString &hint) {
        return Error{Error::Kind::Refused, u"starting the relay"_s, text, {}, hint};
    };
    if (const QString why = shape.whyNotRelay(); !why.isEmpty())
        return refusal(why, u"Give a shape that may be relayed (--shape)"_s);
    if (settings.retentionSeconds < 1 && !settings.allowDuplicates) {
        return refusal(u"a retention of 0 lets every retry through as a duplicate"_s,
                       u"Set a retention longer than the longest outage, or allow duplicates"_s);
    }
    if (QueueShards::isTemplate(settings.queue)) {
        return refusal(u"no queue can have the name \"%1\": its braces would break the keys"_s.arg(
                           settings.queue),
                       u"Shards are said in the mapping: \"queue\": \"mail-{shard:16}\""_s);
    }
    if (settings.barrier && !databaseOf(store.url.dialect).hasBarrier()) {
        return refusal(u"this database has no barrier: it cannot be asked what is on its disk"_s,
                       u"Leave the barrier off, and let every writer commit synchronously"_s);
    }
    if (settings.schedule && !settings.notifyChannel.isEmpty()) {
        return refusal(u"a relay that works by a schedule is not woken by a NOTIFY"_s,
                       u"Give one of the two"_s);
    }
    return std::nullopt;
}

RelayRules rulesOf(const RelaySettings &settings)
{
    RelayRules rules;
    rules.queue.text = settings.queue;
    rules.retentionSeconds = settings.retentionSeconds;
    rules.mostPayloadBytes = settings.mostPayloadBytes;
    rules.barrier = settings.barrier;
    rules.replicas = settings.replicas;
    rules.onDisk = settings.onDisk;
    rules.replicaTimeoutMs = settings.replicaTimeoutMs;
    return rules;
}

} // namespace outbox
