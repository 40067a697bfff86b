// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The stores of messages that are done, a table and Redis keys, over real servers: what was added
// is found, what expired is not, and a store that cannot be relied on says so.
#include "connectors/redis/documents/dedupkeys.h"
#include "connectors/sql/documents/deduptable.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/queueserver.h"
#include "tests/support/redisqueue.h"
#include "tests/support/testprogram.h"

namespace tst_dedupstore {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

Databases databases;
PrivateRedis redis;

enum class Place { Postgres, PostgresUuid, Sqlite, Mariadb, MariadbBytes, Redis };

RedisEndpoint endpoint()
{
    return RedisEndpoint::fromUrl(queueUrlOf(redis)).value();
}

std::unique_ptr<DedupStore> openStore(Place place, StoreAccess access, const DatabaseUrl &url)
{
    if (place == Place::Redis) {
        auto keys = std::make_unique<DedupKeys>();
        const auto how = access == StoreAccess::ReadOnly ? RedisConnection::Access::ReadOnly
                                                         : RedisConnection::Access::Act;
        const auto opened = keys->open(endpoint(), how, u"test"_s, {"done:", 0});
        return opened ? std::move(keys) : nullptr;
    }
    auto table = std::make_unique<DedupTable>();
    DoneTable names;
    names.table = TableName::fromText(u"done"_s);
    names.timeColumn = u"at"_s;
    const auto opened = table->open(settingsFor(url, access), names);
    return opened ? std::move(table) : nullptr;
}

DatabaseUrl tableFor(Place place)
{
    if (place == Place::Redis)
        return {};
    const bool isMariadb = place == Place::Mariadb || place == Place::MariadbBytes;
    const DatabaseUrl url = databases.fresh(place == Place::Sqlite ? DatabaseUrl::Dialect::Sqlite
                                                : isMariadb        ? DatabaseUrl::Dialect::MariaDb
                                                            : DatabaseUrl::Dialect::PostgreSql);
    SideSession(url).run(u"CREATE TABLE done (id %1 PRIMARY KEY, at timestamp NOT NULL)"_s.arg(
        place == Place::PostgresUuid       ? u"uuid"_s
            : place == Place::MariadbBytes ? u"binary(16)"_s
                                           : u"text"_s));
    return url;
}

} // namespace

