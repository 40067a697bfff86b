// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two faults at once, of two of these: PostgreSQL with a synchronous standby, Redis with sentinels,
// and the relays between them. With `--wait-replicas` of all replicas no row is lost, and none is
// sent twice. A seed chooses the pair, its order and the time between: OUTBOX_TWO_FAULTS=1-100.
#include "tests/crash/longmain.h"
#include "tests/crash/retryingwriter.h"
#include "tests/crash/trial.h"
#include "tests/support/privatestandby.h"
#include "tests/support/resultmacros.h"
#include "tests/support/sentinelworld.h"
#include "tests/support/servers.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <cstdio>
#include <optional>

using namespace outbox;
using namespace outbox::crash;
using namespace Qt::Literals::StringLiterals;

namespace {

enum class Strike {
    PrimaryKilled, ///< the standby is promoted
    PrimaryHung, ///< SIGSTOP; the standby is promoted, and the old one wakes
    BackendsCut, ///< all sessions of the relays
    MasterKilled, ///< the sentinels fail over
    MasterChanged, ///< SENTINEL FAILOVER
    ScriptsFlushed,
    RelayKilled,
};
using StrikePair = std::pair<Strike, Strike>;

constexpr int rowsASecond = 200;
constexpr int relayCount = 2;
constexpr int detectionMs = 2000; ///< from the fault to the promotion
constexpr int mostMsBetween = 1500; ///< of two faults
constexpr qint64 rowsBetween = 100; ///< so that all are at work
constexpr qint64 tasksAtOnce = 2000;

QString word(Strike strike)
{
    switch (strike) {
    case Strike::PrimaryKilled:
        return u"primary killed"_s;
    case Strike::PrimaryHung:
        return u"primary stands still"_s;
    case Strike::BackendsCut:
        return u"backends cut"_s;
    case Strike::MasterKilled:
        return u"master killed"_s;
    case Strike::MasterChanged:
        return u"SENTINEL FAILOVER"_s;
    case Strike::ScriptsFlushed:
        return u"SCRIPT FLUSH"_s;
    case Strike::RelayKilled:
        break;
    }
    return u"relay killed"_s;
}

/// Database, queue, or relay.
int placeOf(Strike strike)
{
    if (strike <= Strike::BackendsCut)
        return 0;
    return strike <= Strike::ScriptsFlushed ? 1 : 2;
}

/// Each seed another pair, until all had their turn.
StrikePair pairOf(quint32 seed)
{
    QList<StrikePair> pairs;
    for (int one = 0; one <= int(Strike::RelayKilled); ++one) {
        for (int other = one + 1; other <= int(Strike::RelayKilled); ++other) {
            if (placeOf(Strike(one)) != placeOf(Strike(other)))
                pairs += StrikePair(Strike(one), Strike(other));
        }
    }
    constexpr qsizetype stride = 7; // has no divisor in common with their number, 15
    return pairs.at((qsizetype(seed) + pairs.size() - 1) * stride % pairs.size());
}

QByteArray keyOfTask(qint64 number)
{
    return "asynq:{default}:t:" + RetryingWriter::keyOf(number).toUtf8();
}

/// Owns its servers. What was acknowledged is known by the writer, what was sent by Redis.
class TwoFaults
{
public:
    [[nodiscard]] Result<void> open();
    /// Both faults, and all that goes on behind them until the system is whole again and what was
    /// acknowledged by then has left the outbox. Answers how many of these have no task.
    [[nodiscard]] Result<qint64> strikeTwice(quint32 seed);
    /// The writer ends. Answers how many tasks there are more than rows.
    [[nodiscard]] Result<qint64> finish();

    [[nodiscard]] qint64 acknowledged() const { return m_writer.acknowledged(); }
    [[nodiscard]] const TrialRelays &relays() const { return *m_relays; }

private:
    [[nodiscard]] Result<void> makeStandby();
    [[nodiscard]] Result<void> inflict(Strike strike, quint32 seed);
    [[nodiscard]] Result<void> overcome(Strike strike);
    [[nodiscard]] Result<void> promote(bool isHung);
    [[nodiscard]] Result<void> awaitMaster();
    /// The writer goes on until `isSo`.
    [[nodiscard]] Result<void> goOnUntil(const QString &what, const std::function<bool()> &isSo);
    [[nodiscard]] Result<void> goOnFor(int milliseconds);
    /// All rows up to `number` are out of the outbox.
    [[nodiscard]] Result<void> awaitDelivery(qint64 number);
    [[nodiscard]] Result<qint64> countLost(qint64 upTo);
    [[nodiscard]] Result<void> openMaster(RedisConnection &hand);

