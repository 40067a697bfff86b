// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two people on two machines with one database: what the one did, the other sees; and what is on
// record of relays.
#include "connectors/sql/edit/outboxeditor.h"
#include "tests/support/ctlworld.h"
#include "tests/support/resultmacros.h"
#include "tests/support/runningrelay.h"
#include "tests/support/testkinds.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_colleagues {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestColleagues : public QObject, protected CtlWorld
{
    Q_OBJECT

    using Kind = TestOutbox::Kind;
    PrivateMariadb m_mariadb;

    [[nodiscard]] bool setUp(Kind kind, bool withTable = true)
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_fixture = std::make_unique<TestOutbox>(kind, BenchShape::CompletedAt, &m_postgres,
                                                 m_redis, &m_mariadb);
        if (!m_fixture->setUp() || !m_fixture->insertRows(6)
            || !m_fixture->exec(
                u"update outbox set completed_at = '2026-01-02 03:04:05' where id <= 4"_s))
            return false;
        return !withTable
            || m_fixture->exec(
                OutboxEditor::auditTableSql(m_fixture->dialect()).section(u';', 0, 0));
    }
    /// As `who`, on a machine of their own: nothing is shared but the servers.
    [[nodiscard]] CtlRun as(const QString &who, const QStringList &arguments)
    {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(u"USER"_s, who);
        QStringList all = arguments + parts();
        all[all.indexOf(u"--state-dir"_s) + 1] = m_folder->filePath(who);
        return runCtl(all, 60'000, {}, environment);
    }
    [[nodiscard]] QString operationOf(const CtlRun &run) const
    {
        return part(run, u"receipt"_s).value("operation"_L1).toString();
    }
    static QJsonObject entry(const CtlRun &audit, const QString &operation)
    {
        for (const QJsonObject &one : audit.objects()) {
            if (one.value("operation"_L1).toString() == operation)
                return one;
        }
        return {};
    }
    static QStringList whats(const CtlRun &audit)
    {
        QStringList told;
        for (const QJsonObject &one : audit.objects())
            told += one.value("what"_L1).toString();
        return told;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(m_redis);
    }
    void cleanup() { tearDownWorld(); }

    void whatAColleagueDidIsSeen_data() { addKinds(); }
    void whatAColleagueDidIsSeen()
    {
        QFETCH(Kind, kind);
        QVERIFY(setUp(kind));
        const CtlRun purge = as(u"ana"_s, {u"purge"_s, u"1"_s, u"2"_s, u"--yes"_s, u"--json"_s});
        QVERIFY2(purge.exitCode == 0, purge.err.constData());
        const CtlRun replay
            = as(u"ben"_s,
                 {u"replay"_s, u"3"_s, u"--yes"_s, u"--json"_s, u"--allow-second-execution"_s});
        QVERIFY2(replay.exitCode == 0, replay.err.constData());

        const CtlRun seen = as(u"ben"_s, {u"audit"_s, u"--json"_s});
        QCOMPARE(seen.exitCode, 0);
        QCOMPARE(seen.objects().size(), 2);
        const QJsonObject anas = entry(seen, operationOf(purge));
        QVERIFY(anas.value("who"_L1).toString().startsWith(u"ana@"_s));
        QCOMPARE(anas.value("verb"_L1).toString(), u"purge"_s);
        QCOMPARE(anas.value("face"_L1).toString(), u"outboxctl"_s);
        QCOMPARE(anas.value("count"_L1).toInt(), 2);
        QCOMPARE(anas.value("record"_L1).toString(), u"database"_s);
        QVERIFY(anas.value("mismatch"_L1).isNull());
        const QDateTime at
            = QDateTime::fromString(anas.value("at"_L1).toString(), Qt::ISODateWithMs);
        QVERIFY(qAbs(at.secsTo(QDateTime::currentDateTimeUtc())) < 120);
        const QJsonObject bens = entry(seen, operationOf(replay));
        QCOMPARE(bens.value("record"_L1).toString(), u"both"_s);
        QVERIFY2(bens.value("mismatch"_L1).isNull(),
                 qPrintable(bens.value("mismatch"_L1).toString()));
        const CtlRun other = as(u"ana"_s, {u"audit"_s, u"--json"_s});
        QCOMPARE(entry(other, operationOf(purge)).value("record"_L1).toString(), u"both"_s);
        QCOMPARE(entry(other, operationOf(replay)).value("record"_L1).toString(), u"database"_s);

        // For people too, and one by itself with its messages.
        QVERIFY(as(u"ben"_s, {u"audit"_s}).out.contains("database"));
        const CtlRun one
            = as(u"ben"_s, {u"audit"_s, u"--operation"_s, operationOf(purge), u"--json"_s});
        QCOMPARE(one.last().value("items"_L1).toArray().size(), 2);
    }

    void aColleaguesOperationIsUndoneWhereItsExportIs_data() { addKinds(); }
    void aColleaguesOperationIsUndoneWhereItsExportIs()
    {
        QFETCH(Kind, kind);
        QVERIFY(setUp(kind));
        const CtlRun purge = as(u"ana"_s, {u"purge"_s, u"1"_s, u"--yes"_s, u"--json"_s});
        QVERIFY2(purge.exitCode == 0, purge.err.constData());
        for (const QString &way : {u"--undo"_s, u"--check"_s}) {
            const CtlRun refused = as(u"ben"_s, {u"audit"_s, way, operationOf(purge), u"--yes"_s});
            QCOMPARE(refused.exitCode, 5);
            QVERIFY2(refused.err.contains("ana@"), refused.err.constData());
            QVERIFY2(refused.err.contains("outboxctl import"), refused.err.constData());
        }
        QCOMPARE(count(u"id = 1"_s), 0);
        const CtlRun undone
            = as(u"ana"_s, {u"audit"_s, u"--undo"_s, operationOf(purge), u"--yes"_s});
        QVERIFY2(undone.exitCode == 0, undone.err.constData());
        QCOMPARE(count(u"id = 1"_s), 1);
    }

    void whereTheTwoRecordsDisagreeIsSaid_data() { addKinds(); }
    void whereTheTwoRecordsDisagreeIsSaid()
    {
        QFETCH(Kind, kind);
        QVERIFY(setUp(kind));
        const CtlRun first = as(u"ana"_s, {u"purge"_s, u"1"_s, u"2"_s, u"--yes"_s, u"--json"_s});
        QVERIFY2(first.exitCode == 0, first.err.constData());
        QVERIFY(m_fixture->exec(u"delete from outbox_audit where message_id = '2'"_s));
        const QString said = entry(as(u"ana"_s, {u"audit"_s, u"--json"_s}), operationOf(first))
                                 .value("mismatch"_L1)
                                 .toString();
        QVERIFY2(said.contains(u"2 rows"_s) && said.contains(u"1"_s), qPrintable(said));
        QVERIFY(QFile::remove(m_folder->filePath(u"ana/audit.jsonl"_s)));
        const QJsonObject lost = entry(as(u"ana"_s, {u"audit"_s, u"--json"_s}), operationOf(first));
        QCOMPARE(lost.value("record"_L1).toString(), u"database"_s);
        QVERIFY(lost.value("mismatch"_L1).toString().contains(u"does not have it"_s));
    }

    void withoutTheTableTheFileIsToldAndThatIsSaid_data() { addKinds(); }
    void withoutTheTableTheFileIsToldAndThatIsSaid()
    {
        QFETCH(Kind, kind);
        QVERIFY(setUp(kind, false));
        const CtlRun purge = as(u"ana"_s, {u"purge"_s, u"1"_s, u"--yes"_s, u"--json"_s});
        QVERIFY2(purge.exitCode == 0, purge.err.constData());
        const CtlRun seen = as(u"ana"_s, {u"audit"_s, u"--json"_s});
        QCOMPARE(seen.exitCode, 0);
        QCOMPARE(seen.objects().size(), 1);
        QCOMPARE(seen.objects().first().value("record"_L1).toString(), u"this-machine"_s);
        QVERIFY2(seen.err.contains("outbox_audit") && seen.err.contains("no such table"),
                 seen.err.constData());
        // Without a system the file is all there is, and nothing is said.
        QVERIFY(runCtl({u"audit"_s, u"--state-dir"_s, m_folder->filePath(u"ana"_s)}).err.isEmpty());
    }

    void aRelayStandsOnRecordInBothPlaces_data() { addKinds(); }
    void aRelayStandsOnRecordInBothPlaces()
    {
        QFETCH(Kind, kind);
        QVERIFY(setUp(kind));
        const CtlRun relay
            = as(u"ana"_s, {u"relay"_s, u"--drain"_s, u"--ids-never-return"_s, u"--json"_s});
        QVERIFY2(relay.exitCode == 0, relay.err.constData());
        QVERIFY2(!relay.err.contains("on record"), relay.err.constData());
        const CtlRun seen = as(u"ben"_s, {u"audit"_s, u"--json"_s});
        QCOMPARE(seen.objects().size(), 2);
        const QJsonObject end = seen.objects().first();
        QVERIFY(end.value("what"_L1).toString().startsWith(u"Relay stopped"_s));
        QVERIFY(end.value("what"_L1).toString().contains(u"drained"_s));
        QCOMPARE(end.value("counts"_L1).toObject().value("enqueued"_L1).toInt(), 2);
        QCOMPARE(end.value("record"_L1).toString(), u"database"_s);
        QVERIFY(end.value("who"_L1).toString().startsWith(u"ana@"_s));
        QVERIFY(end.value("verb"_L1).isNull());
        const QJsonObject begin = seen.objects().last();
        QVERIFY(begin.value("what"_L1).toString().startsWith(u"Relay started"_s));
        const CtlRun own = as(u"ana"_s, {u"audit"_s, u"--json"_s});
        QCOMPARE(own.objects().size(), 2);
        for (const QJsonObject &one : own.objects())
            QCOMPARE(one.value("record"_L1).toString(), u"both"_s);
        QCOMPARE(own.objects().first().value("counts"_L1), end.value("counts"_L1));
        QCOMPARE(runCtl({u"audit"_s, u"--verify"_s, u"--state-dir"_s, m_folder->filePath(u"ana"_s)})
                     .exitCode,
                 0);
    }

    void whyARelayStoppedIsOnRecord()
    {
        QVERIFY(setUp(Kind::Postgres, false));
        RunningRelay relay(*m_fixture);
        QVERIFY(relay.start(
            {u"--ids-never-return"_s, u"--state-dir"_s, m_folder->filePath(u"state"_s)}));
        QTRY_VERIFY(!relay.event(u"durability"_s).isEmpty()); // it has begun
        relay.send(SIGUSR1);
        QTRY_VERIFY(!relay.event(u"paused"_s).isEmpty());
        relay.send(SIGUSR1);
        QTRY_VERIFY(!relay.event(u"resumed"_s).isEmpty());
        relay.send(SIGTERM);
        QTRY_VERIFY_WITH_TIMEOUT(relay.hasEnded(), 20'000);
        const auto told = audit();
        QStringList acts;
        for (const QJsonObject &one : told)
            acts.prepend(one.value("what"_L1).toString().section(u" ("_s, 0, 0));
        QCOMPARE(acts,
                 (QStringList{u"Relay started"_s, u"Relay paused"_s, u"Relay resumed"_s,
                              u"Relay stopped"_s}));
        QVERIFY(told.first().value("what"_L1).toString().contains(u"SIGTERM"_s));
    }

    void aRelayThatCannotKeepItsRecordDeliversAndSaysSo()
    {
        QVERIFY(setUp(Kind::Postgres, false));
        // No file can be made where a folder stands.
        QVERIFY(QDir().mkpath(m_folder->filePath(u"state/audit.jsonl"_s)));
        const CtlRun run = ctl({u"relay"_s, u"--drain"_s, u"--ids-never-return"_s});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QCOMPARE(m_fixture->unprocessed(), 0);
        QVERIFY2(run.err.contains("goes on without this on record"), run.err.constData());
    }

    void whoeverHasNoNameInTheEnvironmentHasTheSystems()
    {
        QVERIFY(setUp(Kind::Sqlite, false));
        QProcessEnvironment bare = QProcessEnvironment::systemEnvironment();
        bare.remove(u"USER"_s);
        bare.remove(u"LOGNAME"_s);
        const CtlRun purge
            = runCtl(QStringList{u"purge"_s, u"1"_s, u"--yes"_s} + parts(), 60'000, {}, bare);
        QVERIFY2(purge.exitCode == 0, purge.err.constData());
        QProcess id;
        id.start(u"id"_s, {u"-un"_s});
        QVERIFY(id.waitForFinished());
        const QString user = QString::fromLocal8Bit(id.readAllStandardOutput()).trimmed();
        QVERIFY(!user.isEmpty());
        QCOMPARE(audit().first().value("who"_L1).toString().section(u'@', 0, 0), user);
    }
};

} // namespace tst_colleagues

OUTBOX_TEST(tst_colleagues::TestColleagues)
#include "tst_colleagues.moc"