class TestDedupStore : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase()
    {
        OUTBOX_START_DATABASES(databases);
        OUTBOX_START_SERVER(QueueStart{redis});
    }

    void whatWasAddedIsFound_data()
    {
        QTest::addColumn<int>("place");
        QTest::newRow("PostgreSQL") << int(Place::Postgres);
        QTest::newRow("PostgreSQL, uuid") << int(Place::PostgresUuid);
        QTest::newRow("SQLite") << int(Place::Sqlite);
        QTest::newRow("MariaDB") << int(Place::Mariadb);
        QTest::newRow("MariaDB, bytes") << int(Place::MariadbBytes);
        QTest::newRow("Redis") << int(Place::Redis);
    }
    void whatWasAddedIsFound()
    {
        QFETCH(const int, place);
        const DatabaseUrl url = tableFor(static_cast<Place>(place));
        const auto store = openStore(static_cast<Place>(place), StoreAccess::Relay, url);
        QVERIFY(store);
        QVERIFY2(store->trust().holds, qPrintable(store->trust().words));
        const QString one = u"0f0e0d0c-0b0a-0908-0706-050403020100"_s;
        const QString two = u"1f0e0d0c-0b0a-0908-0706-050403020100"_s;
        QCOMPARE(store->have({one, two}).value(), QSet<QString>());
        QVERIFY_RESULT(store->add(one));
        QVERIFY_RESULT(store->add(one));
        QCOMPARE(store->have({one, two, u"no uuid"_s}).value(), QSet<QString>{one});
        QVERIFY(store->have({}).value().isEmpty());
        // Whoever writes a uuid in capitals means the same one; of texts they are two.
        const bool isUuid = place == int(Place::PostgresUuid) || place == int(Place::MariadbBytes);
        QCOMPARE(store->have({one.toUpper()}).value(),
                 isUuid ? QSet<QString>{one.toUpper()} : QSet<QString>());

        const auto looking = openStore(static_cast<Place>(place), StoreAccess::ReadOnly, url);
        QVERIFY(looking);
        QCOMPARE(looking->have({one, two}).value(), QSet<QString>{one});
        QCOMPARE(looking->add(two).error().kind, Error::Kind::Refused);
    }

    void aRecordLastsAsLongAsItIsTold()
    {
        DedupKeys keys;
        QVERIFY_RESULT(
            keys.open(endpoint(), RedisConnection::Access::Act, u"test"_s, {"short:", 86'400'000}));
        QVERIFY_RESULT(keys.add(u"m"_s));
        RedisConnection side;
        QVERIFY_RESULT(openByHand(side, redis));
        const qint64 left = numberOf(side, {"PTTL", "short:m"});
        QVERIFY(left > 80'000'000 && left <= 86'400'000);
        QVERIFY_RESULT(side.command({"PEXPIRE", "short:m", "0"}, u"expiring"_s));
        QVERIFY(keys.have({u"m"_s}).value().isEmpty());
    }

    void aRedisThatMayEvictIsNotReliedOn()
    {
        RedisConnection side;
        QVERIFY_RESULT(openByHand(side, redis));
        QVERIFY_RESULT(
            side.command({"CONFIG", "SET", "maxmemory-policy", "volatile-lru"}, u"setting"_s));
        DedupKeys keys;
        QVERIFY_RESULT(
            keys.open(endpoint(), RedisConnection::Access::ReadOnly, u"test"_s, {"done:", 1000}));
        QVERIFY(!keys.trust().holds);
        QVERIFY(keys.trust().words.contains(u"volatile-lru"_s));
        QVERIFY_RESULT(
            keys.open(endpoint(), RedisConnection::Access::ReadOnly, u"test"_s, {"done:", 0}));
        QVERIFY(keys.trust().holds); // such keys are never evicted
        QVERIFY_RESULT(
            side.command({"CONFIG", "SET", "maxmemory-policy", "noeviction"}, u"setting"_s));
    }

    /// An id that the key takes for another one would be done without ever having been.
    void anIdOfAnotherCaseIsNotTakenForThisOne()
    {
        const DatabaseUrl url = tableFor(Place::Mariadb);
        const auto store = openStore(Place::Mariadb, StoreAccess::Relay, url);
        QVERIFY(store);
        QVERIFY_RESULT(store->add(u"m"_s));
        QVERIFY(!store->have({u"M"_s}).value().contains(u"M"_s));
        QCOMPARE(store->add(u"M"_s).error().kind, Error::Kind::Constraint);
    }

    void aMariadbThatForgetsIsNotReliedOn()
    {
        const DatabaseUrl url = tableFor(Place::Mariadb);
        SideSession side(url);
        const auto trustUnder = [&](const QString &setting, const QString &value) {
            const QString before = side.one(u"SELECT @@GLOBAL."_s + setting);
            side.run(u"SET GLOBAL %1 = %2"_s.arg(setting, value));
            const auto store = openStore(Place::Mariadb, StoreAccess::ReadOnly, url);
            side.run(u"SET GLOBAL %1 = %2"_s.arg(setting, before));
            return store ? store->trust() : StoreDurability{};
        };
        const QString flush = u"innodb_flush_log_at_trx_commit"_s;
        QVERIFY(trustUnder(flush, u"1"_s).holds);
        const StoreDurability late = trustUnder(flush, u"2"_s);
        QVERIFY(late.holds && late.words.contains(u"host"_s));
        QVERIFY(!trustUnder(flush, u"0"_s).holds);
        const StoreDurability replica = trustUnder(u"read_only"_s, u"1"_s);
        QVERIFY(!replica.holds && replica.words.contains(u"replica"_s));
    }

    void wrongNamesAreRefused()
    {
        const DatabaseUrl url = tableFor(Place::Postgres);
        DedupTable table;
        DoneTable names;
        names.table = TableName::fromText(u"gone"_s);
        QCOMPARE(table.open(settingsFor(url, StoreAccess::ReadOnly), names).error().kind,
                 Error::Kind::Invalid);
        names.table = TableName::fromText(u"done"_s);
        names.timeColumn = u"when"_s;
        QCOMPARE(table.open(settingsFor(url, StoreAccess::ReadOnly), names).error().kind,
                 Error::Kind::Invalid);
    }
};

} // namespace tst_dedupstore

OUTBOX_TEST(tst_dedupstore::TestDedupStore)
#include "tst_dedupstore.moc"
