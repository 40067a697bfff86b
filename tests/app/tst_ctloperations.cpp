// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Operations from the command line: without --yes nothing changes, with it the world does.
#include "app/demo/demoworker.h"
#include "tests/models/orderschema.h"
#include "tests/support/ctlworld.h"
#include "tests/support/filebytes.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QHash>
#include <QTemporaryDir>
#include <QTest>

#include <functional>

namespace tst_ctloperations {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestCtlOperations : public QObject, protected CtlWorld
{
    Q_OBJECT

    /// A verb, what it is tried on, and how one sees that it was done.
    struct VerbCase
    {
        QStringList arguments;
        std::function<bool()> isDone;
    };

    [[nodiscard]] std::map<QString, VerbCase> verbCases() const
    {
        std::map<QString, VerbCase> cases;
        cases[u"replay"_s] = {{u"replay"_s, u"1"_s, u"2"_s, u"--allow-second-execution"_s},
                              [this] { return count(u"completed_at is null"_s) == 4; }};
        cases[u"purge"_s]
            = {{u"purge"_s, u"1"_s, u"2"_s}, [this] { return count(u"true"_s) == 4; }};
        cases[u"edit"_s] = {{u"edit"_s, u"5"_s, u"--type"_s, u"mail:changed"_s},
                            [this] { return count(u"type = 'mail:changed' and id = 5"_s) == 1; }};
        cases[u"run"_s] = {{u"run"_s, u"t-retry"_s, u"t-archived"_s}, [this] {
                               return stateInRedis(u"t-retry"_s) == "pending"
                                   && stateInRedis(u"t-archived"_s) == "pending";
                           }};
        cases[u"archive"_s] = {{u"archive"_s, u"--filter"_s, u"state:pending,retry"_s}, [this] {
                                   return stateInRedis(u"t-retry"_s) == "archived"
                                       && stateInRedis(u"t-pending"_s) == "archived";
                               }};
        cases[u"delete"_s] = {{u"delete"_s, u"t-archived"_s},
                              [this] { return stateInRedis(u"t-archived"_s).isEmpty(); }};
        cases[u"replace"_s] = {{u"replace"_s, u"t-archived"_s},
                               [this] { return stateInRedis(u"t-archived"_s) == "pending"; }};
        cases[u"edit-task"_s] = {{u"edit-task"_s, u"t-archived"_s, u"--type"_s, u"mail:again"_s},
                                 [this] { return stateInRedis(u"t-archived"_s) == "pending"; }};
        cases[u"cancel"_s] = {{u"cancel"_s, u"t-active"_s},
                              [this] { return stateInRedis(u"t-active"_s) == "active"; }};
        cases[u"pause"_s] = {{u"pause"_s}, [this] { return isPaused(); }};
        cases[u"unpause"_s] = {{u"unpause"_s}, [this] { return !isPaused(); }};
        cases[u"enqueue"_s] = {{u"enqueue"_s, u"mail:deliver"_s, u"--id"_s, u"by-hand"_s},
                               [this] { return stateInRedis(u"by-hand"_s) == "pending"; }};
        cases[u"enqueue later"_s]
            = {{u"enqueue"_s, u"mail:deliver"_s, u"--id"_s, u"by-hand"_s, u"--in"_s, u"1h"_s},
               [this] { return stateInRedis(u"by-hand"_s) == "scheduled"; }};
        return cases;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }
    void cleanup() { tearDownWorld(); }

    void aPlanChangesNothingAndAYesDoes_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("sqlite");
        for (const auto &[name, one] : verbCases()) {
            QTest::addRow("%s", qPrintable(name)) << name << false;
            if (name == u"replay" || name == u"purge" || name == u"edit")
                QTest::addRow("%s on SQLite", qPrintable(name)) << name << true;
        }
    }
    void aPlanChangesNothingAndAYesDoes()
    {
        QFETCH(QString, name);
        QFETCH(bool, sqlite);
        QVERIFY(setUpWorld(sqlite ? TestOutbox::Kind::Sqlite : TestOutbox::Kind::Postgres));
        const VerbCase verb = verbCases().at(name);
        if (name == u"unpause") {
            QVERIFY_RESULT(m_fixture->plainRedis().command({"SET", "asynq:{default}:paused", "1"},
                                                           u"pausing"_s));
        }
        const QByteArray before = world();
        QVERIFY(!before.isEmpty());

        const CtlRun text = ctl(verb.arguments);
        QVERIFY2(text.exitCode == 0, text.err.constData());
        QVERIFY(text.out.contains("Nothing was changed. To carry it out, add: --yes"));
        const CtlRun planned = ctl(verb.arguments, {u"--json"_s});
        QVERIFY2(planned.exitCode == 0, planned.err.constData());
        QCOMPARE(planned.objects().size(), 1);
        const QJsonObject plan = part(planned, u"plan"_s);
        QCOMPARE(plan.value("verb"_L1).toString(), verb.arguments.first());
        const qint64 acting = plan.value("acting"_L1).toInteger();
        QVERIFY(acting > 0);
        QCOMPARE(plan.value("items"_L1).toArray().size(), plan.value("total"_L1).toInteger());
        QVERIFY(!plan.value("statements"_L1).toArray().isEmpty()
                || !plan.value("commands"_L1).toArray().isEmpty());
        QVERIFY(!plan.value("undo"_L1).toString().isEmpty());
        QCOMPARE(world(), before);
        QVERIFY(audit().isEmpty());

        const CtlRun done = ctl(verb.arguments, {u"--yes"_s, u"--json"_s, u"--note"_s, u"why"_s});
        QVERIFY2(done.exitCode == 0, QByteArray(done.err + done.out).constData());
        QCOMPARE(done.objects().size(), 2);
        const QJsonObject receipt = part(done, u"receipt"_s);
        QCOMPARE(receipt.value("operation"_L1), part(done, u"plan"_s).value("operation"_L1));
        QCOMPARE(receipt.value("counts"_L1).toObject().value("done"_L1).toInteger(), acting);
        QCOMPARE(outcomes(receipt, u"outcome"_s), QStringList(acting, u"done"_s));
        QVERIFY(verb.isDone());
        const QString exported = receipt.value("export_file"_L1).toString();
        QCOMPARE(!exported.isEmpty(), part(done, u"plan"_s).value("exports_first"_L1).toBool());
        QVERIFY(exported.isEmpty() || QFile::exists(exported));

        const auto record = audit();
        QCOMPARE(record.size(), 1);
        QCOMPARE(record.first().value("operation"_L1), receipt.value("operation"_L1));
        QCOMPARE(record.first().value("verb"_L1).toString(), verb.arguments.first());
        QCOMPARE(record.first().value("state"_L1).toString(), u"done"_s);
        QCOMPARE(record.first().value("note"_L1).toString(), u"why"_s);
        QCOMPARE(record.first().value("face"_L1).toString(), u"outboxctl"_s);
    }

