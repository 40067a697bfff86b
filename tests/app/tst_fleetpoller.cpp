// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Many systems watched at once, over real servers: each as `fleet` judges it, the one in trouble
// soon, none held up by another, and no more knocks and sessions than allowed.
#include "app/cli/run/fleet.h"
#include "app/demo/demoworker.h"
#include "app/system/fleet/fleetpoller.h"
#include "tests/support/gapmeter.h"
#include "tests/support/patience.h"
#include "tests/support/plainpostgres.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>
#include <QHostAddress>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>
#include <memory>

namespace tst_fleetpoller {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestFleetPoller : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    DemoWorker m_worker;
    std::map<QString, std::unique_ptr<TestOutbox>> m_outboxes; ///< by the name of the system
    std::unique_ptr<FleetPoller> m_poller;
    std::map<QString, FleetReading> m_seen; ///< the last look at each
    std::map<QString, QList<qint64>> m_moments; ///< of all looks, by the clock
    QElapsedTimer m_clock;

    [[nodiscard]] FleetSystem systemOf(const QString &name, const QString &database,
                                       const QString &table = u"outbox"_s) const
    {
        Target target;
        target.profile.name = name;
        target.profile.databaseUrl = database;
        target.profile.table = table;
        target.profile.redisUrl = m_redis.url();
        target.stateFolder = m_folder.path();
        return {name, {}, target};
    }

    /// Those that are well.
    [[nodiscard]] QList<FleetSystem> sound() const
    {
        QList<FleetSystem> systems;
        for (const auto &[name, fixture] : m_outboxes)
            systems += systemOf(name, fixture->url(), fixture->table());
        return systems;
    }

    [[nodiscard]] bool add(const QString &name, TestOutbox::Kind kind, BenchShape shape)
    {
        auto &fixture = m_outboxes[name];
        fixture = std::make_unique<TestOutbox>(kind, shape, &m_postgres, m_redis);
        return fixture->setUp();
    }

    [[nodiscard]] bool isWell(const QString &name) const
    {
        const auto seen = m_seen.find(name);
        return seen != m_seen.end() && seen->second.look.report.level == HealthLevel::Ok;
    }

    /// With a worker that is alive.
    [[nodiscard]] bool areWell()
    {
        return m_worker.heartbeat()
            && std::all_of(m_outboxes.begin(), m_outboxes.end(),
                           [this](const auto &one) { return isWell(one.first); });
    }

    [[nodiscard]] qsizetype looksAt(const QString &name) { return m_moments[name].size(); }

    /// Why its database was not read at the last look; nullopt: it was, or there was no look.
    [[nodiscard]] std::optional<Error::Kind> databaseTrouble(const QString &name) const
    {
        const auto seen = m_seen.find(name);
        if (seen == m_seen.end() || seen->second.look.outbox)
            return std::nullopt;
        return seen->second.look.outbox.error().kind;
    }

