// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Another type or payload in the bytes of a message: all else stays as it is, byte for byte,
// whoever wrote it.
#include "connectors/asynq/wire/messageedit.h"
#include "connectors/asynq/wire/taskmessage.h"
#include "tests/support/everybyte.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_messageedit {

using namespace outbox;
using namespace outbox::asynq;
using namespace Qt::Literals::StringLiterals;

namespace {

TaskMessage full()
{
    TaskMessage message;
    message.type = u"mail:deliver"_s;
    message.payload = R"({"n":1})";
    message.id = u"7e57"_s;
    message.queue = u"default"_s;
    message.retry = 25;
    message.retried = 25;
    message.error = u"smtp down \u2028 'quoted'"_s;
    message.timeoutSeconds = 1800;
    message.deadline = 1'795'225'764;
    message.uniqueKey = u"asynq:{default}:unique:mail:ab"_s;
    message.lastFailedAt = 1'795'225'700;
    message.retentionSeconds = 86'400;
    message.group = u"g"_s;
    message.headers = {{u"a"_s, u"1"_s}, {u"traceparent"_s, u"00-\u00e4"_s}};
    return message;
}

/// Fields 1 and 2 of a short text.
QByteArray field(char number, const QByteArray &text)
{
    return QByteArray(1, static_cast<char>(number * 8 + 2))
        + QByteArray(1, static_cast<char>(text.size())) + text;
}

/// What of a message written by field() alone is no type and no payload.
const QByteArray id = "\x1a\x04"
                      "7e57";
/// Of a later asynq: a number, eight bytes, four bytes, and a group with a text in it.
const QByteArray strange = QByteArray::fromHex("98060a 99060102030405060708 a50601020304"
                                               "ab060a03616263ac06");

} // namespace

class TestMessageEdit : public QObject
{
    Q_OBJECT

private slots:
    void onlyTheFieldIsChanged_data()
    {
        QTest::addColumn<QByteArray>("before");
        QTest::addColumn<QByteArray>("after");
        const QByteArray type = field(1, "old");
        const QByteArray payload = field(2, "was");
        const QByteArray newType = field(1, "new");
        const QByteArray newPayload = field(2, "is");
        QTest::newRow("in order") << QByteArray(type + payload + id + strange)
                                  << QByteArray(newType + newPayload + id + strange);
        QTest::newRow("the payload was empty")
            << QByteArray(type + id + strange) << QByteArray(newType + newPayload + id + strange);
        QTest::newRow("nothing was there")
            << QByteArray(id + strange) << QByteArray(newType + newPayload + id + strange);
        QTest::newRow("strange fields first") << QByteArray(strange + id + payload + type)
                                              << QByteArray(newType + newPayload + strange + id);
        QTest::newRow("written twice: the last counts")
            << QByteArray(field(1, "first") + type + id + field(2, "first") + payload)
            << QByteArray(newType + newPayload + id);
        QTest::newRow("a length in more bytes than it needs")
            << QByteArray(QByteArray::fromHex("0a838000") + "old" + id)
            << QByteArray(newType + newPayload + id);
    }
    void onlyTheFieldIsChanged()
    {
        QFETCH(QByteArray, before);
        QFETCH(QByteArray, after);
        const auto edited = withContent(before, u"new"_s, QByteArray("is"));
        QVERIFY_RESULT(edited);
        QCOMPARE(edited->toHex(), after.toHex());
    }

    void whatIsNotAskedForStays()
    {
        const QByteArray before = *encode(full()) + strange;
        const auto same = withContent(before, std::nullopt, std::nullopt);
        QVERIFY_RESULT(same);
        QCOMPARE(*same, before);
        const auto empty = withContent(before, std::nullopt, QByteArray());
        QVERIFY_RESULT(empty);
        TaskMessage wanted = full();
        wanted.payload.clear();
        QCOMPARE(*empty, QByteArray(*encode(wanted) + strange));
        const auto back = withContent(*empty, std::nullopt, full().payload);
        QVERIFY_RESULT(back);
        QCOMPARE(*back, before);
    }

    void hostileContentIsBytesAlone()
    {
        const QByteArray all = everyByte();
        const QList<QByteArray> payloads{
            QByteArray(1, '\0'),     all,     *encode(full()),        QByteArray(127, '\xff'),
            QByteArray(128, '\x0a'), strange, QByteArray(70'000, 'x')};
        const QByteArray before = *encode(full()) + strange;
        for (const QByteArray &payload : payloads) {
            for (const QString &type : {u"a"_s, QString(300, u'\u20ac'), u"'; drop --\n"_s}) {
                const auto edited = withContent(before, type, payload);
                QVERIFY_RESULT(edited);
                TaskMessage wanted = full();
                wanted.type = type;
                wanted.payload = payload;
                QCOMPARE(*edited, QByteArray(*encode(wanted) + strange));
                const auto back = withContent(*edited, full().type, full().payload);
                QVERIFY_RESULT(back);
                QCOMPARE(*back, before);
            }
        }
    }

    void whatNoWorkerCouldReadIsRefused()
    {
        const QByteArray before = *encode(full());
        for (const QString &type : {QString(), u" \t"_s, QString(QChar(0xd800))}) {
            const auto edited = withContent(before, type, std::nullopt);
            QVERIFY(!edited);
            QCOMPARE(edited.error().kind, Error::Kind::Invalid);
        }
        for (qsizetype size = 0; size < before.size();
             ++size) { // cut anywhere, it is not made whole
            const auto edited = withContent(before.first(size), u"new"_s, std::nullopt);
            const auto read = decode(before.first(size));
            QCOMPARE(edited.has_value(), read.has_value());
        }
        QVERIFY(!withContent("\xff\xff\xff", u"new"_s, std::nullopt));
    }
};

} // namespace tst_messageedit

OUTBOX_TEST(tst_messageedit::TestMessageEdit)
#include "tst_messageedit.moc"
