// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Relays whose task ids are of two generations, on one table: one is killed when its batch is in
// Redis and not committed, the other one delivers what is left. Each row runs once, in each pair
// that may work beside each other.
#include "tests/crash/effects.h"
#include "tests/support/ctl.h"
#include "tests/support/patience.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/struckrelay.h"
#include "tests/support/testkinds.h"
#include "tests/support/testprogram.h"

#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <numeric>
#include <tuple>

namespace tst_relaygenerations {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

using Kind = TestOutbox::Kind;

constexpr int rows = 12;
constexpr int mostTries = 10; ///< until the blow falls between the enqueue and the COMMIT

/// How a relay names its tasks, and what else it asks for.
enum class Generation {
    Earlier, ///< of a release that knew the ids of before alone
    Asking, ///< writes those, and asks for the new ones
    Writing, ///< writes the new ones, and asks for those of before
    New, ///< knows the new ones alone
};

constexpr char before[] = "outbox:{id}";
constexpr char now[] = "{source}:{id}:{born}";

QStringList optionsOf(Generation generation)
{
    const QString old = QString::fromLatin1(before);
    const QString fresh = QString::fromLatin1(now);
    switch (generation) {
    case Generation::Earlier:
        return {u"--task-id"_s, old, u"--ids-never-return"_s};
    case Generation::Asking:
        return {u"--task-id"_s, old, u"--also-task-id"_s, fresh, u"--ids-never-return"_s};
    case Generation::Writing:
        return {u"--task-id"_s, fresh, u"--also-task-id"_s, old};
    case Generation::New:
        break;
    }
    return {u"--task-id"_s, fresh};
}

} // namespace

class TestRelayGenerations : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;

    /// Of each relay: its own state, as on a host of its own.
    [[nodiscard]] static QStringList manner(Generation generation, const QTemporaryDir &state)
    {
        return QStringList{u"--drain"_s, u"--batch"_s,     u"4"_s,      u"--poll"_s,
                           u"5ms"_s,     u"--time-zone"_s, u"UTC"_s,    u"--retention"_s,
                           u"1h"_s,      u"--state-dir"_s, state.path()}
        + optionsOf(generation);
    }
    /// Dies at its n-th script; true when tasks are out whose rows are still to be delivered.
    [[nodiscard]] bool leaveInDoubt(TestOutbox &fixture, Generation generation, int number)
    {
        const QTemporaryDir state;
        StruckRelay relay(fixture, m_redis);
        if (!relay.start({StruckRelay::Blow::Stand, "EVALSHA", number}, manner(generation, state)))
            return false;
        const bool isOver = QTest::qWaitFor(
            [&relay] {
                return relay.wasStruck() || relay.process().state() == QProcess::NotRunning;
            },
            patient(30'000));
        relay.kill();
        return isOver && fixture.unprocessed() > rows - fixture.pendingIds().size();
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(m_redis);
    }

    void oneFinishesWhatTheOtherBegan_data()
    {
        using enum Generation;
        QTest::addColumn<Kind>("kind");
        QTest::addColumn<Generation>("dying");
        QTest::addColumn<Generation>("next");
        const std::tuple<const char *, Generation, Generation> pairs[]
            = {{"earlier, asking", Earlier, Asking}, {"asking, earlier", Asking, Earlier},
               {"asking, writing", Asking, Writing}, {"writing, asking", Writing, Asking},
               {"writing, new", Writing, New},       {"new, writing", New, Writing}};
        for (const auto &[name, dying, next] : pairs) {
            QTest::addRow("PostgreSQL: %s", name) << Kind::Postgres << dying << next;
            if (dying != Earlier && dying != New && next != Earlier && next != New) // both ids
                QTest::addRow("MariaDB: %s", name) << Kind::MariaDb << dying << next;
        }
    }
    void oneFinishesWhatTheOtherBegan()
    {
        QFETCH(Kind, kind);
        QFETCH(Generation, dying);
        QFETCH(Generation, next);
        std::unique_ptr<TestOutbox> fixture;
        bool isInDoubt = false;
        for (int number = 1; !isInDoubt && number <= mostTries; ++number) {
            fixture = std::make_unique<TestOutbox>(kind, BenchShape::CompletedAt, &m_postgres,
                                                   m_redis, &m_mariadb);
            QVERIFY(fixture->setUp());
            QVERIFY(fixture->insertRows(rows));
            isInDoubt = leaveInDoubt(*fixture, dying, number);
        }
        QVERIFY2(isInDoubt, "the relay was never struck between the enqueue and the COMMIT");
        if (dying == Generation::Earlier) { // it wrote no fence
            QVERIFY_RESULT(
                fixture->plainRedis().command({"DEL", "asynq:{default}:outboxdeck"}, u"staging"_s));
        }
        const QTemporaryDir state;
        const CtlRun drained
            = runCtl(QStringList{u"relay"_s, u"--database"_s, fixture->url(), u"--table"_s,
                                 fixture->table(), u"--redis"_s, fixture->redisUrl()}
                     + manner(next, state));
        QVERIFY2(drained.exitCode == 0, drained.err.constData());
        QCOMPARE(fixture->unprocessed(), 0);
        crash::CountingWorker worker;
        QVERIFY_RESULT(worker.open(fixture->redis()));
        QVERIFY_RESULT(worker.consume());
        const QList<int> runs = worker.runs().values();
        QCOMPARE(std::accumulate(runs.begin(), runs.end(), 0), rows);
        QSet<QString> keys;
        for (auto run = worker.runs().cbegin(); run != worker.runs().cend(); ++run)
            keys += run.key().split(u':').value(1); // the second part in both generations
        QCOMPARE(keys.size(), rows);
    }
};

} // namespace tst_relaygenerations

OUTBOX_TEST(tst_relaygenerations::TestRelayGenerations)
#include "tst_relaygenerations.moc"
