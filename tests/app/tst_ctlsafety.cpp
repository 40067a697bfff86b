// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What keeps an operation from the command line in bounds: refusals, confirmation, roles, signals,
// answers that are lost; and the exit code that tells it.
#include "app/settings/folders.h"
#include "app/settings/profilestore.h"
#include "tests/support/ctlworld.h"
#include "tests/support/filebytes.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <csignal>

namespace tst_ctlsafety {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestCtlSafety : public QObject, protected CtlWorld
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }
    void cleanup() { tearDownWorld(); }

    void exitCodes_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        const QString yes = u"--yes"_s;
        QTest::newRow("nothing to do") << QStringList{u"replay"_s, u"5"_s, yes} << 0;
        QTest::newRow("a plan of refusals") << QStringList{u"replay"_s, u"3"_s} << 0;
        QTest::newRow("nothing selected") << QStringList{u"purge"_s, yes} << 2;
        QTest::newRow("ids and a filter")
            << QStringList{u"purge"_s, u"1"_s, u"--filter"_s, u"state:processed"_s} << 2;
        QTest::newRow("a filter that cannot be read")
            << QStringList{u"purge"_s, u"--filter"_s, u"state:("_s} << 2;
        QTest::newRow("a chunk that is too large")
            << QStringList{u"purge"_s, u"1"_s, u"--chunk"_s, u"501"_s} << 2;
        QTest::newRow("no ids file")
            << QStringList{u"purge"_s, u"--ids-file"_s, u"/nonexistent"_s} << 2;
        QTest::newRow("an id where none belongs") << QStringList{u"pause"_s, u"mail"_s} << 2;
        QTest::newRow("no file to import") << QStringList{u"import"_s} << 2;
        QTest::newRow("no type to enqueue") << QStringList{u"enqueue"_s} << 2;
        QTest::newRow("no reason to unlock")
            << QStringList{u"purge"_s, u"1"_s, u"--unlock"_s, u" "_s} << 2;
        QTest::newRow("a filter without a match")
            << QStringList{u"purge"_s, u"--filter"_s, u"state:processed type:none"_s, yes} << 3;
        QTest::newRow("ids of nobody") << QStringList{u"purge"_s, u"998"_s, u"999"_s, yes} << 3;
        QTest::newRow("a task of nobody") << QStringList{u"run"_s, u"t-none"_s, yes} << 3;
        QTest::newRow("retained") << QStringList{u"replay"_s, u"3"_s, yes} << 5;
        QTest::newRow("dead in the queue") << QStringList{u"replay"_s, u"4"_s, yes} << 5;
        QTest::newRow("a second execution without consent")
            << QStringList{u"replay"_s, u"1"_s, yes} << 5;
        QTest::newRow("a text that is not the one")
            << QStringList{u"purge"_s, u"1"_s, yes, u"--confirm"_s, u"2 shop"_s} << 5;
        QTest::newRow("an id that is taken")
            << QStringList{u"enqueue"_s, u"mail"_s, u"--id"_s, u"t-active"_s, yes} << 5;
        QTest::newRow("in part") << QStringList{u"replay"_s, u"1"_s, u"3"_s, yes,
                                                u"--allow-second-execution"_s}
                                 << 6;
    }
    void exitCodes()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        QVERIFY(setUpWorld());
        const QByteArray before = world();
        const CtlRun run = ctl(arguments);
        QVERIFY2(run.exitCode == code, QByteArray(run.err + run.out).constData());
        if (code != 6)
            QCOMPARE(world(), before);
        if (code != 0)
            QVERIFY(!run.err.isEmpty() || !run.out.isEmpty());
        // What was asked for and refused is on record, what was not understood is not.
        QCOMPARE(audit().size(), code == 5 || code == 6 ? 1 : 0);
    }

    /// In every look, beside the number, and never as if it were known.
    void aGuessIsToldWhereItsNumbersStand()
    {
        QVERIFY(setUpWorld());
        QVERIFY(m_fixture->exec(u"create table message_queue (id bigint primary key, type text not "
                                u"null, payload text not null, sent_at timestamptz, created_at "
                                u"timestamptz default now() - interval '4 days')"_s));
        QVERIFY(m_fixture->exec(u"insert into message_queue values (1, 'mail', '{}', null), "
                                u"(2, 'mail', '{}', null), (3, 'mail', '{}', now())"_s));
        const QStringList table{u"--table"_s, u"message_queue"_s};
        const auto isTold = [](const QJsonObject &look) {
            const QJsonObject outbox = look.value("outbox"_L1).toObject();
            const QJsonObject mapping = outbox.value("mapping"_L1).toObject();
            const double confidence = mapping.value("confidence"_L1).toDouble(1);
            const QString sentence
                = look.value("health"_L1).toObject().value("sentence"_L1).toString();
            return confidence < 0.9 && mapping.contains("questions"_L1)
                && mapping.value("confirmed"_L1).isNull() && !outbox.value("exact"_L1).toBool(true)
                && sentence.startsWith(u"Mapping is a guess ("_s)
                && sentence.contains(u"If it is right, 2 rows wait, oldest 4 days."_s);
        };
        const CtlRun status = ctl({u"status"_s, u"--json"_s}, table);
        QVERIFY2(isTold(status.last()), status.out.constData());
        QVERIFY(ctl({u"status"_s}, table).out.contains("oldest 4 days (the mapping is a guess)"));
        const CtlRun check = ctl({u"check"_s}, table);
        QVERIFY2(check.out.startsWith("WATCH: Mapping is a guess ("), check.out.constData());
        QCOMPARE(check.exitCode, 1);
        QCOMPARE(ctl({u"check"_s, u"--nagios"_s}, table).exitCode, 1);
        for (const bool isJson : {true, false}) {
            QProcess watch;
            watch.start(QStringLiteral(OUTBOXCTL),
                        QStringList{u"watch"_s, u"--interval"_s, u"50ms"_s}
                            + (isJson ? QStringList{u"--json"_s} : QStringList()) + parts()
                            + table);
            QByteArray out;
            while (out.count('\n') < 3 && watch.waitForReadyRead(20'000))
                out += watch.readAllStandardOutput();
            ::kill(static_cast<pid_t>(watch.processId()), SIGINT);
            QVERIFY(watch.waitForFinished(20'000));
            const QList<QByteArray> lines = out.split('\n').first(3);
            for (const QByteArray &line : lines) {
                QVERIFY2(isJson ? isTold(QJsonDocument::fromJson(line).object())
                                : line.contains("  WATCH  Mapping is a guess ("),
                         line.constData());
            }
        }
    }

    void nothingIsWrittenThroughAGuess()
    {
        QVERIFY(setUpWorld());
        // Its name does not say outbox, so nobody can be sure.
        QVERIFY(m_fixture->exec(u"create table message_queue (id bigint primary key, type text not "
                                u"null, payload text not null, sent_at timestamptz)"_s));
        QVERIFY(m_fixture->exec(u"insert into message_queue values (1, 'mail', '{}', null), "
                                u"(2, 'mail', '{}', now())"_s));
        const auto left
            = [this] { return m_fixture->scalar(u"select count(*) from message_queue"_s).toInt(); };
        const auto unsent = [this] {
            return m_fixture->scalar(u"select count(*) from message_queue where sent_at is null"_s)
                .toInt();
        };
        const QStringList table{u"--table"_s, u"message_queue"_s};
        QCOMPARE(ctl({u"list"_s}, table).exitCode, 0); // reading needs no more
        const CtlRun plan = ctl({u"purge"_s, u"2"_s}, table);
        QVERIFY2(plan.exitCode == 0, plan.err.constData());
        QVERIFY(plan.out.contains("a guess that nobody has confirmed"));
        const CtlRun refused = ctl({u"purge"_s, u"2"_s, u"--yes"_s}, table);
        QVERIFY2(refused.exitCode == 5, QByteArray(refused.err + refused.out).constData());
        QVERIFY(refused.err.contains("a guess that nobody has confirmed"));
        QVERIFY(refused.err.contains("--shape"));
        QCOMPARE(ctl({u"park"_s, u"1"_s, u"--yes"_s}, table).exitCode, 5);
        QCOMPARE(left(), 2);

        // What the probe found, saved with a profile by nobody: it may not even be relayed.
        const QJsonObject found = ctl({u"probe"_s, u"--json"_s}, table).last();
        QJsonObject object = found.value("shape"_L1).toObject();
        QVERIFY(!object.isEmpty());
        object["use"_L1] = u"relay"_s;
        const auto shape = OutboxShape::fromJson(object);
        QVERIFY_RESULT(shape);
        const QStringList saved = profile(Environment::Development, false);
        ProfileStore store(Folders::standard(m_folder->path()).profilesFile());
        QVERIFY_RESULT(store.load());
        Profile guessed = *store.find(u"shop"_s);
        guessed.table = u"message_queue"_s;
        guessed.shape = *shape;
        QVERIFY_RESULT(store.put(guessed));
        const CtlRun relay = runCtl(QStringList{u"relay"_s, u"--drain"_s} + saved);
        QVERIFY2(relay.exitCode == 5, relay.err.constData());
        QVERIFY(relay.err.contains("a guess that nobody has confirmed"));
        QCOMPARE(unsent(), 1);

        // A person who hands it over has seen it.
        const QString file = m_folder->filePath(u"shape.json"_s);
        QVERIFY(writeFile(file, QJsonDocument(object).toJson()));
        const QStringList given{u"--shape"_s, file};
        const CtlRun drained = ctl({u"relay"_s, u"--drain"_s, u"--ids-never-return"_s}, given);
        QVERIFY2(drained.exitCode == 0, drained.err.constData());
        QCOMPARE(unsent(), 0);
        const CtlRun purged = ctl({u"purge"_s, u"2"_s, u"--yes"_s}, given);
        QVERIFY2(purged.exitCode == 0, QByteArray(purged.err + purged.out).constData());
        QCOMPARE(left(), 1);
    }

    void theDatabaseSaysNo()
    {
        QVERIFY(setUpWorld());
        QVERIFY(m_fixture->exec(
            u"create function no() returns trigger language plpgsql as "
            u"$$ begin raise check_violation using message = 'not today'; end $$"_s));
        QVERIFY(m_fixture->exec(u"create trigger no before delete on outbox for each row "
                                u"execute function no()"_s));
        const CtlRun run = ctl({u"purge"_s, u"1"_s, u"2"_s, u"--yes"_s, u"--json"_s});
        QCOMPARE(run.exitCode, 1);
        QCOMPARE(outcomes(part(run, u"receipt"_s), u"outcome"_s),
                 (QStringList{u"failed"_s, u"failed"_s}));
        QVERIFY(run.out.contains("not today"));
    }

    void anAnswerThatIsLostIsInDoubtUntilItIsChecked()
    {
        QVERIFY(setUpWorld());
        QVERIFY(m_fixture->exec(
            u"create function gone() returns trigger language plpgsql as "
            u"$$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$"_s));
        QVERIFY(m_fixture->exec(u"create constraint trigger gone after delete on outbox "
                                u"deferrable initially deferred for each row "
                                u"execute function gone()"_s));
        const CtlRun run = ctl({u"purge"_s, u"1"_s, u"--yes"_s, u"--json"_s});
        QVERIFY2(run.exitCode == 75, QByteArray(run.err + run.out).constData());
        QCOMPARE(outcomes(part(run, u"receipt"_s), u"outcome"_s), QStringList{u"in-doubt"_s});
        QVERIFY(m_fixture->exec(u"drop trigger gone on outbox"_s));
        QJsonObject record = audit().first();
        QCOMPARE(record.value("state"_L1).toString(), u"in-doubt"_s);
        QCOMPARE(record.value("in_doubt"_L1).toInteger(), 1);

        const QString operation = record.value("operation"_L1).toString();
        QCOMPARE(ctl({u"audit"_s, u"--check"_s, operation}).exitCode, 0);
        QCOMPARE(audit().first().value("state"_L1).toString(), u"in-doubt"_s);
        const CtlRun checked = ctl({u"audit"_s, u"--check"_s, operation, u"--yes"_s, u"--json"_s});
        QVERIFY2(checked.exitCode == 0, checked.err.constData());
        record = audit().first();
        QCOMPARE(record.value("in_doubt"_L1).toInteger(), 0);
        QCOMPARE(record.value("counts"_L1).toObject().value("cancelled"_L1).toInteger(), 1);
        QCOMPARE(count(u"id = 1"_s), 1);
    }

    void nobodyAnswersOrNothingIsConfigured_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("code");
        const QStringList nowhere{u"--database"_s, u"postgresql://x@/y?host=/nonexistent"_s};
        for (const QString &verb : {u"replay"_s, u"purge"_s, u"release"_s, u"export"_s, u"show"_s})
            QTest::addRow("%s", qPrintable(verb)) << (QStringList{verb, u"1"_s} + nowhere) << 4;
        const QStringList noQueue{u"--redis"_s, u"redis+unix:///nonexistent"_s};
        for (const QString &verb : {u"run"_s, u"archive"_s, u"delete"_s, u"replace"_s, u"cancel"_s})
            QTest::addRow("%s", qPrintable(verb)) << (QStringList{verb, u"1"_s} + noQueue) << 4;
        QTest::newRow("pause") << (QStringList{u"pause"_s} + noQueue) << 4;
        QTest::newRow("enqueue") << (QStringList{u"enqueue"_s, u"mail"_s} + noQueue) << 4;
        QTest::newRow("no system") << QStringList{u"purge"_s, u"1"_s} << 78;
        QTest::newRow("no queue in the profile")
            << (QStringList{u"run"_s, u"1"_s, u"--database"_s, u"sqlite:///nonexistent/x.db"_s})
            << 4;
        QTest::newRow("an operation nobody did")
            << QStringList{u"audit"_s, u"--undo"_s, u"nobody"_s, u"--state-dir"_s,
                           u"/nonexistent"_s}
            << 3;
    }
    void nobodyAnswersOrNothingIsConfigured()
    {
        QFETCH(QStringList, arguments);
        QFETCH(int, code);
        const CtlRun run = runCtl(arguments);
        QVERIFY2(run.exitCode == code, run.err.constData());
    }

    void productionAsksForTheTypedText()
    {
        QVERIFY(setUpWorld());
        const QStringList purge = QStringList{u"purge"_s, u"1"_s, u"2"_s, u"--json"_s}
            + profile(Environment::Production, false);
        const CtlRun plan = runCtl(purge);
        QCOMPARE(plan.exitCode, 0);
        const QString confirm = part(plan, u"plan"_s).value("confirm"_L1).toString();
        QCOMPARE(confirm, u"2 shop"_s);
        const QByteArray before = world();
        const CtlRun refused = runCtl(purge + QStringList{u"--yes"_s});
        QCOMPARE(refused.exitCode, 5);
        QVERIFY2(refused.err.contains("--confirm '2 shop'"), refused.err.constData());
        QCOMPARE(runCtl(purge + QStringList{u"--yes"_s, u"--confirm"_s, u"2 shops"_s}).exitCode, 5);
        QCOMPARE(world(), before);
        const CtlRun done = runCtl(purge + QStringList{u"--yes"_s, u"--confirm"_s, confirm});
        QVERIFY2(done.exitCode == 0, done.err.constData());
        QCOMPARE(count(u"true"_s), 4);
        QCOMPARE(audit().size(), 3);
    }

    void aReadOnlyProfileIsUnlockedForOnce()
    {
        QVERIFY(setUpWorld());
        const QStringList purge = QStringList{u"purge"_s, u"1"_s, u"--yes"_s, u"--json"_s}
            + profile(Environment::Development, true);
        const QByteArray before = world();
        const CtlRun refused = runCtl(purge);
        QCOMPARE(refused.exitCode, 5);
        QVERIFY(refused.err.contains("--unlock"));
        QCOMPARE(world(), before);
        const CtlRun done = runCtl(purge + QStringList{u"--unlock"_s, u"INC-4711"_s});
        QVERIFY2(done.exitCode == 0, done.err.constData());
        QCOMPARE(count(u"true"_s), 5);
        QStringList kinds;
        QFile record(m_folder->filePath(u"state/audit.jsonl"_s));
        QVERIFY(record.open(QIODevice::ReadOnly));
        while (!record.atEnd()) {
            const QJsonObject line = QJsonDocument::fromJson(record.readLine()).object();
            kinds += line.value("kind"_L1).toString();
            if (kinds.last() == u"unlock")
                QCOMPARE(line.value("what"_L1).toString(), u"INC-4711"_s);
        }
        QCOMPARE(kinds,
                 (QStringList{u"refusal"_s, u"unlock"_s, u"begin"_s, u"intent"_s, u"outcome"_s,
                              u"end"_s, u"lock"_s}));
    }

    void theActingRoleActs()
    {
        QVERIFY(setUpWorld());
        QVERIFY(m_fixture->exec(u"drop role if exists deck_ops"_s));
        QVERIFY(m_fixture->exec(u"create role deck_ops login"_s));
        QVERIFY(m_fixture->exec(u"grant select on outbox to deck_ops"_s));
        const QStringList purge = QStringList{u"purge"_s, u"1"_s, u"--yes"_s, u"--json"_s}
            + profile(Environment::Development, false, u"deck_ops"_s);
        const CtlRun refused = runCtl(purge);
        QVERIFY2(refused.exitCode == 5, refused.err.constData());
        QCOMPARE(count(u"true"_s), 6);
        QVERIFY(m_fixture->exec(u"grant delete, update (id) on outbox to deck_ops"_s));
        const CtlRun done = runCtl(purge);
        QVERIFY2(done.exitCode == 0, done.err.constData());
        QCOMPARE(count(u"true"_s), 5);
        QVERIFY(m_fixture->exec(u"drop owned by deck_ops"_s));
    }

    void aSignalEndsALookAtOnce()
    {
        QVERIFY(setUpWorld());
        QVERIFY_RESULT(m_fixture->plainRedis().command(
            {"ZREM", "asynq:{default}:lease", "t-active"}, u"taking a lease"_s));
        QProcess look;
        look.start(QStringLiteral(OUTBOXCTL),
                   QStringList{u"reconcile"_s, u"--kind"_s, u"K3"_s, u"--lease-patience"_s, u"1h"_s,
                               u"--yes"_s}
                       + parts());
        QByteArray err;
        QTRY_VERIFY_WITH_TIMEOUT((err += look.readAllStandardError()).contains("looked at"),
                                 20'000);
        look.terminate();
        QVERIFY(look.waitForFinished(10'000));
        QCOMPARE(look.exitCode(), 128 + SIGTERM);
        QVERIFY(look.readAllStandardOutput().isEmpty());
        QVERIFY(audit().isEmpty());
    }

    void aSignalEndsItBetweenTwoChunks_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGINT") << SIGINT;
        QTest::newRow("SIGTERM") << SIGTERM;
    }
    void aSignalEndsItBetweenTwoChunks()
    {
        QFETCH(int, signal);
        QVERIFY(setUpWorld());
        QProcess purge;
        purge.start(QStringLiteral(OUTBOXCTL),
                    QStringList{u"purge"_s, u"1"_s, u"2"_s, u"3"_s, u"--yes"_s, u"--json"_s,
                                u"--chunk"_s, u"1"_s, u"--pause"_s, u"1h"_s}
                        + parts());
        QByteArray err;
        QTRY_VERIFY_WITH_TIMEOUT((err += purge.readAllStandardError()).contains("1 of 3"), 20'000);
        QCOMPARE(::kill(static_cast<pid_t>(purge.processId()), signal), 0);
        QVERIFY(purge.waitForFinished(10'000));
        QCOMPARE(purge.exitStatus(), QProcess::NormalExit);
        QCOMPARE(purge.exitCode(), 128 + signal);
        CtlRun run;
        run.out = purge.readAllStandardOutput();
        const QJsonObject receipt = part(run, u"receipt"_s);
        QVERIFY(receipt.value("cancelled"_L1).toBool());
        QCOMPARE(outcomes(receipt, u"outcome"_s),
                 (QStringList{u"done"_s, u"cancelled"_s, u"cancelled"_s}));
        QCOMPARE(count(u"true"_s), 5);
        QCOMPARE(audit().first().value("state"_L1).toString(), u"cancelled"_s);
    }
};

} // namespace tst_ctlsafety

OUTBOX_TEST(tst_ctlsafety::TestCtlSafety)
#include "tst_ctlsafety.moc"
