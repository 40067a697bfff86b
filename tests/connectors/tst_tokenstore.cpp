// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stores of tokens, a table and a Redis set, over real servers: a token is consumed once, and its
// attempt comes and goes with it.
#include "connectors/redis/documents/tokenset.h"
#include "connectors/sql/documents/tokentable.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/queueserver.h"
#include "tests/support/redisqueue.h"
#include "tests/support/testprogram.h"

namespace tst_tokenstore {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

Databases databases;
PrivateRedis redis;

enum class Place { Postgres, Sqlite, Mariadb, Redis };

RedisEndpoint endpoint()
{
    return RedisEndpoint::fromUrl(queueUrlOf(redis)).value();
}

std::unique_ptr<TokenStore> openStore(Place place, StoreAccess access, const DatabaseUrl &url)
{
    if (place == Place::Redis) {
        auto set = std::make_unique<TokenSet>();
        const auto how = access == StoreAccess::ReadOnly ? RedisConnection::Access::ReadOnly
                                                         : RedisConnection::Access::Act;
        const auto opened = set->open(endpoint(), how, u"test"_s, {tokenSetName(), 0});
        return opened ? std::move(set) : nullptr;
    }
    auto table = std::make_unique<TokenTable>();
    DoneTable names;
    names.table = TableName::fromText(u"tokens"_s);
    names.timeColumn = u"at"_s;
    names.attemptColumn = u"attempt"_s;
    names.incomingColumn = u"incoming"_s;
    const auto opened = table->open(settingsFor(url, access), names);
    return opened ? std::move(table) : nullptr;
}

DatabaseUrl tableFor(Place place)
{
    if (place == Place::Redis)
        return {};
    const DatabaseUrl url
        = databases.fresh(place == Place::Sqlite        ? DatabaseUrl::Dialect::Sqlite
                              : place == Place::Mariadb ? DatabaseUrl::Dialect::MariaDb
                                                        : DatabaseUrl::Dialect::PostgreSql);
    SideSession(url).run(u"CREATE TABLE tokens (id text PRIMARY KEY, attempt text, incoming text,"
                         u" at timestamp)"_s);
    return url;
}

} // namespace

