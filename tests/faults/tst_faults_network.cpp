// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// F55 … F60: what a network does, between the console with its relay and real servers.
#include "app/settings/opening.h"
#include "tests/faults/faultconsole.h"
#include "tests/support/fonts.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>
#include <QTcpSocket>
#include <QTest>

namespace tst_faults_network {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestFaultsNetwork : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    std::unique_ptr<FaultConsole> m_console;

    void open(bool withRelay = true)
    {
        m_console
            = std::make_unique<FaultConsole>(TestOutbox::Kind::Postgres, &m_postgres, m_redis);
        const QString problem = m_console->open(withRelay);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }
    void cleanup() { m_console.reset(); }

    void f55_latencyWithJitter()
    {
        calmly([&](double &gapMs) {
            open();
            m_console->forgetFailures();
            m_console->meter().forget();
            m_console->setLines({.latencyMs = 150, .jitterMs = 50}); // both ways: 300 to 400 ms
            m_console->aside([&] { QVERIFY(m_console->fixture().insertRows(400)); });
            QSignalSpy steps(&m_console->relay(), &RelayDriver::stepsTaken);
            QVERIFY(m_console->untilDelivered());
            QCOMPARE(m_console->account(), QString());
            QVERIFY(
                FaultConsole::until([&] { return m_console->relay().totals().enqueued == 420; }));
            // A round trip for each row would have been four hundred of them.
            QVERIFY2(m_console->relay().totals().batches < 40,
                     qPrintable(QString::number(m_console->relay().totals().batches)));
            QVERIFY(m_console->isLive());
            QCOMPARE(m_console->failures(Source::Database) + m_console->failures(Source::Queue), 0);
            gapMs = std::max(gapMs, m_console->meter().longest());
        });
    }

    void f56_throttle()
    {
        calmly([&](double &gapMs) {
            open(false);
            QVERIFY(m_console->fixture().exec(
                u"insert into outbox select gen_random_uuid(), 'large', convert_to(repeat('x', "
                "3000000), 'UTF8') from generate_series(1, 10)"_s));
            m_console->forgetFailures();
            m_console->meter().forget();
            m_console->setLines({.bytesPerSecond = 8'000}); // 64 kbit/s
            QSignalSpy rows(&m_console->desktop().system()->database(), &DatabaseFeed::rowsTaken);
            QSignalSpy counts(&m_console->desktop().system()->database(), &DatabaseFeed::taken);
            QVERIFY(FaultConsole::until([&] { return rows.size() > 0 && counts.size() > 1; }));
            QCOMPARE(rows.last().at(1).value<MessagePage>().rows.size(), 10);
            // Ten payloads of three megabytes stand there, and none of them came along.
            QVERIFY2(m_console->databaseLine.mostAnswered() < 500'000,
                     qPrintable(QString::number(m_console->databaseLine.mostAnswered())));
            QVERIFY(m_console->isLive());
            gapMs = std::max(gapMs, m_console->meter().longest());
        });
    }

    void f57_resetInsideAReply()
    {
        open();
        const Fault fault{{Source::Database, Source::Queue},
                          {},
                          [&] {
                              QVERIFY(m_console->fixture().insertRows(100));
                              m_console->setLines({.resetAfter = 30});
                          },
                          [&] { m_console->setLines({}); }};
        SURVIVES(*m_console, fault);
    }

    void f58_splitAtEveryByte()
    {
        calmly([&](double &gapMs) {
            open();
            QTcpSocket plain; // the line does what it says
            m_console->queueLine.set({.splitsEveryByte = true});
            plain.connectToHost(u"127.0.0.1"_s, m_console->queueLine.port());
            plain.write("PING\r\n");
            int pieces = 0;
            QByteArray answer;
            while (answer.size() < 7 && plain.waitForReadyRead(5'000)) {
                answer += plain.readAll();
                ++pieces;
            }
            QCOMPARE(answer, "+PONG\r\n");
            QVERIFY2(pieces > 2, qPrintable(QString::number(pieces)));

            m_console->forgetFailures();
            m_console->meter().forget();
            m_console->databaseLine.set({.splitsEveryByte = true});
            m_console->cutLines(); // the hand-shake is split too
            m_console->aside([&] { QVERIFY(m_console->fixture().insertRows(50)); });
            QVERIFY(m_console->untilDelivered());
            QCOMPARE(m_console->account(), QString());
            QVERIFY(FaultConsole::until([&] { return m_console->isLive(); }));
            m_console->forgetFailures();
            QSignalSpy counts(&m_console->desktop().system()->database(), &DatabaseFeed::taken);
            QVERIFY(FaultConsole::until([&] { return counts.size() > 2; }));
            QCOMPARE(m_console->told(Source::Database) + m_console->told(Source::Queue), QString());
            gapMs = std::max(gapMs, m_console->meter().longest());
        });
    }

    void f60_namesAndAddresses()
    {
        calmly([&](double &gapMs) {
            open(false);
            // "localhost" is ::1 first where there is such an address; nobody listens there.
            Profile named = m_console->profile();
            named.databaseUrl.replace(u"127.0.0.1"_s, u"localhost"_s);
            named.redisUrl.replace(u"127.0.0.1"_s, u"localhost"_s);
            QString problem = m_console->open(named, false);
            QVERIFY2(problem.isEmpty(), qPrintable(problem));

            m_console->forgetFailures();
            m_console->meter().forget();
            Profile lost = m_console->profile();
            lost.databaseUrl.replace(u"127.0.0.1"_s, u"no-such-host.invalid"_s);
            lost.redisUrl.replace(u"127.0.0.1"_s, u"no-such-host.invalid"_s);
            m_console->desktop().openProfile(lost, {});
            auto *system = m_console->desktop().system();
            QSignalSpy database(&system->database(), &DatabaseFeed::healthChanged);
            QSignalSpy queue(&system->queue(), &QueueFeed::healthChanged);
            const auto wordsOf = [](const QSignalSpy &spy) {
                const auto health = spy.last().first().value<SourceHealth>();
                return health.error ? oneLine(*health.error) : QString();
            };
            const auto isNamed = [&](const QSignalSpy &spy) {
                return !spy.isEmpty() && wordsOf(spy).contains(u"no-such-host.invalid"_s);
            };
            QVERIFY(FaultConsole::until([&] { return isNamed(database) && isNamed(queue); }));
            QVERIFY2(wordsOf(database).contains(u"name"_s), qPrintable(wordsOf(database)));
            QVERIFY2(wordsOf(queue).contains(u"not found"_s), qPrintable(wordsOf(queue)));
            gapMs = std::max(gapMs, m_console->meter().longest());
        });
    }
};

} // namespace tst_faults_network

OUTBOX_TEST(tst_faults_network::TestFaultsNetwork)
#include "tst_faults_network.moc"
