// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// F61, F63, F64, F68: what stands in the data. The others of this letter are tested where they are
// read: see tests/faults/README.md.
#include "connectors/asynq/observe/inspector.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/taskmessage.h"
#include "connectors/redis/replyreader.h"
#include "models/operations/receiptfile.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/faultproxy.h"
#include "tests/support/redisqueue.h"
#include "tests/support/testprogram.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QRandomGenerator>

namespace tst_faults_data {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;

class TestFaultsData : public QObject
{
    Q_OBJECT

    Databases m_databases;
    PrivateRedis m_redis;
    RedisConnection m_hand;

    [[nodiscard]] RedisEndpoint endpoint() const { return *RedisEndpoint::fromUrl(m_redis.url()); }

    /// The same bytes with some of them changed, cut out, doubled or cut off.
    static QByteArray mutated(QByteArray bytes, QRandomGenerator &random)
    {
        for (int change = random.bounded(1, 5); change > 0 && !bytes.isEmpty(); --change) {
            const qsizetype at = random.bounded(int(bytes.size()));
            switch (random.bounded(5)) {
            case 0:
                bytes[at] = char(random.bounded(256));
                break;
            case 1:
                bytes.remove(at, random.bounded(1, 9));
                break;
            case 2:
                bytes.insert(at, bytes.mid(at, random.bounded(1, 17)));
                break;
            case 3:
                bytes.truncate(at);
                break;
            default:
                bytes[at] = "0123456789-*$:+"[random.bounded(15)];
                break;
            }
        }
        return bytes;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_databases.postgres);
        OUTBOX_START_SERVER(m_redis);
        QVERIFY_RESULT(m_hand.open(endpoint(), RedisConnection::Access::Act, u"hand"_s, 20s));
    }

    void f61_mutatedReplies()
    {
        const QByteArray sound = "*3\r\n$5\r\nhello\r\n:42\r\n*2\r\n$-1\r\n+OK\r\n"
                                 "-ERR no such thing\r\n$0\r\n\r\n*-1\r\n";
        QRandomGenerator random(61);
        int refused = 0;
        int read = 0;
        for (int round = 0; round < 50'000; ++round) {
            ReplyReader reader;
            const QByteArray bytes = mutated(sound, random);
            const qsizetype middle = random.bounded(int(bytes.size()) + 1);
            for (const QByteArray &part : {bytes.left(middle), bytes.mid(middle)}) {
                if (!reader.feed(part))
                    break;
                while (reader.next())
                    ++read;
            }
            refused += reader.error().isEmpty() ? 0 : 1;
        }
        QVERIFY2(refused > 1000 && read > 1000,
                 qPrintable(u"%1 refused, %2 read"_s.arg(refused).arg(read)));
    }

    void f61_anAnswerOfAnotherProtocolDropsTheConnection()
    {
        FaultProxy line;
        QVERIFY(line.start({m_databases.postgres.socketFolder() + u"/.s.PGSQL.5432"_s, 0}));
        RedisConnection redis;
        const auto opened
            = redis.open(*RedisEndpoint::fromUrl(u"redis://127.0.0.1:%1"_s.arg(line.port())),
                         RedisConnection::Access::ReadOnly, u"lost"_s);
        QVERIFY(!opened);
        QVERIFY(!redis.isOpen());
    }

    void f63_mutatedMessages()
    {
        const auto encoded = asynq::encode(messageOf(sampleRequest(u"a-task"_s)));
        QVERIFY_RESULT(encoded);
        const QByteArray &sound = *encoded;
        QRandomGenerator random(63);
        int refused = 0;
        QByteArray damaged;
        for (int round = 0; round < 50'000; ++round) {
            const QByteArray bytes = mutated(sound, random);
            const auto message = asynq::decode(bytes);
            if (message)
                continue;
            ++refused;
            damaged = bytes;
        }
        QVERIFY(refused > 1000);
        QVERIFY_RESULT(m_hand.command({"FLUSHALL"}, u"clearing"_s));
        QVERIFY_RESULT(placeBytes(m_hand, sampleRequest(u"a-task"_s), TaskState::Pending, damaged));
        AsynqInspector inspector;
        QVERIFY_RESULT(inspector.open(endpoint(), u"looker"_s));
        const auto page = inspector.tasks({u"default"_s}, TaskState::Pending, 10, {});
        QVERIFY_RESULT(page);
        QCOMPARE(page->tasks.size(), 1);
        QVERIFY(page->tasks.first().damaged); // shown, and said to be
    }

