// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A Redis before 7 does not tell a script what its user may do: the scripts find it out, and
// nothing is half done.
#include "connectors/asynq/edit/pacededit.h"
#include "connectors/asynq/scripts.h"
#include "connectors/redis/script.h"
#include "tests/support/redishand.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_oldredisrights {

using namespace outbox;
using namespace outbox::asynq;
using namespace Qt::Literals::StringLiterals;

class TestOldRedisRights : public QObject
{
    Q_OBJECT

    PrivateRedis m_redis;
    RedisConnection m_hand;
    std::optional<RedisEndpoint> m_endpoint;
    const QueueKeys m_keys{{u"default"_s}};

    /// The script as a server sees it that knows no such question.
    static QByteArray oldText()
    {
        QByteArray text = QByteArray(editingLua) + actOnTasksLua;
        text.replace("redis.acl_check_cmd", "redis.not_there_yet");
        return text;
    }

    /// `verb` on the task "1", which stands in `state`, by a user with these rights.
    Result<QList<TaskAnswer>> act(const QByteArray &verb, TaskState state,
                                  const QByteArrayList &writes)
    {
        RedisCommand user{"ACL",      "SETUSER", "ana",   "reset", "on",      ">secret",
                          "~asynq:*", "-@all",   "+auth", "+ping", "+hello",  "+client|setname",
                          "+@read",   "+time",   "+info", "+eval", "+evalsha"};
        for (const QByteArray &write : writes)
            user += '+' + write;
        if (const auto made = m_hand.command(user, u"staging"_s); !made)
            return passOn(made);
        RedisEndpoint endpoint = *m_endpoint;
        endpoint.user = u"ana"_s;
        endpoint.password = u"secret"_s;
        ClusterLink ana;
        if (auto opened = ana.open(endpoint, RedisConnection::Access::Act, u"ana"_s); !opened)
            return passOn(opened);
        const RedisScript script{oldText()};
        const QByteArray stamp = state == TaskState::Pending
            ? hashAt(m_hand, m_keys.task("1")).value("pending_since")
            : scoreOf(state);
        QueueNode node(ana, {u"default"_s});
        PacedEdit edit(node, script, {verb, "9999", "1000", "100000", "3"}, u"acting"_s,
                       EditPace(0));
        return edit.run({{"1", word(state).toUtf8(), stamp}});
    }
    QByteArray scoreOf(TaskState state)
    {
        const auto score = m_hand.command({"ZSCORE", m_keys.container(state), "1"}, u"looking"_s);
        return score ? score->bytes : QByteArray();
    }

    static QByteArrayList writes()
    {
        return {"lpush", "lrem", "zadd", "zrem", "sadd", "srem", "hset", "hdel", "del", "unlink"};
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_redis);
        const auto endpoint = openByHand(m_hand, m_redis);
        QVERIFY_RESULT(endpoint);
        m_endpoint = *endpoint;
    }
    void init() { QVERIFY_RESULT(m_hand.command({"FLUSHALL"}, u"clearing"_s)); }

    void withoutARightNothingIsWritten_data()
    {
        QTest::addColumn<QByteArray>("verb");
        QTest::addColumn<TaskState>("state");
        QTest::addColumn<QByteArray>("missing");
        for (const QByteArray &missing : writes()) {
            QTest::addRow("run without %s", missing.constData())
                << QByteArray("run") << TaskState::Archived << missing;
            QTest::addRow("archive without %s", missing.constData())
                << QByteArray("archive") << TaskState::Pending << missing;
            QTest::addRow("delete without %s", missing.constData())
                << QByteArray("delete") << TaskState::Retry << missing;
        }
    }
    void withoutARightNothingIsWritten()
    {
        QFETCH(QByteArray, verb);
        QFETCH(TaskState, state);
        QFETCH(QByteArray, missing);
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"1"_s), state));
        const auto before = wholeRedis(m_hand);
        QByteArrayList granted = writes();
        granted.removeAll(missing);
        const auto refused = act(verb, state, granted);
        QVERIFY(!refused);
        QCOMPARE(refused.error().kind, Error::Kind::Refused);
        QVERIFY2(oneLine(refused.error()).contains(u"+"_s + QString::fromLatin1(missing)),
                 qPrintable(oneLine(refused.error())));
        QCOMPARE(wholeRedis(m_hand), before);
    }

    void withAllRightsTheTriesLeaveNothing()
    {
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"1"_s), TaskState::Archived));
        const auto done = act("run", TaskState::Archived, writes());
        QVERIFY_RESULT(done);
        QCOMPARE(done->first().kind, TaskAnswer::Kind::Done);
        QCOMPARE(containersOf(m_hand, "1"), QByteArrayList{"pending"});
        const auto tries = m_hand.command({"KEYS", "*outboxdeck:try*"}, u"looking"_s);
        QVERIFY_RESULT(tries);
        QVERIFY(tries->elements.isEmpty());
    }

    /// A server that takes no writes is no user without rights.
    void whatIsNoRightIsToldAsItIs()
    {
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"1"_s), TaskState::Archived));
        const auto before = wholeRedis(m_hand);
        QVERIFY_RESULT(m_hand.command({"REPLICAOF", "127.0.0.1", "1"}, u"staging"_s));
        const auto refused = act("run", TaskState::Archived, writes());
        QVERIFY_RESULT(m_hand.command({"REPLICAOF", "NO", "ONE"}, u"staging"_s));
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, u"READONLY"_s);
        QCOMPARE(wholeRedis(m_hand), before);
    }
};

} // namespace tst_oldredisrights

OUTBOX_TEST(tst_oldredisrights::TestOldRedisRights)
#include "tst_oldredisrights.moc"
