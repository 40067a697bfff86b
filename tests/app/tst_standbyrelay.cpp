// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A PostgreSQL with a standby, both named by one address: a relay follows a promotion, goes on with
// no other database, and a look at the standby says what it cannot know.
#include "app/relay/relaydriver.h"
#include "app/settings/opening.h"
#include "connectors/redis/connection.h"
#include "connectors/sql/driver/sqlerror.h"
#include "tests/support/ctl.h"
#include "tests/support/faultproxy.h"
#include "tests/support/patience.h"
#include "tests/support/plainpostgres.h"
#include "tests/support/privatestandby.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstdio>
#include <memory>

namespace tst_standbyrelay {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestStandbyRelay : public QObject
{
    Q_OBJECT

    enum class Fault { Killed, Hung, CutOff };

    static constexpr int rows = 2000;
    static constexpr int rowsASecond = 500; ///< so that the failover comes in the middle
    static constexpr int before = 300; ///< rows, that are delivered when it comes
    static constexpr int tries = 6; ///< to find a primary while there is none
    static constexpr int longMs = 120'000;

    PrivateRedis m_redis;
    std::unique_ptr<PrivatePostgres> m_primary;
    std::unique_ptr<PrivateStandby> m_standby;

    /// One relay, and what was heard of it.
    struct Driven
    {
        QTemporaryDir state;
        RelayDriver driver;
        QSignalSpy finished{&driver, &RelayDriver::finished};
        QSignalSpy failed{&driver, &RelayDriver::failed};
        QSignalSpy backingOff{&driver, &RelayDriver::backingOff};
        QSignalSpy changed{&driver, &RelayDriver::serverChanged};

        /// Ends when nothing is left; with `idlePollMs` it goes on, and looks so seldom.
        [[nodiscard]] Result<void> start(const QString &url, const PrivateRedis &redis,
                                         int idlePollMs = 0)
        {
            StoreSettings store;
            auto read = DatabaseUrl::fromUrl(url);
            if (!read)
                return passOn(read);
            store.url = *read;
            OutboxStore looks;
            if (auto opened = looks.open(store); !opened)
                return opened;
            const auto shape = takeShape(looks, Profile());
            if (!shape)
                return passOn(shape);
            RelaySettings settings;
            settings.batch = 20;
            settings.pollMs = idlePollMs > 0 ? idlePollMs : 20;
            settings.ratePerSecond = rowsASecond;
            settings.stateFolder = state.path();
            driver.start(store, *shape, RedisEndpoint::fromUrl(redis.url()).value(), settings,
                         idlePollMs == 0);
            return {};
        }
        /// The waits for want of a primary.
        [[nodiscard]] QList<int> waits() const
        {
            QList<int> found;
            for (const QVariantList &told : backingOff) {
                if (told.first().value<Error>().code == noPrimaryCode)
                    found += told.at(1).toInt();
            }
            return found;
        }
        [[nodiscard]] QByteArray said() const
        {
            QStringList lines;
            for (const QSignalSpy *spy : {&backingOff, &failed}) {
                for (const QVariantList &told : *spy)
                    lines += oneLine(told.first().value<Error>());
            }
            return lines.join(u'\n').toUtf8();
        }
    };

