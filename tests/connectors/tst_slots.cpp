// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where a key of a Redis Cluster lies, by values that are known; tst_cluster asks a server.
#include "connectors/asynq/wire/keys.h"
#include "connectors/redis/cluster/slots.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_slots {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestSlots : public QObject
{
    Q_OBJECT

private slots:
    void theSumIsTheOneThatIsMeant()
    {
        QCOMPARE(crc16("123456789"), quint16{0x31C3});
        QCOMPARE(crc16(""), quint16{0});
    }

    void theSlotOfAKeyIsKnown_data()
    {
        QTest::addColumn<QByteArray>("key");
        QTest::addColumn<QByteArray>("part");
        QTest::addColumn<int>("slot");
        QTest::newRow("queues") << QByteArray("asynq:queues") << QByteArray("asynq:queues") << 3477;
        QTest::newRow("servers") << QByteArray("asynq:servers") << QByteArray("asynq:servers")
                                 << 15197;
        QTest::newRow("workers") << QByteArray("asynq:workers") << QByteArray("asynq:workers")
                                 << 7864;
        QTest::newRow("schedulers")
            << QByteArray("asynq:schedulers") << QByteArray("asynq:schedulers") << 4669;
        QTest::newRow("a tag") << QByteArray("asynq:{default}:t:1") << QByteArray("default")
                               << 5718;
        QTest::newRow("empty braces")
            << QByteArray("foo{}{bar}") << QByteArray("foo{}{bar}") << 8363;
        QTest::newRow("two braces") << QByteArray("foo{{bar}}zap") << QByteArray("{bar") << 4015;
        QTest::newRow("two tags") << QByteArray("foo{bar}{zap}") << QByteArray("bar") << 5061;
        QTest::newRow("no end") << QByteArray("{bar") << QByteArray("{bar") << 4015;
        QTest::newRow("an end before") << QByteArray("}{a}") << QByteArray("a") << 15495;
        QTest::newRow("no key") << QByteArray() << QByteArray() << 0;
    }

    void theSlotOfAKeyIsKnown()
    {
        QFETCH(QByteArray, key);
        QFETCH(QByteArray, part);
        QFETCH(int, slot);
        QCOMPARE(hashedPart(key).toByteArray(), part);
        QCOMPARE(slotOf(key), slot);
    }

    /// What one script touches has to be in one slot.
    void theKeysOfAQueueShareASlot()
    {
        for (const QString &name : {u"default"_s, u"q:1"_s, u"käse"_s}) {
            const asynq::QueueKeys keys(QueueName{name});
            const int slot = slotOf(name.toUtf8());
            for (const QByteArray &key :
                 {keys.pending(), keys.task(QByteArray("{other}")), keys.fence(), keys.groups(),
                  keys.group("{g}"), QByteArray(keys.lockPrefix() + "{x}")})
                QCOMPARE(slotOf(key), slot);
        }
    }
};

} // namespace tst_slots

OUTBOX_TEST(tst_slots::TestSlots)
#include "tst_slots.moc"
