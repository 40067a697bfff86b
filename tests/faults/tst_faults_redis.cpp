// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// F35 … F53: what Redis and its people do, under the console with its relay.
#include "tests/faults/faultconsole.h"
#include "tests/support/fonts.h"
#include "tests/support/freeport.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>
#include <QTest>
#include <QTimer>

namespace tst_faults_redis {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;

class TestFaultsRedis : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    std::unique_ptr<FaultConsole> m_console;
    const QStringList m_kept{u"--appendonly"_s, u"yes"_s, u"--appendfsync"_s, u"always"_s};

    void openOver(PrivateRedis &redis)
    {
        m_console = std::make_unique<FaultConsole>(TestOutbox::Kind::Postgres, &m_postgres, redis);
        const QString problem = m_console->open();
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }
    void open() { openOver(m_redis); }
    void run(const RedisCommand &command)
    {
        QVERIFY_RESULT(m_console->fixture().plainRedis().ensureOpen());
        QVERIFY_RESULT(m_console->fixture().plainRedis().command(command, u"staging"_s));
    }
    void survives(const Fault &fault) { SURVIVES(*m_console, fault); }
    /// Rows to be relayed while the fault lasts.
    void write() { QVERIFY(m_console->fixture().insertRows(20)); }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }
    void cleanup() { m_console.reset(); }

    void f35_killedAndBackWithItsFile()
    {
        PrivateRedis own;
        OUTBOX_START_SERVER(own, m_kept);
        openOver(own);
        survives(
            {{Source::Queue}, {}, [&] { own.kill(); }, [&] { QVERIFY_RESULT(own.start(m_kept)); }});
        m_console.reset();
    }

    void whatRedisForgotEndsTheRelay_data()
    {
        QTest::addColumn<bool>("isFlushed");
        QTest::newRow("F36 killed without a file") << false;
        QTest::newRow("F37 FLUSHALL in flight") << true;
    }
    void whatRedisForgotEndsTheRelay()
    {
        QFETCH(bool, isFlushed);
        calmly([&](double &gapMs) {
            PrivateRedis own;
            OUTBOX_START_SERVER(own);
            openOver(own);
            m_console->meter().forget();
            QSignalSpy failed(&m_console->relay(), &RelayDriver::failed);
            QSignalSpy health(m_console->desktop().system(), &System::healthTaken);
            QSignalSpy answered(&m_console->relay(), &RelayDriver::answered);
            QVERIFY(
                FaultConsole::until([&] { return answered.size() > 1; })); // judged in each burst
            if (isFlushed) {
                run({"FLUSHALL"});
            } else {
                own.kill();
                QVERIFY(
                    FaultConsole::until([&] { return m_console->failures(Source::Queue) > 0; }));
                QVERIFY_RESULT(own.start());
            }
            m_console->aside([&] { write(); });
            QVERIFY2(FaultConsole::until([&] { return !failed.isEmpty(); }, 8'000),
                     qPrintable(m_console->toldByRelay() + m_console->account()));
            const auto error = failed.first().first().value<Error>();
            QVERIFY2(oneLine(error).contains(u"lost"_s), qPrintable(oneLine(error)));
            const auto isAdvised = [&] { // what to do about it stands in the judgement
                for (const QVariantList &one : std::as_const(health)) {
                    const auto report = one.first().value<HealthReport>();
                    for (const HealthCause &cause : report.causes) {
                        if (cause.text.contains(u"lost"_s))
                            return true;
                    }
                }
                return false;
            };
            QVERIFY(FaultConsole::until(isAdvised));
            QVERIFY(FaultConsole::until([&] { return m_console->isLive(); }));
            gapMs = std::max(gapMs, m_console->meter().longest());
            m_console.reset();
        });
    }

    void theRelayTellsAndGoesOn_data()
    {
        QTest::addColumn<QString>("fault");
        for (const char *name : {"F38 SCRIPT FLUSH", "F39 OOM", "F41 READONLY", "F42 MISCONF",
                                 "F45 BUSY script", "F47 NOPERM", "F52 CLIENT KILL"}) {
            QTest::newRow(name) << QString::fromLatin1(name).section(u' ', 0, 0);
        }
    }
    void theRelayTellsAndGoesOn()
    {
        QFETCH(QString, fault);
        PrivateRedis own;
        QStringList arguments{u"--busy-reply-threshold"_s, u"100"_s};
        if (fault == u"F42"_s)
            arguments += {u"--dir"_s, u"/proc"_s, u"--save"_s, u"3600 1"_s};
        OUTBOX_START_SERVER(own, arguments);
        openOver(own);
        RedisConnection rival;
        QVERIFY_RESULT(rival.open(m_console->fixture().redis(), RedisConnection::Access::Act,
                                  u"rival"_s, 30s));
        if (fault == u"F38"_s) {
            run({"SCRIPT", "FLUSH"});
            write();
            QVERIFY(m_console->untilDelivered());
            QCOMPARE(m_console->account(), QString());
            QVERIFY(m_console->isLive());
        } else if (fault == u"F39"_s) {
            survives({{},
                      {u"OOM"_s},
                      [&] {
                          run({"CONFIG", "SET", "maxmemory", "1mb"});
                          write();
                      },
                      [&] {
                          run({"CONFIG", "SET", "maxmemory", "0"});
                      }});
        } else if (fault == u"F41"_s) {
            survives({{},
                      {u"replica"_s},
                      [&] {
                          run({"REPLICAOF", "127.0.0.1", "1"});
                          write();
                      },
                      [&] {
                          run({"REPLICAOF", "NO", "ONE"});
                      }});
        } else if (fault == u"F42"_s) {
            survives(
                {{},
                 {u"cannot save to disk"_s},
                 [&] {
                     (void)rival.command({"SAVE"}, u"failing to save"_s);
                     run({"BGSAVE"});
                     QVERIFY(FaultConsole::until([&] {
                         const auto info = rival.command({"INFO", "persistence"}, u"looking"_s);
                         return info && info->bytes.contains("rdb_last_bgsave_status:err");
                     }));
                     write();
                 },
                 [&] {
                     run({"CONFIG", "SET", "stop-writes-on-bgsave-error", "no"});
                 }});
        } else if (fault == u"F45"_s) {
            survives({{Source::Queue},
                      {u"script blocks Redis"_s},
                      [&] {
                          QVERIFY_RESULT(rival.send(
                              "*3\r\n$4\r\nEVAL\r\n$18\r\nwhile true do end \r\n$1\r\n0\r\n", 1));
                          write();
                      },
                      [&] {
                          QVERIFY(m_console->untilAside([&] {
                              const auto ended = m_console->fixture().plainRedis().command(
                                  {"SCRIPT", "KILL"}, u"ending the script"_s);
                              return ended.has_value();
                          }));
                          (void)rival.receive();
                      }});
        } else if (fault == u"F47"_s) {
            survives({{Source::Queue},
                      {u"'llen'"_s},
                      [&] {
                          run({"ACL", "SETUSER", "default", "-llen"});
                      },
                      [&] {
                          run({"ACL", "SETUSER", "default", "+llen"});
                      }});
        } else {
            survives({{},
                      {u"closed"_s, u"reset"_s},
                      [&] {
                          m_console->queueLine.set({.latencyMs = 100}); // so that it is in flight
                          write();
                          QVERIFY(m_console->untilAside([&] {
                              (void)rival.command(
                                  {"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"},
                                  u"killing"_s);
                              return !m_console->toldByRelay().isEmpty();
                          }));
                      },
                      [&] { m_console->queueLine.set({}); }});
        }
        m_console.reset();
    }

    void f44_loading()
    {
        PrivateRedis own;
        const QStringList slow = m_kept + QStringList{u"--aof-use-rdb-preamble"_s, u"no"_s};
        OUTBOX_START_SERVER(own, slow);
        openOver(own);
        QList<RedisCommand> many;
        for (int n = 0; n < 20'000; ++n)
            many += {"SET", "filler:" + QByteArray::number(n), QByteArray(10, 'x')};
        run({"CONFIG", "SET", "appendfsync", "no"});
        QVERIFY_RESULT(m_console->fixture().plainRedis().pipeline(many, 60s));
        QVERIFY_RESULT(m_console->fixture().plainRedis().command(
            {"CONFIG", "SET", "appendfsync", "always"}, u"staging"_s));
        // Each key takes a while to be read, by Redis's own word for tests of this state.
        const QStringList dragging = slow
            + QStringList{u"--key-load-delay"_s, u"50"_s,
                          u"--loading-process-events-interval-bytes"_s, u"1024"_s};
        survives({{Source::Queue},
                  {u"Redis is reading its data"_s},
                  [&] {
                      own.kill();
                      QVERIFY_RESULT(own.start(dragging));
                  },
                  [&] {
                      QVERIFY(m_console->untilAside([&] {
                          auto &plain = m_console->fixture().plainRedis();
                          return plain.ensureOpen() && plain.command({"PING"}, u"waiting"_s);
                      }));
                  }});
        QVERIFY2(m_console->failures(Source::Queue) < 15, "a storm");
        m_console.reset();
    }

    void f46_cluster()
    {
        calmly([&](double &gapMs) {
            PrivateRedis own;
            OUTBOX_START_SERVER(own,
                                {u"--cluster-enabled"_s, u"yes"_s, u"--port"_s,
                                 QString::number(freePort() % 20'000 + 10'000)});
            m_console
                = std::make_unique<FaultConsole>(TestOutbox::Kind::Postgres, &m_postgres, own);
            m_console->patienceMs = 3'000;
            const QString problem = m_console->open(false);
            QVERIFY2(problem.contains(u"cluster"_s, Qt::CaseInsensitive), qPrintable(problem));
            gapMs = std::max(gapMs, m_console->meter().longest());
            m_console.reset();
        });
    }

    void f50_maxclients()
    {
        PrivateRedis own;
        OUTBOX_START_SERVER(own);
        openOver(own);
        std::vector<std::unique_ptr<RedisConnection>> fillers;
        survives({{Source::Queue},
                  {u"no free connection"_s},
                  [&] {
                      run({"CONFIG", "SET", "maxclients", "8"});
                      m_console->queueLine.cut();
                      for (int n = 0; n < 20; ++n) {
                          fillers.push_back(std::make_unique<RedisConnection>());
                          (void)fillers.back()->open(m_console->fixture().redis(),
                                                     RedisConnection::Access::Act, u"filler"_s);
                      }
                  },
                  [&] { fillers.clear(); }});
        m_console.reset();
    }

    void f53_aReaderThatIsTooSlowForRedis()
    {
        PrivateRedis own;
        OUTBOX_START_SERVER(own);
        openOver(own);
        // The answers to all questions together are too large, where Redis has read all of these at
        // once. Some are asked seldom, and very seldom on a busy machine.
        QTimer asking;
        connect(&asking, &QTimer::timeout, this,
                [&] { m_console->desktop().system()->refreshNow(); });
        survives({{Source::Queue},
                  {},
                  [&] {
                      run({"CONFIG", "SET", "client-output-buffer-limit", "normal 1000 0 0"});
                      run({"CLIENT", "NO-EVICT", "off"});
                      asking.start(300);
                  },
                  [&] {
                      asking.stop();
                      run({"CONFIG", "SET", "client-output-buffer-limit", "normal 0 0 0"});
                  }});
        m_console.reset();
    }
};

} // namespace tst_faults_redis

OUTBOX_TEST(tst_faults_redis::TestFaultsRedis)
#include "tst_faults_redis.moc"
