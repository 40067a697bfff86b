// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/crash/soak.h"

#include "app/system/opening.h"

#include <QDeadlineTimer>
#include <QFileInfo>
#include <QSet>

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

Failure notCarriedOut(const QString &why)
{
    return fail(Error::Kind::Protocol, u"soaking"_s, why);
}

Failure endedByItself(RelayProcess &relay)
{
    return notCarriedOut(u"a relay ended with %1: "_s.arg(relay.end())
                         + QString::fromUtf8(relay.complaints()));
}

Result<void> orElse(bool done, const QString &why)
{
    return done ? Result<void>() : notCarriedOut(why);
}

SoakReport choose(QRandomGenerator &random)
{
    SoakReport report;
    report.shape = allBenchShapes().at(random.bounded(allBenchShapes().size()));
    report.relays = random.bounded(1, 3);
    report.lanes = random.bounded(1, 3);
    report.batch = random.bounded(1, 151);
    report.guest = random.bounded(2) == 1;
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
        u"%1, %2 relays of %3 lanes, batch %4%5"_s.arg(word(report.shape))
            .arg(report.relays)
            .arg(report.lanes)
            .arg(report.batch)
            .arg(report.guest ? u" beside outboxctl"_s : QString()),
        faults.isEmpty() ? u"no fault"_s : faults.join(u", "_s),
        u"writers took %1 back"_s.arg(report.rolledBackRows),
        words(report.tally),
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
      m_bench(OutboxBench::Kind::Postgres, m_report.shape, &ground.postgres, ground.redis),
      m_writers(m_bench, m_report.shape, writers)
{
    m_report.guest = m_report.guest && m_wrong.isEmpty();
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
    if (!m_bench.setUp() || !m_writers.open())
        return notCarriedOut(u"the tables could not be made"_s);
    OutboxStore store;
    if (auto opened = store.open(m_bench.settings(StoreAccess::Look)); !opened)
        return opened;
    Profile profile;
    profile.table = m_bench.table();
    const auto shape = takeShape(store, profile);
    if (!shape)
        return passOn(shape);
    m_shape = *shape;
    if (auto opened = m_worker.open(m_bench.redis()); !opened)
        return opened;
    m_relays.resize(static_cast<size_t>(m_report.relays));
    for (size_t which = 0; which < m_relays.size(); ++which) {
        if (auto started = startRelay(which); !started)
            return started;
    }
    return m_report.guest ? startGuest() : Step();
}

Result<void> Soak::startRelay(size_t which, bool keepOn)
{
    m_lives += m_diaries.filePath(u"%1-relay-%2"_s.arg(m_lives.size()).arg(which));
    QStringList options{u"--batch"_s, QString::number(m_report.batch),
                        u"--lanes"_s, QString::number(m_report.lanes),
                        u"--log"_s,   m_lives.last()};
    options += m_wrong;
    if (keepOn)
        options += u"--keep-on"_s;
    m_relays[which] = std::make_unique<RelayProcess>();
    if (auto started = m_relays[which]->start(m_bench, options); !started)
        return started;
    if (m_relays[which]->heard("ready\n"))
        return {};
    return endedByItself(*m_relays[which]);
}

Result<void> Soak::startGuest()
{
    m_guest = std::make_unique<RelayProcess>();
    if (auto started = m_guest->startCtl(m_bench,
                                         {u"--batch"_s, QString::number(m_report.batch),
                                          u"--poll"_s, u"5ms"_s, u"--retention"_s, u"1h"_s});
        !started)
        return started;
    return m_guest->heard("to queue") ? Step() : endedByItself(*m_guest);
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
    return strike(allFaults().at(number(0, static_cast<int>(allFaults().size()) - 1)));
}

qint64 Soak::written() const
{
    qint64 bytes = 0;
    for (const QString &life : m_lives)
        bytes += QFileInfo(life).size();
    return bytes;
}

Result<void> Soak::strike(Fault fault)
{
    const int writer = number(0, m_writers.count() - 1);
    const qint64 mark = written() + number(1, mostWrittenBefore);
    if (!m_writers.insert(writer, number(100, mostRowsUnderFault)) || !m_writers.commit(writer))
        return notCarriedOut(u"writing failed"_s);
    const QDeadlineTimer deadline(mostMsBefore);
    while (written() < mark && !deadline.hasExpired()) { }
    ++m_report.faults[word(fault)];
    switch (fault) {
    case Fault::RelayKilled:
        return restartRelay(SIGKILL);
    case Fault::RelayTold:
        return restartRelay(SIGTERM);
    case Fault::BackendCut: {
        const auto cut = m_ground.cutBackends();
        return cut ? Step() : passOn(cut);
    }
    case Fault::DatabaseStopped:
        return restartPostgres();
    case Fault::RedisKilled:
        return restartRedis();
    case Fault::RedisFrozen:
        return freezeRedis();
    }
    return {};
}

Result<void> Soak::runAll()
{
    const auto ran = m_worker.consume();
    return ran ? Step() : passOn(ran);
}

Result<void> Soak::restartPostgres()
{
    m_ground.postgres.stopAtOnce();
    if (auto ran = runAll(); !ran)
        return ran;
    if (auto restarted = m_ground.postgres.restart(); !restarted)
        return restarted;
    return orElse(m_writers.reopen() && m_bench.reopen(), u"PostgreSQL did not come back"_s);
}

Result<void> Soak::restartRelay(int signal)
{
    const int which = number(0, m_report.relays - (m_report.guest ? 0 : 1));
    const bool isGuest = which == m_report.relays;
    RelayProcess &relay = isGuest ? *m_guest : *m_relays[static_cast<size_t>(which)];
    if (auto stopped = stopRelay(relay, signal); !stopped)
        return stopped;
    if (auto ran = runAll(); !ran)
        return ran;
    return isGuest ? startGuest() : startRelay(static_cast<size_t>(which));
}

Result<void> Soak::stopRelay(RelayProcess &relay, int signal)
{
    // outboxctl ends with 4 where a server is away before it has begun, with 75 where one stands
    // still; a service manager starts it again, and so do we.
    const bool isGuest = &relay == m_guest.get();
    if (!relay.isRunning() && !isGuest)
        return endedByItself(relay);
    relay.tell(signal);
    const int code = relay.end();
    const bool isEnd = signal == SIGKILL ? code == -1 : code == 0 || code == 3;
    return isEnd || (isGuest && (code == 4 || code == 75)) ? Step() : endedByItself(relay);
}

Result<void> Soak::restartRedis()
{
    const auto toAll = [this](int signal) {
        for (const auto &relay : m_relays)
            relay->tell(signal);
        if (m_guest)
            m_guest->tell(signal);
    };
    toAll(SIGSTOP); // standing still, they have nothing acknowledged that is not in the file yet
    if (auto killed = m_ground.killRedis(); !killed)
        return killed;
    if (number(0, 1) == 1) { // they meet it dead, or not before it is back
        m_relays.front()->forgetSaid();
        toAll(SIGCONT);
        (void)m_relays.front()->heard("failed\n", pastTheTimeoutMs);
    }
    auto done = m_ground.reviveRedis();
    if (done)
        done = m_worker.open(m_bench.redis());
    if (done)
        done = runAll();
    toAll(SIGCONT);
    return done;
}

Result<void> Soak::freezeRedis()
{
    const bool isForGuest = m_guest && number(0, 3) == 0; // its timeout is the longer one
    RelayProcess &relay = isForGuest ? *m_guest : *m_relays.front();
    relay.forgetSaid();
    m_ground.redis.freeze();
    (void)relay.heard(isForGuest ? "rolled back" : "failed\n",
                      isForGuest ? pastTheGuestsTimeoutMs : pastTheTimeoutMs);
    m_ground.redis.thaw();
    auto awake = m_ground.awaitRedis();
    return awake ? runAll() : awake;
}

Result<void> Soak::drain()
{
    for (int writer = 0; writer < m_writers.count(); ++writer) {
        if (!m_writers.commit(writer))
            return notCarriedOut(u"a COMMIT of a writer failed"_s);
    }
    const QDeadlineTimer deadline(drainDeadlineMs);
    while (m_bench.unprocessed() > 0 && !deadline.hasExpired()) {
        if (const auto ran = m_worker.consume(); !ran)
            return passOn(ran);
        for (const auto &relay : m_relays)
            relay->listen();
    }
    for (const auto &relay : m_relays) {
        if (auto stopped = stopRelay(*relay, SIGTERM); !stopped)
            return stopped;
    }
    if (m_guest) {
        if (auto stopped = stopRelay(*m_guest, SIGTERM); !stopped)
            return stopped;
    }
    if (auto started = startRelay(0, false); !started) // an unfinished claim would be left to it
        return started;
    if (m_relays.front()->end() != 0)
        return endedByItself(*m_relays.front());
    return runAll();
}

Result<void> Soak::judge()
{
    const QStringList left = m_bench.unprocessedIds();
    m_report.rolledBackRows = m_writers.rolledBack();
    m_report.tally = tallyOf(m_writers.committed(), left, m_worker,
                             [this](const QString &id) { return m_bench.taskId(m_shape, id); });
    for (const QString &life : std::as_const(m_lives)) {
        QFile diary(life);
        if (!diary.open(QIODevice::ReadOnly))
            return notCarriedOut(u"a diary cannot be read: "_s + diary.errorString());
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

} // namespace outbox::crash