    void anEditShowsItsChangesAndIsUndone()
    {
        QVERIFY(setUpWorld());
        const QString row = u"select encode(payload, 'hex') || type from outbox where id = 6"_s;
        const QString before = m_fixture->scalar(row).toString();
        const QByteArray payload("{\"n\": 9007199254740993, \"n\": 2}\0\xff", 33);
        const QStringList edit{u"edit"_s, u"6"_s, u"--payload-file"_s, u"-"_s};
        const CtlRun plan = ctl(edit, {}, payload);
        QVERIFY2(plan.exitCode == 0, plan.err.constData());
        for (const char *part : {"--- payload", "+++ payload", "@@ -1,", "6e 22 3a",
                                 "Nothing was changed", "is written to a file before", "UPDATE"})
            QVERIFY2(plan.out.contains(part), QByteArray(part + plan.out).constData());
        QCOMPARE(m_fixture->scalar(row).toString(), before);

        const CtlRun done = ctl(edit, {u"--yes"_s, u"--json"_s}, payload);
        QVERIFY2(done.exitCode == 0, done.err.constData());
        QVERIFY(part(done, u"plan"_s).value("difference"_L1).toString().contains(u"+++ payload"_s));
        const QString now = m_fixture->scalar(row).toString();
        QVERIFY(now.startsWith(QString::fromLatin1(payload.toHex())));
        const CtlRun again = ctl(edit, {u"--yes"_s}, payload);
        QCOMPARE(again.exitCode, 0);
        QVERIFY(again.err.contains("nothing to do"));

        const QString operation = part(done, u"receipt"_s).value("operation"_L1).toString();
        const CtlRun undo = ctl({u"audit"_s, u"--undo"_s, operation, u"--yes"_s});
        QVERIFY2(undo.exitCode == 0, undo.err.constData());
        QVERIFY(undo.out.contains("+++ payload"));
        QCOMPARE(m_fixture->scalar(row).toString(), before);
    }

    void aTaskStaysInItsQueue()
    {
        QVERIFY(setUpWorld());
        const QByteArray before = world();
        const CtlRun moved
            = ctl({u"edit-task"_s, u"t-archived"_s, u"--to-queue"_s, u"low"_s}, {u"--yes"_s});
        QVERIFY(moved.exitCode != 0);
        QVERIFY2(moved.err.contains("stays in its queue"), moved.err.constData());
        QCOMPARE(ctl({u"edit-task"_s, u"t-archived"_s}, {u"--yes"_s}).exitCode, 2);
        QCOMPARE(ctl({u"edit-task"_s, u"none"_s, u"--type"_s, u"x"_s}, {u"--yes"_s}).exitCode, 3);
        QCOMPARE(
            ctl({u"edit-task"_s, u"t-completed"_s, u"--type"_s, u"x"_s}, {u"--yes"_s}).exitCode, 5);
        QCOMPARE(world(), before);
    }

    void whatCannotBeEditedEndsWithItsCode()
    {
        QVERIFY(setUpWorld());
        const QByteArray before = world();
        const auto code = [this](const QStringList &words) {
            return ctl(QStringList{u"edit"_s} + words, {u"--yes"_s}).exitCode;
        };
        QCOMPARE(code({u"5"_s}), 2); // nothing is said of what to change
        QCOMPARE(code({u"5"_s, u"6"_s, u"--type"_s, u"x"_s}), 2);
        QCOMPARE(code({u"5"_s, u"--at"_s, u"never"_s}), 2);
        QCOMPARE(code({u"5"_s, u"--payload-file"_s, u"/nonexistent"_s}), 2);
        QCOMPARE(code({u"999"_s, u"--type"_s, u"x"_s}), 3); // no such row
        QCOMPARE(code({u"1"_s, u"--type"_s, u"x"_s}), 5); // delivered
        const CtlRun unmapped = ctl({u"edit"_s, u"5"_s, u"--to-queue"_s, u"x"_s}, {u"--yes"_s});
        QVERIFY(unmapped.exitCode != 0);
        QVERIFY(unmapped.err.contains("no column for the queue"));
        QCOMPARE(world(), before);
    }

