// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/crash/soak.h"

#include "tests/support/redishand.h"

#include <QDeadlineTimer>
#include <QFileInfo>
#include <QSet>

#include <algorithm>
#include <csignal>

namespace outbox::crash {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int writers = 4;
constexpr int mostRowsAtOnce = 200;
constexpr int mostRowsUnderFault = 1000; ///< committed right before it, so that it strikes at work
constexpr int mostWrittenBefore = 4000; ///< bytes that the diaries grow by before it strikes
constexpr int mostMsBefore = 200;
constexpr int pastTheTimeoutMs = 800;
constexpr int pastTheGuestsTimeoutMs = 3300;
constexpr int drainDeadlineMs = 120'000;

Failure soakFailed(const QString &why)
{
    return fail(Error::Kind::Protocol, u"soaking"_s, why);
}

/// Those that are ended by starting relays anew.
bool startsRelays(Fault fault)
{
    return fault == Fault::RelayKilled || fault == Fault::RelayTold || fault == Fault::RedisEmptied;
}

/// Where a fault strikes; two at one place do not overlap.
int placeOf(Fault fault)
{
    switch (fault) {
    case Fault::RelayKilled:
    case Fault::RelayTold:
        return 0;
    case Fault::BackendCut:
    case Fault::DatabaseStopped:
        return 1;
    case Fault::RedisKilled:
    case Fault::RedisFrozen:
    case Fault::RedisEmptied:
    case Fault::ScriptsFlushed:
        return 2;
    case Fault::CommandsRefused:
    case Fault::LineSlow:
        break;
    }
    return 3;
}

bool mayOverlap(Fault a, Fault b)
{
    return placeOf(a) != placeOf(b) && !(startsRelays(a) && startsRelays(b));
}

Result<void> orElse(bool done, const QString &why)
{
    return done ? Result<void>() : soakFailed(why);
}

SoakReport choose(QRandomGenerator &random)
{
    SoakReport report;
    report.shape = allBenchShapes().at(random.bounded(allBenchShapes().size()));
    report.relays = random.bounded(1, 3);
    report.lanes = random.bounded(1, 3);
    report.batch = random.bounded(1, 151);
    report.guest = random.bounded(2) == 1;
    report.isByLine = random.bounded(2) == 1;
    return report;
}

} // namespace

QString words(const SoakReport &report)
{
    QStringList faults;
    for (auto fault = report.faults.cbegin(); fault != report.faults.cend(); ++fault)
        faults += u"%1 × %2"_s.arg(fault.value()).arg(fault.key());
    const Transitions &seen = report.transitions;
    return QStringList{
        u"%1, %2 relays of %3 lanes, batch %4%5%6"_s.arg(word(report.shape))
            .arg(report.relays)
            .arg(report.lanes)
            .arg(report.batch)
            .arg(report.guest ? u" beside outboxctl"_s : QString(),
                 report.isByLine ? u" by a line"_s : QString()),
        faults.isEmpty() ? u"no fault"_s : faults.join(u", "_s),
        u"writers took %1 back"_s.arg(report.rolledBackRows),
        words(report.tally),
        u"%1 relays noticed an empty Redis, which took %2 and forgot %3"_s.arg(report.noticed)
            .arg(report.takenAway)
            .arg(report.forgotten),
        u"%1 batches committed, %2 rolled back, %3 cut short, %4 in doubt, %5 moments"_s
            .arg(seen.committed())
            .arg(seen.rolledBack())
            .arg(seen.cutShort())
            .arg(seen.inDoubt())
            .arg(seen.moments()),
    }
        .join(u"; "_s);
}

Soak::Soak(Ground &ground, quint32 seed, QStringList wrong)
    : m_ground(ground), m_random(seed), m_wrong(std::move(wrong)), m_report(choose(m_random)),
      m_fixture(TestOutbox::Kind::Postgres, m_report.shape, &ground.postgres, ground.redis),
      m_writers(m_fixture, m_report.shape, writers)
{
    // Nobody tells outboxctl which tables rows may refer to.
    m_report.guest = m_report.guest && m_wrong.isEmpty() && m_report.shape != BenchShape::Reference;
    m_report.isByLine = m_report.isByLine && m_wrong.isEmpty();
}

int Soak::number(int from, int to)
{
    return m_random.bounded(from, to + 1);
}

Result<SoakReport> Soak::run(qint64 messages)
{
    Step step = open();
    while (step && m_writers.committed().size() < messages)
        step = act();
    if (step)
        step = drain();
    if (step)
        step = judge();
    if (!step)
        return passOn(step);
    return std::move(m_report);
}

