// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two messages compared from the command line: steps, fields, exact bytes, and an end that says
// what was not read.
#include "tests/support/ctlworld.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_ctlcompare {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

QJsonObject fieldIn(const QJsonObject &comparison, const QString &name)
{
    for (const QJsonValue &one : comparison.value("fields"_L1).toArray()) {
        if (one.toObject().value("name"_L1).toString() == name)
            return one.toObject();
    }
    return {};
}

} // namespace

class TestCtlCompare : public QObject, protected CtlWorld
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }
    void init() { QVERIFY(setUpWorld()); }
    void cleanup() { tearDownWorld(); }

    void twoMessagesAreCompared()
    {
        const QByteArray before = world();
        const CtlRun run = ctl({u"compare"_s, u"3"_s, u"4"_s, u"--json"_s});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        const QJsonObject both = run.last();
        QCOMPARE(both.value("a"_L1).toObject().value("id"_L1).toString(), u"3"_s);
        QCOMPARE(both.value("b"_L1).toObject().value("id"_L1).toString(), u"4"_s);
        QVERIFY(both.value("steps"_L1).isArray() && both.value("notes"_L1).toArray().isEmpty());
        QCOMPARE(fieldIn(both, u"task.state"_s).value("is"_L1).toString(), u"different"_s);
        QCOMPARE(fieldIn(both, u"row.there"_s).value("is"_L1).toString(), u"same"_s);
        const QJsonObject payload = both.value("payload"_L1).toObject();
        const bool isAlike
            = m_fixture->expectedPayload(u"3"_s) == m_fixture->expectedPayload(u"4"_s);
        QCOMPARE(payload.value("is"_L1).toString(), isAlike ? u"same"_s : u"different"_s);
        QCOMPARE(payload.value("a"_L1).toObject().value("bytes"_L1).toInteger(),
                 qint64(m_fixture->expectedPayload(u"3"_s).size()));
        const CtlRun text = ctl({u"compare"_s, u"3"_s, u"4"_s});
        QVERIFY2(text.out.contains("STEP") && text.out.contains("State of the task"),
                 text.out.constData());
        QCOMPARE(world(), before);
    }

    void aChangedByteIsFound()
    {
        QVERIFY(m_fixture->exec(u"update outbox set payload = (select payload from outbox where "
                                u"id = 5) where id = 6"_s));
        const auto payload = [this] {
            return ctl({u"compare"_s, u"5"_s, u"6"_s, u"--json"_s})
                .last()
                .value("payload"_L1)
                .toObject();
        };
        QCOMPARE(payload().value("is"_L1).toString(), u"same"_s);
        QVERIFY(payload().value("first_other"_L1).isNull());
        QVERIFY(m_fixture->exec(u"update outbox set payload = set_byte(payload, 7, "
                                u"get_byte(payload, 7) # 1) where id = 6"_s));
        QCOMPARE(payload().value("is"_L1).toString(), u"different"_s);
        QCOMPARE(payload().value("first_other"_L1).toInteger(-1), 7);
        QVERIFY(!payload().value("difference"_L1).toString().isEmpty());
    }

    /// The id of a task means its row, too.
    void oneMessageUnderTwoIdsIsTold()
    {
        const CtlRun run = ctl({u"compare"_s, u"3"_s, u"outbox:3"_s, u"--json"_s});
        QCOMPARE(run.exitCode, 0);
        QCOMPARE(run.last().value("notes"_L1).toArray().at(0).toString(),
                 u"Both ids are of the same message."_s);
    }

    void tasksWithoutRowsAreCompared()
    {
        const CtlRun run = ctl({u"compare"_s, u"t-retry"_s, u"t-completed"_s, u"--json"_s});
        QVERIFY2(run.exitCode == 0, run.err.constData());
        QCOMPARE(fieldIn(run.last(), u"task.state"_s).value("is"_L1).toString(), u"different"_s);
    }

    void whatIsNowhereIsNotFound()
    {
        const CtlRun run = ctl({u"compare"_s, u"3"_s, u"999"_s, u"--json"_s});
        QCOMPARE(run.exitCode, 3);
        QVERIFY(!run.last().value("b"_L1).toObject().value("found"_L1).toBool(true));
        QCOMPARE(run.last().value("payload"_L1).toObject().value("is"_L1).toString(),
                 u"not-known"_s);
    }

    /// With Redis away nothing of the tasks is told as alike, and the end says so.
    void aSourceThatFailsIsSaid()
    {
        QStringList away = parts();
        away[away.indexOf(u"--redis"_s) + 1] = u"redis+unix:///nowhere/redis.sock"_s;
        const CtlRun run = runCtl(QStringList{u"compare"_s, u"3"_s, u"4"_s, u"--json"_s} + away);
        QVERIFY(run.exitCode != 0);
        const QJsonObject both = run.objects().value(0);
        QCOMPARE(fieldIn(both, u"task.there"_s).value("is"_L1).toString(), u"not-known"_s);
        QVERIFY(both.value("notes"_L1).toArray().size() == 2);
    }

    void twoIdsAreNeeded_data()
    {
        QTest::addColumn<QStringList>("ids");
        QTest::newRow("none") << QStringList{};
        QTest::newRow("one") << QStringList{u"3"_s};
        QTest::newRow("three") << QStringList{u"3"_s, u"4"_s, u"5"_s};
        QTest::newRow("an empty one") << QStringList{u"3"_s, QString()};
    }
    void twoIdsAreNeeded()
    {
        QFETCH(QStringList, ids);
        QCOMPARE(ctl(QStringList{u"compare"_s} + ids).exitCode, 2);
    }
};

} // namespace tst_ctlcompare

OUTBOX_TEST(tst_ctlcompare::TestCtlCompare)
#include "tst_ctlcompare.moc"
