// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Relays say in each queue who they are, and those that are gone are forgotten, without a loss that
// is told wrongly or not at all.
#include "connectors/asynq/asynqqueue.h"
#include "connectors/asynq/wire/queuefence.h"
#include "connectors/asynq/wire/relayfield.h"
#include "tests/connectors/taskground.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <algorithm>

namespace tst_relaypresence {

using namespace outbox;
using namespace outbox::asynq;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 weekSeconds = qint64{7} * 86'400;

RelayAbout aboutOf(const QString &host)
{
    RelayAbout about;
    about.host = host;
    about.version = u"0.9.0"_s;
    about.worker = 2;
    about.batch = 1000;
    about.started = QDateTime::fromSecsSinceEpoch(1'795'225'841, Qt::UTC);
    return about;
}

QByteArray batchOf(const QDateTime &at)
{
    return QByteArray::number(at.toMSecsSinceEpoch() * 1000);
}

} // namespace

class TestRelayPresence : public QObject, protected TaskGround
{
    Q_OBJECT

    QByteArray field(const QByteArray &name)
    {
        const auto value = m_hand.command({"HGET", m_keys.fence(), name}, u"looking"_s);
        return value ? value->bytes : QByteArray("no answer");
    }
    void setField(const QByteArray &name, const QByteArray &value)
    {
        QVERIFY_RESULT(m_hand.command({"HSET", m_keys.fence(), name, value}, u"staging"_s));
    }
    /// A relay as it stands behind its first meeting.
    void openAndMeet(AsynqQueue &relay, const QByteArray &name, const QList<QueueLife> &known = {})
    {
        QVERIFY_RESULT(relay.open(endpoint(), u"relay"_s));
        relay.watchLives(name, known);
        relay.introduce(aboutOf(u"web1"_s), weekSeconds);
        QVERIFY_RESULT(relay.meet(m_queue));
    }
    QList<RelayEntry> listed()
    {
        const auto look = m_inspector.snapshot({m_queue});
        return look ? look->first().relays : QList<RelayEntry>();
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_redis);
        openHandAndInspector();
    }

    void init() { clear(); }

    void whatIsWrittenIsReadBack()
    {
        for (const QString &host : {u"web1"_s, u"a host: 100 %"_s, u"größe.example"_s}) {
            RelayAbout about = aboutOf(host);
            QCOMPARE(relayAbout(relayValue(about)), std::optional(about));
            about.bySchedule = true;
            about.ended = about.started.addSecs(60);
            QCOMPARE(relayAbout(relayValue(about)), std::optional(about));
        }
        // Its limit holds, whatever the host is called.
        for (const QString &host : {QString(100'000, u'x'), QString(100'000, QChar(0x20ac))}) {
            const QByteArray value = relayValue(aboutOf(host));
            QVERIFY(value.size() <= mostRelayBytes);
            QVERIFY(relayAbout(value));
        }
    }

    void whatIsNoSuchValueIsLeftOut_data()
    {
        QTest::addColumn<QByteArray>("value");
        QTest::addColumn<bool>("isRead");
        const auto row = [](const char *name, const QByteArray &value, bool isRead) {
            QTest::newRow(name) << value << isRead;
        };
        row("as it is written", "1 web1 0.9.0 2 1795225841 1000 a 0", true);
        row("with more behind it", "1 web1 0.9.0 2 1795225841 1000 s 1795225901 new", true);
        row("another form", "2 web1 0.9.0 2 1795225841 1000 a 0", false);
        row("nothing", "", false);
        row("too few words", "1 web1 0.9.0 2 1795225841 1000 a", false);
        row("JSON", R"({"host":"web1"})", false);
        row("no host", "1  0.9.0 2 1795225841 1000 a 0", false);
        row("a worker that is no number", "1 web1 0.9.0 two 1795225841 1000 a 0", false);
        row("a worker below 0", "1 web1 0.9.0 -2 1795225841 1000 a 0", false);
        row("a start out of time", "1 web1 0.9.0 2 9223372036854775807 1000 a 0", false);
        row("a number that overflows", "1 web1 0.9.0 2 99999999999999999999 1000 a 0", false);
        row("an unknown manner", "1 web1 0.9.0 2 1795225841 1000 x 0", false);
        row("zeros", QByteArray(40, '\0'), false);
        row("a megabyte", QByteArray(1 << 20, 'x'), false);
        row("a long host", "1 " + QByteArray(1 << 20, 'x') + " 0.9.0 2 1795225841 1000 a 0", false);
    }

