// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Systems of one database, watched by one session: how many there are at the server, and that each
// look is of its own outbox, whatever fails between.
#include "app/settings/opening.h"
#include "app/system/fleet/fleetpoller.h"
#include "connectors/redis/connection.h"
#include "connectors/sql/outbox/parkedtable.h"
#include "tests/support/patience.h"
#include "tests/support/plainpostgres.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

namespace tst_fleetsessions {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestFleetSessions : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    RedisConnection m_queues;
    PlainPostgres m_hand; ///< at the database postgres
    std::unique_ptr<FleetPoller> m_poller;
    std::map<QString, FleetReading> m_seen; ///< the last look at each
    std::map<QString, qsizetype> m_looks;
    std::map<QString, QSet<qint64>> m_true; ///< how many rows may ever be pending in each
    QStringList m_wrong; ///< looks at other rows

    [[nodiscard]] FleetSystem systemOf(const QString &name, const QString &database,
                                       const QString &table,
                                       const std::optional<OutboxShape> &shape = {}) const
    {
        Target target;
        target.profile.name = name;
        target.profile.databaseUrl = m_postgres.url(database);
        target.profile.table = table;
        target.profile.shape = shape;
        target.profile.redisUrl = m_redis.url();
        target.stateFolder = m_folder.path();
        return {name, {}, target};
    }

    [[nodiscard]] Result<void> make(const QString &database)
    {
        const auto made = m_hand.run("CREATE DATABASE " + database.toLatin1());
        return made ? Result<void>() : passOn(made);
    }

    [[nodiscard]] Result<void> run(const QString &database, const QString &sql) const
    {
        PlainPostgres hand;
        TRY(hand.open(m_postgres.url(database)));
        const auto done = hand.run(sql.toUtf8());
        return done ? Result<void>() : passOn(done);
    }

    /// Rows are deleted when they are sent.
    static QString deletingTable(const QString &name, int rows)
    {
        return u"CREATE TABLE %1 (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), type text,"
               " payload bytea);"
               "INSERT INTO %1 (type, payload) SELECT 'mail:send', 'x'"
               " FROM generate_series(1, %2);"_s.arg(name, QString::number(rows));
    }

    /// Rows are marked, three of them more; every other one is of another type.
    static QString markingTable(const QString &name, int rows)
    {
        return u"CREATE TABLE %1 (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
               " type text NOT NULL, payload bytea NOT NULL,"
               " created_at timestamptz NOT NULL DEFAULT now(), completed_at timestamptz);"
               "INSERT INTO %1 (type, payload, completed_at)"
               " SELECT CASE WHEN n % 2 = 0 THEN 'even' ELSE 'odd' END, 'x',"
               " CASE WHEN n > %2 THEN now() END FROM generate_series(1, %2 + 3) AS n;"_s.arg(
                   name, QString::number(rows));
    }

    [[nodiscard]] Result<OutboxShape> shapeOf(const QString &database, const QString &table) const
    {
        Profile profile;
        profile.databaseUrl = m_postgres.url(database);
        profile.table = table;
        OutboxStore store;
        const auto settings
            = TRY(storeSettingsOf(profile, {}, StoreAccess::ReadOnly, u"fixture"_s));
        TRY(store.open(settings));
        return takeShape(store, profile);
    }

    /// Of the poller, with databases whose names begin so.
    [[nodiscard]] qint64 sessions(const QByteArray &databases)
    {
        return m_hand
            .number("SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE"
                    " 'outboxdeck/%' AND datname LIKE '"
                    + databases + "%'")
            .value_or(-1);
    }

    /// The process of the only one there; -1 where there are others, or none.
    [[nodiscard]] qint64 onlySession(const QByteArray &database)
    {
        return m_hand
            .number("SELECT CASE count(*) WHEN 1 THEN min(pid) ELSE -1 END FROM pg_stat_activity"
                    " WHERE application_name LIKE 'outboxdeck/%' AND datname = '"
                    + database + "'")
            .value_or(-1);
    }

    [[nodiscard]] Result<void> kill(qint64 session)
    {
        const auto done
            = m_hand.run("SELECT pg_terminate_backend(" + QByteArray::number(session) + ", 5000)");
        return done ? Result<void>() : passOn(done);
    }

    /// Log-ins to the database so far.
    [[nodiscard]] qsizetype logIns(const QByteArray &database) const
    {
        const QByteArray said = "connection authorized: user=outbox database=" + database;
        return m_postgres.log().count(said);
    }

