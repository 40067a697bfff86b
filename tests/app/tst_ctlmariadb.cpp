// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// outboxctl on MariaDB: what it sees, what it does not pretend to see, and that looking locks
// nothing.
#include "tests/support/ctl.h"
#include "tests/support/filebytes.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

namespace tst_ctlmariadb {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestCtlMariadb : public QObject
{
    Q_OBJECT

    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;
    QTemporaryDir m_state;
    std::unique_ptr<TestOutbox> m_fixture;

    [[nodiscard]] CtlRun ctl(const QStringList &words) const
    {
        return runCtl(words
                      + QStringList{u"--database"_s, m_fixture->url(), u"--table"_s,
                                    m_fixture->table(), u"--redis"_s, m_redis.url(),
                                    u"--state-dir"_s, m_state.path()});
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_mariadb,
                            {u"--general-log"_s, u"--general-log-file=statements.log"_s});
        OUTBOX_START_SERVER(m_redis);
    }

    void init()
    {
        m_fixture = std::make_unique<TestOutbox>(TestOutbox::Kind::MariaDb, BenchShape::CompletedAt,
                                                 nullptr, m_redis, &m_mariadb);
        QVERIFY(m_fixture->setUp());
        QVERIFY(m_fixture->insertRows(30));
        QVERIFY(
            m_fixture->exec(u"update outbox set completed_at = utc_timestamp(6) where id <= 10"_s));
    }
    void cleanup() { m_fixture.reset(); }

    void statusCountsAndTellsWhatItCannotSee()
    {
        QVERIFY(m_fixture->exec(u"begin"_s));
        QVERIFY(m_fixture->exec(u"select 1 from outbox where id in (12, 13) for update"_s));
        const CtlRun run = ctl({u"status"_s, u"--json"_s});
        QVERIFY(m_fixture->exec(u"rollback"_s));
        QVERIFY2(run.exitCode == 0, run.err.constData());
        const QJsonObject outbox = run.last().value("outbox"_L1).toObject();
        QCOMPARE(outbox.value("pending"_L1).toInteger(-1), 20); // held or not
        QCOMPARE(outbox.value("processed"_L1).toInteger(-1), 10);
        QVERIFY(outbox.value("locked"_L1).isNull()); // not known is not 0
        const QString note = outbox.value("notes"_L1).toObject().value("locked"_L1).toString();
        QVERIFY2(note.contains(u"MariaDB does not tell"_s), qPrintable(note));
        QVERIFY(outbox.value("oldest_pending_s"_L1).isDouble());
    }

    void theTableIsRecognized()
    {
        const CtlRun run = ctl({u"probe"_s, u"--json"_s});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QVERIFY2(run.out.contains("completed_at"), run.out.constData());
        QVERIFY(run.out.contains("\"form\":\"integer\""));
    }

    void lookingWritesNothingAndLocksNothing()
    {
        const auto log
            = [this] { return fileBytes(m_mariadb.folder() + u"/data/statements.log"_s); };
        const qsizetype logged = log().size();
        const QString id = m_fixture->insertedIds().constLast();
        for (const QStringList &words : QList<QStringList>{
                 {u"status"_s}, {u"list"_s}, {u"probe"_s}, {u"tasks"_s}, {u"show"_s, id}}) {
            const CtlRun run = ctl(words);
            const QByteArray what = words.first().toUtf8() + ": " + run.out + run.err;
            constexpr int nothingMatched = 3;
            QVERIFY2(run.exitCode == 0 || run.exitCode == nothingMatched, what.constData());
        }
        QByteArray said = log().mid(logged).toLower();
        // What a replay would do now is a plan, and asks which rows are held: without waiting.
        said.replace("lock in share mode skip locked", "(planned)");
        QVERIFY(said.contains("read only"));
        for (const char *word :
             {"insert into", "update \"", "delete from", "for update", "lock in share mode",
              "lock tables", "truncate ", "create ", "alter "})
            QVERIFY2(!said.contains(word), word);
    }

    void aReplayIsPlannedAndCarriedOut()
    {
        const QString ids = m_state.filePath(u"ids"_s);
        QVERIFY(writeFile(ids, "1\n2\n3\n"));
        const QStringList replay{u"replay"_s, u"--ids-file"_s, ids, u"--json"_s};
        const CtlRun plan = ctl(replay);
        QVERIFY2(plan.exitCode == 0, QByteArray(plan.out + plan.err).constData());
        QVERIFY(plan.out.contains("FOR UPDATE SKIP LOCKED"));
        QCOMPARE(m_fixture->unprocessed(), 20);
        const CtlRun done = ctl(
            replay + QStringList{u"--yes"_s, u"--allow-second-execution"_s, u"--note"_s, u"why"_s});
        QVERIFY2(done.exitCode == 0, QByteArray(done.out + done.err).constData());
        QCOMPARE(m_fixture->unprocessed(), 23);
        const CtlRun relay = ctl({u"relay"_s, u"--drain"_s, u"--json"_s});
        QVERIFY2(relay.exitCode == 0, relay.err.constData());
        QCOMPARE(relay.last().value("enqueued"_L1).toInteger(-1), 23);
        QCOMPARE(m_fixture->unprocessed(), 0);
    }

    void printedStatementsAreMariadbs()
    {
        for (const QStringList &words :
             QList<QStringList>{{u"relay"_s, u"--parked-sql"_s}, {u"audit"_s, u"--sql"_s}}) {
            const CtlRun run = ctl(words);
            QCOMPARE(run.exitCode, 0);
            QVERIFY(run.out.contains("datetime(6)") && run.out.contains("-- GRANT"));
            QVERIFY2(m_fixture->exec(QString::fromUtf8(run.out).section(u';', 0, 0)),
                     run.out.constData());
        }
    }

    void passwordsComeFromTheEnvironment()
    {
        QVERIFY(m_fixture->exec(
            u"create or replace user shy@localhost identified by 'tiger and lamb'"_s));
        QVERIFY(m_fixture->exec(u"grant select on *.* to shy@localhost"_s));
        const QString url
            = m_mariadb.urlFor(u"shy"_s, m_fixture->scalar(u"select database()"_s).toString());
        const QStringList status{u"status"_s, u"--json"_s,  u"--database"_s,
                                 url,         u"--redis"_s, m_redis.url()};
        QVERIFY(runCtl(status).exitCode != 0);
        qputenv("MYSQL_PWD", "tiger and lamb");
        const CtlRun known = runCtl(status);
        qunsetenv("MYSQL_PWD");
        QCOMPARE(known.last().value("outbox"_L1).toObject().value("pending"_L1).toInteger(-1), 20);
        const CtlRun told
            = runCtl({u"status"_s, u"--database"_s, u"mysql://ana:tiger@localhost:1/x"_s});
        QVERIFY(!told.err.contains("tiger") && told.err.contains("MYSQL_PWD"));
    }
};

} // namespace tst_ctlmariadb

OUTBOX_TEST(tst_ctlmariadb::TestCtlMariadb)
#include "tst_ctlmariadb.moc"