    QTemporaryDir m_state;
    std::array<PrivateStandby, 2> m_servers;
    std::size_t m_primary = 0;
    SentinelWorld m_world;
    std::size_t m_master = 0; ///< when the faults began
    RetryingWriter m_writer{rowsASecond};
    std::optional<TrialRelays> m_relays;
};

Result<void> TwoFaults::open()
{
    PrivateStandby &first = m_servers.front();
    TRY(first.start());
    {
        PlainPostgres hand;
        TRY(hand.open(first));
        TRY(hand.run(trialTables(false)));
    }
    TRY(makeStandby());
    TRY(m_world.start(1));
    const QString both = u"postgresql://%1@/postgres?host=%2,%3"_s.arg(first.user(), first.folder(),
                                                                       m_servers.back().folder());
    m_relays.emplace(relayCount,
                     QStringList{u"--database"_s, both, u"--table"_s, u"outbox"_s, u"--redis"_s,
                                 m_world.url(), u"--poll"_s, u"5ms"_s, u"--retention"_s, u"1h"_s,
                                 u"--wait-replicas"_s, u"1"_s, u"--state-dir"_s, m_state.path()});
    TRY(m_relays->start());
    m_writer.turnTo(first);
    return {};
}

Result<void> TwoFaults::makeStandby()
{
    PrivateStandby &primary = m_servers.at(m_primary);
    PrivateStandby &other = m_servers.at(1 - m_primary);
    TRY(other.follow(primary));
    TRY(PrivateStandby::makeSynchronous(primary));
    return other.catchUp(primary);
}

Result<void> TwoFaults::goOnUntil(const QString &what, const std::function<bool()> &isSo)
{
    return m_relays->await(what, [this, &isSo] {
        m_writer.goOn();
        return isSo();
    });
}

Result<void> TwoFaults::goOnFor(int milliseconds)
{
    QElapsedTimer clock;
    clock.start();
    return goOnUntil(u"a moment"_s,
                     [&clock, milliseconds] { return clock.hasExpired(milliseconds); });
}

Result<qint64> TwoFaults::strikeTwice(quint32 seed)
{
    QRandomGenerator random(seed);
    auto [first, second] = pairOf(seed);
    if (random.bounded(2) == 1)
        std::swap(first, second);
    TRY(goOnUntil(u"a system that is whole"_s, [this] { return m_world.isWhole(); }));
    m_master = m_world.master().value_or(m_master);
    const qint64 enough = acknowledged() + rowsBetween;
    TRY(goOnUntil(u"rows"_s, [this, enough] { return acknowledged() >= enough; }));
    TRY(inflict(first, seed));
    TRY(goOnFor(random.bounded(mostMsBetween)));
    TRY(inflict(second, seed));
    const std::size_t primaryBefore = m_primary;
    TRY(overcome(first));
    TRY(overcome(second));
    const qint64 more = acknowledged() + rowsBetween;
    TRY(goOnUntil(u"rows behind the faults"_s, [this, more] { return acknowledged() >= more; }));
    TRY(awaitDelivery(more));
    const qint64 lost = TRY(countLost(more));
    if (m_primary != primaryBefore) {
        TRY(makeStandby());
    }
    return lost;
}

Result<void> TwoFaults::inflict(Strike strike, quint32 seed)
{
    PrivateStandby &primary = m_servers.at(m_primary);
    switch (strike) {
    case Strike::PrimaryKilled:
        primary.kill();
        return {};
    case Strike::PrimaryHung:
        primary.freeze();
        return {};
    case Strike::BackendsCut: {
        PlainPostgres hand;
        TRY(hand.open(primary));
        TRY(hand.run("select pg_terminate_backend(pid) from pg_stat_activity"
                     " where application_name like 'outboxctl/%'"));
        return {};
    }
    case Strike::MasterKilled:
        m_world.node(m_master).kill();
        return {};
    case Strike::MasterChanged:
        return goOnUntil(u"a planned failover to begin"_s, [this] { return m_world.failOver(); });
    case Strike::ScriptsFlushed: {
        RedisConnection hand;
        TRY(openMaster(hand));
        TRY(hand.command({"SCRIPT", "FLUSH"}, u"flushing scripts"_s));
        return {};
    }
    case Strike::RelayKilled:
        m_relays->kill(static_cast<int>(seed) % relayCount);
        break;
    }
    return {};
}

Result<void> TwoFaults::overcome(Strike strike)
{
    switch (strike) {
    case Strike::PrimaryKilled:
    case Strike::PrimaryHung:
        return promote(strike == Strike::PrimaryHung);
    case Strike::MasterKilled:
        TRY(awaitMaster());
        // With as many replicas to wait for as there are, nothing is delivered before it is back.
        TRY(m_world.revive(m_master, m_world.master().value_or(1 - m_master)));
        break;
    case Strike::MasterChanged:
        TRY(awaitMaster());
        break;
    case Strike::BackendsCut:
    case Strike::ScriptsFlushed:
    case Strike::RelayKilled:
        return {};
    }
    return goOnUntil(u"all nodes to follow"_s, [this] { return m_world.isWhole(); });
}

Result<void> TwoFaults::promote(bool isHung)
{
    TRY(goOnFor(detectionMs));
    PrivateStandby &old = m_servers.at(m_primary);
    PrivateStandby &next = m_servers.at(1 - m_primary);
    TRY(next.promote());
    m_primary = 1 - m_primary;
    m_writer.turnTo(next);
    if (isHung) // a primary on the earlier timeline, which nobody ends
        old.thaw();
    return {};
}

Result<void> TwoFaults::awaitMaster()
{
    return goOnUntil(u"a new master"_s, [this] {
        const auto named = m_world.master();
        return named && *named != m_master;
    });
}

Result<void> TwoFaults::openMaster(RedisConnection &hand)
{
    const auto master = m_world.master();
    if (!master)
        return fail(Error::Kind::Conflict, u"asking the master"_s, u"the sentinels do not agree"_s);
    const auto endpoint = TRY(RedisEndpoint::fromUrl(m_world.node(*master).url()));
    return hand.open(endpoint, RedisConnection::Access::Act, u"hand"_s);
}

Result<void> TwoFaults::awaitDelivery(qint64 number)
{
    PlainPostgres hand;
    TRY(hand.open(m_servers.at(m_primary)));
    const QByteArray left = "select count(*) from outbox where id <= "
        + RetryingWriter::keySql(QByteArray::number(number) + "::bigint");
    return goOnUntil(u"the rows to go"_s,
                     [&hand, &left] { return hand.number(left).value_or(-1) == 0; });
}

Result<qint64> TwoFaults::countLost(qint64 upTo)
{
    RedisConnection hand;
    TRY(openMaster(hand));
    qint64 lost = 0;
    for (qint64 from = 1; from <= upTo; from += tasksAtOnce) {
        QList<RedisCommand> questions;
        for (qint64 number = from; number < from + tasksAtOnce && number <= upTo; ++number)
            questions += RedisCommand{"EXISTS", keyOfTask(number)};
        const auto answers = TRY(hand.pipeline(questions));
        for (const RedisReply &answer : answers)
            lost += answer.integer == 1 ? 0 : 1;
    }
    return lost;
}

Result<qint64> TwoFaults::finish()
{
    m_writer.finish();
    TRY(goOnUntil(u"the writer's last rows"_s, [this] { return m_writer.hasFinished(); }));
    TRY(awaitDelivery(acknowledged()));
    TRY(m_relays->stop());
    RedisConnection hand;
    TRY(openMaster(hand));
    const auto list
        = TRY(hand.command({"LRANGE", "asynq:{default}:pending", "0", "-1"}, u"counting"_s));
    QSet<QByteArray> ids;
    for (const RedisReply &one : list.elements)
        ids += one.bytes;
    const qint64 tasks = list.elements.size();
    if (const qint64 twice = tasks - ids.size(); twice > 0)
        return twice;
    return tasks - acknowledged();
}

} // namespace

