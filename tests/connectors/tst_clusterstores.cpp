// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Dedup records and tokens over three nodes of a real Redis Cluster, while a slot moves or a node
// is away: what is not seen is never called absent, and a token goes with its attempt or not at
// all.
#include "connectors/redis/cluster/slots.h"
#include "connectors/redis/documents/dedupkeys.h"
#include "connectors/redis/documents/tokenset.h"
#include "tests/support/clusterworld.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_clusterstores {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const DoneKeys records{"done:", 0};

QByteArray keyOf(const QString &id)
{
    return records.prefix + id.toUtf8();
}

/// An id whose record lies at this node.
QString idAt(const ClusterWorld &world, int node, const QString &name)
{
    return QString::fromUtf8(world.keyAt(node, keyOf(name)).mid(records.prefix.size()));
}

/// A set of tokens at this node, with the attempts in the same slot.
DoneKeys setAt(const ClusterWorld &world, int node)
{
    const QByteArray name = '{' + world.keyAt(node, "tokens") + '}'; // of the same slot
    return {name, 0};
}

Token tokenOf(const QString &id)
{
    return {id, u"attempt"_s, u"m"_s, {}};
}

} // namespace

class TestClusterStores : public QObject
{
    Q_OBJECT

    ClusterWorld m_world;
    RedisEndpoint m_endpoint;

