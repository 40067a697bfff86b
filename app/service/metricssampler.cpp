// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/service/metricssampler.h"

#include "connectors/answer.h"
#include "models/system/relaylist.h"
#include "models/system/shardsums.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int lookEveryMs = 15'000;
constexpr int sourceOverdueMs = 12'000; // longer than connect and statement deadlines together

bool isDue(const QElapsedTimer &since)
{
    return !since.isValid() || since.hasExpired(lookEveryMs);
}

/// Where another queue cannot be read nobody knows what relays deliver there; the own one is read
/// all the same, unless it is one of several shards: their sum needs them all.
Result<QueueReading> readWithOthers(AsynqInspector &inspector, QueueParts parts, bool isShard)
{
    parts.others = true;
    auto all = readQueues(inspector, parts);
    if (all || isShard)
        return all;
    parts.others = false;
    auto own = readQueues(inspector, parts);
    if (own)
        own->queues.first().notes.insert(u"relays"_s, oneLine(all.error()));
    return own;
}

} // namespace

std::optional<QueueSnapshot> ownFigures(const QList<QueueSnapshot> &queues, const QueueName &own,
                                        const QueueShards &shards)
{
    auto snapshot = ownQueueIn(queues, own, shards);
    if (snapshot)
        snapshot->relays = relaysOf(queues, own);
    return snapshot;
}

SourceFigures figuresOf(const SystemSnapshot &seen, const QueueName &own, const QueueShards &shards)
{
    const auto isUp = [](const SourceHealth &source) -> std::optional<bool> {
        if (source.state == SourceHealth::State::Live)
            return true;
        return source.state == SourceHealth::State::Failing ? std::optional(false) : std::nullopt;
    };
    SourceFigures figures;
    figures.databaseUp = isUp(seen.database);
    figures.queueUp = isUp(seen.queue);
    if (figures.databaseUp.value_or(false))
        figures.outbox = seen.outbox;
    if (figures.queueUp.value_or(false) && seen.queues) {
        figures.queue = ownFigures(*seen.queues, own, shards);
        if (shards.isEmpty()) // it is told of one queue
            figures.dedup = seen.dedup;
    }
    return figures;
}

MetricsSampler::MetricsSampler(StoreSettings store, OutboxShape shape, RedisEndpoint redis,
                               QueueName queue, QString stateFolder, QObject *parent)
    : QObject(parent), m_store(std::move(store)), m_shape(std::move(shape)),
      m_redis(std::move(redis)),
      m_ownQueue(m_shape.hasShards() ? QueueName{m_shape.queueShards.name(0)} : std::move(queue)),
      m_stateFolder(std::move(stateFolder)), m_queue(u"metrics queue"_s),
      m_database(u"metrics reader"_s)
{ }

MetricsSampler::~MetricsSampler()
{
    m_database.interrupt(); // closing the room would wait for a server that stands still
}

void MetricsSampler::refresh()
{
    if (m_databaseBusy && m_sinceDatabase.hasExpired(sourceOverdueMs))
        m_database.interrupt(); // libpq waits for ever on a server that stands still
    if (!m_databaseBusy && isDue(m_sinceDatabase))
        askDatabase();
    if (!m_queueBusy && isDue(m_sinceQueue))
        askQueue();
}

void MetricsSampler::askDatabase()
{
    m_databaseBusy = true;
    m_sinceDatabase.start();
    const auto look = [settings = m_store, shape = m_shape,
                       folder = m_stateFolder](OutboxSource &source) -> Result<OutboxSnapshot> {
        TRY(source.ready(settings, folder, shape));
        return source.snapshot(liveCaps);
    };
    answerTo(this, m_database.run(look), [this](const Result<OutboxSnapshot> &answer) {
        m_databaseBusy = false;
        m_figures.databaseUp = answer.has_value();
        m_figures.outbox = answer ? std::optional(*answer) : std::nullopt;
    });
}

QueueSnapshot MetricsSampler::ownOf(const QList<QueueSnapshot> &queues) const
{
    const QueueShards shards = m_shape.hasShards() ? m_shape.queueShards : QueueShards();
    return ownFigures(queues, m_ownQueue, shards).value_or(QueueSnapshot());
}

void MetricsSampler::askQueue()
{
    m_queueBusy = true;
    m_sinceQueue.start();
    const bool isShard = m_shape.hasShards();
    QueueParts parts{m_ownQueue};
    parts.dedup = !isShard; // it is told of one queue
    const auto look = [redis = m_redis, client = m_store.applicationName, parts,
                       isShard](AsynqInspector &inspector) -> Result<QueueReading> {
        TRY(inspector.ready(redis, client));
        return readWithOthers(inspector, parts, isShard);
    };
    answerTo(this, m_queue.run(look), [this](const Result<QueueReading> &answer) {
        m_queueBusy = false;
        m_figures.queueUp = answer.has_value();
        m_figures.queue = answer ? std::optional(ownOf(answer->queues)) : std::nullopt;
        m_figures.dedup = answer ? answer->dedup : std::nullopt;
    });
}

} // namespace outbox
