// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// `outboxctl fleet` over six saved systems: the worst first, each with the numbers that `status`
// has of it, none held up by another; and where a message is.
#include "app/cli/run/askeach.h"
#include "app/demo/demoworker.h"
#include "app/settings/folders.h"
#include "app/settings/profilestore.h"
#include "tests/support/ctl.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testprogram.h"

#include <QDateTime>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QScopeGuard>
#include <QTest>

#include <algorithm>
#include <map>
#include <memory>

namespace tst_ctlfleet {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QString nowhere = u"postgresql://x@/y?host=/nonexistent"_s;

QJsonObject systemOf(const CtlRun &run, const QString &name)
{
    for (const QJsonObject &object : run.objects()) {
        if (object.value("system"_L1).toString() == name)
            return object;
    }
    return {};
}

QStringList namesOf(const CtlRun &run)
{
    QStringList names;
    for (const QJsonObject &object : run.objects()) {
        if (object.contains("system"_L1))
            names += object.value("system"_L1).toString();
    }
    return names;
}

/// `object` without what changes from look to look.
QJsonObject steady(QJsonObject object)
{
    for (const QString &changing : {u"took_ms"_s, u"oldest_pending_s"_s})
        object.remove(changing);
    return object;
}

QByteArrayList linesOf(const CtlRun &run)
{
    return run.out.trimmed().split('\n');
}

/// Counts those of its kind.
class CountedQuestion : public SystemQuestion
{
public:
    CountedQuestion(int &alive, int &most, int &asked)
        : SystemQuestion(Target(), ownPlace()), m_alive(alive), m_asked(asked)
    {
        most = std::max(most, ++m_alive);
    }
    ~CountedQuestion() override { --m_alive; }

private:
    void ask() override
    {
        const bool endsAtOnce = ++m_asked % 3 == 0;
        if (endsAtOnce)
            end();
        else
            step([](SystemSessions &) { return true; }, [this](bool) { end(); });
    }

    int &m_alive;
    int &m_asked;
};

} // namespace

