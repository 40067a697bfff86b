// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shapes as JSON: what is written is read back, and what is not understood is said.
#include "models/shape/outboxshape.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QJsonDocument>
#include <QTest>

namespace tst_outboxshape {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestOutboxShape : public QObject
{
    Q_OBJECT

private slots:
    void readsWhatItWrote_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("payload, deleted") << QByteArray(
            R"({"shape":1,"name":"orders outbox","use":"relay","table":"public.outbox",
                "key":[{"column":"id","form":"uuid"}],"task_id":"{id}","type":{"column":"type"},
                "payload":{"column":"payload","form":"bytes"},"processed":{"how":"deleted"},
                "locked":{"how":"row"},"order":["id"],"order_is":"none"})");
        QTest::newRow("reference") << QByteArray(
            R"({"shape":1,"name":"by reference","use":"relay","table":"outbox",
                "key":[{"column":"id","form":"uuid"}],"task_id":"{id}","type":{"column":"table_name"},
                "payload":{"form":"reference","table_name":"table_name","table_id":"table_id",
                "tables":["mail_deliveries"]},"processed":{"how":"deleted"},"locked":{"how":"row"},
                "order":["id"],"order_is":"none"})");
        QTest::newRow("numbers") << QByteArray(
            R"({"shape":1,"name":"numbers","use":"relay","table":"outbox",
                "key":[{"column":"id","form":"integer"}],"task_id":"{source}:{id}:{born}",
                "source":"k7f3q2ab","also_task_ids":["outbox:{id}","{id}"],
                "type":{"column":"type"},"payload":{"column":"payload","form":"bytes"},
                "created":"created_at","processed":{"how":"deleted"},"locked":{"how":"row"},
                "order":["id"],"order_is":"sequence"})");
        QTest::newRow("ProcessedDate") << QByteArray(
            R"({"shape":1,"name":"job","use":"relay","table":"app.OutboxMessages",
                "key":[{"column":"Id","form":"uuid"}],"task_id":"{id}","type":{"column":"Type"},
                "payload":{"column":"Data","form":"text"},"created":"OccurredOn",
                "processed":{"how":"time","column":"ProcessedDate"},"locked":{"how":"none"},
                "order":["OccurredOn"],"order_is":"time"})");
    }

    void readsWhatItWrote()
    {
        QFETCH(QByteArray, json);
        const QJsonObject given = QJsonDocument::fromJson(json).object();
        QVERIFY(!given.isEmpty());
        const auto shape = OutboxShape::fromJson(given);
        QVERIFY_RESULT(shape);
        QCOMPARE(shape->toJson(), given);
        const auto again = OutboxShape::fromJson(shape->toJson());
        QVERIFY_RESULT(again);
        QCOMPARE(*again, *shape);
        QVERIFY(shape->canRelay());
    }

    void everyWayToTellAStateIsReadAsItWasWritten_data()
    {
        QTest::addColumn<QByteArray>("rules");
        QTest::addColumn<QString>("whyNotRelay"); // a word of it; empty: it can be relayed

        QTest::newRow("flag") << QByteArray(
            R"("processed":{"how":"flag","column":"done","time":"done_at"},"locked":{"how":"none"})")
                              << QString();
        QTest::newRow("status, lease of an owner") << QByteArray(
            R"("processed":{"how":"status","column":"st","values":["sent"]},
               "pending":{"how":"status","column":"st","values":["new","retry"]},
               "waiting":{"how":"status","column":"st","values":["later"]},
               "failed":{"how":"status","column":"st","values":["dead"]},
               "locked":{"how":"owner","owner":"who","time":"taken","lease_s":300,"free":["-"]})")
                                                   << QString();
        QTest::newRow("status that nobody explained")
            << QByteArray(R"("processed":{"how":"status","column":"st"},"locked":{"how":"row"})")
            << u"values"_s;
        QTest::newRow("status as a lock") << QByteArray(
            R"("processed":{"how":"time","column":"done_at"},
               "locked":{"how":"status","column":"st","values":["sending"],"owner":"w","time":"t"})")
                                          << u"died"_s;
        QTest::newRow("members") << QByteArray(
            R"("processed":{"how":"time","column":"finished_at"},
               "locked":{"how":"member","table":"claimed","on":{"job_id":"id"},"owner":"process_id",
                         "node":{"table":"processes","key":"id","heartbeat":"seen"}},
               "failed":{"how":"member","table":"failures","on":{"job_id":"id"},"error":"error"},
               "waiting":{"how":"member","table":"later","on":{"job_id":"id"},"due":"at"},
               "pending":{"how":"member","table":"ready","on":{"job_id":"id"}})")
                                 << u"claimed"_s;
        QTest::newRow("positions") << QByteArray(
            R"("processed":{"how":"offset","table":"offsets","consumer":"grp","position":["last"],
                            "on":{"topic":"topic"},"guard":"xid8"},"locked":{"how":"none"})")
                                   << u"positions"_s;
        QTest::newRow("log") << QByteArray(R"("processed":{"how":"log"},"locked":{"how":"none"})")
                             << u"log"_s;
        QTest::newRow("member") << QByteArray(
            R"("processed":{"how":"member","table":"states","on":{"sid":"sid"},"column":"done"},
               "locked":{"how":"lock-row","table":"states","on":{"sid":"sid"},"column":"lock_id"})")
                                << u"states"_s;
        QTest::newRow("node, dead letters") << QByteArray(
            R"("processed":{"how":"deleted"},"failed":{"how":"table","table":"dead","error":"why"},
               "locked":{"how":"node","owner":"owner_id","free":["0"],
                         "node":{"table":"nodes","key":"number"}})")
                                            << u"processes"_s;
        QTest::newRow("archive") << QByteArray(
            R"("processed":{"how":"archive","table":"old","on":{"id":"id"}},"locked":{"how":"row"})")
                                 << u"old"_s;
        QTest::newRow("finished without an error, tries, a time to come") << QByteArray(
            R"("processed":{"how":"time","column":"end","and":[{"column":"error","is":"null"}]},
               "failed":{"how":"error","column":"error"},"locked":{"how":"owner","time":"begun"},
               "attempts":{"started":"a","finished":"b"},"max_attempts":5,
               "where":[{"column":"v","is":"=","value":"v1"}],
               "due":{"column":"at","only_in":[{"column":"st","is":"in","value":["x","y"]}]})")
                                                                          << u"several"_s;
        QTest::newRow("tries as a column, failed by a queue") << QByteArray(
            R"("processed":{"how":"deleted"},"max_attempts":"most","attempts":"tries","due":"at",
               "failed":{"how":"queue","column":"q","values":["failed"]},"locked":{"how":"none"})")
                                                              << QString();
    }

    void everyWayToTellAStateIsReadAsItWasWritten()
    {
        QFETCH(QByteArray, rules);
        QFETCH(QString, whyNotRelay);
        const QJsonObject given
            = QJsonDocument::fromJson(
                  R"({"shape":1,"name":"n","use":"relay","table":"outbox","task_id":"{id}",
                "key":[{"column":"id","form":"uuid"}],"type":{"column":"type"},"order":["id"],
                "payload":{"column":"payload","form":"json"},"order_is":"none",)"
                  + rules + '}')
                  .object();
        QVERIFY(!given.isEmpty());
        const auto shape = OutboxShape::fromJson(given);
        QVERIFY_RESULT(shape);
        QCOMPARE(shape->toJson(), given);
        const auto again = OutboxShape::fromJson(shape->toJson());
        QVERIFY_RESULT(again);
        QCOMPARE(*again, *shape);
        QVERIFY(shape->others.isEmpty());
        QCOMPARE(shape->canRelay(), whyNotRelay.isEmpty());
        QVERIFY2(shape->whyNotRelay().contains(whyNotRelay), qPrintable(shape->whyNotRelay()));
    }

    void aKeyOfSeveralColumnsIsKeptAndNotRelayed()
    {
        const QJsonObject given
            = QJsonDocument::fromJson(
                  R"({"shape":1,"name":"n","use":"relay","table":"log","task_id":"{id}",
                "key":[{"column":"transaction_id","form":"integer"},
                       {"column":"offset","form":"integer"}],"type":{"fixed":"orders"},
                "payload":{"column":"payload","form":"many"},"processed":{"how":"deleted"},
                "locked":{"how":"none"},"order":["transaction_id","offset"],"order_is":"commit"})")
                  .object();
        const auto shape = OutboxShape::fromJson(given);
        QVERIFY_RESULT(shape);
        QCOMPARE(shape->toJson(), given);
        QVERIFY(shape->keyColumn.isEmpty());
        QCOMPARE(shape->keyColumns(), QStringList({u"transaction_id"_s, u"offset"_s}));
        QVERIFY(shape->whyNotRelay().contains(u"several columns"_s));
    }

    void aLeaseIsReadAndRelayed()
    {
        QJsonObject given = QJsonDocument::fromJson(
                                R"({"shape":1,"name":"leases","use":"relay","table":"public.outbox",
                "key":[{"column":"id","form":"uuid"}],"task_id":"{id}","type":{"column":"type"},
                "payload":{"column":"payload","form":"bytes"},"processed":{"how":"deleted"},
                "locked":{"how":"until","column":"locked_until","owner":"locked_by"},
                "order":["id"],"order_is":"none"})")
                                .object();
        const auto shape = OutboxShape::fromJson(given);
        QVERIFY_RESULT(shape);
        QCOMPARE(shape->toJson(), given);
        QCOMPARE(shape->leaseColumn, u"locked_until"_s);
        QCOMPARE(shape->ownerColumn, u"locked_by"_s);
        QVERIFY(shape->columns().contains(u"locked_until"_s)
                && shape->columns().contains(u"locked_by"_s));
        QVERIFY(shape->canRelay()); // whoever takes a lease writes to the row, and waits for ours

        given["locked"_L1] = QJsonObject{{u"how"_s, u"until"_s}};
        QCOMPARE(OutboxShape::fromJson(given).error().kind, Error::Kind::Invalid);
    }

    void aTimeWithoutZoneIsThatOfTheZoneThatWasSaid()
    {
        QJsonObject given
            = QJsonDocument::fromJson(
                  R"({"shape":1,"name":"n","use":"watch","table":"outbox","task_id":"{id}",
                "key":[{"column":"id","form":"uuid"}],"created":"created_at","due":"run_at",
                "payload":{"column":"p","form":"json"},"processed":{"how":"deleted"},
                "locked":{"how":"none"},"order":["id"],"order_is":"none",
                "times":{"*":"local:Europe/Berlin","created_at":"utc"}})")
                  .object();
        auto shape = OutboxShape::fromJson(given);
        QVERIFY_RESULT(shape);
        QCOMPARE(shape->toJson(), given);
        QCOMPARE(shape->zoneOf(u"created_at"_s), u"UTC"_s);
        QCOMPARE(shape->zoneOf(u"run_at"_s), u"Europe/Berlin"_s);
        QVERIFY(shape->whyTimesUntold().isEmpty());
        shape->setTimeZone(u"Asia/Kolkata"_s);
        QCOMPARE(shape->zoneOf(u"created_at"_s), u"Asia/Kolkata"_s);
        QCOMPARE(OutboxShape::fromJson(shape->toJson())->zoneOf(u"run_at"_s), u"Asia/Kolkata"_s);

        // A mapping of an earlier version says nothing, and that is no zone.
        given.remove("times"_L1);
        const auto older = OutboxShape::fromJson(given);
        QVERIFY_RESULT(older);
        QCOMPARE(older->zoneOf(u"run_at"_s), QString());
        QVERIFY(older->whyTimesUntold().contains(u"run_at"_s));
        given["times"_L1] = QJsonObject{{u"*"_s, u"local:Europe/Atlantis"_s}};
        QCOMPARE(OutboxShape::fromJson(given).error().kind, Error::Kind::Invalid);
        given["times"_L1] = QJsonObject{{u"*"_s, u"lunar"_s}};
        QCOMPARE(OutboxShape::fromJson(given).error().kind, Error::Kind::Unsupported);
    }

    void keepsMembersItDoesNotKnow()
    {
        const QJsonObject given
            = QJsonDocument::fromJson(
                  R"({"shape":1,"name":"n","table":"outbox","key":[{"column":"id","form":"uuid"}],
                "payload":{"column":"p","form":"json"},"processed":{"how":"deleted"},
                "weather":{"sun":true}})")
                  .object();
        const auto shape = OutboxShape::fromJson(given);
        QVERIFY_RESULT(shape);
        QCOMPARE(shape->toJson().value("weather"_L1), given.value("weather"_L1));
    }

    void refusesWhatItCannotDo_data()
    {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<Error::Kind>("kind");
        QTest::newRow("newer format")
            << QByteArray(R"({"shape":2,"table":"outbox"})") << Error::Kind::Invalid;
        QTest::newRow("no table") << QByteArray(R"({"shape":1})") << Error::Kind::Invalid;
        QTest::newRow("how unknown")
            << QByteArray(R"({"shape":1,"table":"o","key":[{"column":"id","form":"uuid"}],
                              "processed":{"how":"telepathy"}})")
            << Error::Kind::Unsupported;
        QTest::newRow("bytes in another order")
            << QByteArray(R"({"shape":1,"table":"o","processed":{"how":"deleted"},
                "key":[{"column":"id","form":"uuid-bytes","bytes":"time-swapped"}]})")
            << Error::Kind::Unsupported;
        QTest::newRow("time without column")
            << QByteArray(R"({"shape":1,"table":"o","key":[],"processed":{"how":"time"}})")
            << Error::Kind::Invalid;
        const QByteArray base = R"({"shape":1,"table":"o","processed":{"how":"deleted"},)";
        QTest::newRow("locked how unknown")
            << QByteArray(base + R"("locked":{"how":"hope"}})") << Error::Kind::Unsupported;
        QTest::newRow("failed how unknown")
            << QByteArray(base + R"("failed":{"how":"hope"}})") << Error::Kind::Unsupported;
        QTest::newRow("waiting how unknown")
            << QByteArray(base + R"("waiting":{"how":"hope"}})") << Error::Kind::Unsupported;
        QTest::newRow("test unknown")
            << QByteArray(base + R"("where":[{"column":"a","is":"like","value":"%"}]})")
            << Error::Kind::Unsupported;
        QTest::newRow("too many tries, and no number")
            << QByteArray(base + R"("failed":{"how":"attempts"}})") << Error::Kind::Invalid;
        QTest::newRow("positions that do not fit the key")
            << QByteArray(R"({"shape":1,"table":"o","key":[{"column":"id","form":"integer"}],
                "processed":{"how":"offset","table":"p","position":["a","b"]}})")
            << Error::Kind::Invalid;
        QTest::newRow("task id without the key")
            << QByteArray(R"({"shape":1,"table":"o","task_id":"x","processed":{"how":"deleted"}})")
            << Error::Kind::Invalid;
    }

    void refusesWhatItCannotDo()
    {
        QFETCH(QByteArray, json);
        QFETCH(Error::Kind, kind);
        const auto shape = OutboxShape::fromJson(QJsonDocument::fromJson(json).object());
        QVERIFY(!shape.has_value());
        QCOMPARE(shape.error().kind, kind);
        QVERIFY(!shape.error().text.isEmpty());
    }

    void saysWhyItMayNotBeRelayed()
    {
        OutboxShape shape;
        shape.table.table = u"outbox"_s;
        shape.keyColumn = u"id"_s;
        shape.typeColumn = u"type"_s;
        shape.payloadColumn = u"payload"_s;
        QVERIFY(!shape.canRelay());
        QVERIFY(shape.whyNotRelay().contains(u"watch"_s));
        shape.use = OutboxShape::Use::Relay;
        QVERIFY(shape.canRelay());
        shape.keyColumn.clear();
        QVERIFY(shape.whyNotRelay().contains(u"key"_s));
    }

    void makesTaskIdsByTemplate()
    {
        OutboxShape shape;
        QCOMPARE(shape.taskIdFor(u"7"_s, {}).text, u"7"_s);
        shape.taskId = u"orders:{id}"_s;
        QCOMPARE(shape.taskIdFor(u"7"_s, {}).text, u"orders:7"_s);
    }

    void taskIdsTellTablesAndLivesApart()
    {
        OutboxShape shape;
        shape.keyForm = OutboxShape::KeyForm::Integer;
        shape.taskId = u"{source}:{id}:{born}"_s;
        QVERIFY(shape.lacksSource());
        QVERIFY(!shape.whyNoTaskIds().isEmpty()); // no created column
        shape.createdColumn = u"made"_s;
        shape.source = u"k7f3q2ab"_s;
        QVERIFY(!shape.lacksSource());
        QCOMPARE(shape.whyNoTaskIds(), QString());
        QCOMPARE(shape.taskIdFor(u"42"_s, 1'700'000'000'000'000).text, u"k7f3q2ab:42:gqll7vatq8"_s);
        QCOMPARE(shape.taskIdFor(u"42"_s, {}), TaskId());
        QCOMPARE(shape.keyIn({u"k7f3q2ab:42:gqll7vatq8"_s}), std::optional(MessageId{u"42"_s}));
        QCOMPARE(shape.keyIn({u"k7f3q2ab:42"_s}), std::nullopt);
        QCOMPARE(shape.keyIn({u"other:42:gqll7vatq8"_s}), std::nullopt);
        QVERIFY(!shape.isTaskOf({u"k7f3q2ab:42:a"_s}, {u"k7f3q2ab:42:b"_s}));
        // What is put in is not looked through: a key may look like a part.
        shape.source = u"{id}"_s;
        QCOMPARE(shape.taskIdFor(u"{born}"_s, 36).text, u"{id}:{born}:10"_s);
        shape.alsoTaskIds = {u"outbox:{id}"_s};
        QCOMPARE(shape.keyIn({u"outbox:42"_s}), std::optional(MessageId{u"42"_s}));
        QVERIFY(shape.isTaskOf({u"outbox:42"_s}, {u"whatever"_s}));
        QVERIFY(shape.comparesBirths());
    }
};

} // namespace tst_outboxshape

OUTBOX_TEST(tst_outboxshape::TestOutboxShape)
#include "tst_outboxshape.moc"