    void whatWasPurgedComesBackByUndoAndByImport()
    {
        QVERIFY(setUpWorld());
        const QString rows = u"select string_agg(t::text, ',' order by id) from outbox t"_s;
        const QString before = m_fixture->scalar(rows).toString();
        const QStringList purge{u"purge"_s, u"--filter"_s, u"state:processed"_s, u"--yes"_s,
                                u"--json"_s};
        const CtlRun purged = ctl(purge);
        QVERIFY2(purged.exitCode == 6, purged.err.constData()); // 4 has a dead task
        const QJsonObject receipt = part(purged, u"receipt"_s);
        QCOMPARE(receipt.value("counts"_L1).toObject().value("done"_L1).toInteger(), 3);
        QVERIFY(receipt.value("undoable"_L1).toBool());
        const QString operation = receipt.value("operation"_L1).toString();
        QCOMPARE(count(u"true"_s), 3);

        const CtlRun plan = ctl({u"audit"_s, u"--undo"_s, operation, u"--json"_s});
        QVERIFY2(plan.exitCode == 0, plan.err.constData());
        QCOMPARE(part(plan, u"plan"_s).value("undo_of"_L1).toString(), operation);
        QCOMPARE(count(u"true"_s), 3);
        const CtlRun undo = ctl({u"audit"_s, u"--undo"_s, operation, u"--yes"_s, u"--json"_s});
        QVERIFY2(undo.exitCode == 0, undo.err.constData());
        QCOMPARE(m_fixture->scalar(rows).toString(), before);
        QCOMPARE(audit({u"--operation"_s, operation}).first().value("state"_L1).toString(),
                 u"undone"_s);

        const CtlRun again = ctl(purge);
        QCOMPARE(count(u"true"_s), 3);
        const QString file = part(again, u"receipt"_s).value("export_file"_L1).toString();
        QCOMPARE(ctl({u"import"_s, file}).exitCode, 0);
        QCOMPARE(count(u"true"_s), 3);
        const CtlRun import = ctl({u"import"_s, file, u"--yes"_s});
        QVERIFY2(import.exitCode == 0, import.err.constData());
        QCOMPARE(m_fixture->scalar(rows).toString(), before);
        QCOMPARE(
            runCtl({u"audit"_s, u"--verify"_s, u"--state-dir"_s, m_folder->filePath(u"state"_s)})
                .exitCode,
            0);
    }

    void anExportOnlyReads()
    {
        QVERIFY(setUpWorld());
        const QByteArray before = world();
        const QStringList saved = profile(Environment::Production, true);
        const QString file = m_folder->filePath(u"rows.jsonl"_s);
        const CtlRun rows = runCtl(QStringList{u"export"_s, u"--filter"_s, u"state:processed"_s,
                                               u"--to"_s, file, u"--json"_s}
                                   + saved);
        QVERIFY2(rows.exitCode == 0, rows.err.constData());
        QCOMPARE(rows.last().value("count"_L1).toInteger(), 4);
        QVERIFY(QFile::exists(file));
        QCOMPARE(runCtl(QStringList{u"export"_s, u"1"_s, u"--to"_s, file} + saved).exitCode, 1);
        const CtlRun tasks = runCtl(
            QStringList{u"export"_s, u"--tasks"_s, u"t-retry"_s, u"t-active"_s, u"--json"_s}
            + saved);
        QVERIFY2(tasks.exitCode == 0, tasks.err.constData());
        QCOMPARE(tasks.last().value("count"_L1).toInteger(), 2);
        QCOMPARE(runCtl(QStringList{u"export"_s, u"no-such-row"_s} + saved).exitCode, 3);
        QCOMPARE(world(), before);
    }

    /// On a host that has no record of it, too.
    void exportedTasksOfEachStateComeBack()
    {
        QVERIFY(setUpWorld());
        RedisConnection &redis = m_fixture->plainRedis();
        const QStringList ids{u"t-pending"_s,   u"t-retry"_s,     u"t-archived"_s,
                              u"t-completed"_s, u"t-scheduled"_s, u"t-group"_s};
        QVERIFY(placeTask(redis, sampleRequest(ids.at(4)), TaskState::Scheduled));
        QVERIFY(placeTask(redis, sampleRequest(ids.at(5)), TaskState::Aggregating));
        QList<QByteArray> states;
        for (const QString &id : ids)
            states += stateInRedis(id);
        const QString file = m_folder->filePath(u"tasks.jsonl"_s);
        const CtlRun kept = ctl(QStringList{u"export"_s, u"--tasks"_s, u"--to"_s, file} + ids);
        QVERIFY2(kept.exitCode == 0, kept.err.constData());
        const CtlRun gone = ctl(QStringList{u"delete"_s} + ids, {u"--yes"_s});
        QVERIFY2(gone.exitCode == 0, gone.err.constData());

        const CtlRun plan = ctl({u"import"_s, file});
        QVERIFY2(plan.out.contains("4 will run, and may have run since the export."),
                 plan.out.constData());
        QVERIFY2(!plan.out.contains("ran before and run"), plan.out.constData());
        QVERIFY2(plan.out.contains("add: --yes --allow-second-execution"), plan.out.constData());
        const CtlRun some = ctl({u"import"_s, file, u"--yes"_s, u"--json"_s});
        QCOMPARE(outcomes(part(some, u"receipt"_s), u"outcome"_s).count(u"done"_s), 2);
        const CtlRun all = ctl({u"import"_s, file, u"--yes"_s, u"--allow-second-execution"_s});
        QVERIFY2(all.exitCode == 0, QByteArray(all.err + all.out).constData());
        for (qsizetype i = 0; i < ids.size(); ++i)
            QCOMPARE(stateInRedis(ids.at(i)), states.at(i));
    }

