// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/scalinglegs.h"

#include "connectors/asynq/asynqqueue.h"
#include "connectors/room.h"
#include "tests/crash/ground.h"

#include <QElapsedTimer>

#include <algorithm>
#include <csignal>
#include <memory>
#include <numeric>
#include <vector>

#include <poll.h>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int batchRows = 1000; ///< what a relay takes at most where nothing is said
constexpr int lookEveryMs = 10;
/// A relay that found nothing looks again after 500 ms: behind that it claims as soon as it may.
constexpr int idleMs = 700;

/// Events that a relay tells with --json.
constexpr char connectionsStand[] = "\"event\":\"parking\"";
constexpr char isPaused[] = "\"event\":\"paused\"";

const QString measuring = u"measuring"_s;

/// The time of one leg.
class LegClock
{
public:
    explicit LegClock(double mostSeconds) : m_mostNs(static_cast<qint64>(mostSeconds * 1e9)) { }

    /// `before`: what was spent until now.
    void start(const CpuSpent &before)
    {
        m_before = before;
        m_clock.start();
    }
    [[nodiscard]] bool isOver() const { return m_clock.nsecsElapsed() >= m_mostNs; }
    void stop() { m_ns = m_clock.nsecsElapsed(); }
    /// Of a clock that was stopped; `now`: what was spent until then.
    [[nodiscard]] LegResult result(qint64 messages, const CpuSpent &now) const
    {
        return {messages, static_cast<double>(m_ns) / 1e9, now - m_before};
    }

private:
    qint64 m_mostNs;
    qint64 m_ns = 0;
    CpuSpent m_before;
    QElapsedTimer m_clock;
};

CpuSpent withOurs(CpuSpent servers)
{
    servers.ours = cpuSecondsOfOurs();
    return servers;
}

qint64 sumOf(const QList<qint64> &numbers)
{
    return std::accumulate(numbers.cbegin(), numbers.cend(), qint64{0});
}

/// Sessions that work at the same time, each in a room of its own.
template <typename Session> class SideBySide
{
public:
    /// `job(session, number)` in each of `count` rooms, one after another; it answers a
    /// Result<qint64> whose number means nothing.
    template <typename Job> [[nodiscard]] Result<void> open(int count, Job job)
    {
        for (int number = 0; number < count; ++number) {
            m_rooms.push_back(std::make_unique<Room<Session>>(u"bench"_s));
            const Result<qint64> opened
                = m_rooms.back()
                      ->run([job, number](Session &session) { return job(session, number); })
                      .result();
            if (!opened)
                return passOn(opened);
        }
        return {};
    }
    /// The sum of what `job(session, number)` answers, in all rooms at once.
    template <typename Job> [[nodiscard]] Result<qint64> work(Job job)
    {
        std::vector<QFuture<Result<qint64>>> answers;
        for (size_t room = 0; room < m_rooms.size(); ++room) {
            const int number = int(room);
            answers.push_back(m_rooms[room]->run(
                [job, number](Session &session) { return job(session, number); }));
        }
        Result<qint64> sum = 0;
        for (const QFuture<Result<qint64>> &answer : answers) { // all have ended then
            const Result<qint64> done = answer.result();
            if (sum && done)
                *sum += *done;
            else if (sum)
                sum = done;
        }
        return sum;
    }

private:
    std::vector<std::unique_ptr<Room<Session>>> m_rooms;
};

/// BEGIN, the claim, COMMIT; until nothing can be claimed or the time is up.
Result<qint64> claimUntilEmpty(PlainPostgres &postgres, const LegClock &clock)
{
    qint64 taken = 0;
    for (int count = 1; count > 0 && !clock.isOver(); taken += count) {
        TRY(postgres.run("BEGIN"));
        const auto rows = TRY(postgres.runPrepared("claim", batchRows));
        count = PQntuples(rows.get());
        TRY(postgres.run("COMMIT"));
    }
    return taken;
}

