// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Random faults by a printed seed under writers that commit late and roll back: lost 0, duplicates
// 0, and every diary obeys the state machine. OUTBOX_SOAK_SEEDS=1-100 OUTBOX_SOAK_MESSAGES=10000.
#include "tests/crash/longmain.h"
#include "tests/crash/seededbugs.h"
#include "tests/crash/soak.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"

#include <QElapsedTimer>
#include <QTest>

#include <cstdio>

using namespace outbox;
using namespace outbox::crash;
using namespace Qt::Literals::StringLiterals;

namespace {

qint64 messages()
{
    return qEnvironmentVariable("OUTBOX_SOAK_MESSAGES", u"1500"_s).toLongLong();
}

} // namespace

class TestRelaySoak : public QObject
{
    Q_OBJECT

    Ground m_ground;
    Tally m_sum;
    int m_runs = 0;
    qint64 m_faults = 0;
    qint64 m_moments = 0;
    int m_noticed = 0;
    qint64 m_takenAway = 0;

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_ground.postgres);
        OUTBOX_START_SERVER(m_ground.redis, Ground::redisArguments());
    }

    void nothingIsLostOrDoubledUnderRandomFaults()
    {
        const auto [first, last] = seedsBy("OUTBOX_SOAK_SEEDS", u"1-4"_s);
        for (quint32 seed = first; seed <= last; ++seed) {
            QElapsedTimer clock;
            clock.start();
            std::printf("seed %u: ", seed);
            std::fflush(stdout);
            Soak soak(m_ground, seed);
            const auto report = soak.run(messages());
            QVERIFY_RESULT(report);
            std::printf("%s; %.1f s\n", qPrintable(words(*report)),
                        double(clock.elapsed()) / 1000.0);
            std::fflush(stdout);
            QVERIFY2(report->tally.isClean(), qPrintable(words(report->tally)));
            QVERIFY2(!report->transitions.hasViolations(),
                     qPrintable(report->transitions.violations().join(u'\n')));
            QVERIFY(report->transitions.moments() > 0);
            m_sum += report->tally;
            ++m_runs;
            m_moments += report->transitions.moments();
            m_noticed += report->noticed;
            m_takenAway += report->takenAway;
            for (const int count : report->faults)
                m_faults += count;
        }
        QVERIFY2(m_noticed > 0 || m_takenAway == 0, "no relay noticed that Redis was emptied");
    }

    void aWrongRelayIsCaughtByTheSameFaults_data()
    {
        QTest::addColumn<QStringList>("wrong");
        QTest::addColumn<bool>("loses");
        QTest::newRow("retention 0") << QStringList{u"--retention"_s, u"0"_s} << false;
        QTest::newRow("error swallowed")
            << QStringList{u"--bug"_s, word(Bug::ErrorSwallowed)} << true;
    }

    void aWrongRelayIsCaughtByTheSameFaults()
    {
        QFETCH(QStringList, wrong);
        QFETCH(bool, loses);
        constexpr quint32 mostSeeds = 20; // a fault may miss the moment that tells them apart
        for (quint32 seed = 1; seed <= mostSeeds; ++seed) {
            Soak soak(m_ground, seed, wrong);
            const auto report = soak.run(3000);
            QVERIFY_RESULT(report);
            std::printf("seed %u: %s\n", seed, qPrintable(words(*report)));
            if ((loses ? report->tally.lost : report->tally.duplicates) > 0)
                return;
        }
        QFAIL("it was not caught");
    }

    void cleanupTestCase()
    {
        std::printf("%d seeds, %lld faults, %lld moments judged, %s; %d relays noticed an empty "
                    "Redis, which took %lld\n",
                    m_runs, static_cast<long long>(m_faults), static_cast<long long>(m_moments),
                    qPrintable(words(m_sum)), m_noticed, static_cast<long long>(m_takenAway));
    }
};

OUTBOX_LONG_TEST_MAIN(TestRelaySoak)
#include "tst_relaysoak.moc"