    void leasesOfTheDeadAreReleased()
    {
        QVERIFY(setUpWorld());
        QVERIFY(m_fixture->exec(u"alter table outbox add locked_until timestamptz, "
                                u"add locked_by text"_s));
        QVERIFY(m_fixture->exec(u"update outbox set locked_by = 'relay-a', locked_until = now() + "
                                u"interval '1 hour' where id = 5"_s));
        QVERIFY(m_fixture->exec(u"update outbox set locked_by = 'relay-b', locked_until = now() - "
                                u"interval '1 hour' where id = 6"_s));
        const QStringList release{u"release"_s, u"5"_s, u"6"_s};
        QCOMPARE(ctl(release).exitCode, 0);
        QCOMPARE(count(u"locked_by is null"_s), 4);
        const CtlRun done = ctl(release, {u"--yes"_s, u"--json"_s});
        QVERIFY2(done.exitCode == 6, done.err.constData());
        QCOMPARE(outcomes(part(done, u"receipt"_s), u"outcome"_s),
                 (QStringList{u"claimed"_s, u"done"_s}));
        QCOMPARE(count(u"locked_by is null"_s), 5);
    }

    void idsComeFromFilesAndFromStdin()
    {
        QVERIFY(setUpWorld());
        const QString ids = m_folder->filePath(u"ids"_s);
        QVERIFY(writeFile(ids, "1\r\n\n2\n"));
        const CtlRun plan = ctl({u"replay"_s, u"--ids-file"_s, ids, u"--json"_s});
        QCOMPARE(part(plan, u"plan"_s).value("total"_L1).toInteger(), 2);
        const CtlRun done = ctl({u"replay"_s, u"6"_s, u"--ids-file"_s, u"-"_s, u"--yes"_s,
                                 u"--json"_s, u"--allow-second-execution"_s},
                                {}, "1\n2");
        QVERIFY2(done.exitCode == 0, done.err.constData());
        QCOMPARE(outcomes(part(done, u"receipt"_s), u"outcome"_s),
                 (QStringList{u"nothing-to-do"_s, u"done"_s, u"done"_s}));
        const CtlRun limited = ctl(
            {u"replay"_s, u"--filter"_s, u"state:processed"_s, u"--limit"_s, u"1"_s, u"--json"_s});
        QCOMPARE(part(limited, u"plan"_s).value("total"_L1).toInteger(), 1);
        QVERIFY(!part(limited, u"plan"_s).value("warnings"_L1).toArray().isEmpty());
    }

    /// A blank is part of an id: what has one is another message than what has none.
    void idsAreTakenAsTheyAreGiven()
    {
        QVERIFY(setUpWorld());
        for (const char *id : {" lead", "lead", "trail ", "trail"}) {
            QVERIFY(placeTask(m_fixture->plainRedis(), sampleRequest(QString::fromLatin1(id)),
                              TaskState::Pending));
        }
        const CtlRun one = ctl({u"delete"_s, u" lead"_s, u"--yes"_s});
        QVERIFY2(one.exitCode == 0, one.err.constData());
        QVERIFY(stateInRedis(u" lead"_s).isEmpty());
        QCOMPARE(stateInRedis(u"lead"_s), "pending");
        const CtlRun two
            = ctl({u"delete"_s, u"--ids-file"_s, u"-"_s, u"--yes"_s}, {}, "trail \r\n\nlead");
        QVERIFY2(two.exitCode == 0, two.err.constData());
        QVERIFY(stateInRedis(u"trail "_s).isEmpty());
        QVERIFY(stateInRedis(u"lead"_s).isEmpty());
        QCOMPARE(stateInRedis(u"trail"_s), "pending");

        QVERIFY(
            m_fixture->exec(u"create table named (id text primary key, type text not null, payload"
                            " bytea not null, created_at timestamptz not null default now(), "
                            "completed_at timestamptz)"_s)
            && m_fixture->exec(u"insert into named (id, type, payload) values (' lead', 'spaced',"
                               " ''), ('lead', 'plain', '')"_s));
        const CtlRun shown = ctl({u"show"_s, u" lead"_s, u"--json"_s}, {u"--table"_s, u"named"_s});
        QVERIFY2(shown.exitCode == 0, shown.err.constData());
        QCOMPARE(shown.last().value("row"_L1).toObject().value("type"_L1).toString(), u"spaced"_s);
    }

