// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which of several queues a row goes to: the same one for ever, evenly, and few move when a queue
// is added.
#include "models/shape/outboxshape.h"
#include "models/system/shardsums.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <cmath>

namespace tst_queueshards {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// Texts as a generator of this test alone gives them: the same ones on each machine.
QList<QByteArray> sampleIds(int count)
{
    constexpr quint64 factor = 6'364'136'223'846'793'005;
    constexpr quint64 step = 1'442'695'040'888'963'407;
    QList<QByteArray> ids;
    ids.reserve(count);
    quint64 state = 1;
    for (int i = 0; i < count; ++i) {
        state = state * factor + step;
        ids += QByteArray::number(state, 16).rightJustified(16, '0');
    }
    return ids;
}

OutboxShape shapeWith(const QString &queue)
{
    OutboxShape shape;
    shape.queueShards = QueueShards::fromText(queue).value_or(QueueShards());
    return shape;
}

QJsonObject shapeJson(const QJsonValue &queue, const QJsonArray &also = {})
{
    QJsonObject json = QJsonDocument::fromJson(
                           R"({"shape":1,"name":"n","use":"relay","table":"outbox","task_id":"{id}",
                  "key":[{"column":"id","form":"uuid"}],"type":{"column":"type"},"order":["id"],
                  "payload":{"column":"payload","form":"json"},"order_is":"none",
                  "processed":{"how":"deleted"},"locked":{"how":"row"}})")
                           .object();
    json["queue"_L1] = queue;
    if (!also.isEmpty())
        json["also_task_ids"_L1] = also;
    return json;
}

} // namespace