class TestCtlFleet : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    std::map<QString, std::unique_ptr<TestOutbox>> m_systems; ///< by the name of its profile
    DemoWorker m_worker;
    std::unique_ptr<QTemporaryDir> m_folder; ///< configuration and state of one test

    [[nodiscard]] bool save(const QString &name, const QString &database, const QString &table,
                            const QString &redis, const QString &queue = u"default"_s) const
    {
        Profile profile;
        profile.name = name;
        if (name == u"orders"_s || name == u"mail"_s)
            profile.group = u"shop"_s;
        profile.databaseUrl = database;
        profile.table = table;
        profile.redisUrl = redis;
        profile.queue = queue;
        return ProfileStore(Folders::standard(m_folder->path()).profilesFile())
            .put(profile)
            .has_value();
    }

    [[nodiscard]] bool saveAll() const
    {
        return std::all_of(m_systems.begin(), m_systems.end(), [this](const auto &system) {
            const auto &[name, fixture] = system;
            return save(name, fixture->url(), fixture->table(), m_redis.url(),
                        name == u"till"_s ? u"tills"_s : u"default"_s);
        });
    }

    /// With a worker that is alive.
    [[nodiscard]] CtlRun ctl(const QStringList &arguments)
    {
        if (!m_worker.heartbeat())
            return {};
        return runCtl(arguments
                      + QStringList{u"--config-dir"_s, m_folder->path(), u"--state-dir"_s,
                                    m_folder->filePath(u"state"_s)});
    }

    [[nodiscard]] bool add(const QString &name, TestOutbox::Kind kind, BenchShape shape)
    {
        auto &fixture = m_systems[name];
        fixture = std::make_unique<TestOutbox>(kind, shape, &m_postgres, m_redis);
        return fixture->setUp() && fixture->insertRows(3);
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
        using Kind = TestOutbox::Kind;
        // Each empties Redis, so they are all there before anything is put into it.
        QVERIFY(add(u"books"_s, Kind::Postgres, BenchShape::Payload));
        QVERIFY(add(u"depot"_s, Kind::Sqlite, BenchShape::Payload));
        QVERIFY(add(u"mail"_s, Kind::Postgres, BenchShape::Payload));
        QVERIFY(add(u"orders"_s, Kind::Postgres, BenchShape::CompletedAt));
        QVERIFY(add(u"till"_s, Kind::Sqlite, BenchShape::Payload));
        QVERIFY(add(u"zoo"_s, Kind::Postgres, BenchShape::Payload));
        TestOutbox &stuck = *m_systems.at(u"orders"_s);
        QVERIFY(stuck.exec(u"update outbox set created_at = now() - interval '50 minutes'"_s));
        QVERIFY(stuck.exec(
            u"update outbox set completed_at = now() - interval '40 minutes' where id = 1"_s));
        EnqueueRequest request = sampleRequest(u"t-1"_s);
        request.queue.text = u"tills"_s;
        QVERIFY_RESULT(placeTask(stuck.plainRedis(), request, TaskState::Retry));
        QVERIFY_RESULT(m_worker.open(stuck.redis(), {{u"default"_s, 1}, {u"tills"_s, 1}}));
    }
    void cleanupTestCase() { m_systems.clear(); }

    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void theWorstIsFirstAndTheHealthyAreSummed()
    {
        QVERIFY(saveAll());
        const CtlRun run = ctl({u"fleet"_s});
        QVERIFY2(run.exitCode == 1, QByteArray(run.err + run.out).constData());
        const QByteArrayList lines = linesOf(run);
        QVERIFY2(lines.size() == 4, run.out.constData());
        QVERIFY(lines.at(0).startsWith("LEVEL"));
        QVERIFY2(lines.at(1).startsWith(
                     "STALLED  orders (shop)  2 rows wait and nothing has been delivered for"),
                 run.out.constData());
        QCOMPARE(lines.at(2), QByteArray("5 of 6 are well."));
        QCOMPARE(lines.at(3),
                 QByteArray("6 systems: OK 5, WATCH 0, STALLED 1, BROKEN 0, UNKNOWN 0; worst: "
                            "STALLED"));
        const CtlRun all = ctl({u"fleet"_s, u"--all"_s});
        QCOMPARE(linesOf(all).size(), 1 + 6 + 1);
        QVERIFY(linesOf(all).at(1).contains("orders"));
        QVERIFY(linesOf(all).at(2).startsWith("OK       books "));
        const CtlRun well = ctl({u"fleet"_s, u"mail"_s, u"till"_s});
        QCOMPARE(well.exitCode, 0);
        QCOMPARE(linesOf(well).first(), QByteArray("2 of 2 are well."));
    }

    void theNumbersAreThoseOfStatus()
    {
        QVERIFY(saveAll());
        const CtlRun run = ctl({u"fleet"_s, u"--json"_s});
        QCOMPARE(run.objects().size(), 7);
        QCOMPARE(
            namesOf(run),
            (QStringList{u"orders"_s, u"books"_s, u"depot"_s, u"mail"_s, u"till"_s, u"zoo"_s}));
        const QJsonObject totals{{u"systems"_s, 6},         {u"ok"_s, 5},     {u"watch"_s, 0},
                                 {u"stalled"_s, 1},         {u"broken"_s, 0}, {u"unknown"_s, 0},
                                 {u"worst"_s, u"STALLED"_s}};
        QCOMPARE(run.last(), totals);
        for (const auto &[name, fixture] : m_systems) {
            const QJsonObject seen = systemOf(run, name);
            const QJsonObject status = ctl({u"status"_s, u"--json"_s, u"--profile"_s, name}).last();
            QVERIFY(!status.value("outbox"_L1).toObject().isEmpty());
            for (const QString &part : {u"outbox"_s, u"queue"_s})
                QCOMPARE(steady(seen.value(part).toObject()),
                         steady(status.value(part).toObject()));
            QCOMPARE(seen.value("health"_L1).toObject().value("level"_L1),
                     status.value("health"_L1).toObject().value("level"_L1));
            QCOMPARE(seen.value("durability"_L1), status.value("durability"_L1));
            QStringList more = seen.keys();
            for (const QString &known : status.keys())
                more.removeAll(known);
            QCOMPARE(more, (QStringList{u"group"_s, u"system"_s}));
            const bool isOfShop = name == u"orders"_s || name == u"mail"_s;
            QCOMPARE(seen.value("group"_L1),
                     isOfShop ? QJsonValue(u"shop"_s) : QJsonValue(QJsonValue::Null));
        }
        QCOMPARE(
            systemOf(run, u"till"_s).value("queue"_L1).toObject().value("retry"_L1).toInteger(-1),
            1);
    }

    void whoIsAwayIsToldAndTheOthersAreWhole()
    {
        QVERIFY(save(u"away"_s, nowhere, u"outbox"_s, m_redis.url()));
        TestOutbox &mail = *m_systems.at(u"mail"_s);
        QVERIFY(save(u"deaf"_s, mail.url(), mail.table(), u"redis+unix:///nonexistent.sock"_s));
        QVERIFY(saveAll());
        const CtlRun run = ctl({u"fleet"_s, u"--json"_s});
        QCOMPARE(run.exitCode, 4); // as `check` ends where the worst is unknown
        QCOMPARE(namesOf(run).size(), 8);
        QCOMPARE(run.last().value("unknown"_L1).toInteger(-1), 2);
        QCOMPARE(run.last().value("ok"_L1).toInteger(-1), 5);
        QCOMPARE(run.last().value("stalled"_L1).toInteger(-1), 1);
        const QJsonObject away = systemOf(run, u"away"_s);
        QVERIFY(away.value("outbox"_L1).isNull());
        QVERIFY(away.value("queue"_L1).isObject()); // its Redis answers
        QCOMPARE(away.value("error"_L1).toObject().value("kind"_L1).toString(), u"unreachable"_s);
        const QJsonObject deaf = systemOf(run, u"deaf"_s);
        QCOMPARE(deaf.value("outbox"_L1).toObject().value("pending"_L1).toInteger(-1), 3);
        QVERIFY(deaf.value("queue"_L1).isNull());
        QVERIFY(deaf.contains("error"_L1));
        for (const auto &[name, fixture] : m_systems) {
            QVERIFY(systemOf(run, name).value("outbox"_L1).isObject());
            QVERIFY(!systemOf(run, name).contains("error"_L1));
        }
        const CtlRun text = ctl({u"fleet"_s});
        QVERIFY2(linesOf(text).at(1).startsWith(
                     "UNKNOWN  away           Unknown: the database does not answer ("),
                 text.out.constData());
        QVERIFY2(text.out.contains("deaf           Unknown: Redis does not answer ("),
                 text.out.constData());
    }

    /// A server that nobody named is none that is broken, or that could not be read.
    void aSystemOfTasksAloneIsNoBrokenOne()
    {
        QVERIFY(save(u"tasks"_s, {}, u"outbox"_s, m_redis.url()));
        const CtlRun run = ctl({u"fleet"_s, u"--json"_s});
        QCOMPARE(run.exitCode, 4);
        QCOMPARE(run.last().value("unknown"_L1).toInteger(-1), 1);
        const QJsonObject tasks = systemOf(run, u"tasks"_s);
        QVERIFY(tasks.value("queue"_L1).isObject());
        QVERIFY(!tasks.contains("error"_L1));
    }

    /// One after another they would be looked at when it has given up.
    void aServerThatStandsStillDelaysNoOther()
    {
        PrivatePostgres frozen;
        OUTBOX_START_SERVER(frozen);
        QVERIFY(save(u"a frozen one"_s, frozen.url(), u"outbox"_s, m_redis.url()));
        QVERIFY(saveAll());
        frozen.freeze();
        const auto thaw = qScopeGuard([&frozen] { frozen.thaw(); });
        QElapsedTimer clock;
        clock.start();
        const CtlRun run = ctl({u"fleet"_s, u"--json"_s});
        QVERIFY(clock.elapsed() < answerDeadlineMs + 10'000);
        QCOMPARE(run.exitCode, 4);
        QCOMPARE(namesOf(run).size(), 7);
        const QJsonObject still = systemOf(run, u"a frozen one"_s);
        QVERIFY(still.value("outbox"_L1).isNull());
        const auto timeOf = [](const QJsonObject &system) {
            return QDateTime::fromString(system.value("at"_L1).toString(), Qt::ISODateWithMs);
        };
        for (const auto &[name, fixture] : m_systems) {
            const QJsonObject system = systemOf(run, name);
            QVERIFY(!system.contains("error"_L1));
            QVERIFY(qAbs(timeOf(still).msecsTo(timeOf(system))) < 2000);
        }
    }

    void noMoreThanEightRoomsAtATime()
    {
        int alive = 0;
        int most = 0;
        int asked = 0;
        askEach(30,
                [&](qsizetype) { return std::make_unique<CountedQuestion>(alive, most, asked); });
        QCOMPARE(asked, 30);
        QCOMPARE(most, 8);
        QCOMPARE(alive, 0); // every session is closed
        askEach(0, [](qsizetype) { return std::unique_ptr<SystemQuestion>(); });
    }

    void groupsAndNamesChoose()
    {
        QVERIFY(saveAll());
        QCOMPARE(namesOf(ctl({u"fleet"_s, u"--json"_s, u"--group"_s, u"shop"_s})),
                 (QStringList{u"orders"_s, u"mail"_s}));
        QCOMPARE(namesOf(ctl({u"fleet"_s, u"--json"_s, u"--group"_s, u"shop"_s, u"zoo"_s})),
                 (QStringList{u"orders"_s, u"mail"_s, u"zoo"_s}));
        QCOMPARE(ctl({u"fleet"_s, u"--group"_s, u"shap"_s}).exitCode, 78);
        QCOMPARE(ctl({u"fleet"_s, u"nobody"_s}).exitCode, 78);
    }

    void nothingSavedIsNoHealthyFleet()
    {
        QCOMPARE(ctl({u"fleet"_s}).exitCode, 3);
        const QString file = Folders::standard(m_folder->path()).profilesFile();
        QVERIFY(QDir().mkpath(QFileInfo(file).absolutePath()));
        QFile profiles(file);
        QVERIFY(profiles.open(QIODevice::WriteOnly));
        profiles.write(R"([{"name":"later","environment":"moon base"}])");
        profiles.close();
        const CtlRun run = ctl({u"fleet"_s, u"--json"_s});
        QCOMPARE(run.exitCode, 4);
        QCOMPARE(run.last().value("unknown"_L1).toInteger(-1), 1);
        QVERIFY(run.objects().first().value("system"_L1).isNull());
        QVERIFY(run.objects()
                    .first()
                    .value("error"_L1)
                    .toObject()
                    .value("doing"_L1)
                    .toString()
                    .contains(u"later"_s));
    }

    void aMessageIsFoundWhereItIs()
    {
        QVERIFY(saveAll());
        const QString id = m_systems.at(u"till"_s)->insertedIds().at(1);
        const CtlRun run = ctl({u"fleet"_s, u"find"_s, id, u"--json"_s});
        QVERIFY2(run.exitCode == 0, QByteArray(run.err + run.out).constData());
        QCOMPARE(namesOf(run), QStringList{u"till"_s});
        QCOMPARE(systemOf(run, u"till"_s).value("row"_L1).toObject().value("state"_L1).toString(),
                 u"pending"_s);
        QVERIFY(systemOf(run, u"till"_s).value("task"_L1).isNull());
        QCOMPARE(run.last().value("systems"_L1).toInteger(-1), 6);
        QCOMPARE(run.last().value("found"_L1).toInteger(-1), 1);
        QCOMPARE(run.last().value("not_asked"_L1).toInteger(-1), 0);
        const CtlRun text = ctl({u"fleet"_s, u"find"_s, id});
        QVERIFY2(text.out.contains("till    row of ") && text.out.contains("pending"),
                 text.out.constData());
        QCOMPARE(linesOf(text).last(), QByteArray("Found in 1 of 6 systems"));

        // A task alone: that of the system with its queue, though rows of others may have its id.
        const CtlRun task = ctl({u"fleet"_s, u"find"_s, u"t-1"_s, u"--json"_s});
        QCOMPARE(task.exitCode, 0);
        QVERIFY(systemOf(task, u"till"_s).value("row"_L1).isNull());
        QCOMPARE(systemOf(task, u"till"_s).value("task"_L1).toObject().value("state"_L1).toString(),
                 u"retry"_s);
        QCOMPARE(namesOf(task), QStringList{u"till"_s});
        QCOMPARE(task.last().value("found"_L1).toInteger(-1), 1);

        QCOMPARE(ctl({u"fleet"_s, u"find"_s, id, u"mail"_s}).exitCode, 3); // not asked there
        QCOMPARE(ctl({u"fleet"_s, u"find"_s}).exitCode, 2);
    }

    void whoIsAwayMayHaveIt()
    {
        QVERIFY(save(u"away"_s, nowhere, u"outbox"_s, m_redis.url()));
        QVERIFY(saveAll());
        const QString none = u"00000000-0000-4000-8000-000000000000"_s;
        const CtlRun unknown = ctl({u"fleet"_s, u"find"_s, none, u"--json"_s});
        QCOMPARE(unknown.exitCode, 4);
        QCOMPARE(namesOf(unknown), QStringList{u"away"_s});
        QVERIFY(systemOf(unknown, u"away"_s).contains("error"_L1));
        QCOMPARE(unknown.last().value("not_asked"_L1).toInteger(-1), 1);
        QVERIFY(ctl({u"fleet"_s, u"find"_s, none}).out.contains("away    not asked"));
        // Where all were asked it is nowhere, as far as keys tell: orders has task ids with a time.
        const CtlRun nowhereElse
            = ctl({u"fleet"_s, u"find"_s, none, u"mail"_s, u"orders"_s, u"--json"_s});
        QCOMPARE(nowhereElse.exitCode, 3);
        QCOMPARE(nowhereElse.last().value("by_task_id_only"_L1).toInteger(-1), 1);
        QVERIFY(nowhereElse.err.contains("outboxctl show"));

        const QString id = m_systems.at(u"zoo"_s)->insertedIds().first();
        const CtlRun found = ctl({u"fleet"_s, u"find"_s, id, u"--json"_s});
        QCOMPARE(found.exitCode, 0);
        QCOMPARE(namesOf(found), (QStringList{u"away"_s, u"zoo"_s}));
    }
};

} // namespace tst_ctlfleet

OUTBOX_TEST(tst_ctlfleet::TestCtlFleet)
#include "tst_ctlfleet.moc"