    void showTellsVerbsAndAudit()
    {
        QVERIFY(setUpWorld());
        QCOMPARE(ctl({u"replay"_s, u"1"_s, u"--yes"_s, u"--allow-second-execution"_s}).exitCode, 0);
        const QJsonObject shown = ctl({u"show"_s, u"1"_s, u"--json"_s}).last();
        const auto verb = [&](const QString &name) {
            return shown.value("verbs"_L1).toObject().value(name).toObject().value("expected"_L1);
        };
        QCOMPARE(verb(u"replay"_s).toString(), u"nothing-to-do"_s);
        QCOMPARE(verb(u"purge"_s).toString(), u"done"_s);
        QVERIFY(verb(u"run"_s).isUndefined()); // there is no task
        const QJsonObject trace = shown.value("audit"_L1).toArray().at(0).toObject();
        QCOMPARE(trace.value("verb"_L1).toString(), u"replay"_s);
        QVERIFY(trace.value("before"_L1).toString().contains(u"processed"_s));
        QVERIFY(trace.value("after"_L1).toString().startsWith(u"done"_s));

        const QJsonObject retained = ctl({u"show"_s, u"3"_s, u"--json"_s}).last();
        const QJsonObject verbs = retained.value("verbs"_L1).toObject();
        QCOMPARE(verbs.value("replay"_L1).toObject().value("expected"_L1).toString(), u"refused"_s);
        QCOMPARE(verbs.value("run"_L1).toObject().value("expected"_L1).toString(),
                 u"second-execution"_s);
        QVERIFY(retained.value("audit"_L1).toArray().isEmpty());
        const CtlRun text = ctl({u"show"_s, u"3"_s});
        QCOMPARE(text.exitCode, 0);
        QVERIFY(text.out.contains("refused until"));
    }

    void showTakesAPayloadApart()
    {
        QVERIFY(setUpWorld());
        // {"id":9007199254740993,"card":{"number":"4111"}}, gzip in base64
        QVERIFY(
            m_fixture->exec(u"create table packed (id text primary key, type text not null, payload"
                            " bytea not null, created_at timestamptz not null default now(), "
                            "completed_at timestamptz)"_s)
            && m_fixture->exec(u"insert into packed (id, type, payload) values ('p1', 'packed', "
                               "'H4sIAAAAAAACA6tWykxRsrI0MDA3tLQ0MjUxNzGwtDTWUUpOLAKKVyvlleYmpRYp"
                               "WSmZGBoaKtXWAgB9LhzeMAAAAA==')"_s));
        const QStringList packed{u"--table"_s, u"packed"_s};
        const CtlRun shown = ctl({u"show"_s, u"p1"_s, u"--decode"_s, u"--json"_s}, packed);
        QVERIFY2(shown.exitCode == 0, shown.err.constData());
        const QJsonObject decoded
            = shown.last().value("decoded"_L1).toObject().value("row"_L1).toObject();
        QVERIFY2(decoded.value("chain"_L1).toString().startsWith(u"base64 → gzip → JSON, "),
                 shown.out.constData());
        QCOMPARE(decoded.value("layers"_L1).toArray().size(), 3);
        QHash<QString, QString> values;
        const QJsonArray nodes = decoded.value("nodes"_L1).toArray();
        for (const auto &node : nodes) {
            const QJsonObject one = node.toObject();
            values[one.value("path"_L1).toString()] = one.value("value"_L1).toString();
        }
        QCOMPARE(values.value(u"$.id"_s), u"9007199254740993"_s);
        QCOMPARE(values.value(u"$.card.number"_s), u"4111"_s);

        const CtlRun text = ctl({u"show"_s, u"p1"_s, u"--decode"_s}, packed);
        QCOMPARE(text.exitCode, 0);
        QVERIFY2(text.out.contains("base64 → gzip → JSON, "), text.out.constData());
        QVERIFY2(text.out.contains("id: 9007199254740993  number"), text.out.constData());
        const CtlRun asStored = ctl({u"show"_s, u"p1"_s, u"--json"_s}, packed);
        QVERIFY(!asStored.last().contains("decoded"_L1));
        // It is told what it is not; an unknown format is a mistake of the command line.
        QCOMPARE(ctl({u"show"_s, u"p1"_s, u"--decode-as"_s, u"cbor"_s}, packed).exitCode, 1);
        QCOMPARE(ctl({u"show"_s, u"p1"_s, u"--decode-as"_s, u"base64"_s}, packed).exitCode, 0);
        QCOMPARE(ctl({u"show"_s, u"p1"_s, u"--decode-as"_s, u"avro"_s}, packed).exitCode, 2);
    }