class TestTwoFaults : public QObject
{
    Q_OBJECT

private slots:
    void nothingIsLostOrSentTwice()
    {
        {
            PrivateRedis asked;
            OUTBOX_START_SERVER(asked); // a machine without servers
            PrivatePostgres askedToo;
            OUTBOX_START_SERVER(askedToo);
        }
        TwoFaults trial;
        QVERIFY_RESULT(trial.open());
        const auto [from, to] = seedsBy("OUTBOX_TWO_FAULTS", u"1-2"_s);
        for (quint32 seed = from; seed <= to; ++seed) {
            const auto [one, other] = pairOf(seed);
            std::printf("seed %u: %s, %s: ", seed, qPrintable(word(one)), qPrintable(word(other)));
            std::fflush(stdout);
            QElapsedTimer clock;
            clock.start();
            const auto lost = trial.strikeTwice(seed);
            QVERIFY_RESULT(lost);
            std::printf("%lld rows, lost %lld; %.1f s\n",
                        static_cast<long long>(trial.acknowledged()), static_cast<long long>(*lost),
                        double(clock.elapsed()) / 1000.0);
            std::fflush(stdout);
            QCOMPARE(*lost, 0);
        }
        const auto more = trial.finish();
        QVERIFY_RESULT(more);
        std::printf(
            "relays told %d times of a loss, ended %d times for another reason%s\n",
            trial.relays().endsWithLoss(), trial.relays().otherEnds(),
            qPrintable(lastWordsText(trial.relays().otherEnds(), trial.relays().lastWords())));
        std::fflush(stdout);
        QCOMPARE(*more, 0);
    }
};

OUTBOX_LONG_TEST_MAIN(TestTwoFaults)
#include "tst_twofaults.moc"