    [[nodiscard]] std::optional<qint64> pendingOf(const QString &name) const
    {
        const auto seen = m_seen.find(name);
        if (seen == m_seen.end() || !seen->second.look.outbox)
            return std::nullopt;
        return seen->second.look.outbox->pending;
    }

    [[nodiscard]] bool isUnread(const QString &name, Error::Kind kind) const
    {
        const auto seen = m_seen.find(name);
        return seen != m_seen.end() && !seen->second.look.outbox
            && seen->second.look.outbox.error().kind == kind;
    }

    [[nodiscard]] bool areLookedAt(qsizetype times) const
    {
        return std::all_of(m_true.begin(), m_true.end(), [this, times](const auto &one) {
            const auto looks = m_looks.find(one.first);
            return looks != m_looks.end() && looks->second >= times;
        });
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres, {u"log_connections=on"_s});
        OUTBOX_START_SERVER(m_redis);
        QVERIFY_RESULT(m_hand.open(m_postgres));
        const auto endpoint = RedisEndpoint::fromUrl(m_redis.url());
        QVERIFY_RESULT(endpoint);
        QVERIFY_RESULT(m_queues.open(*endpoint, RedisConnection::Access::Act, u"fixture"_s));
    }

    void init()
    {
        m_seen.clear();
        m_looks.clear();
        m_true.clear();
        m_wrong.clear();
        m_poller = std::make_unique<FleetPoller>(u"outboxdeck"_s);
        connect(m_poller.get(), &FleetPoller::looked, this, [this](const FleetReading &reading) {
            m_seen[reading.name] = reading;
            ++m_looks[reading.name];
            const auto pending = pendingOf(reading.name);
            if (pending && !m_true[reading.name].contains(*pending))
                m_wrong += u"%1: %2"_s.arg(reading.name, QString::number(*pending));
        });
    }
    void cleanup() { m_poller.reset(); }

    void thereAreNoMoreThanThereAreDatabases()
    {
        QList<FleetSystem> systems;
        std::map<QByteArray, qsizetype> before;
        for (int number = 0; number < 3; ++number) {
            const QString database = u"shared_%1"_s.arg(number);
            QVERIFY_RESULT(make(database));
            for (int table = 0; table < 4; ++table) {
                const QString name = u"outbox_%1"_s.arg(table);
                const int rows = 10 * (number + 1) + table;
                const bool isMarked = table % 2 == 1;
                QVERIFY_RESULT(
                    run(database, isMarked ? markingTable(name, rows) : deletingTable(name, rows)));
                systems += systemOf(u"system %1 %2"_s.arg(number).arg(table), database, name);
                m_true[systems.last().name] = {rows};
            }
        }
        // Of one outbox a row is parked in a table, which is asked by the same session.
        QVERIFY_RESULT(run(u"shared_0"_s,
                           ParkedTableAccess::sql(DatabaseUrl::Dialect::PostgreSql)
                               + u";INSERT INTO outbox_parked SELECT 'public.outbox_0', id::text,"
                                 " 'broken', 1, now(), 'a test' FROM outbox_0 LIMIT 1"_s));
        m_true[u"system 0 0"_s] = {9};
        for (int number = 0; number < 3; ++number) {
            const QByteArray database = "shared_" + QByteArray::number(number);
            before[database] = logIns(database);
        }
        m_poller->setSystems(systems);
        m_poller->start();
        qint64 most = 0;
        const auto areSeen = [this, &most] {
            most = std::max(most, sessions("shared"));
            return areLookedAt(3);
        };
        QTRY_VERIFY_WITH_TIMEOUT(areSeen(), patient(60'000));
        QCOMPARE(m_wrong, QStringList());
        for (const FleetSystem &system : systems)
            QVERIFY2(pendingOf(system.name).has_value(), qPrintable(system.name));
        QCOMPARE(m_seen[u"system 0 0"_s].look.outbox->parked, std::optional<qint64>(1));
        QCOMPARE(most, 3);
        QCOMPARE(m_poller->cost().sessions, 3);
        for (const auto &[database, count] : before)
            QCOMPARE(logIns(database), count + 1);
        // Each of the three is in a room of its own, where all have one Redis.
        const auto clients = m_queues.command({"CLIENT", "LIST"}, u"counting"_s);
        QVERIFY_RESULT(clients);
        QCOMPARE(clients->bytes.count("name=outboxdeck/"), 3);
    }

    /// Two tables with other columns, and one of them by two mappings.
    void eachLookIsOfItsOwnOutbox()
    {
        QVERIFY_RESULT(make(u"mixed"_s));
        QVERIFY_RESULT(run(u"mixed"_s, deletingTable(u"mails"_s, 3)));
        QVERIFY_RESULT(run(u"mixed"_s, markingTable(u"letters"_s, 9)));
        auto evenOnly = shapeOf(u"mixed"_s, u"letters"_s);
        QVERIFY_RESULT(evenOnly);
        evenOnly->where += ShapeTest{u"type"_s, ShapeTest::Is::Equal, {u"even"_s}};
        m_true = {{u"mails"_s, {3, 7}}, {u"letters"_s, {9}}, {u"even letters"_s, {4}}};
        m_poller->setSystems({systemOf(u"mails"_s, u"mixed"_s, u"mails"_s),
                              systemOf(u"letters"_s, u"mixed"_s, u"letters"_s),
                              systemOf(u"even letters"_s, u"mixed"_s, u"letters"_s, *evenOnly)});
        m_poller->start();
        const auto lettersAreSeenAgain = [this] {
            return m_looks[u"letters"_s] >= 2 && pendingOf(u"letters"_s)
                && m_looks[u"even letters"_s] >= 2 && pendingOf(u"even letters"_s);
        };
        const auto allAreSeenAgain = [&] {
            return lettersAreSeenAgain() && m_looks[u"mails"_s] >= 2 && pendingOf(u"mails"_s);
        };
        QTRY_VERIFY_WITH_TIMEOUT(allAreSeenAgain(), patient(30'000));
        const qint64 first = onlySession("mixed");
        QVERIFY(first > 0);

        // A table that is gone is the trouble of its own system.
        QVERIFY_RESULT(run(u"mixed"_s, u"DROP TABLE mails"_s));
        QTRY_VERIFY(isUnread(u"mails"_s, Error::Kind::Invalid));
        m_looks.clear();
        QTRY_VERIFY_WITH_TIMEOUT(lettersAreSeenAgain() && m_looks[u"mails"_s] >= 2,
                                 patient(30'000));
        QVERIFY(isUnread(u"mails"_s, Error::Kind::Invalid));
        QCOMPARE(onlySession("mixed"), first);

        // One that comes back with other columns: by the old mapping ten rows would be pending.
        QVERIFY_RESULT(run(u"mixed"_s, markingTable(u"mails"_s, 7)));
        QTRY_VERIFY(pendingOf(u"mails"_s).has_value());
        QCOMPARE(onlySession("mixed"), first);

        // A session that was killed is opened once for all.
        QVERIFY_RESULT(kill(first));
        m_looks.clear();
        QTRY_VERIFY_WITH_TIMEOUT(allAreSeenAgain(), patient(30'000));
        const qint64 second = onlySession("mixed");
        QVERIFY(second > 0 && second != first);

        // Both at once.
        QVERIFY_RESULT(run(u"mixed"_s, u"DROP TABLE mails"_s));
        QVERIFY_RESULT(kill(second));
        m_looks.clear();
        QTRY_VERIFY(isUnread(u"mails"_s, Error::Kind::Invalid));
        QTRY_VERIFY_WITH_TIMEOUT(lettersAreSeenAgain(), patient(30'000));
        QVERIFY(onlySession("mixed") > 0);
        QCOMPARE(m_wrong, QStringList());
    }

    void theSessionStaysAsLongAsOneNeedsIt()
    {
        QVERIFY_RESULT(make(u"leaving"_s));
        QVERIFY_RESULT(run(u"leaving"_s, deletingTable(u"mails"_s, 3)));
        QVERIFY_RESULT(run(u"leaving"_s, markingTable(u"letters"_s, 5)));
        m_true = {{u"mails"_s, {3}}, {u"letters"_s, {5}}};
        const FleetSystem letters = systemOf(u"letters"_s, u"leaving"_s, u"letters"_s);
        m_poller->setSystems({systemOf(u"mails"_s, u"leaving"_s, u"mails"_s), letters});
        m_poller->start();
        QTRY_VERIFY(areLookedAt(2));
        const qint64 session = onlySession("leaving");
        QVERIFY(session > 0);
        m_poller->setSystems({letters});
        m_looks.clear();
        QTRY_VERIFY(m_looks[u"letters"_s] >= 2);
        QCOMPARE(onlySession("leaving"), session);
        m_poller->setSystems({});
        QTRY_COMPARE(sessions("leaving"), 0);
        QCOMPARE(m_poller->cost().sessions, 0);
        QCOMPARE(m_wrong, QStringList());
    }
};

} // namespace tst_fleetsessions

OUTBOX_TEST(tst_fleetsessions::TestFleetSessions)
#include "tst_fleetsessions.moc"