class TestQueueShards : public QObject
{
    Q_OBJECT

private slots:
    /// What is stored under these numbers is looked for under them by every later version. The
    /// values are those of a program in another language.
    void aTextHasItsQueueForEver_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<quint64>("hash");
        QTest::addColumn<QList<int>>("shards"); ///< of 1, 2, 3, 8, 16, 100 and 1,024
        QTest::newRow("nothing") << QString() << quint64{0xcbf29ce484222325}
                                 << QList<int>{0, 1, 1, 1, 13, 90, 266};
        QTest::newRow("a letter") << u"a"_s << quint64{0xaf63dc4c8601ec8c}
                                  << QList<int>{0, 1, 2, 2, 12, 31, 163};
        QTest::newRow("a word") << u"foobar"_s << quint64{0x85944171f73967e8}
                                << QList<int>{0, 1, 1, 5, 5, 33, 635};
        QTest::newRow("a uuid") << u"6f1c2d3e-0000-4000-8000-000000000001"_s
                                << quint64{0x6375d059d2c8d9e4}
                                << QList<int>{0, 0, 0, 4, 4, 22, 998};
        QTest::newRow("a number") << u"k7f3q2ab:42:gqll7vatq8"_s << quint64{0x49bce297a0263b03}
                                  << QList<int>{0, 1, 2, 6, 10, 53, 831};
        QTest::newRow("beyond ASCII")
            << u"Zürich"_s << quint64{0xef841596f67fdc0} << QList<int>{0, 1, 1, 1, 13, 13, 979};
    }
    void aTextHasItsQueueForEver()
    {
        QFETCH(QString, text);
        QFETCH(quint64, hash);
        QFETCH(QList<int>, shards);
        QCOMPARE(shardHash(text.toUtf8()), hash);
        QList<int> found;
        for (const int count : {1, 2, 3, 8, 16, 100, 1024})
            found += shardOf(hash, count);
        QCOMPARE(found, shards);
    }

    void idsAreSharedOutEvenly_data()
    {
        QTest::addColumn<int>("shards");
        for (const int shards : {2, 3, 8, 16, 64, 1000, 1024})
            QTest::addRow("%d", shards) << shards;
    }
    void idsAreSharedOutEvenly()
    {
        QFETCH(int, shards);
        constexpr int count = 100'000;
        QList<int> rows(shards, 0);
        for (const QByteArray &id : sampleIds(count))
            ++rows[shardOf(shardHash(id), shards)];
        const double expected = double(count) / shards;
        double chiSquare = 0;
        for (const int one : std::as_const(rows))
            chiSquare += (one - expected) * (one - expected) / expected;
        const double freedom = shards - 1;
        QVERIFY2(chiSquare < freedom + 5 * std::sqrt(2 * freedom),
                 qPrintable(QString::number(chiSquare)));
    }

    void oneQueueMoreTakesItsShareAndMovesNothingElse_data()
    {
        QTest::addColumn<int>("shards");
        for (const int shards : {1, 2, 7, 8, 16, 100})
            QTest::addRow("%d", shards) << shards;
    }
    void oneQueueMoreTakesItsShareAndMovesNothingElse()
    {
        QFETCH(int, shards);
        constexpr int count = 20'000;
        int moved = 0;
        for (const QByteArray &id : sampleIds(count)) {
            const quint64 hash = shardHash(id);
            const int before = shardOf(hash, shards);
            const int after = shardOf(hash, shards + 1);
            if (before == after)
                continue;
            QCOMPARE(after, shards);
            ++moved;
        }
        const double expected = double(count) / (shards + 1);
        QVERIFY2(std::abs(moved - expected) < 5 * std::sqrt(expected),
                 qPrintable(QString::number(moved)));
    }

    void aTemplateIsReadAsItIsWritten_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QueueShards>("shards");
        QTest::newRow("by the task id")
            << u"mail-{shard:16}"_s << QueueShards{u"mail-"_s, {}, 16, {}};
        QTest::newRow("something behind")
            << u"mail-{shard:1024}-eu"_s << QueueShards{u"mail-"_s, u"-eu"_s, 1024, {}};
        QTest::newRow("one") << u"{shard:1}"_s << QueueShards{{}, {}, 1, {}};
        QTest::newRow("by a column")
            << u"m{shard:8 by:customer}"_s << QueueShards{u"m"_s, {}, 8, u"customer"_s};
        QTest::newRow("by a column with a blank in its name")
            << u"m{shard:8 by:The Customer}"_s << QueueShards{u"m"_s, {}, 8, u"The Customer"_s};
    }
    void aTemplateIsReadAsItIsWritten()
    {
        QFETCH(QString, text);
        QFETCH(QueueShards, shards);
        const auto read = QueueShards::fromText(text);
        QVERIFY_RESULT(read);
        QVERIFY(*read == shards);
        QCOMPARE(read->text(), text);
        QVERIFY(read->contains(read->name(0)));
        QVERIFY(read->contains(read->name(shards.count - 1)));
        QVERIFY(!read->contains(read->name(shards.count)));
        QVERIFY(!read->contains(read->name(0) + u'0'));
        const auto shape = OutboxShape::fromJson(shapeJson(text));
        QVERIFY_RESULT(shape);
        QVERIFY(shape->hasShards());
        QCOMPARE(shape->toJson().value("queue"_L1).toString(), text);
        QCOMPARE(shape->columns().contains(shards.byColumn), !shards.byColumn.isEmpty());
    }

    void aBadTemplateIsRefusedWithItsFault_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("word"); ///< of the error
        const QString noPart = u"its braces hold no {shard:N}"_s;
        const QString noNumber = u"is no number of queues from 1 to 1024"_s;
        QTest::newRow("another word") << u"mail-{shrd:4}"_s << noPart;
        QTest::newRow("no number") << u"mail-{shard}"_s << noPart;
        QTest::newRow("an open brace") << u"mail-{shard:4"_s << noPart;
        QTest::newRow("a closing brace") << u"mail-}4"_s << noPart;
        QTest::newRow("another brace first") << u"{x}mail-{shard:4}"_s << noPart;
        QTest::newRow("another word behind") << u"mail-{shard:4 of:customer}"_s << noPart;
        QTest::newRow("two blanks") << u"mail-{shard:4  by:customer}"_s << noPart;
        QTest::newRow("twice") << u"mail-{shard:4}-{shard:4}"_s << u"more than one pair"_s;
        QTest::newRow("a brace too many") << u"mail-{shard:4}}"_s << u"more than one pair"_s;
        QTest::newRow("none") << u"mail-{shard:0}"_s << noNumber;
        QTest::newRow("too many") << u"mail-{shard:1025}"_s << noNumber;
        QTest::newRow("far too many") << u"mail-{shard:99999999999999999999}"_s << noNumber;
        QTest::newRow("negative") << u"mail-{shard:-4}"_s << noNumber;
        QTest::newRow("a zero in front") << u"mail-{shard:04}"_s << noNumber;
        QTest::newRow("a word for the number") << u"mail-{shard:four}"_s << noNumber;
        QTest::newRow("nothing for the number") << u"mail-{shard:}"_s << noNumber;
        QTest::newRow("no column") << u"mail-{shard:4 by:}"_s << u"no column behind"_s;
        QTest::newRow("a blank column") << u"mail-{shard:4 by: }"_s << u"no column behind"_s;
    }
    void aBadTemplateIsRefusedWithItsFault()
    {
        QFETCH(QString, text);
        QFETCH(QString, word);
        const auto shape = OutboxShape::fromJson(shapeJson(text));
        QVERIFY(!shape);
        QCOMPARE(shape.error().kind, Error::Kind::Invalid);
        QVERIFY2(shape.error().text.contains(word), qPrintable(shape.error().text));
        QVERIFY(shape.error().text.contains(text));
        QVERIFY(shape.error().hint.contains(u"mail-{shard:16}"_s));
    }

    /// A column may have any name, and then it is no template.
    void aColumnWithBracesIsNamedAsAnObject()
    {
        const QJsonObject column{{u"column"_s, u"mail-{shard:4}"_s}};
        const auto shape = OutboxShape::fromJson(shapeJson(column));
        QVERIFY_RESULT(shape);
        QVERIFY(!shape->hasShards());
        QCOMPARE(shape->queueTextColumn(), u"mail-{shard:4}"_s);
        QCOMPARE(shape->toJson().value("queue"_L1).toObject(), column);
        const auto again = OutboxShape::fromJson(shape->toJson());
        QVERIFY_RESULT(again);
        QCOMPARE(*again, *shape);
    }

    void aRowGoesWhereItsDecidingTextSays()
    {
        const TaskId task{u"6f1c2d3e-0000-4000-8000-000000000001"_s};
        const OutboxShape byId = shapeWith(u"mail-{shard:8}"_s);
        QCOMPARE(byId.queueFor(task, {}), u"mail-4"_s);
        QCOMPARE(byId.queueFor(task, u"foobar"_s), u"mail-4"_s);
        QCOMPARE(byId.queueOfTask(task), u"mail-4"_s);
        QCOMPARE(byId.queueFor({}, {}), QString()); // the id cannot be told

        const OutboxShape byColumn = shapeWith(u"mail-{shard:8 by:customer}"_s);
        QCOMPARE(byColumn.queueFor(task, u"foobar"_s), u"mail-5"_s);
        QCOMPARE(byColumn.queueFor(task, {}), u"mail-1"_s);
        QCOMPARE(byColumn.queueOfTask(task), QString()); // the row alone tells

        OutboxShape named = byId;
        named.queueColumn = u"queue"_s; // as the mapping editor sets it
        QCOMPARE(named.queueFor(task, u"critical"_s), u"critical"_s);
        QCOMPARE(named.queueFor(task, {}), QString());
        QCOMPARE(named.queueOfTask(task), QString());
    }

    void shardsAreToldAsOneQueue()
    {
        const QueueShards shards
            = QueueShards::fromText(u"mail-{shard:4}"_s).value_or(QueueShards());
        QList<QueueSnapshot> queues;
        for (const QString &name :
             {u"default"_s, u"mail-0"_s, u"mail-1"_s, u"mail-3"_s, u"mail-4"_s}) {
            QueueSnapshot queue;
            queue.name.text = name;
            queue.pending = 10 + queues.size();
            queue.aggregating = 1;
            queue.servers = 5 - int(queues.size());
            if (queues.size() == 2)
                queue.oldestPendingSeconds = 7;
            queue.paused = queues.size() == 3;
            queues += queue;
        }
        QCOMPARE(withSummedShards(queues, QueueShards()), queues);
        const QList<QueueSnapshot> told = withSummedShards(queues, shards);
        QCOMPARE(told.size(), 3);
        QCOMPARE(told.at(1), queues.first());
        QCOMPARE(told.at(2), queues.last()); // no shard: they are 0 to 3
        const QueueSnapshot &sum = told.first();
        QCOMPARE(sum.name.text, u"mail-{shard:4}"_s);
        QCOMPARE(sum.pending, 11 + 12 + 13);
        QCOMPARE(sum.aggregating.value_or(0), 3);
        QCOMPARE(sum.servers.value_or(0), 2);
        QCOMPARE(sum.oldestPendingSeconds.value_or(0), 7.0);
        QVERIFY(sum.paused);
        QVERIFY2(sum.notes.value(u"shards"_s).startsWith(u"3 of 4 queues are there; mail-3 has"_s),
                 qPrintable(sum.notes.value(u"shards"_s)));
        queues[3].known = false; // nobody has used it
        QVERIFY(withSummedShards(queues, shards)
                    .constFirst()
                    .notes.value(u"shards"_s)
                    .startsWith(u"2 of 4 queues are there"_s));
        // What is not known of one is not known of all.
        queues[3].notes[u"relays"_s] = u"the fence cannot be read"_s;
        QCOMPARE(withSummedShards(queues, shards).constFirst().notes.value(u"relays"_s),
                 u"the fence cannot be read"_s);
        queues[2].aggregating.reset();
        QVERIFY(!withSummedShards(queues, shards).first().aggregating);
    }

    /// Each of the ids would have a queue of its own, and is asked for in one alone.
    void otherTaskIdsNeedAColumnThatDecides()
    {
        const QJsonArray also{u"outbox:{id}"_s};
        const auto byId = OutboxShape::fromJson(shapeJson(u"mail-{shard:8}"_s, also));
        QVERIFY(!byId);
        QVERIFY2(byId.error().text.contains(u"other task ids"_s), qPrintable(byId.error().text));
        QVERIFY_RESULT(OutboxShape::fromJson(shapeJson(u"mail-{shard:8 by:customer}"_s, also)));
    }
};

} // namespace tst_queueshards

OUTBOX_TEST(tst_queueshards::TestQueueShards)
#include "tst_queueshards.moc"