    void whatIsNoSuchValueIsLeftOut()
    {
        QFETCH(QByteArray, value);
        QFETCH(bool, isRead);
        QCOMPARE(relayAbout(value).has_value(), isRead);
    }

    /// Such a relay counts its batches, and tells nothing of itself.
    void ofAnEarlierReleaseItsLastBatchIsKnown()
    {
        const QDateTime at = QDateTime::fromSecsSinceEpoch(
            QDateTime::currentDateTimeUtc().addSecs(-60).toSecsSinceEpoch(), Qt::UTC);
        setField("life", "one");
        setField("r:early", batchOf(at));
        AsynqQueue relay; // one of today beside it
        openAndMeet(relay, "mine");
        QVERIFY_RESULT(relay.enqueue(sampleBatch(3)));
        QCOMPARE(field("r:early"), batchOf(at));
        int found = 0;
        for (const RelayEntry &one : listed()) {
            if (one.relay != u"early"_s)
                continue;
            ++found;
            QVERIFY(!one.about);
            QCOMPARE(one.lastBatch, at);
        }
        QCOMPARE(found, 1);
    }

    /// Whoever may write to Redis may write anything there.
    void hostileFieldsDoNoHarm()
    {
        const QByteArray batch = batchOf(QDateTime::currentDateTimeUtc());
        setField("r:evil", batch);
        setField("h:evil", "1 a%1b%5b31m%0ab%e2%80%aec 0.9.0 2 1795225841 1000 a 0");
        setField("r:big", batch);
        setField("h:big", QByteArray(1 << 20, 'x'));
        setField("r:no number", batch);
        setField("r:" + QByteArray(1 << 20, 'n'), batch);
        setField("r:late", "9223372036854775807");
        setField("r:", batch);
        setField("h:alone", relayValue(aboutOf(u"web1"_s)));
        const QList<RelayEntry> relays = listed();
        QCOMPARE(relays.size(), 2);
        for (const RelayEntry &relay : relays) {
            if (relay.relay == u"big"_s) {
                QVERIFY(!relay.about);
                continue;
            }
            QCOMPARE(relay.relay, u"evil"_s);
            QVERIFY(relay.about);
            for (const QChar letter : relay.about->host)
                QVERIFY2(letter.isPrint(), qPrintable(relay.about->host));
        }
        QVERIFY_RESULT(m_hand.command({"DEL", m_keys.fence()}, u"staging"_s));
        QVERIFY_RESULT(m_hand.command({"SET", m_keys.fence(), "no hash"}, u"staging"_s));
        const auto look = m_inspector.snapshot({m_queue});
        QVERIFY_RESULT(look);
        QVERIFY(look->first().relays.isEmpty());
        QVERIFY(look->first().notes.contains(u"relays"_s));
    }

    /// In between the calls are as short as they were.
    void itIsToldOnceAndNotWithEachBatch()
    {
        AsynqQueue relay;
        openAndMeet(relay, "mine");
        QCOMPARE(field("h:mine"), relayValue(aboutOf(u"web1"_s)));
        QCOMPARE(listed().size(), 1);
        QCOMPARE(listed().first().about, std::optional(aboutOf(u"web1"_s)));

        QVERIFY_RESULT(m_hand.command({"HDEL", m_keys.fence(), "h:mine"}, u"staging"_s));
        QVERIFY_RESULT(relay.enqueue(sampleBatch(200)));
        relay.committed(relay.lastBatch(), 200);
        QCOMPARE(field("h:mine"), QByteArray());
        QVERIFY(!listed().first().about);

        // Another queue is told with its first batch.
        EnqueueRequest other = sampleRequest(u"1"_s);
        other.queue.text = u"other"_s;
        const auto stored = relay.enqueue({other, sampleRequest(u"again"_s)});
        QVERIFY_RESULT(stored);
        QCOMPARE(stored->first().kind, EnqueueAnswer::Kind::Stored);
        QCOMPARE(stored->last().kind, EnqueueAnswer::Kind::Stored);
        const auto told
            = m_hand.command({"HGET", "asynq:{other}:outboxdeck", "h:mine"}, u"looking"_s);
        QVERIFY_RESULT(told);
        QCOMPARE(told->bytes, relayValue(aboutOf(u"web1"_s)));
    }

