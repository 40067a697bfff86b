// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/fleet/systemreading.h"

#include "app/settings/opening.h"
#include "models/system/shardsums.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int fewSamples = 16; ///< no line is drawn of them

} // namespace

Result<StoreSettings> databaseSettingsOf(const Target &target, const QString &program)
{
    if (target.profile.databaseUrl.isEmpty()) { // Invalid would say that there is a broken one
        return fail(Error::Kind::Unsupported, u"opening the database"_s, u"no database was named"_s,
                    {}, u"Add --database URL"_s);
    }
    return storeSettingsOf(target.profile, target.secrets, StoreAccess::ReadOnly, program);
}

QueueSnapshot SystemReading::ownQueue() const
{
    return withSummedShards(queue->queues, queue->shards).constFirst();
}

Result<QueueReading> readEveryQueue(AsynqInspector &inspector, const Profile &profile)
{
    const QueueName own = profile.ownQueue();
    QueueParts parts{own};
    parts.others = parts.dedup = parts.facts = true;
    auto reading = readQueues(inspector, parts);
    if (reading) {
        reading->shards = profile.shards();
        std::stable_partition(reading->queues.begin(), reading->queues.end(),
                              [&own](const QueueSnapshot &one) { return one.name == own; });
    }
    return reading;
}

ReadingJudge::ReadingJudge(const Profile &profile) : m_profile(profile), m_history(fewSamples)
{ }

void ReadingJudge::take(SystemReading &look)
{
    remember(look);
    look.outPerSecond = m_history.series(Measure::Out).latest();
    judge(look);
}

void ReadingJudge::remember(const SystemReading &look)
{
    if (look.outbox)
        m_history.addOutbox(look.at, *look.outbox);
    else
        m_history.missOutbox(look.at);
    if (look.queue)
        m_attempts.add(look.queue->queues);
    else
        m_attempts.forget();
    if (look.queue) // what other producers send elsewhere is no sign of life of this outbox
        m_history.addQueues(look.at, {look.ownQueue()});
    else
        m_history.missQueues(look.at);
}

void ReadingJudge::judge(SystemReading &look) const
{
    HealthInput input;
    input.now = look.at;
    input.ownQueue = m_profile.ownQueue().text;
    input.retentionSeconds = m_profile.retentionSeconds;
    input.users = logInNamesOf(m_profile);
    input.hasQueue = !m_profile.isDatabaseOnly();
    input.promiseTerms.rowsAreKept
        = m_shape && m_shape->processedHow != OutboxShape::ProcessedHow::Deleted;
    if (look.outbox) {
        input.outbox = {*look.outbox, 0};
        input.headSeconds = m_history.headSeconds(look.at);
        input.worstRelayDelaySeconds = m_history.worstLag();
    } else {
        input.databaseError = look.outbox.error();
    }
    if (look.queue) {
        input.queues = {look.queue->queues, 0};
        input.attempts = m_attempts.counts();
        input.dedup = {*look.queue->dedup, 0};
        input.redis = {*look.queue->facts, 0};
    } else {
        input.queueError = look.queue.error();
    }
    input.secondsSinceLeft = m_history.secondsSinceLeft(look.at);
    look.report = assess(input);
}

} // namespace outbox
