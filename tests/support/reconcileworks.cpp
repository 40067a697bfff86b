// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/reconcileworks.h"

#include "connectors/answer.h"
#include "tests/support/roomanswer.h"

#include <QDebug>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype concurrency = 16;
constexpr int stopMs = 10'000;

} // namespace

Result<void> CountingWorker::open(const RedisEndpoint &endpoint, const QStringList &served)
{
    queues = served;
    QMap<QString, int> priorities;
    for (const QString &queue : served)
        priorities.insert(queue, 1);
    if (auto opened = worker.open(endpoint, priorities, static_cast<int>(concurrency)); !opened)
        return opened;
    return worker.heartbeat();
}

Result<int> CountingWorker::endAll()
{
    int ended = 0;
    while (!inHand.isEmpty()) {
        const Task task = inHand.takeLast();
        ++ran[task.id.text];
        ++ended;
        if (auto done = worker.complete(task); !done)
            return passOn(done);
    }
    return ended;
}

Result<bool> CountingWorker::take(const QString &queue)
{
    const auto task = worker.dequeue({queue});
    if (!task)
        return passOn(task);
    if (*task)
        inHand += **task;
    return task->has_value() && inHand.size() < concurrency;
}

Result<int> CountingWorker::step()
{
    if (auto alive = worker.heartbeat(); !alive)
        return passOn(alive);
    auto ended = endAll();
    if (!ended)
        return ended;
    nextQueue = (nextQueue + 1) % queues.size();
    for (const QString &queue : {queues.at(nextQueue), queues.first()}) {
        while (TRY(take(queue))) { }
    }
    return ended;
}

Result<void> CountingWorker::leave()
{
    if (const auto ended = endAll(); !ended)
        return passOn(ended);
    return worker.leave();
}

ReconcileWorks::ReconcileWorks(ReconcileWorld &world, QString stateFolder)
    : m_world(world), m_stateFolder(std::move(stateFolder))
{
    connect(&m_turns, &QTimer::timeout, this, [this] { step(); });
    connect(&m_writes, &QTimer::timeout, this,
            [this] { m_isSound = m_isSound && m_world.writeRows(5); });
}

ReconcileWorks::~ReconcileWorks() = default;

void ReconcileWorks::start(const QStringList &queues)
{
    const RedisEndpoint redis = m_world.fixture().redis();
    m_isSound = answerOf(m_room.run([redis, queues](CountingWorker &worker) {
                    return worker.open(redis, queues);
                })).has_value();
    m_relay = std::make_unique<RelayDriver>();
    RelaySettings settings;
    settings.pollMs = 50;
    settings.idsNeverReturn = true; // the world has ids of numbers alone
    settings.stateFolder = m_stateFolder;
    m_relay->start(m_world.fixture().settings(StoreAccess::Relay), m_world.shape(),
                   *RedisEndpoint::fromUrl(m_world.fixture().redisUrl()), settings);
    m_turns.start(10);
}

void ReconcileWorks::write(bool on)
{
    on ? m_writes.start(100) : m_writes.stop();
}

void ReconcileWorks::stop()
{
    m_turns.stop();
    m_relay->stop();
    const auto hasStopped = [this] { return m_relay->state() == RelayState::Stopped; };
    if (!QTest::qWaitFor([&] { return hasStopped() || hasRelayFailed(); }, stopMs))
        qFatal("the relay did not stop");
    const auto left = answerOf(m_room.run([](CountingWorker &worker) { return worker.leave(); }));
    m_isSound = m_isSound && left.has_value();
}

QHash<QString, int> ReconcileWorks::ran()
{
    return answerOf(m_room.run([](CountingWorker &worker) { return worker.ran; }));
}

QStringList ReconcileWorks::toRun()
{
    const QHash<QString, int> done = ran();
    QStringList left;
    for (const QString &task : m_world.toRun()) {
        if (!done.contains(task))
            left += task;
    }
    return left;
}

void ReconcileWorks::step()
{
    if (m_isBusy)
        return;
    m_isBusy = true;
    answerTo(this, m_room.run([](CountingWorker &worker) { return worker.step(); }),
             [this](const Result<int> &ended) {
                 m_isBusy = false;
                 m_isSound = m_isSound && ended.has_value();
                 if (!ended)
                     qWarning() << oneLine(ended.error());
             });
}

} // namespace outbox
