// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// F13, F20, F48, F54, F59: servers and lines that say nothing any more. Each takes the deadlines
// that end it, and is slow for that.
#include "tests/faults/faultconsole.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_faults_silence {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestFaultsSilence : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    std::unique_ptr<FaultConsole> m_console;

    void open()
    {
        m_console
            = std::make_unique<FaultConsole>(TestOutbox::Kind::Postgres, &m_postgres, m_redis);
        const QString problem = m_console->open();
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }
    void cleanup()
    {
        m_postgres.thaw();
        m_redis.thaw();
        m_console.reset();
    }

    void f13_statementsThatTakeTooLong()
    {
        open();
        TestOutbox &fixture = m_console->fixture();
        m_console->relay().abandon();
        QVERIFY(FaultConsole::until([&] { return !m_console->desktop().relay()->isRunning(); }));
        QVERIFY(fixture.insertRows(50));
        QVERIFY(fixture.exec(u"create role clerk login; grant select on outbox to clerk; "
                             "alter table outbox enable row level security; "
                             "create policy look on outbox using (true)"_s));
        Profile clerk = m_console->profile();
        clerk.databaseUrl.replace(u"outbox@"_s, u"clerk@"_s);
        QCOMPARE(m_console->open(clerk, false), QString());
        // Two statements, each within the server's deadline, may take longer than one look may.
        const Fault fault{
            {Source::Database},
            {u"57014"_s, u"given up before the answer came"_s},
            [&] {
                QVERIFY(fixture.exec(u"alter policy look on outbox using "
                                     "(pg_sleep(1) is not null)"_s));
            },
            [&] { QVERIFY(fixture.exec(u"alter policy look on outbox using (true)"_s)); }};
        SURVIVES(*m_console, fault);
        QVERIFY2(m_console->failures(Source::Database) < 4, "a retry loop");
    }

    void f20_backendsThatAreStopped()
    {
        open();
        // The session that waits says the first, one that is just being made the second.
        const Fault fault{{Source::Database},
                          {u"no answer within"_s, u"Nothing was heard"_s},
                          [&] { m_postgres.freeze(); },
                          [&] { m_postgres.thaw(); }};
        SURVIVES(*m_console, fault);
    }

    void f48_aRedisThatIsStoppedEnqueuesLate()
    {
        open();
        const qint64 before = m_console->relay().totals().alreadyQueued;
        const Fault fault{
            {Source::Queue},
            {u"in time"_s},
            [&] { // just before it reads the batch
                m_console->queueLine.set(
                    {.losesAnswerTo = "EVALSHA", .strikesBefore = [&] { m_redis.freeze(); }});
                QVERIFY(m_console->fixture().insertRows(30));
            },
            [&] { // not before the relay has given the batch up
                const auto &told = m_console->toldByRelay();
                QVERIFY(FaultConsole::until([&] { return told.contains(u"in time"_s); }));
                m_console->queueLine.set({});
                m_redis.thaw();
            }};
        SURVIVES(*m_console, fault);
        // The batch got in, late; the retry was told so and gave up its rows.
        QTRY_VERIFY(m_console->relay().totals().alreadyQueued > before);
    }

    void f54_halfOpen()
    {
        open();
        // A session that is opened meanwhile hears nothing either.
        const Fault fault{{Source::Database, Source::Queue},
                          {u"no answer within"_s, u"in time"_s, u"Nothing was heard"_s},
                          [&] { m_console->setLines({.isHalfOpen = true}); },
                          [&] { m_console->setLines({}); }};
        SURVIVES(*m_console, fault);
    }

    void f59_acceptedAndSilent()
    {
        open();
        const Fault fault{{Source::Database, Source::Queue},
                          {u"is it a server of this kind"_s, u"Is it a Redis"_s},
                          [&] {
                              m_console->setLines({.isSilent = true});
                              m_console->cutLines();
                          },
                          [&] {
                              m_console->setLines({});
                              m_console->cutLines();
                          }};
        SURVIVES(*m_console, fault);
    }
};

} // namespace tst_faults_silence

OUTBOX_TEST(tst_faults_silence::TestFaultsSilence)
#include "tst_faults_silence.moc"
