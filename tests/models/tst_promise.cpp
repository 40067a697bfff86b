// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is promised from the servers' settings, and where a relay must not start at all.
#include "models/health/promise.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_promise {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

RedisFacts sound()
{
    RedisFacts facts;
    facts.role = u"master"_s;
    facts.maxMemoryPolicy = u"noeviction"_s;
    facts.aofEnabled = true;
    facts.aofLastWriteStatus = u"ok"_s;
    facts.rdbLastSaveStatus = u"ok"_s;
    return facts;
}

} // namespace

class TestPromise : public QObject
{
    Q_OBJECT

private slots:
    void promisesNoMoreThanTheSettingsAllow_data()
    {
        QTest::addColumn<RedisFacts>("facts");
        QTest::addColumn<DurabilityTerms>("terms");
        QTest::addColumn<QString>("line");
        const RedisFacts aof = sound();
        RedisFacts rdb = aof;
        rdb.aofEnabled = false;
        RedisFacts replicated = aof;
        replicated.connectedReplicas = 1;
        RedisFacts evicting = aof;
        evicting.maxMemoryPolicy = u"allkeys-lru"_s;
        evicting.maxMemory = 1;
        QTest::newRow("append-only file")
            << aof << DurabilityTerms()
            << u"No loss if the Redis process dies; up to about 2 s of acknowledged "
               "messages if its host dies."_s;
        QTest::newRow("always") << aof << DurabilityTerms{false, 0, u"always"_s}
                                << u"No loss if the Redis process or its host dies."_s;
        QTest::newRow("snapshots only")
            << rdb << DurabilityTerms{true, 0, {}}
            << u"No append-only file: what Redis took since its last snapshot is lost when its "
               u"process "
               "dies; delivered rows are kept, so a loss can be found and repaired."_s;
        QTest::newRow("replica, no wait")
            << replicated << DurabilityTerms()
            << u"No loss if the Redis process dies; up to about 2 s of acknowledged messages if "
               u"its "
               "host dies; a failover may lose any number (no WAIT)."_s;
        QTest::newRow("wait")
            << replicated << DurabilityTerms{false, 1, {}}
            << u"No loss if the Redis process dies; up to about 2 s of acknowledged messages if "
               u"its host dies; each batch waits for one replica."_s;
        DurabilityTerms onDisk;
        onDisk.waitAof = true;
        QTest::newRow("disk") << aof << onDisk
                              << u"No loss if the Redis process or its host dies and comes back "
                                 u"with its disk (each batch is there before its rows are given "
                                 u"up)."_s;
        onDisk.appendFsync = u"no"_s;
        QTest::newRow("disk, replica, no wait")
            << replicated << onDisk
            << u"No loss if the Redis process or its host dies and comes back with its disk (each "
               u"batch is there before its rows are given up); a failover may lose any number (no "
               u"WAIT)."_s;
        QTest::newRow("disk, snapshots only")
            << rdb << onDisk
            << u"No append-only file: what Redis took since its last snapshot is lost when its "
               u"process dies."_s;
        QTest::newRow("barrier") << aof << DurabilityTerms{false, 0, u"always"_s, true}
                                 << u"No loss if the Redis process or its host dies; no row is "
                                    u"sent before it is on the database's disk."_s;
        QTest::newRow("no barrier")
            << aof << DurabilityTerms{false, 0, u"always"_s, false}
            << u"No loss if the Redis process or its host dies; a row that its writer committed "
               u"asynchronously may be sent and then be undone by a crash of the database (no "
               u"barrier)."_s;
        QTest::newRow("eviction") << evicting << DurabilityTerms()
                                  << u"Nothing is promised: Redis may evict queued messages "
                                     "(allkeys-lru)."_s;
    }

    void promisesNoMoreThanTheSettingsAllow()
    {
        QFETCH(RedisFacts, facts);
        QFETCH(DurabilityTerms, terms);
        QFETCH(QString, line);
        QCOMPARE(promise(facts, terms), line);
    }

    void aRelayMustNotStartWhereTasksMayVanish_data()
    {
        QTest::addColumn<QString>("policy");
        QTest::addColumn<bool>("may");
        QTest::newRow("noeviction") << u"noeviction"_s << true;
        QTest::newRow("volatile") << u"volatile-lru"_s << true;
        QTest::newRow("allkeys") << u"allkeys-lfu"_s << false;
        QTest::newRow("not told") << QString() << false;
    }

    void aRelayMustNotStartWhereTasksMayVanish()
    {
        QFETCH(QString, policy);
        QFETCH(bool, may);
        RedisFacts facts = sound();
        facts.maxMemoryPolicy = policy;
        QCOMPARE(whyRelayMustNotStart(facts).isEmpty(), may);
        facts.mode = u"cluster"_s;
        QCOMPARE(whyRelayMustNotUseNode(facts).isEmpty(), may);
        facts.role = u"slave"_s;
        QVERIFY(!whyRelayMustNotUseNode(facts).isEmpty());
        facts.mode = u"standalone"_s;
        QVERIFY(!whyRelayMustNotStart(facts).isEmpty());
    }

    void whoCannotTellOfItsDiskIsNotAsked()
    {
        RedisFacts facts = sound();
        QVERIFY(whyNoWaitForDisk(facts).isEmpty()); // no version is known
        facts.version = u"7.0.15"_s;
        QVERIFY(whyNoWaitForDisk(facts).contains(u"7.2"_s));
        facts.version = u"7.2.4"_s;
        QVERIFY(whyNoWaitForDisk(facts).isEmpty());
        facts.valkeyVersion = u"7.2.9"_s;
        QVERIFY(whyDiskIsMistold(facts).isEmpty());
        facts.valkeyVersion = u"8.0.1"_s; // of Redis it says 7.2.4 still
        QVERIFY(whyDiskIsMistold(facts).startsWith(u"Valkey 8.0.1 "_s));
        QCOMPARE(whyNoWaitForDisk(facts), whyDiskIsMistold(facts));
        facts.valkeyVersion.clear();
        facts.version = u"7.4.2"_s;
        QVERIFY(whyDiskIsMistold(facts).startsWith(u"Redis 7.4.2 "_s));
        facts.version = u"8.0.0"_s;
        QVERIFY(whyNoWaitForDisk(facts).isEmpty());
        facts.aofEnabled = false;
        QVERIFY(whyNoWaitForDisk(facts).contains(u"append-only"_s));
    }

    /// Half of a cluster, or no cluster at all, is no place for tasks, whatever is overridden.
    void aServerIsOnlyUsedAsWhatItIs()
    {
        RedisFacts facts = sound();
        facts.mode = u"standalone"_s;
        QVERIFY(whyNoRelayCan(facts).isEmpty());
        QVERIFY(!whyNoRelayCanOverNode(facts).isEmpty());
        QVERIFY(!whyRelayMustNotUseNode(facts).isEmpty());
        facts.mode = u"cluster"_s;
        QVERIFY(!whyNoRelayCan(facts).isEmpty());
        QVERIFY(!whyRelayMustNotStart(facts).isEmpty());
        QVERIFY(whyNoRelayCanOverNode(facts).isEmpty());
    }
};

} // namespace tst_promise

OUTBOX_TEST(tst_promise::TestPromise)
#include "tst_promise.moc"