Result<ScalingResult> databaseAlone(ScalingServers &servers, const ScalingLeg &leg,
                                    double mostSeconds)
{
    TRY(servers.clear(leg.route));
    TRY(servers.fill(leg.route));
    SideBySide<PlainPostgres> sessions;
    const auto open = [url = servers.databaseUrl(), outboxes = leg.route.outboxes](
                          PlainPostgres &postgres, int number) -> Result<qint64> {
        TRY(postgres.open(url));
        TRY(postgres.prepare("claim", articleClaim(ScalingServers::tableName(number % outboxes))));
        return 0;
    };
    TRY(sessions.open(leg.count, open));
    LegClock clock(mostSeconds);
    clock.start(withOurs(servers.cpu(leg.route.to)));
    const auto taken = TRY(sessions.work(
        [&clock](PlainPostgres &postgres, int) { return claimUntilEmpty(postgres, clock); }));
    clock.stop();
    const LegResult all = clock.result(taken, withOurs(servers.cpu(leg.route.to)));
    const auto left = TRY(servers.rowsLeft(leg.route));
    if (left != servers.rows() - taken) {
        return fail(Error::Kind::Conflict, measuring,
                    u"%1 rows left after %2 were taken"_s.arg(left).arg(taken));
    }
    return ScalingResult{all, {}};
}

/// The rows of one of several writers: `number`, and every `step`-th behind it, up to `last`.
struct WriterPart
{
    qint64 number = 1;
    qint64 step = 1;
    qint64 last = 0;
    QStringList queues;
};

EnqueueRequest requestOf(const WriterPart &part, qint64 number, const QByteArray &payload)
{
    EnqueueRequest request = requestWith(ScalingServers::taskId(number), payload);
    request.queue.text = part.queues.at(number / part.step % part.queues.size());
    return request;
}

Result<qint64> enqueueAll(AsynqQueue &queue, const WriterPart &part, const LegClock &clock)
{
    const QByteArray payload(200, 'x');
    qint64 sent = 0;
    for (qint64 next = part.number; next <= part.last && !clock.isOver();) {
        QList<EnqueueRequest> batch;
        for (; next <= part.last && batch.size() < batchRows; next += part.step)
            batch += requestOf(part, next, payload);
        const auto answers = TRY(queue.enqueue(batch));
        for (const EnqueueAnswer &answer : answers) {
            if (answer.kind != EnqueueAnswer::Kind::Stored)
                return fail(Error::Kind::Conflict, measuring, u"a task was not stored"_s);
        }
        sent += batch.size();
    }
    return sent;
}

Result<ScalingResult> queueAlone(ScalingServers &servers, const ScalingLeg &leg, double mostSeconds)
{
    TRY(servers.clear(leg.route));
    const auto endpoint = TRY(RedisEndpoint::fromUrl(servers.queueUrl(leg.route.to)));
    SideBySide<AsynqQueue> writers;
    const auto open = [endpoint](AsynqQueue &queue, int) -> Result<qint64> {
        TRY(queue.open(endpoint, u"bench"_s));
        return 0;
    };
    TRY(writers.open(leg.count, open));
    QList<WriterPart> parts;
    for (int number = 0; number < leg.count; ++number) {
        parts += WriterPart{number + 1, leg.count, servers.rows(),
                            servers.queuesOf(leg.route, number % leg.route.outboxes)};
    }
    LegClock clock(mostSeconds);
    clock.start(withOurs(servers.cpu(leg.route.to)));
    const auto sent = TRY(writers.work([&clock, parts](AsynqQueue &queue, int number) {
        return enqueueAll(queue, parts.at(number), clock);
    }));
    clock.stop();
    const LegResult all = clock.result(sent, withOurs(servers.cpu(leg.route.to)));
    const auto waiting = TRY(servers.waitingTasks(leg.route));
    if (sumOf(waiting) != sent) {
        return fail(Error::Kind::Conflict, measuring,
                    u"%1 tasks wait after %2 were sent"_s.arg(sumOf(waiting)).arg(sent));
    }
    return ScalingResult{all, waiting};
}