    void showReadsMessagesByADescriptorSet()
    {
        QVERIFY(setUpWorld());
        QVERIFY(
            m_fixture->exec(u"create table orders (id text primary key, type text not null, payload"
                            " bytea not null, created_at timestamptz not null default now(), "
                            "completed_at timestamptz)"_s)
            && m_fixture->exec(
                u"insert into orders (id, type, payload) values ('o1', 'order.made', "
                "decode('%1', 'hex'))"_s.arg(QString::fromLatin1(sample::order().toHex()))));
        const QTemporaryDir folder;
        const QString file = folder.filePath(u"shop.desc"_s);
        QVERIFY(writeFile(file, sample::orderSet()));
        const QStringList orders{u"--table"_s, u"orders"_s};
        const auto show = [&](const QStringList &more) {
            return ctl(QStringList{u"show"_s, u"o1"_s} + more, orders);
        };
        const QString set = u"--descriptor-set="_s + file;
        const CtlRun text = show({set, u"--message-type=order.made=shop.v1.Order"_s});
        QVERIFY2(text.exitCode == 0, text.err.constData());
        QVERIFY2(text.out.contains("status: PAID  enum shop.v1.Status, 2"), text.out.constData());
        const CtlRun other
            = show({set, u"--message-type=shop.v1.Order.Line"_s, u"--decode-as=message"_s});
        QCOMPARE(other.exitCode, 1); // its field 1 is a text
        QVERIFY2(other.out.contains("field 1 (sku) is stored as a varint"), other.out.constData());
        const CtlRun noted = show({set, u"--message-type=shop.v1.Order.Line"_s});
        QCOMPARE(noted.exitCode, 0);
        QVERIFY2(noted.out.contains("It is not read as shop.v1.Order.Line"), noted.out.constData());
        QCOMPARE(show({set}).exitCode, 2); // of which type?
        QCOMPARE(show({u"--message-type=a=b=1"_s, set}).exitCode, 2);
        QCOMPARE(show({u"--descriptor-set="_s + folder.path(), u"--message-type=a.B"_s}).exitCode,
                 2);

        const CtlRun with = show({u"--decode-with=[\"wc\",\"-c\"]"_s});
        QVERIFY2(with.exitCode == 0, with.err.constData());
        QVERIFY2(with.out.contains("89  text"), with.out.constData());
        const CtlRun fails = show({u"--decode-with=[\"sh\",\"-c\",\"echo no >&2; exit 3\"]"_s});
        QCOMPARE(fails.exitCode, 1);
        QVERIFY2(fails.out.contains("it ended with 3") && fails.out.contains("no"),
                 fails.out.constData());
        QCOMPARE(show({u"--decode-with=-"_s}).exitCode, 2); // there is no profile
        QCOMPARE(show({u"--decode-with=[\"head\",\"-c\",1]"_s}).exitCode, 2);
    }

    void showTellsOfAParkedRowWhatSendsIt()
    {
        QVERIFY(setUpWorld());
        const auto counts = [this] {
            return ctl({u"status"_s, u"--json"_s}).last().value("outbox"_L1).toObject();
        };
        const qint64 pending = counts().value("pending"_L1).toInteger();
        QCOMPARE(ctl({u"park"_s, u"5"_s, u"--yes"_s}).exitCode, 0);
        const QJsonObject shown = ctl({u"show"_s, u"5"_s, u"--json"_s}).last();
        const QString sentence = shown.value("sentence"_L1).toString();
        QVERIFY2(sentence.startsWith(u"Parked since "), qPrintable(sentence));
        QVERIFY2(sentence.contains(u"set aside by hand"), qPrintable(sentence));
        QVERIFY(shown.value("replay"_L1).toString().contains(u"unpark it, and"));
        const QJsonObject row = shown.value("row"_L1).toObject();
        QCOMPARE(row.value("state"_L1).toString(), u"parked"_s);
        QVERIFY(QDateTime::fromString(row.value("parked_since"_L1).toString(), Qt::ISODateWithMs)
                    .isValid());
        const QJsonObject verbs = shown.value("verbs"_L1).toObject();
        QCOMPARE(verbs.value("unpark"_L1).toObject().value("expected"_L1).toString(), u"done"_s);
        const CtlRun text = ctl({u"show"_s, u"5"_s});
        QVERIFY(text.out.contains("Parked since "));
        QVERIFY(text.out.contains("unpark it, and"));

        QCOMPARE(counts().value("pending"_L1).toInteger(), pending - 1);
        QCOMPARE(counts().value("parked"_L1).toInteger(), 1);
        const CtlRun status = ctl({u"status"_s});
        QVERIFY(status.out.contains("parked 1"));
        QCOMPARE(ctl({u"unpark"_s, u"5"_s, u"--yes"_s}).exitCode, 0);
        QCOMPARE(counts().value("pending"_L1).toInteger(), pending);
    }

    void findingsAreCountedByKindAndRepaired()
    {
        QVERIFY(setUpWorld());
        QVERIFY_RESULT(m_fixture->plainRedis().command(
            {"ZREM", "asynq:{default}:archived", "t-archived"}, u"making an orphan"_s));
        const QByteArray before = world();
        const CtlRun all = ctl({u"reconcile"_s, u"--json"_s});
        QVERIFY2(all.exitCode == 0, all.err.constData());
        QHash<QString, QJsonObject> findings;
        for (const QJsonValue &one : part(all, u"plan"_s).value("findings"_L1).toArray())
            findings.insert(one.toObject().value("kind"_L1).toString(), one.toObject());
        QCOMPARE(findings.value(u"K17"_s).value("found"_L1).toInteger(), 1);
        QCOMPARE(findings.value(u"K17"_s).value("repaired"_L1).toInteger(), 1);
        QCOMPARE(findings.value(u"K12"_s).value("found"_L1).toInteger(), 1); // the row of 4
        QCOMPARE(findings.value(u"K12"_s).value("repaired"_L1).toInteger(-1), 0);

        const QStringList kind{u"reconcile"_s, u"--kind"_s, u"K17"_s};
        const CtlRun text = ctl(kind);
        QCOMPARE(text.exitCode, 0);
        QVERIFY(text.out.contains("K17"));
        QVERIFY(text.out.contains("t-archived"));
        const CtlRun hasty = ctl(kind, {u"--budget"_s, u"1ms"_s, u"--json"_s});
        QVERIFY(!part(hasty, u"plan"_s).value("warnings"_L1).toArray().isEmpty());
        const CtlRun several = ctl({u"reconcile"_s, u"--kind"_s, u"K12, K17"_s, u"--json"_s});
        QVERIFY2(several.exitCode == 0, several.err.constData());
        QStringList kinds;
        for (const QJsonValue &one : part(several, u"plan"_s).value("findings"_L1).toArray())
            kinds += one.toObject().value("kind"_L1).toString();
        kinds.sort();
        QCOMPARE(kinds, QStringList({u"K12"_s, u"K17"_s}));
        QCOMPARE(world(), before);

        const CtlRun done = ctl(kind, {u"--yes"_s, u"--json"_s});
        QVERIFY2(done.exitCode == 0, done.err.constData());
        QCOMPARE(outcomes(part(done, u"receipt"_s), u"outcome"_s), QStringList{u"done"_s});
        QVERIFY(world() != before);
        QCOMPARE(ctl(kind).exitCode, 3);
        for (const QString &wrong : {u"K99"_s, u"K17,K99"_s, u"K17,"_s})
            QCOMPARE(ctl({u"reconcile"_s, u"--kind"_s, wrong}).exitCode, 2);
    }

