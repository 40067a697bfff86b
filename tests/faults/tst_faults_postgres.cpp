// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// F08 … F24: what PostgreSQL and its people do, under the console with its relay.
#include "models/health/health.h"
#include "tests/faults/faultconsole.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/plainpostgres.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_faults_postgres {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestFaultsPostgres : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    std::unique_ptr<FaultConsole> m_console;

    void open(BenchShape shape = BenchShape::Payload)
    {
        m_console = std::make_unique<FaultConsole>(TestOutbox::Kind::Postgres, &m_postgres, m_redis,
                                                   nullptr, shape);
        const QString problem = m_console->open();
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }
    void run(const QString &sql) { QVERIFY2(m_console->fixture().exec(sql), qPrintable(sql)); }
    [[nodiscard]] QString one(const QString &sql)
    {
        return m_console->fixture().scalar(sql).toString();
    }
    [[nodiscard]] static QString ours() { return u"application_name like 'outboxdeck/%'"_s; }
    [[nodiscard]] QString sessions()
    {
        return one(u"select string_agg(pid::text, ',' order by pid) from pg_stat_activity where "_s
                   + ours());
    }
    void survives(const Fault &fault) { SURVIVES(*m_console, fault); }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }
    void cleanup() { m_console.reset(); }

    void theServerGoesAndComesBack_data()
    {
        QTest::addColumn<int>("how");
        QTest::newRow("F08 fast stop") << 0;
        QTest::newRow("F09 immediate stop") << 1;
        QTest::newRow("F10 kill -9") << 2;
    }
    void theServerGoesAndComesBack()
    {
        QFETCH(int, how);
        PrivatePostgres own;
        OUTBOX_START_SERVER(own);
        m_console = std::make_unique<FaultConsole>(TestOutbox::Kind::Postgres, &own, m_redis);
        const QString problem = m_console->open();
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        survives({{Source::Database},
                  {},
                  [&] { how == 0       ? own.stop()
                            : how == 1 ? own.stopAtOnce()
                                       : own.kill(); },
                  [&] {
                      QVERIFY_RESULT(own.restart());
                      QVERIFY(m_console->fixture().reopen());
                  }});
        m_console.reset();
    }

    void f11_terminatedBackends()
    {
        open();
        survives({{Source::Database},
                  {u"terminating connection"_s, u"closed the connection"_s, u"lost"_s},
                  [&] {
                      run(u"select pg_terminate_backend(pid) from pg_stat_activity where "_s
                          + ours());
                  },
                  {}});
    }

    void f12_cancelledStatements()
    {
        open();
        const QString before = sessions();
        survives({{Source::Database},
                  {u"user request"_s},
                  [&] {
                      run(u"begin"_s);
                      run(u"lock table outbox in access exclusive mode"_s);
                      const QString cancel
                          = u"select count(pg_cancel_backend(pid)) from pg_stat_activity where "
                            "wait_event_type = 'Lock' and "_s
                          + ours();
                      QVERIFY(m_console->untilAside([&] {
                          return one(cancel).toInt() >= 0
                              && m_console->told(Source::Database).contains(u"user request"_s);
                      }));
                  },
                  [&] { run(u"rollback"_s); }});
        QCOMPARE(sessions(), before); // the statements failed, the sessions live
    }

    void f14_waitingBehindAnAlterTable()
    {
        open();
        const QString pid = one(u"select pg_backend_pid()"_s);
        survives({{Source::Database},
                  {u"is held by fixture-plain (process %1)"_s.arg(pid)},
                  [&] {
                      run(u"begin"_s);
                      run(u"alter table outbox add column more text"_s);
                  },
                  [&] { run(u"rollback"_s); }});
    }

    void f16_noConnectionIsLeft()
    {
        PrivatePostgres own;
        OUTBOX_START_SERVER(own, {u"max_connections=10"_s});
        m_console = std::make_unique<FaultConsole>(TestOutbox::Kind::Postgres, &own, m_redis);
        const QString problem = m_console->open();
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
        // One looks, two are the lanes of the relay.
        QTRY_COMPARE(sessions().split(u',').size(), 3);
        std::vector<std::unique_ptr<PlainPostgres>> fillers;
        survives({{Source::Database},
                  {u"too many clients"_s, u"no connection left"_s, u"connection slots"_s},
                  [&] {
                      run(u"select pg_terminate_backend(pid, 1000) from pg_stat_activity where "_s
                          + ours());
                      for (bool isFull = false; !isFull;) {
                          fillers.push_back(std::make_unique<PlainPostgres>());
                          isFull = !fillers.back()->open(own);
                      }
                  },
                  [&] { fillers.clear(); }});
        QTRY_COMPARE(sessions().split(u',').size(), 3);
        m_console.reset();
    }

    void f19_readOnly_data()
    {
        QTest::addColumn<bool>("isStandby");
        QTest::newRow("a database that reads only") << false;
        QTest::newRow("a standby") << true;
    }
    void f19_readOnly()
    {
        QFETCH(bool, isStandby);
        calmly([&](double &gapMs) {
            PrivatePostgres own;
            OUTBOX_START_SERVER(own);
            m_console = std::make_unique<FaultConsole>(TestOutbox::Kind::Postgres, &own, m_redis);
            QString problem = m_console->open(false);
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
            QVERIFY(m_console->fixture().insertRows(10));
            if (isStandby) {
                own.stop();
                QFile signal(own.folder() + u"/data/standby.signal"_s);
                QVERIFY(signal.open(QIODevice::WriteOnly));
                signal.close();
                QVERIFY_RESULT(own.restart());
                QVERIFY(m_console->fixture().reopen());
            } else {
                run(u"do $$ begin execute format('alter database %I set "
                    u"default_transaction_read_only"
                    " = on', current_database()); end $$"_s);
            }
            QVERIFY(FaultConsole::until([&] { return m_console->isLive(); }));
            m_console->forgetFailures();
            m_console->meter().forget();
            QSignalSpy failed(&m_console->relay(), &RelayDriver::failed);
            QSignalSpy backingOff(&m_console->relay(), &RelayDriver::backingOff);
            m_console->desktop().relay()->start({});
            QVERIFY(FaultConsole::until([&] { return failed.size() + backingOff.size() > 0; }));
            const auto error
                = (failed.isEmpty() ? backingOff : failed).first().first().value<Error>();
            const QString expected = isStandby ? u"is a standby"_s : u"read-only"_s;
            QVERIFY2(oneLine(error).contains(expected), qPrintable(oneLine(error)));
            QCOMPARE(error.kind, isStandby ? Error::Kind::Unreachable : Error::Kind::Refused);
            QSignalSpy counts(&m_console->desktop().system()->database(), &DatabaseFeed::taken);
            QVERIFY(FaultConsole::until([&] { return counts.size() > 1; }));
            QCOMPARE(counts.last().first().value<OutboxSnapshot>().pending, 10);
            QVERIFY(m_console->isLive());
            QCOMPARE(m_console->fixture().unprocessed(), 10);
            gapMs = std::max(gapMs, m_console->meter().longest());
            m_console.reset();
        });
    }

    void f21_conflictsOfTransactions_data()
    {
        QTest::addColumn<QString>("code");
        QTest::newRow("40P01 a deadlock") << u"40P01"_s;
        QTest::newRow("40001 a serialization failure") << u"40001"_s;
    }
    void f21_conflictsOfTransactions()
    {
        QFETCH(QString, code);
        calmly([&](double &gapMs) {
            open();
            QSignalSpy backingOff(&m_console->relay(), &RelayDriver::backingOff);
            QSignalSpy steps(&m_console->relay(), &RelayDriver::stepsTaken);
            m_console->meter().forget();
            PlainPostgres rival;
            QVERIFY_RESULT(rival.open(m_console->fixture().url()));
            if (code == u"40001"_s) {
                // Whose turn it is, a sequence tells: it is not taken back with the transaction.
                run(u"create sequence turns"_s);
                run(u"create function spoil() returns trigger language plpgsql as $$ begin"
                    " if nextval('turns') = 3 then raise serialization_failure; end if;"
                    " return old; end $$"_s);
                run(u"create trigger spoil before delete on outbox for each row"
                    " execute function spoil()"_s);
                QVERIFY(m_console->fixture().insertRows(20));
            } else {
                run(u"create table tallies (n int); insert into tallies values (0)"_s);
                run(u"create function tally() returns trigger language plpgsql as $$ begin"
                    " update tallies set n = n + 1; return old; end $$"_s);
                run(u"create trigger tally before delete on outbox for each row"
                    " execute function tally()"_s);
                run(u"alter role outbox set deadlock_timeout = '50ms'"_s);
                m_console->relay().pause();
                QVERIFY(m_console->fixture().insertRows(20));
                // The rival has what the relay's trigger wants, and then wants what the relay has.
                QVERIFY_RESULT(rival.run("set deadlock_timeout = '30s'; set lock_timeout = 0"));
                QVERIFY_RESULT(rival.run("begin; update tallies set n = n"));
                m_console->relay().resume();
                const QString waits
                    = u"select count(*) from pg_stat_activity where wait_event_type = 'Lock' and "_s
                    + ours();
                QVERIFY(m_console->untilAside([&] { return one(waits).toInt() > 0; }));
                QVERIFY_RESULT(rival.send("lock table outbox in exclusive mode"));
            }
            const auto isTold = [&] {
                QString told;
                for (const QVariantList &one : std::as_const(backingOff))
                    told += oneLine(one.first().value<Error>());
                for (const QVariantList &list : std::as_const(steps)) {
                    for (const RelayStep &step : list.first().value<QList<RelayStep>>())
                        told += step.error ? oneLine(*step.error) : QString();
                }
                return told.contains(code);
            };
            const bool wasTold = FaultConsole::until(isTold);
            if (code == u"40P01"_s) {
                QVERIFY_RESULT(rival.take());
                QVERIFY_RESULT(rival.run("rollback"));
            }
            QVERIFY(wasTold);
            QVERIFY(m_console->untilDelivered());
            QCOMPARE(m_console->account(), QString());
            gapMs = std::max(gapMs, m_console->meter().longest());
        });
    }

    void f22_theAnswerToACommitIsLost()
    {
        calmly([&](double &gapMs) {
            open();
            m_console->meter().forget();
            m_console->databaseLine.set({.losesAnswerTo = "COMMIT"});
            QSignalSpy backingOff(&m_console->relay(), &RelayDriver::backingOff);
            m_console->aside([&] { QVERIFY(m_console->fixture().insertRows(50)); });
            QVERIFY(
                FaultConsole::until([&] { return m_console->databaseLine.answersLost() == 1; }));
            QVERIFY(FaultConsole::until([&] { return !backingOff.isEmpty(); }));
            QVERIFY(m_console->untilDelivered());
            QCOMPARE(m_console->account(), QString());
            gapMs = std::max(gapMs, m_console->meter().longest());
        });
    }

    void f23_whoHoldsAnOldSnapshotIsNamed()
    {
        calmly([&](double &gapMs) {
            open();
            const DatabaseUrl url = *DatabaseUrl::fromUrl(m_console->fixture().url());
            PlainPostgres report;
            QVERIFY_RESULT(report.open(u"postgresql://%1@/%2?host=%3&application_name=report"_s.arg(
                url.user, url.database, m_postgres.socketFolder())));
            QVERIFY_RESULT(report.run("begin isolation level repeatable read"));
            const auto pid = report.number("select pg_backend_pid()");
            QVERIFY_RESULT(pid);
            QString problem
                = m_console->open(m_console->profile(), true); // asked for with the first look
            QVERIFY2(problem.isEmpty(), qPrintable(problem));
            std::optional<OutboxSnapshot> seen;
            connect(&m_console->desktop().system()->database(), &DatabaseFeed::taken,
                    &m_console->desktop(),
                    [&seen](const OutboxSnapshot &snapshot) { seen = snapshot; });
            QVERIFY(FaultConsole::until([&] { return seen.has_value(); }));
            QVERIFY(seen->oldSnapshot);
            QCOMPARE(seen->oldSnapshot->application, u"report"_s);
            QCOMPARE(seen->oldSnapshot->pid, *pid);
            QVERIFY(seen->oldSnapshot->sinceSeconds.value_or(-1) > 0);
            HealthLimits atOnce;
            atOnce.transaction = 0;
            HealthInput input;
            input.outbox = Seen<OutboxSnapshot>{*seen, 0};
            const QList<HealthCause> found = findings(input, atOnce);
            const auto told = std::find_if(found.begin(), found.end(), [](const HealthCause &one) {
                return one.reason == HealthReason::OldSnapshot;
            });
            QVERIFY(told != found.end());
            QVERIFY(
                told->text.startsWith(u"report (process %1) has held a snapshot for"_s.arg(*pid)));
            QVERIFY(m_console->fixture().insertRows(20));
            QVERIFY(m_console->untilDelivered()); // the relay goes on meanwhile
            QCOMPARE(m_console->account(), QString());
            run(told->remedy.chopped(1)); // what it says helps
            QTRY_VERIFY(!report.number("select 1"));
            gapMs = std::max(gapMs, m_console->meter().longest());
        });
    }

    void f24_theSchemaChanges_data()
    {
        QTest::addColumn<QString>("change");
        QTest::addColumn<QString>("back");
        QTest::addColumn<bool>("isHarmless");
        QTest::newRow("a column dropped")
            << u"alter table outbox drop column payload"_s
            << u"alter table outbox add column payload bytea"_s << false;
        QTest::newRow("a column renamed")
            << u"alter table outbox rename column payload to body"_s
            << u"alter table outbox rename column body to payload"_s << false;
        QTest::newRow("a column retyped")
            << u"alter table outbox alter column type type varchar(300)"_s
            << u"alter table outbox alter column type type text"_s << true;
        QTest::newRow("the table gone") << u"alter table outbox rename to gone"_s
                                        << u"alter table gone rename to outbox"_s << false;
        QTest::newRow("the table partitioned")
            << u"alter table outbox rename to plain; create table outbox (like plain) partition by"
               " hash (id); alter table outbox add primary key (id); create table outbox_all"
               " partition of outbox for values with (modulus 1, remainder 0)"_s
            << QString() << true;
    }
    void f24_theSchemaChanges()
    {
        QFETCH(QString, change);
        QFETCH(QString, back);
        QFETCH(bool, isHarmless);
        calmly([&](double &gapMs) {
            open();
            if (isHarmless) { // nothing need be told: it goes on by itself
                m_console->meter().forget();
                run(change);
                QVERIFY(m_console->fixture().insertRows(20));
                QVERIFY2(m_console->untilDelivered(), qPrintable(m_console->toldByRelay()));
                QCOMPARE(m_console->account(), QString());
                QVERIFY(FaultConsole::until([&] { return m_console->isLive(); }));
                gapMs = std::max(gapMs, m_console->meter().longest());
                return;
            }
            survives({{},
                      {u"The table is not what it was"_s, u"does not exist"_s},
                      [&] { run(change); },
                      [&] { run(back); }});
        });
    }
};

} // namespace tst_faults_postgres

OUTBOX_TEST(tst_faults_postgres::TestFaultsPostgres)
#include "tst_faults_postgres.moc"
