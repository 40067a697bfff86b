// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How much waits in the outbox and in the queue, looked at now and then beside a running relay.
#pragma once

#include "app/system/sources/outboxsource.h"
#include "app/system/sources/queuereading.h"
#include "connectors/room.h"
#include "models/system/snapshots.h"
#include "models/system/systemview.h"

#include <QElapsedTimer>
#include <QObject>

#include <optional>

namespace outbox {

/// What the last look at each source answered. A source that did not answer has no numbers.
struct SourceFigures
{
    std::optional<bool> databaseUp; ///< nullopt: not looked yet
    std::optional<bool> queueUp;
    std::optional<OutboxSnapshot> outbox;
    std::optional<QueueSnapshot> queue;
    std::optional<DedupSnapshot> dedup;
};

/// The queue `own` of these, or where an outbox has `shards` all of them as one, with the last
/// batches that its relays had in any of them; nullopt: it is not among them.
[[nodiscard]] std::optional<QueueSnapshot>
ownFigures(const QList<QueueSnapshot> &queues, const QueueName &own, const QueueShards &shards);
/// The same of what a window has seen last. A source that fails, or was not asked yet, has no
/// numbers.
[[nodiscard]] SourceFigures figuresOf(const SystemSnapshot &seen, const QueueName &own,
                                      const QueueShards &shards);

/// Two sessions of its own that only read, so that a look never stands in the relay's way. It
/// counts what a look of the window counts. Lives in the asker's thread and never waits.
class MetricsSampler : public QObject
{
    Q_OBJECT

public:
    /// `store` has ReadOnly access. `stateFolder` is where parked rows are that no table keeps;
    /// empty is the user's.
    MetricsSampler(StoreSettings store, OutboxShape shape, RedisEndpoint redis, QueueName queue,
                   QString stateFolder, QObject *parent = nullptr);
    ~MetricsSampler() override;

    /// Looks again at what is older than 15 s, unless a look is under way.
    void refresh();
    [[nodiscard]] const SourceFigures &figures() const { return m_figures; }

private:
    void askDatabase();
    void askQueue();
    [[nodiscard]] QueueSnapshot ownOf(const QList<QueueSnapshot> &queues) const;

    StoreSettings m_store;
    OutboxShape m_shape;
    RedisEndpoint m_redis;
    QueueName m_ownQueue; ///< of shards the first one
    QString m_stateFolder;
    SourceFigures m_figures;
    QElapsedTimer m_sinceDatabase;
    QElapsedTimer m_sinceQueue;
    bool m_databaseBusy = false;
    bool m_queueBusy = false;
    Room<AsynqInspector> m_queue;
    Room<OutboxSource> m_database; ///< last: its thread ends first
};

} // namespace outbox