/// The relays of a leg, as processes.
class LegRelays
{
public:
    /// Behind this each of them has opened its connections, and waits to be let go.
    [[nodiscard]] Result<void> start(const ScalingServers &servers, const ScalingLeg &leg)
    {
        for (int number = 0; number < leg.count; ++number) {
            m_relays.push_back(std::make_unique<crash::RelayProcess>());
            TRY(m_relays.back()->startCtl(
                servers.relayArguments(leg.route, number % leg.route.outboxes)));
        }
        TRY(expectWords(connectionsStand));
        togglePause();
        TRY(expectWords(isPaused));
        m_sincePaused.start();
        return {};
    }
    /// Waits until each of them would claim as soon as it is let go.
    void rest() const
    {
        const qint64 left = idleMs - m_sincePaused.elapsed();
        ::poll(nullptr, 0, static_cast<int>(std::max(qint64{0}, left)));
    }
    void togglePause() const
    {
        for (const auto &relay : m_relays)
            relay->tell(SIGUSR1);
    }
    /// Takes in what they say; fails where one has ended.
    [[nodiscard]] Result<void> listen()
    {
        for (const auto &relay : m_relays) {
            relay->listen();
            if (!relay->isRunning())
                return failedBy(*relay);
        }
        return {};
    }
    [[nodiscard]] Result<void> stop()
    {
        for (const auto &relay : m_relays)
            relay->tell(SIGTERM);
        for (const auto &relay : m_relays) {
            if (relay->end() != 0)
                return failedBy(*relay);
        }
        return {};
    }
    [[nodiscard]] double cpuSeconds() const
    {
        double seconds = 0;
        for (const auto &relay : m_relays)
            seconds += cpuSecondsOfTree(relay->pid());
        return seconds;
    }

private:
    [[nodiscard]] Result<void> expectWords(const QByteArray &words)
    {
        for (const auto &relay : m_relays) {
            if (!relay->heard(words))
                return failedBy(*relay);
        }
        return {};
    }
    [[nodiscard]] static Failure failedBy(crash::RelayProcess &relay)
    {
        const QByteArray words = relay.complaints().right(1000).trimmed();
        return fail(Error::Kind::Protocol, u"running a relay"_s, QString::fromUtf8(words));
    }

    std::vector<std::unique_ptr<crash::RelayProcess>> m_relays;
    QElapsedTimer m_sincePaused;
};

CpuSpent withRelays(CpuSpent servers, const LegRelays &relays)
{
    servers.ours = relays.cpuSeconds();
    return servers;
}

/// Until all rows have become tasks and have left their outboxes, or the time is up.
Result<ScalingResult> watchRelays(ScalingServers &servers, const ScalingRoute &route,
                                  LegRelays &relays, LegClock &clock)
{
    while (true) {
        const auto waiting = TRY(servers.waitingTasks(route));
        const bool isOver = clock.isOver();
        if (!isOver && sumOf(waiting) >= servers.rows()) {
            TRY(servers.awaitCommits(route));
        }
        if (isOver || sumOf(waiting) >= servers.rows()) {
            clock.stop();
            const CpuSpent now = withRelays(servers.cpu(route.to), relays);
            const auto left = TRY(servers.rowsLeft(route)); // its cost is not the leg's
            // Counted is what is a task and no row any more.
            const qint64 moved = std::min(sumOf(waiting), servers.rows() - left);
            if (isOver || left == 0)
                return ScalingResult{clock.result(moved, now), waiting};
        }
        TRY(relays.listen());
        ::poll(nullptr, 0, lookEveryMs);
    }
}

Result<ScalingResult> byRelays(ScalingServers &servers, const ScalingLeg &leg, double mostSeconds)
{
    TRY(servers.clear(leg.route));
    LegRelays relays;
    TRY(relays.start(servers, leg));
    TRY(servers.fill(leg.route));
    relays.rest();
    const auto untouched = TRY(servers.rowsLeft(leg.route));
    if (untouched != servers.rows()) {
        return fail(Error::Kind::Conflict, measuring,
                    u"%1 rows of %2 are left before the relays were let go"_s.arg(untouched).arg(
                        servers.rows()));
    }
    LegClock clock(mostSeconds);
    clock.start(withRelays(servers.cpu(leg.route.to), relays));
    relays.togglePause();
    const auto result = TRY(watchRelays(servers, leg.route, relays, clock));
    TRY(relays.stop());
    TRY(servers.expectOnce(leg.route));
    return result;
}

} // namespace

Result<ScalingResult> runScalingLeg(ScalingServers &servers, const ScalingLeg &leg,
                                    double mostSeconds)
{
    const auto run = [&]() -> Result<ScalingResult> {
        switch (leg.who) {
        case ScalingLeg::Who::DatabaseAlone:
            return databaseAlone(servers, leg, mostSeconds);
        case ScalingLeg::Who::QueueAlone:
            return queueAlone(servers, leg, mostSeconds);
        case ScalingLeg::Who::Relays:
            break;
        }
        return byRelays(servers, leg, mostSeconds);
    };
    const auto result = TRY(run());
    if (result.all.messages == 0)
        return fail(Error::Kind::Protocol, measuring, u"no message was taken"_s);
    return result;
}

} // namespace outbox
