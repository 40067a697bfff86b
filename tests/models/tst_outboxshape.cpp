// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shapes as JSON: what is written is read back, and what is not understood is said.
#include "models/outboxshape.h"
#include "tests/support/resultmacros.h"

#include <QJsonDocument>
#include <QTest>

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

    void aLeaseIsReadAndNotRelayed()
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
        QVERIFY(shape->whyNotRelay().contains(u"locked_until"_s));

        given["locked"_L1] = QJsonObject{{u"how"_s, u"until"_s}};
        QCOMPARE(OutboxShape::fromJson(given).error().kind, Error::Kind::Invalid);
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
        QCOMPARE(shape.taskIdFor(u"7"_s), u"7"_s);
        shape.taskId = u"orders:{id}"_s;
        QCOMPARE(shape.taskIdFor(u"7"_s), u"orders:7"_s);
    }
};

QTEST_GUILESS_MAIN(TestOutboxShape)
#include "tst_outboxshape.moc"