    void f64_aPayloadOfAHundredMegabytes()
    {
        const DatabaseUrl direct = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(direct);
        side.run(classicTable());
        side.run(u"INSERT INTO outbox SELECT 1, 'huge', repeat('x', 100000000)"_s);
        FaultProxy line;
        QVERIFY(line.start({m_databases.postgres.socketFolder() + u"/.s.PGSQL.5432"_s, 0}));
        DatabaseUrl url = direct;
        url.host = u"127.0.0.1"_s;
        url.port = line.port();
        OutboxStore store;
        QVERIFY_RESULT(openOutbox(store, settingsFor(url, StoreAccess::ReadOnly)));
        const auto page = store.page({});
        QVERIFY_RESULT(page);
        QCOMPARE(page->rows.size(), 1);
        QVERIFY(page->rows.first().payload.size() < 10'000);
        QVERIFY_RESULT(store.snapshot());
        const auto cut = store.find({u"1"_s}, 64);
        QVERIFY_RESULT(cut);
        QVERIFY(line.mostAnswered() < 1'000'000);

        QVERIFY_RESULT(m_hand.command({"FLUSHALL"}, u"clearing"_s));
        EnqueueRequest huge = sampleRequest(u"huge"_s);
        huge.payload = QByteArray(100'000'000, 'y');
        QVERIFY_RESULT(placeTask(m_hand, huge, TaskState::Pending));
        FaultProxy queueLine;
        QVERIFY(queueLine.start({m_redis.socketPath(), 0}));
        AsynqInspector inspector;
        QVERIFY_RESULT(inspector.open(
            *RedisEndpoint::fromUrl(u"redis://127.0.0.1:%1"_s.arg(queueLine.port())), u"look"_s));
        const auto tasks = inspector.tasks({u"default"_s}, TaskState::Pending, 10, {});
        QVERIFY_RESULT(tasks);
        QCOMPARE(tasks->tasks.size(), 1);
        QVERIFY(queueLine.mostAnswered() < 1'000'000);
    }

    void f68_formulasInAnExport_data()
    {
        QTest::addColumn<QString>("text");
        for (const QChar first : {u'=', u'+', u'-', u'@', u'\t', u'\r', u'\0'}) {
            QTest::addRow("%d", first.unicode())
                << QString(first) + u"cmd|' /C calc'!A0, \"quoted\""_s;
        }
    }
    void f68_formulasInAnExport()
    {
        QFETCH(QString, text);
        Plan plan;
        PlanItem item;
        item.row.text = text;
        plan.items += item;
        Receipt receipt;
        ReceiptItem told;
        told.reason = text;
        receipt.items += told;
        const QByteArray csv = receiptCsv(plan, receipt).split('\n').value(1);
        QVERIFY2(csv.contains(QByteArray("'" + text.left(5).toUtf8())), csv.constData());
        for (const QByteArray &cell : csv.split(',')) {
            const QByteArray bare = cell.startsWith('"') ? cell.mid(1) : cell;
            QVERIFY2(bare.isEmpty() || !QByteArray("=+-@\t\r\0", 7).contains(bare.front()),
                     csv.constData());
        }
        const auto exact
            = QJsonDocument::fromJson(receiptJsonLines(plan, receipt).split('\n').value(1));
        QCOMPARE(exact.object().value(u"reason"_s).toString(), text);
    }
};

} // namespace tst_faults_data

OUTBOX_TEST(tst_faults_data::TestFaultsData)
#include "tst_faults_data.moc"