    void aSourceThatIsSilentIsNoEmptyAnswer()
    {
        QVERIFY(setUpWorld());
        const QStringList dead{u"--redis"_s, u"redis://127.0.0.1:1/0"_s};
        const CtlRun text = ctl({u"reconcile"_s}, dead);
        QCOMPARE(text.exitCode, 4);
        QVERIFY2(!text.out.contains("Nothing matches"), text.out.constData());
        QVERIFY2(text.out.contains("The queue was not read"), text.out.constData());
        QVERIFY2(text.err.contains("refused"), text.err.constData());
        const CtlRun json = ctl({u"reconcile"_s, u"--json"_s, u"--yes"_s}, dead);
        QCOMPARE(json.exitCode, 4);
        QVERIFY(part(json, u"plan"_s).value("unread"_L1).isObject());
        QVERIFY(part(ctl({u"reconcile"_s, u"--json"_s}), u"plan"_s).value("unread"_L1).isNull());
    }

    void aLookWithoutANamedKindFindsLostLeases()
    {
        QVERIFY(setUpWorld());
        QVERIFY_RESULT(m_fixture->plainRedis().command(
            {"ZREM", "asynq:{default}:lease", "t-active"}, u"losing a lease"_s));
        const CtlRun run
            = ctl({u"reconcile"_s}, {u"--lease-patience"_s, u"1s"_s, u"--queue"_s, u"default"_s});
        QCOMPARE(run.exitCode, 0);
        QVERIFY2(run.out.contains("K3"), run.out.constData());
        QVERIFY(run.out.contains("t-active"));
    }

    void anIdIsFoundInEveryQueue()
    {
        QVERIFY(setUpWorld());
        EnqueueRequest request = sampleRequest(u"elsewhere"_s);
        request.queue.text = u"mail"_s;
        QVERIFY(placeTask(m_fixture->plainRedis(), request, TaskState::Pending));
        const CtlRun shown = ctl({u"show"_s, u"elsewhere"_s, u"--json"_s});
        QCOMPARE(shown.exitCode, 0);
        QCOMPARE(shown.objects().first().value("queue"_L1).toString(), u"mail"_s);
        QCOMPARE(ctl({u"show"_s, u"nowhere"_s}).exitCode, 3);

        const CtlRun queues = ctl({u"queues"_s, u"--json"_s});
        QCOMPARE(queues.exitCode, 0);
        QStringList names;
        for (const QJsonObject &queue : queues.objects())
            names += queue.value("name"_L1).toString();
        QCOMPARE(names, QStringList({u"default"_s, u"mail"_s}));
        QVERIFY(ctl({u"queues"_s}).out.contains("mail"));
        QCOMPARE(ctl({u"servers"_s}).exitCode, 3);
    }

    void everyFactOfATaskThatTheWindowShowsIsTold()
    {
        QVERIFY(setUpWorld());
        const EnqueueRequest request = sampleRequest(u"facts"_s);
        asynq::TaskMessage message = messageOf(request);
        message.deadline = 4'102'444'800;
        message.uniqueKey = u"asynq:{default}:unique:mail:7e57"_s;
        message.group = u"digest"_s;
        message.headers = {{u"trace"_s, u"7e57"_s}, {u"tenant"_s, u"a:b"_s}};
        RedisConnection &redis = m_fixture->plainRedis();
        QVERIFY_RESULT(placeMessage(redis, request, TaskState::Completed, message));
        QVERIFY_RESULT(
            redis.command({"HSET", "asynq:{default}:t:facts", "result", "sent 3"}, u"seed"_s));
        const QJsonObject listed = ctl({u"tasks"_s, u"--state"_s, u"completed"_s, u"--filter"_s,
                                        u"id:facts"_s, u"--json"_s})
                                       .objects()
                                       .first();
        const QJsonObject shown
            = ctl({u"show"_s, u"facts"_s, u"--json"_s}).last().value("task"_L1).toObject();
        for (const QJsonObject &task : {listed, shown}) {
            QCOMPARE(task.value("deadline"_L1).toString(), u"2100-01-01T00:00:00.000Z"_s);
            QCOMPARE(task.value("unique_key"_L1).toString(), message.uniqueKey);
            QCOMPARE(task.value("group"_L1).toString(), u"digest"_s);
            QCOMPARE(task.value("headers"_L1).toObject(),
                     (QJsonObject{{u"trace"_s, u"7e57"_s}, {u"tenant"_s, u"a:b"_s}}));
        }
        // A page of tasks leaves results out, as the window's list does.
        QCOMPARE(shown.value("result"_L1).toObject().value("bytes"_L1).toInt(), 6);
    }

