// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who has which slot of a Redis Cluster, from what its nodes say.
#include "connectors/redis/cluster/slotmap.h"
#include "connectors/redis/cluster/slots.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QMap>
#include <QTest>

namespace tst_slotmap {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const HostPort asked{u"seed"_s, 7000};

RedisReply number(qint64 value)
{
    return {RedisReply::Kind::Integer, value, {}, {}};
}

RedisReply bulk(const QByteArray &bytes)
{
    return {RedisReply::Kind::Bulk, 0, bytes, {}};
}

RedisReply array(const QList<RedisReply> &elements)
{
    return {RedisReply::Kind::Array, 0, {}, elements};
}

RedisReply node(const QByteArray &host, qint64 port)
{
    return array({bulk(host), number(port), bulk("id"), array({})});
}

RedisReply error(const QByteArray &text)
{
    return {RedisReply::Kind::Error, 0, text, {}};
}

/// Two primaries with 100 slots each, a replica beside the first, and a hole between them.
RedisReply twoNodes()
{
    return array({array({number(0), number(99), node("a", 7001), node("b", 7002)}),
                  array({number(200), number(299), node("c", 7003)})});
}

} // namespace

class TestSlotMap : public QObject
{
    Q_OBJECT

private slots:
    void aMapSaysWhoHasASlot()
    {
        const auto map = SlotMap::fromReply(twoNodes(), asked);
        QVERIFY_RESULT(map);
        const HostPort a{u"a"_s, 7001};
        const HostPort c{u"c"_s, 7003};
        QCOMPARE(map->ownerOf(0), std::optional(a));
        QCOMPARE(map->ownerOf(99), std::optional(a));
        QVERIFY(!map->ownerOf(100));
        QVERIFY(!map->ownerOf(199));
        QCOMPARE(map->ownerOf(200), std::optional(c));
        QVERIFY(!map->ownerOf(slotCount - 1));
        QCOMPARE(map->countWithoutOwner(), slotCount - 200);
        QCOMPARE(map->primaries(), (QList{a, c}));
        QCOMPARE(map->replicasOf(a), (QList{HostPort{u"b"_s, 7002}}));
        QVERIFY(map->replicasOf(c).isEmpty());
        QCOMPARE(SlotMap().countWithoutOwner(), slotCount);
    }

    void anEmptyHostIsTheOneThatWasAsked()
    {
        for (const QByteArray &host : {QByteArray(), QByteArray("?")}) {
            const auto map = SlotMap::fromReply(
                array({array({number(0), number(0), node(host, 7009)})}), asked);
            QVERIFY_RESULT(map);
            QCOMPARE(map->ownerOf(0), std::optional(HostPort{u"seed"_s, 7009}));
        }
    }

    void nonsenseIsNoMap()
    {
        const RedisReply a = node("a", 7001);
        const QMap<QByteArray, RedisReply> nonsense{
            {"no array", bulk("OK")},
            {"a range without a node", array({array({number(0), number(1)})})},
            {"no range", array({array({})})},
            {"a slot too many", array({array({number(0), number(slotCount), a})})},
            {"a slot below", array({array({number(-1), number(5), a})})},
            {"backwards", array({array({number(5), number(4), a})})},
            {"no port", array({array({number(0), number(4), node("a", 0)})})},
            {"a port too large", array({array({number(0), number(4), node("a", 70'000)})})},
            {"a replica of one word",
             array({array({number(0), number(4), a, array({bulk("b")})})})},
        };
        for (auto one = nonsense.cbegin(); one != nonsense.cend(); ++one) {
            const auto map = SlotMap::fromReply(*one, asked);
            QVERIFY2(!map, one.key().constData());
            QCOMPARE(map.error().kind, Error::Kind::Protocol);
        }
    }

    void aMoveIsTakenIn()
    {
        auto map = SlotMap::fromReply(twoNodes(), asked);
        QVERIFY_RESULT(map);
        const HostPort a{u"a"_s, 7001};
        const HostPort fresh{u"d"_s, 7004};
        map->patch(99, fresh);
        map->patch(150, a);
        QCOMPARE(map->ownerOf(99), std::optional(fresh));
        QCOMPARE(map->ownerOf(98), std::optional(a));
        QCOMPARE(map->ownerOf(150), std::optional(a));
        QVERIFY(map->replicasOf(fresh).isEmpty());
        QCOMPARE(map->primaries().size(), 3);
        map->forget(a);
        QVERIFY(!map->ownerOf(98));
        QVERIFY(!map->ownerOf(150));
        QCOMPARE(map->ownerOf(99), std::optional(fresh));
    }

    /// A server may name another node in each reply; the places of nodes are counted in 16 bits.
    void noServerMakesItGrowWithoutEnd()
    {
        SlotMap map;
        for (int port = 1; port <= 2000; ++port)
            map.patch(port, {u"10.0.0.1"_s, static_cast<quint16>(port)});
        QCOMPARE(map.primaries().size(), 1000);
        QVERIFY(map.ownerOf(1000));
        QVERIFY(!map.ownerOf(1001));
    }

    void theWordMovedIsRead_data()
    {
        QTest::addColumn<QByteArray>("word");
        QTest::addColumn<int>("slot"); ///< -1: it is none
        QTest::addColumn<QString>("host");
        QTest::addColumn<int>("port");
        QTest::newRow("plain") << QByteArray("MOVED 3999 127.0.0.1:6381") << 3999 << u"127.0.0.1"_s
                               << 6381;
        QTest::newRow("IPv6") << QByteArray("MOVED 3999 ::1:6381") << 3999 << u"::1"_s << 6381;
        QTest::newRow("no host") << QByteArray("MOVED 3999 :6381") << 3999 << u"seed"_s << 6381;
        QTest::newRow("unknown host")
            << QByteArray("MOVED 3999 ?:6381") << 3999 << u"seed"_s << 6381;
        QTest::newRow("ask") << QByteArray("ASK 3999 127.0.0.1:6381") << -1 << QString() << 0;
        QTest::newRow("no slot") << QByteArray("MOVED x 127.0.0.1:6381") << -1 << QString() << 0;
        QTest::newRow("no such slot")
            << QByteArray("MOVED 16384 127.0.0.1:6381") << -1 << QString() << 0;
        QTest::newRow("no port") << QByteArray("MOVED 1 127.0.0.1") << -1 << QString() << 0;
        QTest::newRow("no words") << QByteArray("MOVED") << -1 << QString() << 0;
    }

    void theWordMovedIsRead()
    {
        QFETCH(QByteArray, word);
        QFETCH(int, slot);
        QFETCH(QString, host);
        QFETCH(int, port);
        SlotMap map;
        QVERIFY(!map.follow(bulk(word), asked)); // a text, and no error
        QCOMPARE(map.follow(error(word), asked), slot >= 0);
        const int known = slot < 0 ? 0 : 1;
        QCOMPARE(map.countWithoutOwner(), slotCount - known);
        if (slot >= 0) {
            const HostPort owner{host, static_cast<quint16>(port)};
            QCOMPARE(map.ownerOf(slot), std::optional(owner));
        }
    }
};

} // namespace tst_slotmap

OUTBOX_TEST(tst_slotmap::TestSlotMap)
#include "tst_slotmap.moc"