    template <typename Store> [[nodiscard]] Result<void> open(Store &store, const DoneKeys &keys)
    {
        return store.open(m_endpoint, RedisConnection::Access::Act, u"test"_s, keys);
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_world, 3);
        m_endpoint = RedisEndpoint::fromUrl(m_world.url()).value();
    }

    void init()
    {
        for (int node = 0; node < m_world.primaries(); ++node)
            QVERIFY_RESULT(m_world.hand(node).command({"FLUSHALL"}, u"clearing"_s));
    }

    void recordsOfAllNodesAreFound()
    {
        DedupKeys store;
        QVERIFY_RESULT(open(store, records));
        QVERIFY2(store.trust().holds && store.trust().words.contains(u"Cluster"_s),
                 qPrintable(store.trust().words));
        QStringList ids;
        for (int node = 0; node < m_world.primaries(); ++node) {
            ids += idAt(m_world, node, u"a"_s);
            QVERIFY_RESULT(store.add(ids.constLast()));
            QCOMPARE(m_world.number({"EXISTS", keyOf(ids.constLast())}), 1);
        }
        const QSet<QString> all(ids.cbegin(), ids.cend());
        for (int node = 0; node < m_world.primaries(); ++node)
            ids += idAt(m_world, node, u"absent"_s);
        QCOMPARE(store.have(ids).value(), all);
        DedupKeys looking;
        QVERIFY_RESULT(
            looking.open(m_endpoint, RedisConnection::Access::ReadOnly, u"test"_s, records));
        QCOMPARE(looking.have(ids).value(), all);
    }

    void aRecordThatIsOnItsWayIsNotCalledAbsent()
    {
        DedupKeys store;
        QVERIFY_RESULT(open(store, records));
        const QString moving = idAt(m_world, 0, u"moving"_s);
        const QString still = idAt(m_world, 1, u"still"_s);
        QVERIFY_RESULT(store.add(moving));
        QVERIFY_RESULT(store.add(still));
        QVERIFY_RESULT(m_world.beginMove(slotOf(keyOf(moving)), 2));
        QCOMPARE(store.have({moving, still}).value(), (QSet<QString>{moving, still}));
        QCOMPARE(m_world.moveKeys(1000).value_or(-1), 0); // it has arrived, the slot has not

        const auto asked = store.have({moving, still});
        QVERIFY(!asked);
        QCOMPARE(asked.error().kind, Error::Kind::Unreachable);
        QVERIFY(!store.add(moving));
        QCOMPARE(store.have({still}).value(), QSet<QString>{still});

        QVERIFY_RESULT(m_world.endMove());
        QCOMPARE(store.have({moving, still}).value(), (QSet<QString>{moving, still}));
        QVERIFY_RESULT(store.add(moving));
    }

    void whileTheirSlotMovesTokensAreWholeOrUntouched_data()
    {
        QTest::addColumn<int>("arrived");
        QTest::newRow("one of the keys") << 1;
        QTest::newRow("both keys") << 1000;
    }
    void whileTheirSlotMovesTokensAreWholeOrUntouched()
    {
        QFETCH(const int, arrived);
        const DoneKeys keys = setAt(m_world, 0);
        const QByteArray attempts = keys.prefix + ":attempts";
        TokenSet store;
        QVERIFY_RESULT(open(store, keys));
        QVERIFY_RESULT(store.create({tokenOf(u"t-1"_s), tokenOf(u"t-2"_s)}));
        QVERIFY_RESULT(m_world.beginMove(slotOf(keys.prefix), 1));
        QVERIFY_RESULT(m_world.moveKeys(arrived));

        QVERIFY(!store.consume(u"t-1"_s));
        QVERIFY(!store.create({tokenOf(u"t-3"_s)}));
        const auto seen = store.have({u"t-1"_s}); // the set may be the key that is here still
        QVERIFY(!seen || seen->contains(u"t-1"_s));
        QVERIFY(!seen || arrived == 1);

        QVERIFY_RESULT(m_world.finishMove());
        QCOMPARE(m_world.number({"SCARD", keys.prefix}), 2);
        QCOMPARE(m_world.number({"HLEN", attempts}), 2);
        QCOMPARE(store.consume(u"t-1"_s).value(), true); // at the other node, by its MOVED
        QCOMPARE(store.consume(u"t-1"_s).value(), false);
        QCOMPARE(m_world.number({"SCARD", keys.prefix}), 1);
        QCOMPARE(m_world.number({"HLEN", attempts}), 1);
    }

    /// A cursor of one node would pass over tokens at another one.
    void pagesOfTwoNodesAreNoList()
    {
        constexpr int many = 2000;
        const DoneKeys keys = setAt(m_world, 0);
        TokenSet store;
        QVERIFY_RESULT(open(store, keys));
        QList<Token> made;
        for (int i = 0; i < many; ++i)
            made += tokenOf(u"t-%1"_s.arg(i));
        QVERIFY_RESULT(store.create(made));
        QString cursor;
        QVERIFY_RESULT(store.page(cursor, 100));
        QVERIFY(!cursor.isEmpty());
        QVERIFY_RESULT(m_world.beginMove(slotOf(keys.prefix), 2));
        QVERIFY_RESULT(m_world.finishMove());
        const QString before = cursor;
        const auto next = store.page(cursor, 100);
        QVERIFY(!next);
        QCOMPARE(next.error().kind, Error::Kind::Unreachable);
        QCOMPARE(cursor, before);

        QSet<QString> seen;
        cursor.clear();
        do {
            const auto page = store.page(cursor, 100);
            QVERIFY_RESULT(page);
            for (const Token &token : *page)
                seen.insert(token.id);
        } while (!cursor.isEmpty());
        QCOMPARE(seen.size(), many);
    }

    /// A record may lie at any node, a token lies at one.
    void aNodeThatIsAwayConcernsWhatItHas()
    {
        ClusterWorld world;
        OUTBOX_START_SERVER(world, 3);
        const auto endpoint = RedisEndpoint::fromUrl(world.url()).value();
        const auto how = RedisConnection::Access::Act;
        DedupKeys store;
        QVERIFY_RESULT(store.open(endpoint, how, u"test"_s, records));
        const QString here = idAt(world, 0, u"here"_s);
        const QString there = idAt(world, 2, u"there"_s);
        QVERIFY_RESULT(store.add(here));
        QVERIFY_RESULT(store.add(there));
        world.server(2).kill();
        QVERIFY(!store.have({here, there}));
        QCOMPARE(store.have({here}).value(), QSet<QString>{here});
        QVERIFY(!store.add(there));

        DedupKeys again; // whether records at the third node last is not known
        QCOMPARE(again.open(endpoint, how, u"test"_s, records).error().kind,
                 Error::Kind::Unreachable);
        TokenSet tokens;
        QVERIFY_RESULT(tokens.open(endpoint, how, u"test"_s, setAt(world, 0)));
        QVERIFY_RESULT(tokens.create({tokenOf(u"t"_s)}));
        QCOMPARE(tokens.consume(u"t"_s).value(), true);
    }

    void aNodeThatMayEvictIsNamed()
    {
        QVERIFY_RESULT(m_world.hand(1).command({"CONFIG", "SET", "maxmemory-policy", "allkeys-lru"},
                                               u"setting"_s));
        DedupKeys store;
        const auto opened = open(store, records);
        TokenSet elsewhere;
        const auto other = open(elsewhere, setAt(m_world, 2));
        QVERIFY_RESULT(m_world.hand(1).command({"CONFIG", "SET", "maxmemory-policy", "noeviction"},
                                               u"setting"_s));
        QVERIFY_RESULT(opened);
        QVERIFY_RESULT(other);
        QVERIFY(!store.trust().holds);
        QVERIFY2(store.trust().words.startsWith(u"127.0.0.1:%1: "_s.arg(m_world.portOf(1))),
                 qPrintable(store.trust().words));
        QVERIFY(elsewhere.trust().holds);
    }
};

} // namespace tst_clusterstores

OUTBOX_TEST(tst_clusterstores::TestClusterStores)
#include "tst_clusterstores.moc"