    [[nodiscard]] QString theWorst() const
    {
        QList<FleetLine> lines;
        for (const auto &[name, reading] : m_seen)
            lines += fleetLineOf(reading);
        const auto worst = std::min_element(
            lines.cbegin(), lines.cend(),
            [](const FleetLine &one, const FleetLine &other) { return comesBefore(one, other); });
        return worst == lines.cend() ? QString() : worst->name;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres, {u"max_connections=120"_s});
        OUTBOX_START_SERVER(m_redis);
        using Kind = TestOutbox::Kind;
        QVERIFY(add(u"books"_s, Kind::Postgres, BenchShape::Payload));
        QVERIFY(add(u"depot"_s, Kind::Sqlite, BenchShape::Payload));
        QVERIFY(add(u"mail"_s, Kind::Postgres, BenchShape::Payload));
        QVERIFY(add(u"orders"_s, Kind::Postgres, BenchShape::CompletedAt));
        QVERIFY(add(u"till"_s, Kind::Sqlite, BenchShape::Payload));
        QVERIFY(add(u"zoo"_s, Kind::Postgres, BenchShape::CompletedAt));
        QVERIFY_RESULT(m_worker.open(m_outboxes.at(u"orders"_s)->redis(), {{u"default"_s, 1}}));
        m_clock.start();
    }
    void cleanupTestCase() { m_outboxes.clear(); }

    void init()
    {
        QVERIFY_RESULT(m_worker.heartbeat());
        m_seen.clear();
        m_moments.clear();
        m_poller = std::make_unique<FleetPoller>(u"outboxdeck"_s);
        connect(m_poller.get(), &FleetPoller::looked, this, [this](const FleetReading &reading) {
            m_seen[reading.name] = reading;
            m_moments[reading.name] += m_clock.elapsed();
        });
    }
    void cleanup() { m_poller.reset(); }

    void itTellsWhatFleetTells()
    {
        const QList<FleetSystem> systems = sound()
            + QList<FleetSystem>{systemOf(u"away"_s, u"postgresql://x@/y?host=/nonexistent"_s)};
        m_poller->setSystems(systems);
        m_poller->start();
        QTRY_VERIFY(areWell() && m_seen.contains(u"away"_s));
        const QList<FleetReading> once = readFleet(systems);
        QCOMPARE(once.size(), 7);
        for (const FleetReading &reading : once) {
            const FleetReading &watched = m_seen[reading.name];
            QCOMPARE(watched.look.report.level, reading.look.report.level);
            QCOMPARE(watched.look.report.sentence, reading.look.report.sentence);
            QCOMPARE(watched.error.has_value(), reading.error.has_value());
        }
        QCOMPARE(theWorst(), u"away"_s);
        QVERIFY(m_poller->cost().looksPerSecond > 0);
        QVERIFY(m_poller->cost().bytesPerSecond > 0);
        QVERIFY(m_poller->cost().processorShare > 0);
        QCOMPARE(m_poller->cost().sessions, 6); // one has none with a database
    }

    void theOneThatStandsStillIsOnTopSoon()
    {
        m_poller->setSystems(sound());
        m_poller->start();
        QTRY_VERIFY(areWell());
        TestOutbox &stuck = *m_outboxes.at(u"zoo"_s); // the last one by name
        const auto heal = qScopeGuard([&stuck] { (void)stuck.exec(u"delete from outbox"_s); });
        QVERIFY(stuck.insertRows(3));
        QVERIFY(stuck.exec(u"update outbox set created_at = now() - interval '50 minutes'"_s));
        const auto isOnTop
            = [this] { return m_worker.heartbeat() && theWorst() == u"zoo" && !isWell(u"zoo"_s); };
        QTRY_VERIFY_WITH_TIMEOUT(isOnTop(), patient(10'000));
        QVERIFY(fleetLineOf(m_seen[u"zoo"_s]).oldestPendingSeconds.value_or(0) > 2900);
        QCOMPARE(fleetLineOf(m_seen[u"zoo"_s]).waiting, std::optional<qint64>(3));
    }

    /// Five databases with five systems each are on a server that stops: some share a room with
    /// those that are well, and not all rooms may wait for it.
    void aServerThatStandsStillDelaysNoOther()
    {
        PrivatePostgres frozen;
        OUTBOX_START_SERVER(frozen);
        QStringList still;
        QList<FleetSystem> systems = sound();
        PlainPostgres maker;
        QVERIFY_RESULT(maker.open(frozen));
        for (int number = 0; number < 25; ++number) {
            const QString database = u"ice_%1"_s.arg(number / 5);
            if (number % 5 == 0)
                QVERIFY_RESULT(maker.run("CREATE DATABASE " + database.toLatin1()));
            still += u"ice %1"_s.arg(number);
            systems += systemOf(still.last(), frozen.url(database));
        }
        maker.close();
        m_poller->setSystems(systems);
        m_poller->start();
        // Its databases have no such table: an answer, and sessions that stay.
        const auto isAnswered = [this](const QString &name) {
            const auto trouble = databaseTrouble(name);
            return trouble && trouble != Error::Kind::Unreachable;
        };
        QTRY_VERIFY(areWell() && std::all_of(still.begin(), still.end(), isAnswered));
        frozen.freeze();
        const auto thaw = qScopeGuard([&frozen] { frozen.thaw(); });
        m_moments.clear();
        const qint64 began = m_clock.elapsed();
        GapMeter gaps;
        const auto isAway = [this](const QString &name) {
            const auto trouble = databaseTrouble(name);
            return trouble == Error::Kind::Timeout || trouble == Error::Kind::Unreachable;
        };
        QTRY_VERIFY_WITH_TIMEOUT(std::all_of(still.begin(), still.end(), isAway), patient(90'000));
        // And for three looks at a system that is well, while it still stands.
        QTRY_VERIFY_WITH_TIMEOUT(looksAt(u"books"_s) >= 3, patient(30'000));
        const qint64 ended = m_clock.elapsed();
        for (const auto &[name, fixture] : m_outboxes) {
            QList<qint64> moments{began};
            moments += m_moments[name];
            moments += ended;
            for (qsizetype at = 1; at < moments.size(); ++at) {
                QVERIFY2(moments.at(at) - moments.at(at - 1) < patient(10'000),
                         qPrintable(u"%1 was not looked at for %2 ms"_s.arg(name).arg(
                             moments.at(at) - moments.at(at - 1))));
            }
        }
        QVERIFY2(gaps.longest() < patient(500), qPrintable(QString::number(gaps.longest())));
    }

    /// Nobody is at home: a door at which knocks are counted.
    void aDeadServerIsTriedOnceForAllWhoAreThere()
    {
        int knocks = 0;
        QTcpServer door;
        connect(&door, &QTcpServer::newConnection, &door, [&door, &knocks] {
            while (QTcpSocket *visitor = door.nextPendingConnection()) {
                ++knocks;
                visitor->abort();
                visitor->deleteLater();
            }
        });
        QVERIFY(door.listen(QHostAddress::LocalHost));
        const QString url
            = u"postgresql://x@127.0.0.1:%1/y?sslmode=disable"_s.arg(door.serverPort());
        QStringList dead;
        QList<FleetSystem> systems = sound();
        for (int number = 0; number < 10; ++number) {
            dead += u"dead %1"_s.arg(number);
            systems += systemOf(dead.last(), url);
        }
        m_poller->setSystems(systems);
        m_poller->start();
        const auto isAway = [this](const QString &name) {
            return databaseTrouble(name) == Error::Kind::Unreachable;
        };
        QTRY_VERIFY(std::all_of(dead.begin(), dead.end(), isAway) && areWell());
        const int first = knocks;
        QVERIFY2(first >= 1 && first <= 16, qPrintable(QString::number(first)));
        const qsizetype looks = looksAt(u"books"_s);
        const qsizetype others = looksAt(dead.first());
        QTRY_VERIFY_WITH_TIMEOUT(looksAt(u"books"_s) >= looks + 2, patient(30'000));
        QVERIFY2(knocks <= first + 4, qPrintable(u"%1, then %2"_s.arg(first).arg(knocks)));
        // Their Redis is well, and is looked at all the time.
        QVERIFY(looksAt(dead.first()) > others);
        QVERIFY(m_seen[dead.first()].look.queue.has_value());
    }

    void aSystemThatRefusesUsIsNotAskedAgainByItself()
    {
        const QString stranger
            = u"postgresql://stranger@/postgres?host=%1"_s.arg(m_postgres.socketFolder());
        m_poller->setSystems(sound() + QList<FleetSystem>{systemOf(u"stranger"_s, stranger)});
        const auto refusals
            = [this] { return m_postgres.log().count("\"stranger\" does not exist"); };
        m_poller->start();
        QTRY_VERIFY(databaseTrouble(u"stranger"_s) == Error::Kind::Refused);
        QTRY_VERIFY(refusals() > 0);
        const auto first = refusals();
        const qsizetype looks = looksAt(u"stranger"_s);
        QTRY_VERIFY_WITH_TIMEOUT(looksAt(u"stranger"_s) >= looks + 2, patient(20'000)); // its Redis
        QCOMPARE(refusals(), first);
        m_poller->lookNow();
        QTRY_VERIFY(refusals() > first);
    }

    /// Each by a role of its own, which makes it another session, and some more than there may be:
    /// the one that was not used for the longest time is closed for another.
    void sessionsAreSixtyFourAtMost()
    {
        const QList<TestOutbox *> databases{m_outboxes.at(u"books"_s).get(),
                                            m_outboxes.at(u"orders"_s).get()};
        QVERIFY(databases.first()->exec(
            u"do $$ begin for n in 0..69 loop"
            " execute format('create role fleet_%s login', n); end loop; end $$"_s));
        for (TestOutbox *database : databases)
            QVERIFY(database->exec(u"grant select on outbox to public"_s));
        QStringList names;
        QList<FleetSystem> systems;
        for (int number = 0; number < 70; ++number) {
            names += u"system %1"_s.arg(number);
            const TestOutbox &one = *databases.at(number * 7 % 10 / 5); // not one after another
            const QString login = u"//fleet_%1@"_s.arg(number);
            systems += systemOf(names.last(), one.url().replace(u"//outbox@"_s, login));
        }
        m_poller->setSystems(systems);
        m_poller->start();
        qsizetype most = 0;
        const auto areSeenTwice = [&] {
            most = std::max(most, m_poller->cost().sessions);
            return std::all_of(names.begin(), names.end(),
                               [this](const QString &name) { return looksAt(name) >= 2; });
        };
        QTRY_VERIFY_WITH_TIMEOUT(areSeenTwice(), patient(60'000));
        for (const QString &name : names)
            QVERIFY2(!databaseTrouble(name), qPrintable(name));
        QVERIFY2(most > 40 && most <= 64, qPrintable(QString::number(most)));
        // All of them have one Redis, to which a room has one connection.
        const auto clients
            = databases.first()->plainRedis().command({"CLIENT", "LIST"}, u"counting"_s);
        QVERIFY_RESULT(clients);
        const auto connections = clients->bytes.count("name=outboxdeck/");
        QVERIFY2(connections > 0 && connections <= mostRoomsOfFleet,
                 qPrintable(QString::number(connections)));
        // None is opened any more; the server may still be about to end those that were closed.
        m_poller->stop();
        const auto atServer = [&databases] {
            return databases.first()
                ->scalar(u"select count(*) from pg_stat_activity where usename like 'fleet%'"_s)
                .toLongLong();
        };
        QTRY_VERIFY(atServer() <= 64);
        QVERIFY2(atServer() > 40, qPrintable(QString::number(atServer())));
    }

    void nothingIsAskedBeforeTheStartAndBehindTheStop()
    {
        QSignalSpy looked(m_poller.get(), &FleetPoller::looked);
        m_poller->setSystems(sound());
        QVERIFY(!looked.wait(300));
        m_poller->start();
        QTRY_VERIFY(areWell());
        m_poller->stop();
        while (looked.wait(1000)) { // what was under way
        }
        QVERIFY(!looked.wait(6500)); // an interval is over for each
        looked.clear();
        m_poller->start();
        QTRY_VERIFY(looked.count() >= 6);
    }

    void whoIsSavedNoMoreIsNotWatched()
    {
        m_poller->setSystems(sound());
        m_poller->start();
        QTRY_VERIFY(areWell());
        FleetSystem unreadable{{}, {}, fail(Error::Kind::Invalid, u"reading"_s, u"no profile"_s)};
        const TestOutbox &books = *m_outboxes.at(u"books"_s);
        m_poller->setSystems({systemOf(u"books"_s, books.url(), books.table()), unreadable});
        QCOMPARE(m_seen[QString()].look.report.level, HealthLevel::Unknown);
        m_moments.clear();
        QTRY_VERIFY_WITH_TIMEOUT(looksAt(u"books"_s) >= 2, patient(30'000));
        QCOMPARE(looksAt(u"mail"_s), 0);
        QCOMPARE(m_poller->cost().sessions, 1);
    }
};

} // namespace tst_fleetpoller

OUTBOX_TEST(tst_fleetpoller::TestFleetPoller)
#include "tst_fleetpoller.moc"