    void afterItsTimeItIsToldAgain()
    {
        const auto timesTold = [this](qint64 everyUs) {
            QueueFence fence;
            fence.watch("mine", {});
            fence.introduce("me", everyUs);
            int told = 0;
            for (int batch = 0; batch < 3; ++batch) {
                fence.begin();
                told += fence.stampFor(m_queue).about == "me" ? 1 : 0;
                RedisReply life;
                life.bytes = "life";
                if (!fence.take(m_queue, {RedisReply(), life}))
                    return -1;
            }
            return told;
        };
        QCOMPARE(timesTold(1), 3);
        QCOMPARE(timesTold(qint64{3600} * 1'000'000), 1);
    }

    void anEndIsToldAndTheNumberStays()
    {
        AsynqQueue relay;
        openAndMeet(relay, "mine");
        QVERIFY_RESULT(relay.enqueue(sampleBatch(3)));
        const QByteArray number = field("r:mine");
        relay.tellEnd();
        relay.close();
        const QList<RelayEntry> relays = listed();
        QCOMPARE(relays.size(), 1);
        QVERIFY(relays.first().about);
        QVERIFY(relays.first().about->ended.isValid());
        QCOMPARE(field("r:mine"), number);

        AsynqQueue again; // and is at work again, under the same name
        openAndMeet(again, "mine");
        QVERIFY(!listed().first().about->ended.isValid());
    }

    /// The number is what the fence goes by: without it the relay that comes back would be told
    /// that Redis lost what it was given.
    void whoIsGoneIsForgottenAndMayComeBack()
    {
        const QDateTime longAgo = QDateTime::currentDateTimeUtc().addSecs(-weekSeconds - 60);
        const QDateTime lately = longAgo.addSecs(120);
        setField("life", "one");
        setField("h:gone", relayValue(aboutOf(u"web2"_s)));
        setField("r:gone", batchOf(longAgo));
        setField("h:there", relayValue(aboutOf(u"web3"_s)));
        setField("r:there", batchOf(lately));
        AsynqQueue relay;
        openAndMeet(relay, "mine");
        QCOMPARE(field("h:gone"), QByteArray());
        QCOMPARE(field("r:gone"), batchOf(longAgo));
        QCOMPARE(field("h:there"), relayValue(aboutOf(u"web3"_s)));
        QCOMPARE(field("h:mine"), relayValue(aboutOf(u"web1"_s)));

        const QueueLife known{m_queue, "one", batchOf(longAgo).toLongLong()};
        AsynqQueue back;
        openAndMeet(back, "gone", {known});
        QVERIFY(!field("h:gone").isEmpty());
        QVERIFY_RESULT(back.enqueue(sampleBatch(1)));

        // And a loss is found all the same.
        setField("r:gone", batchOf(longAgo.addSecs(-1)));
        AsynqQueue robbed;
        QVERIFY_RESULT(robbed.open(endpoint(), u"relay"_s));
        robbed.watchLives("gone", {known});
        robbed.introduce(aboutOf(u"web2"_s), weekSeconds);
        const auto lost = robbed.meet(m_queue);
        QVERIFY(!lost);
        QCOMPARE(lost.error().code, QueueFence::lostCode);
    }

    /// A user with the rights of earlier releases may neither look through the fence nor remove.
    void withoutTheRightToForgetItWorksAllTheSame()
    {
        QVERIFY_RESULT(m_hand.command({"ACL", "SETUSER", "older", "reset", "on", ">secret", "+@all",
                                       "-hscan", "-hdel", "~asynq:*"},
                                      u"staging"_s));
        setField("life", "one");
        setField("h:gone", relayValue(aboutOf(u"web2"_s)));
        setField("r:gone", "1");
        RedisEndpoint at = endpoint();
        at.user = u"older"_s;
        at.password = u"secret"_s;
        AsynqQueue relay;
        QVERIFY_RESULT(relay.open(at, u"relay"_s));
        relay.watchLives("mine", {});
        relay.introduce(aboutOf(u"web1"_s), weekSeconds);
        QVERIFY_RESULT(relay.meet(m_queue));
        QVERIFY_RESULT(relay.enqueue(sampleBatch(2)));
        QCOMPARE(field("h:mine"), relayValue(aboutOf(u"web1"_s)));
        QCOMPARE(field("h:gone"), relayValue(aboutOf(u"web2"_s)));
        QVERIFY_RESULT(m_hand.command({"ACL", "DELUSER", "older"}, u"clearing"_s));
    }
};

} // namespace tst_relaypresence

OUTBOX_TEST(tst_relaypresence::TestRelayPresence)
#include "tst_relaypresence.moc"