class TestTokenStore : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase()
    {
        OUTBOX_START_DATABASES(databases);
        OUTBOX_START_SERVER(QueueStart{redis});
    }

    void aTokenIsConsumedOnce_data()
    {
        QTest::addColumn<int>("place");
        QTest::newRow("PostgreSQL") << int(Place::Postgres);
        QTest::newRow("SQLite") << int(Place::Sqlite);
        QTest::newRow("MariaDB") << int(Place::Mariadb);
        QTest::newRow("Redis") << int(Place::Redis);
    }
    void aTokenIsConsumedOnce()
    {
        QFETCH(const int, place);
        const DatabaseUrl url = tableFor(static_cast<Place>(place));
        const auto store = openStore(static_cast<Place>(place), StoreAccess::Relay, url);
        QVERIFY(store);
        QVERIFY2(store->trust().holds, qPrintable(store->trust().words));
        QVERIFY_RESULT(store->create({}));
        const QDateTime now = QDateTime::currentDateTimeUtc();
        QVERIFY_RESULT(store->create(
            {{u"t-1"_s, u"a-1"_s, u"m-1"_s, now}, {u"t-2"_s, u"a-1"_s, u"m-1"_s, now}}));
        QCOMPARE(store->have({u"t-1"_s, u"t-2"_s, u"t-3"_s}).value(),
                 (QSet<QString>{u"t-1"_s, u"t-2"_s}));
        const auto rival = openStore(static_cast<Place>(place), StoreAccess::Act, url);
        QVERIFY(rival);
        QCOMPARE(rival->consume(u"t-1"_s).value(), true);
        QCOMPARE(store->consume(u"t-1"_s).value(), false);
        QCOMPARE(store->have({u"t-1"_s}).value(), QSet<QString>());
        QString cursor;
        const auto page = store->page(cursor, 100);
        QVERIFY_RESULT(page);
        QCOMPARE(page->size(), 1);
        QVERIFY(cursor.isEmpty());
        const Token left = page->first();
        QCOMPARE(left.id, u"t-2"_s);
        QCOMPARE(left.attempt, u"a-1"_s);
        QCOMPARE(left.incoming, u"m-1"_s);
        QVERIFY(left.made && qAbs(left.made->secsTo(now)) < 60);

        const auto looking = openStore(static_cast<Place>(place), StoreAccess::ReadOnly, url);
        QVERIFY(looking);
        QCOMPARE(looking->page(cursor, 1).value().size(), 1);
        QCOMPARE(looking->consume(u"t-2"_s).error().kind, Error::Kind::Refused);
        QCOMPARE(looking->create({left}).error().kind, Error::Kind::Refused);
        QCOMPARE(store->consume(u"t-2"_s).value(), true);
    }

    /// The usual collation of MariaDB takes these tokens for one.
    void aTokenOfAnotherCaseIsNotConsumed()
    {
        const DatabaseUrl url = tableFor(Place::Mariadb);
        const auto store = openStore(Place::Mariadb, StoreAccess::Relay, url);
        QVERIFY(store);
        QVERIFY_RESULT(store->create({{u"t"_s, u"a"_s, u"m"_s, {}}}));
        QCOMPARE(store->consume(u"T"_s).value(), false);
        QCOMPARE(store->consume(u"t "_s).value(), false);
        QCOMPARE(store->consume(u"t"_s).value(), true);
    }

    /// Of a Cluster a token and its attempt are written in one step where both lie in one slot.
    void aSetWithoutBracesIsOnlyLookedAtOverACluster()
    {
        const DoneKeys keys{"bare", 0};
        TokenSet set;
        const auto acting = set.open(endpoint(), RedisConnection::Access::Act, u"test"_s, keys);
        QCOMPARE(acting.has_value(), !isQueueOfCluster());
        if (!acting) {
            QCOMPARE(acting.error().kind, Error::Kind::Refused);
            QVERIFY2(acting.error().text.contains(u"bare:attempts in two slots"_s),
                     qPrintable(oneLine(acting.error())));
            QVERIFY2(acting.error().hint.contains(u"{bare}"_s),
                     qPrintable(oneLine(acting.error())));
        }
        RedisConnection hand;
        QVERIFY_RESULT(openByHand(hand, redis));
        QVERIFY_RESULT(hand.command({"SADD", "bare", "t"}, u"setting"_s));
        QVERIFY_RESULT(
            hand.command({"HSET", "bare:attempts", "t", "[\"a\",\"m\",0]"}, u"setting"_s));
        QVERIFY_RESULT(set.open(endpoint(), RedisConnection::Access::ReadOnly, u"test"_s, keys));
        QCOMPARE(set.have({u"t"_s, u"u"_s}).value(), QSet<QString>{u"t"_s});
        QString cursor;
        const auto page = set.page(cursor, 100);
        QVERIFY_RESULT(page);
        QCOMPARE(page->size(), 1);
        QCOMPARE(page->first().attempt, u"a"_s);
    }

    void pagesShowEveryToken_data() { aTokenIsConsumedOnce_data(); }
    void pagesShowEveryToken()
    {
        QFETCH(const int, place);
        const DatabaseUrl url = tableFor(static_cast<Place>(place));
        const auto store = openStore(static_cast<Place>(place), StoreAccess::Relay, url);
        QVERIFY(store);
        QList<Token> made;
        for (int i = 0; i < 700; ++i)
            made += Token{u"t-%1"_s.arg(i), u"a"_s, u"m"_s, {}};
        QVERIFY_RESULT(store->create(made));
        QSet<QString> seen;
        QString cursor;
        do {
            const auto page = store->page(cursor, 100);
            QVERIFY_RESULT(page);
            for (const Token &token : *page)
                seen.insert(token.id);
        } while (!cursor.isEmpty());
        QCOMPARE(seen.size(), 700);
    }
};

} // namespace tst_tokenstore

OUTBOX_TEST(tst_tokenstore::TestTokenStore)
#include "tst_tokenstore.moc"