    [[nodiscard]] static Result<void> makeOutbox(const PrivatePostgres &server, int count)
    {
        PlainPostgres side;
        if (auto opened = side.open(server); !opened)
            return opened;
        const auto done
            = side.run("create table outbox (id uuid default gen_random_uuid() primary key,"
                       " type text not null, payload bytea not null, created_at timestamptz"
                       " not null default clock_timestamp());"
                       " insert into outbox (type, payload) select 'mail', 'the same'"
                       " from generate_series(1, "
                       + QByteArray::number(count) + ")");
        return done ? Result<void>() : passOn(done);
    }
    [[nodiscard]] static qint64 numberFrom(const PrivatePostgres &server, const QByteArray &sql)
    {
        PlainPostgres side;
        if (!side.open(server))
            return -1;
        return side.number(sql).value_or(-1);
    }
    [[nodiscard]] static QStringList idsIn(const PrivatePostgres &server)
    {
        PlainPostgres side;
        QStringList ids;
        if (!side.open(server))
            return ids;
        const auto answer = side.run("select id from outbox");
        for (int row = 0; answer && row < PQntuples(answer->get()); ++row)
            ids += QString::fromUtf8(PQgetvalue(answer->get(), row, 0));
        return ids;
    }
    /// Both servers, in the order in which they are asked.
    [[nodiscard]] QString bothUrl(const PrivatePostgres &second, const QString &more = {}) const
    {
        return u"postgresql://%1@/postgres?host=%2,%3"_s.arg(m_primary->user(), m_primary->folder(),
                                                             second.folder())
            + more;
    }

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_redis); }
    void init()
    {
        RedisConnection redis;
        QVERIFY_RESULT(redis.open(RedisEndpoint::fromUrl(m_redis.url()).value(),
                                  RedisConnection::Access::Act, u"test"_s));
        QVERIFY_RESULT(redis.command({"FLUSHALL"}, u"emptying"_s));
        m_primary = std::make_unique<PrivatePostgres>();
        QVERIFY_RESULT(m_primary->start());
        m_standby = std::make_unique<PrivateStandby>();
    }
    void cleanup()
    {
        if (m_primary)
            m_primary->kill(); // a frozen one would not stop
        m_standby.reset();
        m_primary.reset();
    }

    void aPromotionIsFollowed_data()
    {
        QTest::addColumn<Fault>("fault");
        QTest::newRow("the primary is killed") << Fault::Killed;
        QTest::newRow("the primary stands still") << Fault::Hung;
        QTest::newRow("the primary is cut off") << Fault::CutOff;
    }
    void aPromotionIsFollowed()
    {
        QFETCH(Fault, fault);
        FaultProxy line;
        QVERIFY(line.start({m_primary->socketFolder() + u"/.s.PGSQL.5432"_s, 0}));
        QVERIFY_RESULT(makeOutbox(*m_primary, rows));
        const QStringList ids = idsIn(*m_primary);
        QCOMPARE(ids.size(), rows);
        QVERIFY_RESULT(m_standby->follow(*m_primary));
        {
            PlainPostgres side;
            QVERIFY_RESULT(side.open(*m_primary));
            QVERIFY_RESULT(side.run("alter system set synchronous_standby_names = '*'"));
            QVERIFY_RESULT(side.run("select pg_reload_conf()"));
        }
        QTRY_COMPARE_WITH_TIMEOUT(
            numberFrom(*m_primary,
                       "select count(*) from pg_stat_replication where sync_state = 'sync'"),
            1, patient(30'000));

        Driven relay;
        const QString byLine = u"postgresql://%1@/postgres?host=127.0.0.1,%2&port=%3,5432"_s.arg(
            m_primary->user(), m_standby->folder(), QString::number(line.port()));
        QVERIFY_RESULT(relay.start(fault == Fault::CutOff ? byLine : bothUrl(*m_standby), m_redis));
        QTRY_VERIFY2_WITH_TIMEOUT(relay.driver.totals().delivered() >= before,
                                  relay.said().constData(), patient(30'000));
        switch (fault) {
        case Fault::Killed:
            m_primary->kill();
            break;
        case Fault::Hung:
            m_primary->freeze();
            break;
        case Fault::CutOff: // it lives, and nothing comes through
            FaultLine cut;
            cut.isHalfOpen = true;
            cut.isSilent = true;
            line.set(cut);
            break;
        }
        QTRY_VERIFY2_WITH_TIMEOUT(relay.waits().size() >= tries, relay.said().constData(),
                                  patient(60'000));
        const qint64 first = relay.driver.totals().delivered();
        QVERIFY2(first < rows, "the failover came too late");
        QVERIFY_RESULT(m_standby->promote());
        QElapsedTimer sincePromotion;
        sincePromotion.start();
        QTRY_VERIFY2_WITH_TIMEOUT(relay.driver.totals().delivered() > first,
                                  relay.said().constData(), patient(60'000));
        std::printf("%s: first delivery %lld ms after the promotion\n", QTest::currentDataTag(),
                    static_cast<long long>(sincePromotion.elapsed()));
        std::fflush(stdout);
        if (relay.finished.isEmpty())
            QVERIFY2(relay.finished.wait(patient(longMs)), relay.said().constData());
        QCOMPARE(relay.finished.first().first().toString(), u"drained"_s);

        const QList<int> waits = relay.waits();
        QVERIFY(std::all_of(waits.cbegin(), waits.cend(), [](int wait) { return wait <= 250; }));
        QVERIFY2(relay.said().contains("is a standby"), relay.said().constData());
        QCOMPARE(relay.changed.size(), 1);
        QVERIFY(relay.changed.first().first().toString().contains(m_standby->folder()));
        QCOMPARE(relay.driver.totals().parked, 0);
        QCOMPARE(numberFrom(*m_standby, "select count(*) from outbox"), 0);
        RedisConnection redis;
        QVERIFY_RESULT(redis.open(RedisEndpoint::fromUrl(m_redis.url()).value(),
                                  RedisConnection::Access::ReadOnly, u"test"_s));
        const auto pending
            = redis.command({"LRANGE", "asynq:{default}:pending", "0", "-1"}, u"reading"_s);
        QVERIFY_RESULT(pending);
        QCOMPARE(pending->elements.size(), rows); // each once
        for (const QString &id : ids) {
            const auto task
                = redis.command({"EXISTS", "asynq:{default}:t:" + id.toUtf8()}, u"reading"_s);
            QVERIFY_RESULT(task);
            QCOMPARE(task->integer, 1);
        }
    }

    void anotherDatabaseStopsTheRelay()
    {
        QVERIFY_RESULT(makeOutbox(*m_primary, rows));
        PrivatePostgres other;
        QVERIFY_RESULT(other.start());
        QVERIFY_RESULT(makeOutbox(other, 5));
        Driven relay;
        QVERIFY_RESULT(relay.start(bothUrl(other), m_redis));
        QTRY_VERIFY2_WITH_TIMEOUT(relay.driver.totals().delivered() >= before,
                                  relay.said().constData(), patient(30'000));
        m_primary->kill();
        if (relay.finished.isEmpty())
            QVERIFY2(relay.finished.wait(patient(longMs)), relay.said().constData());
        QCOMPARE(relay.finished.first().first().toString(), u"failed"_s);
        QCOMPARE(relay.failed.size(), 1);
        const auto error = relay.failed.first().first().value<Error>();
        QCOMPARE(error.code, QString(otherSystemCode));
        QVERIFY2(error.text.contains(u"another database"_s), qPrintable(oneLine(error)));
        QCOMPARE(numberFrom(other, "select count(*) from outbox"), 5);
    }

    /// An old primary that came back is none for whoever met the new one, and one for all others.
    void anEarlierPrimaryIsNotWrittenTo()
    {
        QVERIFY_RESULT(makeOutbox(*m_primary, 1));
        StoreSettings settings;
        settings.url = DatabaseUrl::fromUrl(m_primary->url()).value();
        settings.access = StoreAccess::Relay;
        settings.servers = std::make_shared<ServerMemory>();
        OutboxStore store;
        QVERIFY_RESULT(store.open(settings));
        QCOMPARE(settings.servers->timeline, 1);
        store.close();
        settings.servers->timeline = 2; // as after a promotion
        const auto written = store.open(settings);
        QVERIFY(!written);
        QCOMPARE(written.error().code, QString(noPrimaryCode));
        QVERIFY2(written.error().text.contains(u"on timeline 1 where 2 was met"_s),
                 qPrintable(written.error().text));
        QVERIFY2(written.error().hint.contains(u"restored on purpose"_s),
                 qPrintable(written.error().hint));
        settings.access = StoreAccess::ReadOnly;
        QVERIFY_RESULT(store.open(settings));
        settings.access = StoreAccess::Relay;
        settings.servers = std::make_shared<ServerMemory>(); // a relay that was started again
        QVERIFY_RESULT(store.open(settings));
    }

    /// Nobody ends the old primary, and nothing that the idle relay asks there is late.
    void anIdleRelayLeavesAnEarlierPrimary()
    {
        constexpr int few = 5;
        QVERIFY_RESULT(makeOutbox(*m_primary, few));
        QVERIFY_RESULT(m_standby->follow(*m_primary));
        Driven relay;
        QVERIFY_RESULT(relay.start(bothUrl(*m_standby), m_redis, longMs));
        QTRY_VERIFY2_WITH_TIMEOUT(relay.driver.totals().delivered() == few,
                                  relay.said().constData(), patient(30'000));
        QVERIFY_RESULT(m_standby->catchUp(*m_primary));
        QCOMPARE(numberFrom(*m_standby, "select count(*) from outbox"), 0);

        m_primary->freeze();
        QVERIFY_RESULT(m_standby->promote());
        m_primary->thaw();
        QCOMPARE(numberFrom(*m_primary, "select (not pg_is_in_recovery())::int"), 1);
        {
            PlainPostgres side;
            QVERIFY_RESULT(side.open(*m_standby));
            QVERIFY_RESULT(side.run("insert into outbox (type, payload) values ('mail', 'late')"));
        }
        QTRY_VERIFY2_WITH_TIMEOUT(relay.driver.totals().delivered() == few + 1,
                                  relay.said().constData(), patient(60'000));
        QCOMPARE(numberFrom(*m_standby, "select count(*) from outbox"), 0);
        QVERIFY2(relay.said().contains("is an earlier primary, on timeline 1 where 2 was met"),
                 relay.said().constData());
        QCOMPARE(relay.changed.size(), 1);
        QVERIFY(relay.changed.first().first().toString().contains(m_standby->folder()));
        // Lanes and parking: none of them stays.
        QTRY_COMPARE_WITH_TIMEOUT(
            numberFrom(*m_primary,
                       "select count(*) from pg_stat_activity where backend_type = 'client backend'"
                       " and pid <> pg_backend_pid()"),
            0, patient(10'000));
        relay.driver.stop();
        if (relay.finished.isEmpty())
            QVERIFY2(relay.finished.wait(patient(30'000)), relay.said().constData());
    }

    /// What another host is or does changes nothing, until it is a primary on a later timeline.
    void onlyALaterPrimaryCounts()
    {
        QVERIFY_RESULT(makeOutbox(*m_primary, 1));
        QVERIFY_RESULT(m_standby->follow(*m_primary));
        StoreSettings settings;
        settings.url = DatabaseUrl::fromUrl(bothUrl(*m_standby)).value();
        settings.access = StoreAccess::Relay;
        settings.servers = std::make_shared<ServerMemory>();
        OutboxStore store;
        OutboxStore beside; // of the same relay
        QVERIFY_RESULT(store.open(settings));
        QVERIFY_RESULT(beside.open(settings));
        QVERIFY_RESULT(store.leaveEarlierPrimary()); // it is a standby
        m_standby->freeze();
        QElapsedTimer clock;
        clock.start();
        QVERIFY_RESULT(store.leaveEarlierPrimary());
        const qint64 tookMs = clock.elapsed();
        QVERIFY2(tookMs < patient(4000), QByteArray::number(tookMs).constData());
        m_standby->thaw();
        QVERIFY(settings.servers->hung.isEmpty());
        m_standby->kill();
        QVERIFY_RESULT(store.leaveEarlierPrimary());
        QVERIFY_RESULT(m_standby->restart());
        QVERIFY(store.isOpen());
        QVERIFY(beside.isOpen());
        QCOMPARE(settings.servers->timeline, 1);

        OutboxStore lone; // its address has one host: it asks nobody
        StoreSettings alone = settings;
        alone.url = DatabaseUrl::fromUrl(m_primary->url()).value();
        alone.servers = std::make_shared<ServerMemory>();
        QVERIFY_RESULT(lone.open(alone));
        QVERIFY_RESULT(m_standby->promote());
        QVERIFY_RESULT(lone.leaveEarlierPrimary());
        QVERIFY(lone.isOpen());
        Result<void> left;
        const auto isLeft = [&store, &left] {
            if (left) // what is asked once more is asked of a session that has left
                left = store.leaveEarlierPrimary();
            return !left;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isLeft(), patient(30'000)); // which has a second to let it in
        QCOMPARE(left.error().kind, Error::Kind::Unreachable);
        QCOMPARE(left.error().code, QString(noPrimaryCode));
        QCOMPARE(settings.servers->timeline, 2);
        QVERIFY(!store.isOpen());
        QVERIFY(!beside.isOpen());
        QTRY_VERIFY_WITH_TIMEOUT(beside.ensureOpen().has_value(), patient(30'000));
        QVERIFY_RESULT(beside.leaveEarlierPrimary()); // the earlier one is none to go to
        QVERIFY(beside.isOpen());
    }

    void aLookGoesBackToThePrimary()
    {
        QVERIFY_RESULT(makeOutbox(*m_primary, 5));
        QVERIFY_RESULT(m_standby->follow(*m_primary));
        QVERIFY_RESULT(m_standby->catchUp(*m_primary));
        m_primary->kill();
        QTRY_COMPARE_WITH_TIMEOUT(
            numberFrom(*m_standby, "select count(*) from pg_stat_wal_receiver"), 0,
            patient(30'000));
        StoreSettings settings;
        settings.url = DatabaseUrl::fromUrl(bothUrl(*m_standby)).value();
        OutboxStore store;
        QVERIFY_RESULT(store.open(settings));
        QVERIFY_RESULT(takeShape(store, Profile()));
        const auto there = store.snapshot();
        QVERIFY_RESULT(there);
        QVERIFY(there->standby.has_value());
        QVERIFY(!there->standby->lagSeconds); // nothing comes from a primary that is gone
        QVERIFY(!there->standby->whyNoLag.isEmpty());
        QCOMPARE(there->pending, 5);
        QVERIFY_RESULT(m_primary->restart());
        const auto isBack = [&store] {
            if (!store.ensureOpen())
                return false;
            const auto again = store.snapshot();
            return again && !again->standby && again->locked == 0;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isBack(), patient(60'000));
    }

    void aLookAtAStandbySaysWhatItCannotKnow()
    {
        constexpr int all = 15;
        constexpr int held = 10;
        QVERIFY_RESULT(makeOutbox(*m_primary, all));
        QVERIFY_RESULT(m_standby->follow(*m_primary));
        QTRY_COMPARE_WITH_TIMEOUT(
            numberFrom(*m_primary,
                       "select count(*) from pg_stat_replication where state = 'streaming'"),
            1, patient(30'000));
        PlainPostgres holder;
        QVERIFY_RESULT(holder.open(*m_primary));
        QVERIFY_RESULT(holder.run("begin; select id from outbox limit 10 for update"));
        QVERIFY_RESULT(m_standby->catchUp(*m_primary));
        const auto look = [this](const QString &url) {
            const CtlRun run = runCtl(
                {u"status"_s, u"--json"_s, u"--database"_s, url, u"--redis"_s, m_redis.url()});
            return run.last()[u"outbox"_s].toObject();
        };

        const QJsonObject primary = look(m_primary->url());
        QCOMPARE(primary[u"locked"_s].toInt(), held);
        QCOMPARE(primary[u"pending"_s].toInt(), all - held);
        QVERIFY(!primary.contains(u"role"_s));

        const QString prefers = u"&target_session_attrs=prefer-standby"_s;
        for (const QString &url : {m_standby->url(), bothUrl(*m_standby, prefers)}) {
            const QJsonObject standby = look(url);
            QVERIFY(standby.contains(u"locked"_s));
            QVERIFY(standby[u"locked"_s].isNull());
            QCOMPARE(standby[u"pending"_s].toInt(), all);
            QCOMPARE(standby[u"role"_s].toString(), u"standby"_s);
            QVERIFY(standby[u"lag_s"_s].isDouble());
            const QJsonObject notes = standby[u"notes"_s].toObject();
            QVERIFY(notes[u"locked"_s].toString().contains(u"primary"_s));
        }
        // Where nobody allows it the primary is looked at, though the standby is named first.
        const QString turned = u"postgresql://%1@/postgres?host=%2,%3"_s.arg(
            m_primary->user(), m_standby->folder(), m_primary->folder());
        QCOMPARE(look(turned)[u"locked"_s].toInt(-1), held);

        Driven relay;
        QVERIFY_RESULT(relay.start(m_standby->url(), m_redis));
        if (relay.finished.isEmpty())
            QVERIFY(relay.finished.wait(patient(30'000)));
        QCOMPARE(relay.waits().size(), 0);
        QCOMPARE(relay.failed.size(), 1);
        const auto refusal = relay.failed.first().first().value<Error>();
        QCOMPARE(refusal.kind, Error::Kind::Unreachable);
        QVERIFY2(refusal.text.contains(u"is a standby"_s), qPrintable(oneLine(refusal)));
        const CtlRun contrary = runCtl({u"status"_s, u"--database"_s,
                                        bothUrl(*m_standby, u"&target_session_attrs=read-only"_s)});
        QVERIFY(contrary.exitCode != 0);
        QVERIFY2(contrary.err.contains("contradicts"), contrary.err.constData());
    }
};

} // namespace tst_standbyrelay

OUTBOX_TEST(tst_standbyrelay::TestStandbyRelay)
#include "tst_standbyrelay.moc"
