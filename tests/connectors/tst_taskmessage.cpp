// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Our bytes are asynq's bytes: the golden vectors were written by asynq v0.25.1 and v0.26.0.
#include "connectors/asynq/observe/serverinfo.h"
#include "connectors/asynq/wire/enqueuecommand.h"
#include "connectors/asynq/wire/taskmessage.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_taskmessage {

using namespace outbox;
using namespace outbox::asynq;
using namespace Qt::Literals::StringLiterals;

namespace {

TaskMessage message(const QString &type, const QByteArray &payload, const QString &id)
{
    TaskMessage message;
    message.type = type;
    message.payload = payload;
    message.id = id;
    message.queue = u"default"_s;
    message.retry = 25;
    message.timeoutSeconds = 1800;
    return message;
}

const char delivered[]
    = "0a0c6d61696c3a64656c6976657212077b226e223a317d1a2430313839633361342d303030302d"
      "373030302d383030302d303030303030303030303031220764656661756c74281940880e6080a305";

TaskMessage deliver()
{
    TaskMessage task
        = message(u"mail:deliver"_s, R"({"n":1})", u"0189c3a4-0000-7000-8000-000000000001"_s);
    task.retentionSeconds = 86400;
    return task;
}

} // namespace

class TestTaskMessage : public QObject
{
    Q_OBJECT

private slots:
    void golden_data()
    {
        QTest::addColumn<TaskMessage>("task");
        QTest::addColumn<QByteArray>("hex");
        QTest::newRow("pending") << deliver() << QByteArray(delivered);

        TaskMessage task = deliver();
        task.completedAt = 1'795'225'764;
        QTest::newRow("completed") << task << QByteArray(delivered) + "68a4f183d806";

        task = message(u"mail:s"_s, R"({"n":3})", u"s1"_s);
        task.queue = u"Crit"_s;
        task.retry = 3;
        task.timeoutSeconds = 10;
        QTest::newRow("own queue")
            << task
            << QByteArray("0a066d61696c3a7312077b226e223a337d1a027331220443726974"
                          "2803400a");
        QTest::newRow("empty payload")
            << message(u"mail:empty"_s, {}, u"e1"_s)
            << QByteArray("0a0a6d61696c3a656d7074791a026531220764656661756c74281940880e");

        task = message(u"mail:g"_s, "a", u"g1"_s);
        task.group = u"G1"_s;
        QTest::newRow("group") << task
                               << QByteArray(
                                      "0a066d61696c3a671201611a026731220764656661756c7428194088"
                                      "0e72024731");

        task = message(u"mail:u"_s, R"({"n":2})", u"u1"_s);
        task.uniqueKey = u"asynq:{default}:unique:mail:u:fa3f212516c45c713781b9dae87824a9"_s;
        QTest::newRow("unique")
            << task
            << QByteArray(
                   "0a066d61696c3a7512077b226e223a327d1a027531220764656661756c74281940880e523e6173"
                   "796e713a7b64656661756c747d3a756e697175653a6d61696c3a753a66613366323132353136"
                   "633435633731333738316239646165383738323461"
                   "39");

        task = message(u"t"_s, "p", u"h1"_s);
        task.retentionSeconds = 60;
        task.headers.insert(u"trace"_s, u"abc"_s);
        QTest::newRow("headers") << task
                                 << QByteArray(
                                        "0a01741201701a026831220764656661756c74281940880e603c7a0c"
                                        "0a0574726163651203616263");

        task = message(u"t"_s, "p", u"a1"_s);
        task.retentionSeconds = 3600;
        task.retried = 1;
        task.error = u"context canceled"_s;
        task.lastFailedAt = 1'795'225'841;
        QTest::newRow("failed once")
            << task
            << QByteArray(
                   "0a01741201701a026131220764656661756c74281930013a10636f6e746578742063616e63656c"
                   "656440880e58f1f183d80660901c");
    }

    void golden()
    {
        QFETCH(TaskMessage, task);
        QFETCH(QByteArray, hex);
        const auto bytes = encode(task);
        QVERIFY_RESULT(bytes);
        QCOMPARE(bytes->toHex(), hex);
        const auto back = decode(QByteArray::fromHex(hex));
        QVERIFY_RESULT(back);
        QCOMPARE(*back, task);
    }