Result<void> Soak::open()
{
    if (!m_fixture.setUp() || !m_writers.open())
        return soakFailed(u"the tables could not be made"_s);
    const auto shape = m_fixture.takenShape(u"UTC"_s); // in which the fixture writes
    if (!shape)
        return passOn(shape);
    m_shape = *shape;
    if (auto opened = m_worker.open(m_fixture.redis()); !opened)
        return opened;
    if (!m_refusing.start(m_ground.redis.socketPath())
        || !m_slow.start(FaultTarget{{}, m_refusing.port()}))
        return soakFailed(u"no port could be had"_s);
    m_crew.emplace(m_fixture, manner());
    return m_crew->startAll();
}

RelayCrew::ClaimOptions Soak::manner() const
{
    RelayCrew::ClaimOptions manner{m_report.relays, m_report.guest, {}, m_wrong};
    manner.forAll = {u"--batch"_s, QString::number(m_report.batch)};
    if (m_report.isByLine)
        manner.forAll += {u"--redis"_s, u"redis://127.0.0.1:%1"_s.arg(m_slow.port())};
    manner.forDiarists += {u"--lanes"_s, QString::number(m_report.lanes)};
    return manner;
}

Result<void> Soak::act()
{
    const int writer = number(0, m_writers.count() - 1);
    const int choice = number(0, 99);
    if (choice < 45)
        return orElse(m_writers.insert(writer, number(1, mostRowsAtOnce)), u"inserting failed"_s);
    if (choice < 68)
        return orElse(m_writers.commit(writer), u"a COMMIT of a writer failed"_s);
    if (choice < 73)
        return orElse(m_writers.rollback(writer), u"a ROLLBACK of a writer failed"_s);
    if (choice < 88) {
        const auto ran = m_worker.consume(number(1, 2 * mostRowsAtOnce));
        return ran ? Step() : passOn(ran);
    }
    return strike();
}

QList<Fault> Soak::chooseFaults()
{
    QList<Fault> faults = allFaults();
    if (m_wrong.isEmpty())
        faults += {Fault::RedisEmptied, Fault::ScriptsFlushed};
    if (m_report.isByLine)
        faults += {Fault::CommandsRefused, Fault::LineSlow};
    const auto any
        = [this, &faults] { return faults.at(number(0, static_cast<int>(faults.size()) - 1)); };
    QList<Fault> chosen{any()};
    const Fault other = any();
    if (m_wrong.isEmpty() && number(0, 2) == 0 && mayOverlap(chosen.first(), other))
        chosen += other;
    // Of what was given to Redis an account is taken while both servers stand.
    std::sort(chosen.begin(), chosen.end(), [](Fault a, Fault b) {
        return (a == Fault::RedisEmptied) > (b == Fault::RedisEmptied);
    });
    return chosen;
}

Result<void> Soak::strike()
{
    const QList<Fault> faults = chooseFaults();
    const int writer = number(0, m_writers.count() - 1);
    const qint64 mark = m_crew->written() + number(1, mostWrittenBefore);
    if (!m_writers.insert(writer, number(100, mostRowsUnderFault)) || !m_writers.commit(writer))
        return soakFailed(u"writing failed"_s);
    const QDeadlineTimer deadline(mostMsBefore);
    while (m_crew->written() < mark && !deadline.hasExpired()) { }
    QStringList names;
    for (const Fault fault : faults)
        names += word(fault);
    ++m_report.faults[names.join(u" + "_s)];
    Step step;
    for (auto fault = faults.begin(); step && fault != faults.end(); ++fault)
        step = begin(*fault);
    // A relay that was struck is started last, when the servers are back.
    for (const bool isRelays : {false, true}) {
        for (auto fault = faults.rbegin(); step && fault != faults.rend(); ++fault)
            step = startsRelays(*fault) == isRelays ? end(*fault) : step;
    }
    return step;
}

Result<void> Soak::begin(Fault fault)
{
    switch (fault) {
    case Fault::RelayKilled:
    case Fault::RelayTold:
        m_struck = number(0, m_crew->count() - 1);
        m_crew->tell(m_struck, fault == Fault::RelayKilled ? SIGKILL : SIGTERM);
        return {};
    case Fault::BackendCut: {
        const auto cut = m_ground.cutBackends();
        return cut ? Step() : passOn(cut);
    }
    case Fault::DatabaseStopped:
        m_ground.postgres.stopAtOnce();
        return {};
    case Fault::RedisKilled:
        return killRedis();
    case Fault::RedisFrozen:
        return freezeRedis();
    case Fault::RedisEmptied:
        return emptyRedis();
    case Fault::ScriptsFlushed:
        return flushScripts();
    case Fault::CommandsRefused:
        return refuseCommands();
    case Fault::LineSlow:
        return slowDown();
    }
    return {};
}

