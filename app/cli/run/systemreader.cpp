// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run/systemreader.h"

#include "app/cli/run/await.h"
#include "app/settings/opening.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int fewSamples = 16; ///< no line is drawn of them

} // namespace

SystemReader::SystemReader(const Target &target)
    : m_target(target), m_history(fewSamples), m_database(u"reader"_s), m_queue(u"queue"_s)
{ }

SystemReader::~SystemReader() = default;

Result<OutboxShape> SystemReader::openDatabase()
{
    const auto settings = storeSettingsOf(m_target.profile, m_target.secrets, StoreAccess::ReadOnly,
                                          u"outboxctl"_s);
    if (!settings)
        return passOn(settings);
    auto shape
        = await(m_database,
                [settings = *settings, target = m_target,
                 anew = !m_shape.has_value()](OutboxSource &source) {
                    return source.recognize(settings, target.stateFolder, target.profile, anew);
                });
    if (shape)
        m_shape = *shape;
    return shape;
}

Result<void> SystemReader::openQueue()
{
    if (m_target.profile.redisUrl.isEmpty()) {
        return fail(Error::Kind::Invalid, u"opening the queue"_s, u"no Redis was named"_s, {},
                    u"Add --redis URL"_s);
    }
    const auto endpoint = redisOf(m_target.profile, m_target.secrets);
    if (!endpoint)
        return passOn(endpoint);
    return await(m_queue, [endpoint = *endpoint](AsynqInspector &inspector) {
        return inspector.ready(endpoint, sessionName(u"outboxctl"_s));
    });
}

SystemReading SystemReader::look()
{
    SystemReading look{QDateTime::currentDateTimeUtc(), OutboxSnapshot(), QueueReading(), {}};
    if (auto opened = openDatabase(); !opened)
        look.outbox = passOn(opened);
    else
        look.outbox
            = await(m_database, [](OutboxSource &source) { return source.snapshot(liveCaps); });

    if (auto opened = openQueue(); !opened) {
        look.queue = passOn(opened);
    } else {
        const QueueName own{m_target.profile.queue};
        QueueParts parts{own};
        parts.others = parts.dedup = parts.facts = true;
        look.queue = await(
            m_queue, [parts](AsynqInspector &inspector) { return readQueues(inspector, parts); });
        if (look.queue) {
            std::stable_partition(look.queue->queues.begin(), look.queue->queues.end(),
                                  [&own](const QueueSnapshot &one) { return one.name == own; });
        }
    }

    remember(look);
    judge(look);
    return look;
}

void SystemReader::remember(const SystemReading &look)
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
        m_history.addQueues(look.at, look.queue->queues.first(1));
    else
        m_history.missQueues(look.at);
}

void SystemReader::judge(SystemReading &look) const
{
    HealthInput input;
    input.now = look.at;
    input.ownQueue = m_target.profile.queue;
    input.retentionSeconds = m_target.profile.retentionSeconds;
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
