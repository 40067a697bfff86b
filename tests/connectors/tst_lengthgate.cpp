// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The gate lets every sane reply through, however its bytes are split, and no absurd header.
#include "connectors/redis/lengthgate.h"
#include "connectors/redis/replyreader.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_lengthgate {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestLengthGate : public QObject
{
    Q_OBJECT

private slots:
    void saneRepliesPassHoweverTheyAreSplit()
    {
        const QByteArray bytes
            = "+OK\r\n-ERR no\r\n:-12\r\n$5\r\na\r\nb\r\r\n$0\r\n\r\n$-1\r\n*-1\r\n*0\r\n"
              "*3\r\n*2\r\n:1\r\n$1\r\nx\r\n*0\r\n+\r\n"
              "*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n:7\r\n";
        for (qsizetype step = 1; step <= bytes.size(); ++step) {
            ReplyReader reader;
            QList<RedisReply> replies;
            for (qsizetype at = 0; at < bytes.size(); at += step) {
                QVERIFY2(reader.feed(bytes.mid(at, step)), qPrintable(reader.error()));
                while (const auto reply = reader.next())
                    replies += *reply;
            }
            QCOMPARE(replies.size(), 10);
            QVERIFY(reader.isEmpty());
            QCOMPARE(replies.at(2).integer, -12);
            QCOMPARE(replies.at(3).bytes, "a\r\nb\r");
            QCOMPARE(replies.at(8).elements.size(), 3);
        }
    }

    void absurdHeadersAreRefused_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("elements") << QByteArray("*2147483647\r\n");
        QTest::newRow("one element too many") << QByteArray("*1000001\r\n");
        QTest::newRow("negative elements") << QByteArray("*-2\r\n");
        QTest::newRow("bulk") << QByteArray("$536870913\r\n");
        QTest::newRow("negative bulk") << QByteArray("$-2\r\n");
        QTest::newRow("overflow") << QByteArray("$99999999999999999999\r\n");
        QTest::newRow("endless digits") << QByteArray("$") + QByteArray(100, '1');
        QTest::newRow("no number") << QByteArray("*x\r\n");
        QTest::newRow("empty number") << QByteArray("$\r\n");
        QTest::newRow("nested too deep") << QByteArray("*1\r\n").repeated(8);
        QTest::newRow("endless line") << QByteArray("+") + QByteArray(70'000, 'x');
        QTest::newRow("RESP3 map") << QByteArray("%1\r\n");
        QTest::newRow("RESP3 push") << QByteArray(">1\r\n");
        QTest::newRow("HTTP") << QByteArray("HTTP/1.1 400 Bad Request\r\n");
        QTest::newRow("TLS alert") << QByteArray("\x15\x03\x03\x00\x02\x02\x0a", 7);
        QTest::newRow("absurd inside") << QByteArray("*2\r\n$1\r\nx\r\n*1000000000\r\n");
    }

    void absurdHeadersAreRefused()
    {
        QFETCH(QByteArray, bytes);
        LengthGate whole;
        QVERIFY(!whole.admits(bytes));
        QVERIFY(!whole.refusal().isEmpty());
        QVERIFY(!whole.admits("+OK\r\n")); // once refused, always refused

        LengthGate single;
        bool refused = false;
        for (const char c : bytes)
            refused = refused || !single.admits(QByteArrayView(&c, 1));
        QVERIFY(refused);
    }

    void theLargestReplyAllowedPasses()
    {
        LengthGate gate;
        QVERIFY(gate.admits("*1000000\r\n$536870912\r\n"));
        QVERIFY(!gate.atBorder());
    }
};

} // namespace tst_lengthgate

OUTBOX_TEST(tst_lengthgate::TestLengthGate)
#include "tst_lengthgate.moc"