Result<void> Soak::end(Fault fault)
{
    switch (fault) {
    case Fault::RelayKilled:
    case Fault::RelayTold: {
        auto done = m_crew->awaitEnd(m_struck, fault == Fault::RelayKilled ? SIGKILL : SIGTERM);
        if (done)
            done = runAll();
        return done ? m_crew->start(m_struck) : done;
    }
    case Fault::BackendCut:
        return {};
    case Fault::DatabaseStopped:
        return restartPostgres();
    case Fault::RedisKilled:
        return reviveRedis();
    case Fault::RedisFrozen: {
        m_ground.redis.thaw();
        m_isRedisAway = false;
        auto awake = m_ground.awaitRedis();
        return awake ? runAll() : awake;
    }
    case Fault::RedisEmptied:
        return meetTheLoss();
    case Fault::ScriptsFlushed:
        return flushScripts();
    case Fault::CommandsRefused:
        m_refusing.set({});
        return runAll();
    case Fault::LineSlow:
        m_slow.set({});
        return runAll();
    }
    return {};
}

Result<void> Soak::runAll()
{
    if (m_isRedisAway)
        return {};
    const auto ran = m_worker.consume();
    return ran ? Step() : passOn(ran);
}

Result<void> Soak::restartPostgres()
{
    if (auto ran = runAll(); !ran)
        return ran;
    if (auto restarted = m_ground.postgres.restart(); !restarted)
        return restarted;
    return orElse(m_writers.reopen() && m_fixture.reopen(), u"PostgreSQL did not come back"_s);
}

Result<void> Soak::killRedis()
{
    m_crew->tellAll(SIGSTOP); // they have nothing acknowledged that is not in the file yet
    if (auto killed = m_ground.killRedis(); !killed)
        return killed;
    m_isRedisAway = true;
    if (number(0, 1) == 1) { // they meet it dead, or not before it is back
        m_crew->at(0).forgetSaid();
        m_crew->tellAll(SIGCONT);
        (void)m_crew->at(0).heard("failed\n", pastTheTimeoutMs);
    }
    return {};
}

Result<void> Soak::reviveRedis()
{
    auto done = m_ground.reviveRedis();
    m_isRedisAway = false;
    if (done)
        done = m_worker.open(m_fixture.redis());
    if (done)
        done = runAll();
    m_crew->tellAll(SIGCONT);
    return done;
}

Result<void> Soak::freezeRedis()
{
    // The guest stands behind the others; its timeout is the longer one.
    const bool isForGuest = m_report.guest && number(0, 3) == 0;
    RelayProcess &relay = m_crew->at(isForGuest ? m_crew->count() - 1 : 0);
    relay.forgetSaid();
    m_ground.redis.freeze();
    m_isRedisAway = true;
    (void)relay.heard(isForGuest ? "rolled back" : "failed\n",
                      isForGuest ? pastTheGuestsTimeoutMs : pastTheTimeoutMs);
    return {};
}

Result<void> Soak::emptyRedis()
{
    m_crew->tellAll(SIGSTOP);
    if (number(0, 1) == 1) {
        if (auto ran = runAll(); !ran)
            return ran;
    }
    const QString doing = u"emptying Redis"_s;
    RedisConnection redis;
    if (const auto opened = openByHand(redis, m_ground.redis); !opened)
        return passOn(opened);
    for (const QByteArrayList &command : {QByteArrayList{"MULTI"},
                                          {"LRANGE", "asynq:{default}:pending", "0", "-1"},
                                          {"FLUSHALL"}}) {
        if (const auto sent = redis.command(command, doing); !sent)
            return passOn(sent);
    }
    const auto done = redis.command({"EXEC"}, doing);
    if (!done)
        return passOn(done);
    for (const RedisReply &task : done->elements.value(0).elements)
        m_takenAway += QString::fromUtf8(task.bytes);
    for (const QString &row : m_fixture.unprocessedIds()) {
        if (m_worker.runs().contains(m_fixture.taskId(m_shape, row)))
            ++m_forgotten[row];
    }
    m_crew->tellAll(SIGCONT);
    return {};
}