    void aServerAndWhatItRunsAreTold()
    {
        QVERIFY(setUpWorld());
        DemoWorker worker;
        QVERIFY_RESULT(worker.open(m_fixture->redis(), {{u"default"_s, 3}}, 4));
        const auto task = worker.dequeue({u"default"_s});
        QVERIFY_RESULT(task);
        QVERIFY(task->has_value());
        QVERIFY_RESULT(worker.heartbeat());
        const QList<QJsonObject> told = ctl({u"servers"_s, u"--json"_s}).objects();
        QCOMPARE(told.size(), 2);
        const QJsonObject &server = told.first();
        QCOMPARE(server.value("kind"_L1).toString(), u"server"_s);
        QVERIFY(!server.value("host"_L1).toString().isEmpty());
        QVERIFY(server.value("pid"_L1).toInt() > 0);
        QCOMPARE(server.value("concurrency"_L1).toInt(), 4);
        QCOMPARE(server.value("busy"_L1).toInt(), 1);
        QCOMPARE(told.last().value("kind"_L1).toString(), u"worker"_s);
        QCOMPARE(told.last().value("task"_L1).toString(), (*task)->id.text);
        QCOMPARE(told.last().value("server"_L1), server.value("id"_L1));
    }

    void whatASchedulerEnqueuesIsListed()
    {
        QVERIFY(setUpWorld());
        // asynq-protocol 9: id, spec, type, one option, the next time; the time before is Go's
        // year 1.
        const QByteArray entry = QByteArray::fromHex("0a026531120a") + "@every 30s"
            + QByteArray::fromHex("1a04") + "mail" + QByteArray::fromHex("2a0a") + "Queue(\"x\")"
            + QByteArray::fromHex("320608c093b1cc06")
            + QByteArray::fromHex("3a0b088092b8c398feffffff01");
        const QByteArray key = "asynq:schedulers:{person:1:a}";
        RedisConnection &redis = m_fixture->plainRedis();
        QVERIFY_RESULT(redis.command({"ZADD", "asynq:schedulers", "9999999999", key}, u"seed"_s));
        QVERIFY_RESULT(redis.command({"RPUSH", key, entry}, u"seed"_s));
        const CtlRun run = ctl({u"servers"_s, u"--json"_s});
        QCOMPARE(run.exitCode, 0);
        const QJsonObject told = run.objects().first();
        QCOMPARE(told.value("kind"_L1).toString(), u"scheduled"_s);
        QCOMPARE(told.value("spec"_L1).toString(), u"@every 30s"_s);
        QCOMPARE(told.value("type"_L1).toString(), u"mail"_s);
        QCOMPARE(told.value("options"_L1).toArray().at(0).toString(), u"Queue(\"x\")"_s);
        QCOMPARE(told.value("next"_L1).toString(), u"2026-02-11T09:20:00.000Z"_s);
        QVERIFY(told.value("previous"_L1).isNull());
        QVERIFY(ctl({u"servers"_s}).out.contains("@every 30s"));
    }

    void anEnqueueCarriesItsPayloadAndIsTakenBack()
    {
        QVERIFY(setUpWorld());
        const QByteArray payload("\0\xff{}", 4);
        const CtlRun done = ctl({u"enqueue"_s, u"mail:deliver"_s, u"--payload-file"_s, u"-"_s,
                                 u"--retention"_s, u"2h"_s, u"--yes"_s, u"--json"_s},
                                {}, payload);
        QVERIFY2(done.exitCode == 0, done.err.constData());
        const QJsonObject receipt = part(done, u"receipt"_s);
        const QString id
            = receipt.value("items"_L1).toArray().at(0).toObject().value("task"_L1).toString();
        const QJsonObject task
            = ctl({u"tasks"_s, u"--filter"_s, u"id:"_s + id, u"--json"_s}).objects().first();
        QCOMPARE(task.value("type"_L1).toString(), u"mail:deliver"_s);
        QCOMPARE(task.value("retention_s"_L1).toInteger(), 7200);
        QCOMPARE(QByteArray::fromBase64(
                     task.value("payload"_L1).toObject().value("base64"_L1).toString().toLatin1()),
                 payload);
        const CtlRun undo
            = ctl({u"audit"_s, u"--undo"_s, receipt.value("operation"_L1).toString(), u"--yes"_s});
        QVERIFY2(undo.exitCode == 0, undo.err.constData());
        QVERIFY(stateInRedis(id).isEmpty());
    }

    void theAuditTableIsPrintedAsSql()
    {
        const CtlRun run = runCtl({u"audit"_s, u"--sql"_s});
        QCOMPARE(run.exitCode, 0);
        QVERIFY(run.out.toLower().contains("create table"));
        QVERIFY(run.out.contains("outbox_audit"));
    }
};

} // namespace tst_ctloperations

OUTBOX_TEST(tst_ctloperations::TestCtlOperations)
#include "tst_ctloperations.moc"
