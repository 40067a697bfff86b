// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Operations from the command line: without --yes nothing changes, with it the world does, and the
// exit code tells what became of it.
#include "app/settings/folders.h"
#include "app/settings/profilestore.h"
#include "connectors/asynq/keys.h"
#include "tests/support/ctl.h"
#include "tests/support/outboxbench.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"

#include <QCryptographicHash>
#include <QTest>

#include <csignal>
#include <functional>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

QJsonObject part(const CtlRun &run, const QString &name)
{
    for (const QJsonObject &object : run.objects()) {
        if (object.contains(name))
            return object.value(name).toObject();
    }
    return {};
}

QStringList outcomes(const QJsonObject &object, const QString &member)
{
    QStringList words;
    for (const QJsonValue &item : object.value("items"_L1).toArray())
        words += item.toObject().value(member).toString();
    return words;
}

} // namespace

class TestCtlOperations : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    std::unique_ptr<OutboxBench> m_bench;
    std::unique_ptr<QTemporaryDir> m_folder; ///< configuration and state

    /// A verb, what it is tried on, and how one sees that it was done.
    struct VerbCase
    {
        QStringList arguments;
        std::function<bool()> isDone;
    };

    [[nodiscard]] CtlRun ctl(const QStringList &arguments, const QStringList &more = {},
                             const QByteArray &input = {}) const
    {
        return runCtl(arguments + parts() + more, 60'000, input);
    }

    [[nodiscard]] QStringList parts() const
    {
        return {u"--database"_s, m_bench->url(), u"--table"_s,     m_bench->table(),
                u"--redis"_s,    m_redis.url(),  u"--state-dir"_s, m_folder->filePath(u"state"_s)};
    }

    /// Six rows; 1 to 4 are processed. Tasks stand under 3 (retained), 4 (dead), whose ids are made
    /// from table and key, and under names that say their state.
    [[nodiscard]] bool setUpWorld(OutboxBench::Kind kind = OutboxBench::Kind::Postgres)
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_bench
            = std::make_unique<OutboxBench>(kind, BenchShape::CompletedAt, &m_postgres, m_redis);
        if (!m_bench->setUp() || !m_bench->insertRows(6))
            return false;
        if (!m_bench->exec(
                u"update outbox set completed_at = '2026-01-02 03:04:05' where id <= 4"_s))
            return false;
        const QList<std::pair<QString, TaskState>> tasks{
            {u"outbox:3"_s, TaskState::Completed},   {u"outbox:4"_s, TaskState::Archived},
            {u"t-pending"_s, TaskState::Pending},    {u"t-active"_s, TaskState::Active},
            {u"t-retry"_s, TaskState::Retry},        {u"t-archived"_s, TaskState::Archived},
            {u"t-completed"_s, TaskState::Completed}};
        for (const auto &[id, state] : tasks) {
            EnqueueRequest request = sampleRequest(id);
            if (id.startsWith(u"outbox:"_s)) {
                const QString row = id.section(u':', 1);
                request.type = m_bench->expectedType(row);
                request.payload = m_bench->expectedPayload(row);
            }
            if (!placeTask(m_bench->plainRedis(), request, state))
                return false;
        }
        return true;
    }

    /// All that the database and Redis hold, as one figure.
    [[nodiscard]] QByteArray world() const
    {
        QCryptographicHash hash(QCryptographicHash::Sha256);
        const bool sqlite = m_bench->url().startsWith(u"sqlite"_s);
        hash.addData(m_bench
                         ->scalar(sqlite ? u"select group_concat(id || '|' || hex(payload) || '|' "
                                           u"|| coalesce(completed_at, '-')) from outbox"_s
                                         : u"select string_agg(t::text || xmin::text, ',' order by "
                                           u"id) from outbox t"_s)
                         .toByteArray());
        RedisConnection &redis = m_bench->plainRedis();
        const auto keys = redis.command({"KEYS", "*"}, u"looking"_s);
        if (!keys)
            return {};
        QByteArrayList names;
        for (const RedisReply &name : keys->elements)
            names += name.bytes;
        std::sort(names.begin(), names.end());
        for (const QByteArray &name : std::as_const(names)) {
            const auto value = redis.command({"DUMP", name}, u"looking"_s);
            hash.addData(name);
            hash.addData(value ? value->bytes : QByteArray());
        }
        return hash.result().toHex();
    }

    [[nodiscard]] QByteArray stateInRedis(const QString &id) const
    {
        const asynq::QueueKeys keys({u"default"_s});
        const auto state = m_bench->plainRedis().command({"HGET", keys.task(id.toUtf8()), "state"},
                                                         u"looking"_s);
        return state ? state->bytes : QByteArray("?");
    }

    [[nodiscard]] bool isPaused() const
    {
        const auto there
            = m_bench->plainRedis().command({"EXISTS", "asynq:{default}:paused"}, u"looking"_s);
        return there && there->integer == 1;
    }

    [[nodiscard]] qint64 count(const QString &where) const
    {
        return m_bench->scalar(u"select count(*) from outbox where "_s + where).toLongLong();
    }

    /// A profile of this world, saved where --config-dir looks.
    [[nodiscard]] QStringList profile(Environment environment, bool readOnly,
                                      const QString &actingUser = {}) const
    {
        Profile saved;
        saved.name = u"shop"_s;
        saved.environment = environment;
        saved.databaseUrl = m_bench->url();
        saved.table = m_bench->table();
        saved.redisUrl = m_redis.url();
        saved.readOnly = readOnly;
        saved.actingUser = actingUser;
        if (!ProfileStore(Folders::standard(m_folder->path()).profilesFile()).put(saved))
            qFatal("the profile cannot be saved");
        return {u"--profile"_s,   u"shop"_s,        u"--config-dir"_s,
                m_folder->path(), u"--state-dir"_s, m_folder->filePath(u"state"_s)};
    }

    [[nodiscard]] QList<QJsonObject> audit(const QStringList &more = {}) const
    {
        return runCtl(QStringList{u"audit"_s, u"--json"_s, u"--state-dir"_s,
                                  m_folder->filePath(u"state"_s)}
                      + more)
            .objects();
    }

    [[nodiscard]] std::map<QString, VerbCase> verbCases() const
    {
        std::map<QString, VerbCase> cases;
        cases[u"replay"_s] = {{u"replay"_s, u"1"_s, u"2"_s, u"--allow-second-execution"_s},
                              [this] { return count(u"completed_at is null"_s) == 4; }};
        cases[u"purge"_s]
            = {{u"purge"_s, u"1"_s, u"2"_s}, [this] { return count(u"true"_s) == 4; }};
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
    void cleanup()
    {
        m_bench.reset();
        m_folder.reset();
    }

    void aPlanChangesNothingAndAYesDoes_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("sqlite");
        for (const auto &[name, one] : verbCases()) {
            QTest::addRow("%s", qPrintable(name)) << name << false;
            if (name == u"replay" || name == u"purge")
                QTest::addRow("%s on SQLite", qPrintable(name)) << name << true;
        }
    }
    void aPlanChangesNothingAndAYesDoes()
    {
        QFETCH(QString, name);
        QFETCH(bool, sqlite);
        QVERIFY(setUpWorld(sqlite ? OutboxBench::Kind::Sqlite : OutboxBench::Kind::Postgres));
        const VerbCase verb = verbCases().at(name);
        if (name == u"unpause") {
            QVERIFY_RESULT(m_bench->plainRedis().command({"SET", "asynq:{default}:paused", "1"},
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

    void whatWasPurgedComesBackByUndoAndByImport()
    {
        QVERIFY(setUpWorld());
        const QString rows = u"select string_agg(t::text, ',' order by id) from outbox t"_s;
        const QString before = m_bench->scalar(rows).toString();
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
        QCOMPARE(m_bench->scalar(rows).toString(), before);
        QCOMPARE(audit({u"--operation"_s, operation}).first().value("state"_L1).toString(),
                 u"undone"_s);

        const CtlRun again = ctl(purge);
        QCOMPARE(count(u"true"_s), 3);
        const QString file = part(again, u"receipt"_s).value("export_file"_L1).toString();
        QCOMPARE(ctl({u"import"_s, file}).exitCode, 0);
        QCOMPARE(count(u"true"_s), 3);
        const CtlRun import = ctl({u"import"_s, file, u"--yes"_s});
        QVERIFY2(import.exitCode == 0, import.err.constData());
        QCOMPARE(m_bench->scalar(rows).toString(), before);
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

    void leasesOfTheDeadAreReleased()
    {
        QVERIFY(setUpWorld());
        QVERIFY(m_bench->exec(u"alter table outbox add locked_until timestamptz, "
                              u"add locked_by text"_s));
        QVERIFY(m_bench->exec(u"update outbox set locked_by = 'relay-a', locked_until = now() + "
                              u"interval '1 hour' where id = 5"_s));
        QVERIFY(m_bench->exec(u"update outbox set locked_by = 'relay-b', locked_until = now() - "
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
        QFile file(m_folder->filePath(u"ids"_s));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("1\r\n\n  2  \n");
        file.close();
        const CtlRun plan = ctl({u"replay"_s, u"--ids-file"_s, file.fileName(), u"--json"_s});
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

    void theDatabaseSaysNo()
    {
        QVERIFY(setUpWorld());
        QVERIFY(
            m_bench->exec(u"create function no() returns trigger language plpgsql as "
                          u"$$ begin raise check_violation using message = 'not today'; end $$"_s));
        QVERIFY(m_bench->exec(u"create trigger no before delete on outbox for each row "
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
        QVERIFY(m_bench->exec(
            u"create function gone() returns trigger language plpgsql as "
            u"$$ begin perform pg_terminate_backend(pg_backend_pid()); return null; end $$"_s));
        QVERIFY(m_bench->exec(u"create constraint trigger gone after delete on outbox "
                              u"deferrable initially deferred for each row "
                              u"execute function gone()"_s));
        const CtlRun run = ctl({u"purge"_s, u"1"_s, u"--yes"_s, u"--json"_s});
        QVERIFY2(run.exitCode == 75, QByteArray(run.err + run.out).constData());
        QCOMPARE(outcomes(part(run, u"receipt"_s), u"outcome"_s), QStringList{u"in-doubt"_s});
        QVERIFY(m_bench->exec(u"drop trigger gone on outbox"_s));
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
        QVERIFY(m_bench->exec(u"drop role if exists deck_ops"_s));
        QVERIFY(m_bench->exec(u"create role deck_ops login"_s));
        QVERIFY(m_bench->exec(u"grant select on outbox to deck_ops"_s));
        const QStringList purge = QStringList{u"purge"_s, u"1"_s, u"--yes"_s, u"--json"_s}
            + profile(Environment::Development, false, u"deck_ops"_s);
        const CtlRun refused = runCtl(purge);
        QVERIFY2(refused.exitCode == 5, refused.err.constData());
        QCOMPARE(count(u"true"_s), 6);
        QVERIFY(m_bench->exec(u"grant delete, update (id) on outbox to deck_ops"_s));
        const CtlRun done = runCtl(purge);
        QVERIFY2(done.exitCode == 0, done.err.constData());
        QCOMPARE(count(u"true"_s), 5);
        QVERIFY(m_bench->exec(u"drop owned by deck_ops"_s));
    }

    void aSignalEndsALookAtOnce()
    {
        QVERIFY(setUpWorld());
        QVERIFY_RESULT(m_bench->plainRedis().command({"ZREM", "asynq:{default}:lease", "t-active"},
                                                     u"taking a lease"_s));
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

    void findingsAreCountedByKindAndRepaired()
    {
        QVERIFY(setUpWorld());
        QVERIFY_RESULT(m_bench->plainRedis().command(
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
        QCOMPARE(world(), before);

        const CtlRun done = ctl(kind, {u"--yes"_s, u"--json"_s});
        QVERIFY2(done.exitCode == 0, done.err.constData());
        QCOMPARE(outcomes(part(done, u"receipt"_s), u"outcome"_s), QStringList{u"done"_s});
        QVERIFY(world() != before);
        QCOMPARE(ctl(kind).exitCode, 3);
        QCOMPARE(ctl({u"reconcile"_s, u"--kind"_s, u"K99"_s}).exitCode, 2);
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

QTEST_GUILESS_MAIN(TestCtlOperations)
#include "tst_ctloperations.moc"