    void theRelayWritesTheSameBytes()
    {
        EnqueueRequest request;
        request.id.text = u"0189c3a4-0000-7000-8000-000000000001"_s;
        request.queue.text = u"default"_s;
        request.type = u"mail:deliver"_s;
        request.payload = R"({"n":1})";
        request.retentionSeconds = 86400;
        RedisWire wire;
        EnqueueCommand command;
        command.append(wire, {request}, {{0}, 0}, 1, false, {});
        const QByteArray argument = "\r\n" + QByteArray::fromHex(delivered) + "\r\n";
        QVERIFY(wire.bytes().contains(argument));
        QVERIFY(wire.bytes().startsWith("*23\r\n$7\r\nEVALSHA\r\n$40\r\n"));
    }

    void fieldsOfANewerAsynqSurvive()
    {
        const QByteArray unknown = QByteArray::fromHex("f8010a8202036e6577"); // fields 31 and 32
        const auto task = decode(QByteArray::fromHex(delivered) + unknown);
        QVERIFY_RESULT(task);
        QCOMPARE(task->unknown, unknown);
        QCOMPARE(task->type, u"mail:deliver"_s);
        QCOMPARE(*encode(*task), QByteArray::fromHex(delivered) + unknown);
    }

    void headersAreWrittenInOneOrder()
    {
        TaskMessage task = deliver();
        for (const QString &name : {u"z"_s, u"a"_s, u"m"_s, u"b"_s})
            task.headers.insert(name, u"1"_s);
        QCOMPARE(*encode(task), *encode(*decode(*encode(task))));
    }

    void whatIsNotUtf8IsNeitherWrittenNorRead()
    {
        TaskMessage task = deliver();
        task.type += QChar(0xd800);
        QCOMPARE(encode(task).error().kind, Error::Kind::Invalid);
        QCOMPARE(decode(QByteArray::fromHex("0a02fffe")).error().kind, Error::Kind::Protocol);
        QCOMPARE(decode("no message").error().kind, Error::Kind::Protocol);
    }

    void rowsThatMustNotBeSentAreRefused_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("queue");
        QTest::addColumn<QString>("type");
        QTest::addColumn<bool>("refused");
        const QString lone = u"x"_s + QChar(0xdc00);
        QTest::newRow("sound") << u"1"_s << u"default"_s << u"mail"_s << false;
        QTest::newRow("unicode") << u"Ключ"_s << u"очередь"_s << u"почта 📬"_s << false;
        QTest::newRow("blank id") << u" \t"_s << u"default"_s << u"mail"_s << true;
        QTest::newRow("blank queue") << u"1"_s << u""_s << u"mail"_s << true;
        QTest::newRow("blank type") << u"1"_s << u"default"_s << u" "_s << true;
        QTest::newRow("id is no text") << lone << u"default"_s << u"mail"_s << true;
        QTest::newRow("queue is no text") << u"1"_s << lone << u"mail"_s << true;
        QTest::newRow("type is no text") << u"1"_s << u"default"_s << lone << true;
        QTest::newRow("brace") << u"1"_s << u"a}b"_s << u"mail"_s << true;
    }

    void rowsThatMustNotBeSentAreRefused()
    {
        QFETCH(QString, id);
        QFETCH(QString, queue);
        QFETCH(QString, type);
        QFETCH(bool, refused);
        EnqueueRequest request;
        request.id.text = id;
        request.queue.text = queue;
        request.type = type;
        QCOMPARE(!refusal(request).isEmpty(), refused);
    }

    void aServerSaysWhatItServes()
    {
        const QByteArray golden = QByteArray::fromHex(
            "0a02766d1087ee011a2466363166376433632d326633372d346231342d393561612d393764653865396138"
            "393166"
            "200a2a0b0a0764656661756c7410013a06616374697665420b08ebf183d80610bdf1c9344801");
        const auto server = decodeServer(golden);
        QVERIFY_RESULT(server);
        QCOMPARE(server->host, u"vm"_s);
        QCOMPARE(server->pid, 30471);
        QCOMPARE(server->serverId, u"f61f7d3c-2f37-4b14-95aa-97de8e9a891f"_s);
        QCOMPARE(server->concurrency, 10);
        QCOMPARE(server->queues, (QMap<QString, int>{{u"default"_s, 1}}));
        QCOMPARE(server->status, u"active"_s);
        QCOMPARE(server->activeWorkers, 1);
        QCOMPARE(server->started.toSecsSinceEpoch(), 1'795'225'835);
        QCOMPARE(decodeServer(encodeServer(*server)).value(), *server);
    }
};

} // namespace tst_taskmessage

OUTBOX_TEST(tst_taskmessage::TestTaskMessage)
#include "tst_taskmessage.moc"