Result<void> Soak::meetTheLoss()
{
    if (!m_writers.insert(0, mostRowsUnderFault) || !m_writers.commit(0))
        return soakFailed(u"writing failed"_s);
    const auto noticed = m_crew->endAfterLoss();
    if (!noticed)
        return passOn(noticed);
    m_report.noticed += *noticed;
    for (const QString &row : m_fixture.unprocessedIds()) // those come again
        m_takenAway.remove(m_fixture.taskId(m_shape, row));
    auto started = m_crew->startAfterLoss();
    return started ? runAll() : started;
}

Result<void> Soak::flushScripts()
{
    if (m_isRedisAway)
        return {};
    RedisConnection redis;
    if (const auto opened = openByHand(redis, m_ground.redis); !opened)
        return passOn(opened);
    constexpr int times = 20;
    for (int i = 0; i < times; ++i) {
        if (const auto flushed = redis.command({"SCRIPT", "FLUSH"}, u"flushing scripts"_s);
            !flushed)
            return passOn(flushed);
    }
    return {};
}

Result<void> Soak::refuseCommands()
{
    static const QByteArrayList words{
        "MOVED 5718 127.0.0.1:7001",
        "READONLY You can't write against a read only replica.",
        "OOM command not allowed when used memory > 'maxmemory'.",
        "LOADING Redis is loading the dataset in memory",
        "CLUSTERDOWN The cluster is down",
        "ERR unknown command 'EVALSHA', with args beginning with: 'x'",
    };
    const QByteArray error = words.at(number(0, static_cast<int>(words.size()) - 1));
    m_crew->at(0).forgetSaid();
    m_refusing.set([error](const QByteArrayList &command) {
        const bool isEnqueue = command.first() == "EVALSHA" || command.first() == "EVAL";
        return isEnqueue ? error : QByteArray();
    });
    (void)m_crew->at(0).heard("failed\n", pastTheTimeoutMs);
    return {};
}

Result<void> Soak::slowDown()
{
    FaultLine line;
    line.latencyMs = number(1, 30);
    line.jitterMs = number(0, 30);
    line.splitsEveryByte = number(0, 1) == 1;
    m_slow.set(line);
    (void)m_crew->at(0).heard("failed\n", pastTheTimeoutMs);
    return {};
}

Result<void> Soak::drain()
{
    for (int writer = 0; writer < m_writers.count(); ++writer) {
        if (!m_writers.commit(writer))
            return soakFailed(u"a COMMIT of a writer failed"_s);
    }
    const QDeadlineTimer deadline(drainDeadlineMs);
    while (m_fixture.unprocessed() > 0 && !deadline.hasExpired()) {
        if (const auto ran = runAll(); !ran)
            return ran;
        m_crew->listen();
    }
    if (auto finished = m_crew->finish(); !finished)
        return finished;
    return runAll();
}

Result<void> Soak::judge()
{
    const QStringList left = m_fixture.unprocessedIds();
    m_report.rolledBackRows = m_writers.rolledBack();
    m_report.tally = tallyOf(m_writers.committed(), left, m_worker,
                             [this](const QString &id) { return m_fixture.taskId(m_shape, id); });
    excuse(left);
    for (const QString &life : m_crew->diaries()) {
        QFile diary(life);
        if (!diary.open(QIODevice::ReadOnly))
            return soakFailed(u"a diary cannot be read: "_s + diary.errorString());
        m_report.transitions.read(QFileInfo(life).fileName(), diary.readAll());
    }
    const QSet<QString> remaining(left.begin(), left.end());
    QStringList gone;
    for (const QString &row : m_writers.committed()) {
        if (!remaining.contains(row))
            gone += row;
    }
    m_report.transitions.end(m_report.guest ? QStringList() : gone, left);
    return {};
}

/// What a Redis took with it when it was emptied, no relay can keep: it is counted apart.
void Soak::excuse(const QStringList &left)
{
    const QSet<QString> remaining(left.begin(), left.end());
    for (const QString &row : m_writers.committed()) {
        const QString task = m_fixture.taskId(m_shape, row);
        const int runs = m_worker.runs().value(task);
        if (runs == 0 && !remaining.contains(row) && m_takenAway.contains(task))
            ++m_report.takenAway;
        if (runs > 1)
            m_report.forgotten += std::min(runs - 1, m_forgotten.value(row));
    }
    m_report.tally.lost -= m_report.takenAway;
    m_report.tally.duplicates -= m_report.forgotten;
}

} // namespace outbox::crash
