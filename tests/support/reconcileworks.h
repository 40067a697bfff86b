// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A relay, a worker that counts, and an application that writes rows, all at work in a reconciler's
// world.
#pragma once

#include "app/demo/demoworker.h"
#include "app/relay/relaydriver.h"
#include "connectors/room.h"
#include "tests/support/reconcileworld.h"

#include <QHash>
#include <QTimer>

#include <memory>

namespace outbox {

/// A worker that counts what it runs; for a room of its own. It has no janitor: what expires stays.
struct CountingWorker
{
    DemoWorker worker;
    QHash<QString, int> ran;
    QList<Task> inHand;
    QStringList queues;
    qsizetype nextQueue = 0;

    [[nodiscard]] Result<void> open(const RedisEndpoint &endpoint, const QStringList &served);
    /// Ends what it took in the step before, then takes some more; answers how many it ended.
    [[nodiscard]] Result<int> step();
    /// Ends what it has, and takes its name off the list of servers.
    [[nodiscard]] Result<void> leave();

private:
    [[nodiscard]] Result<int> endAll();
    /// True: there may be more.
    [[nodiscard]] Result<bool> take(const QString &queue);
};

/// Lives in the main thread and needs its event loop.
class ReconcileWorks : public QObject
{
public:
    ReconcileWorks(ReconcileWorld &world, QString stateFolder);
    ~ReconcileWorks() override;

    /// May be called again after `stop`; the worker serves these queues then.
    void start(const QStringList &queues);
    void write(bool on);
    void stop();
    /// How often each task ran, over all starts.
    [[nodiscard]] QHash<QString, int> ran();
    /// Of the tasks that are to run, those that did not yet.
    [[nodiscard]] QStringList toRun();
    /// The relay gave up: it takes a word of somebody to go on.
    [[nodiscard]] bool hasRelayFailed() const { return m_relay->state() == RelayState::Failed; }
    /// False once a step failed.
    [[nodiscard]] bool isSound() const { return m_isSound; }

private:
    void step();

    ReconcileWorld &m_world;
    QString m_stateFolder;
    Room<CountingWorker> m_room{QStringLiteral("worker")};
    std::unique_ptr<RelayDriver> m_relay;
    QTimer m_turns;
    QTimer m_writes;
    bool m_isBusy = false;
    bool m_isSound = true;
};

} // namespace outbox
