// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the nodes of a Redis Cluster are together: never better than the worst of them.
#include "connectors/asynq/observe/serverfacts.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_nodefacts {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestNodeFacts : public QObject
{
    Q_OBJECT

    static RedisFacts sound(const QString &runId)
    {
        RedisFacts facts;
        facts.version = u"7.0.15"_s;
        facts.role = u"master"_s;
        facts.mode = u"cluster"_s;
        facts.runId = runId;
        facts.dbSize = 10;
        facts.usedMemory = 100;
        facts.maxMemory = 1000;
        facts.maxMemoryPolicy = u"noeviction"_s;
        facts.aofEnabled = true;
        facts.aofLastWriteStatus = u"ok"_s;
        facts.rdbLastSaveStatus = u"ok"_s;
        facts.connectedReplicas = 0;
        facts.connectedClients = 3;
        facts.clockOffsetSeconds = 0.1;
        return facts;
    }

private slots:
    void oneServerIsItself()
    {
        QCOMPARE(asynq::ofAllNodes({sound(u"a"_s)}), sound(u"a"_s));
        QCOMPARE(asynq::ofAllNodes({}), RedisFacts());
    }

    void whatCanBeAddedIsAdded()
    {
        const RedisFacts all = asynq::ofAllNodes({sound(u"a"_s), sound(u"b"_s), sound(u"c"_s)});
        QCOMPARE(all.dbSize, 30);
        QCOMPARE(all.usedMemory, 300);
        QCOMPARE(all.maxMemory, 3000);
        QCOMPARE(all.connectedClients, 9);
        QCOMPARE(all.runId, u"a b c"_s);
        QCOMPARE(all.mode, u"cluster"_s);
        QVERIFY(all.aofEnabled);
    }

    /// Sums would say that there is room, and no limit at all where one node has none.
    void aNodeShortOfMemoryIsNoPartOfASum()
    {
        RedisFacts full = sound(u"b"_s);
        full.usedMemory = full.maxMemory;
        RedisFacts fuller = full;
        fuller.usedMemory = 1010;
        RedisFacts roomy = sound(u"c"_s);
        roomy.maxMemory = 0;
        const RedisFacts all = asynq::ofAllNodes({sound(u"a"_s), full, fuller, roomy});
        QCOMPARE(all.usedMemory, 1010);
        QCOMPARE(all.maxMemory, 1000);

        RedisFacts evicting = sound(u"d"_s);
        evicting.maxMemoryPolicy = u"allkeys-lru"_s;
        roomy.maxMemoryPolicy = u"volatile-ttl"_s;
        for (const QList<RedisFacts> &nodes :
             {QList{evicting, roomy, full}, QList{roomy, full, evicting}}) {
            const RedisFacts mixed = asynq::ofAllNodes(nodes);
            QCOMPARE(mixed.maxMemoryPolicy, u"allkeys-lru"_s);
            QCOMPARE(mixed.usedMemory, 100);
            QCOMPARE(mixed.maxMemory, 1000);
        }
    }

    void theWorstOfAnyNodeHoldsForAll()
    {
        RedisFacts bad = sound(u"b"_s);
        bad.role = u"slave"_s;
        bad.maxMemory = 0;
        bad.maxMemoryPolicy = u"allkeys-lru"_s;
        bad.aofEnabled = false;
        bad.aofLastWriteStatus = u"err"_s;
        bad.rdbLastSaveStatus = u"err"_s;
        bad.loading = true;
        bad.connectedReplicas = 1;
        bad.clockOffsetSeconds = -7;
        for (const QList<RedisFacts> &nodes :
             {QList{sound(u"a"_s), bad, sound(u"c"_s)}, QList{bad, sound(u"a"_s), sound(u"c"_s)}}) {
            const RedisFacts all = asynq::ofAllNodes(nodes);
            QCOMPARE(all.role, bad.role);
            QCOMPARE(all.maxMemory, 0); // one without a limit
            QCOMPARE(all.maxMemoryPolicy, bad.maxMemoryPolicy);
            QVERIFY(!all.aofEnabled);
            QCOMPARE(all.aofLastWriteStatus, bad.aofLastWriteStatus);
            QCOMPARE(all.rdbLastSaveStatus, bad.rdbLastSaveStatus);
            QVERIFY(all.loading);
            QCOMPARE(all.connectedReplicas, 1);
            QCOMPARE(all.clockOffsetSeconds, -7.0);
        }
    }
};

} // namespace tst_nodefacts

OUTBOX_TEST(tst_nodefacts::TestNodeFacts)
#include "tst_nodefacts.moc"
