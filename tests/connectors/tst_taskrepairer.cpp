// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The script that repairs, against foreign keys, missing rights and broken containers: a repair
// makes no damage of its own, and says what it is not sure of.
#include "connectors/asynq/edit/pacededit.h"
#include "connectors/asynq/edit/taskrepairer.h"
#include "connectors/asynq/observe/factsread.h"
#include "connectors/asynq/scripts.h"
#include "connectors/asynq/wire/keys.h"
#include "tests/support/redishand.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_taskrepairer {

using namespace outbox;
using namespace outbox::asynq;
using namespace Qt::Literals::StringLiterals;

class TestTaskRepairer : public QObject
{
    Q_OBJECT

    PrivateRedis m_redis;
    ClusterLink m_link;
    RedisConnection &m_hand = m_link.alone();
    RedisConnection m_look;
    const QueueName m_queue{u"default"_s};
    const QueueKeys m_keys{m_queue};

    qint64 integer(const RedisCommand &command)
    {
        const auto reply = m_hand.command(command, u"counting"_s);
        return reply ? reply->integer : -1;
    }

    QByteArray signatureNow(const QString &id)
    {
        const auto look = readFacts(m_look, m_queue, {{id.toUtf8(), {}}});
        return look ? signatureOf(look->facts.value(id.toUtf8())) : QByteArray();
    }

    void openAs(RedisConnection &connection, const QByteArrayList &rights)
    {
        const RedisCommand user
            = RedisCommand{"ACL", "SETUSER", "ana", "reset", "on", ">secret"} + rights;
        QVERIFY_RESULT(m_hand.command(user, u"staging"_s));
        auto endpoint = RedisEndpoint::fromUrl(m_redis.url());
        QVERIFY_RESULT(endpoint);
        endpoint->user = u"ana"_s;
        endpoint->password = u"secret"_s;
        QVERIFY_RESULT(connection.open(*endpoint, RedisConnection::Access::Act, u"ana"_s));
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_redis);
        const auto endpoint = openByHand(m_hand, m_redis);
        QVERIFY_RESULT(endpoint);
        QVERIFY_RESULT(m_look.open(*endpoint, RedisConnection::Access::ReadOnly, u"looker"_s));
    }

    void init() { QVERIFY_RESULT(m_hand.command({"FLUSHALL"}, u"clearing"_s)); }

    /// Redis 6 has no function that tells rights beforehand.
    void scriptsRunWhereRightsCannotBeAsked()
    {
        const QByteArray older = "local newer = redis\n"
                                 "local redis = setmetatable({}, {__index = function(_, name)\n"
                                 "    return name ~= 'acl_check_cmd' and newer[name] or nil\n"
                                 "end})\n"
                                 "assert(not redis.acl_check_cmd)\n";
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"1"_s), TaskState::Retry));
        const QByteArray signature = signatureNow(u"1"_s);
        const QByteArrayList keys = editedKeys(m_keys) + QByteArrayList{m_keys.task("1")};
        const QByteArrayList own{m_keys.prefix(), "1795225841", "1795225841000000000", "9999"};
        const auto repaired
            = RedisScript(older + editingLua + repairLua)
                  .run(m_hand, keys, own + QByteArrayList{"1", "drop", signature, ""},
                       u"repairing"_s);
        QVERIFY_RESULT(repaired);
        QCOMPARE(repaired->elements.value(0).elements.value(0).bytes, "done");
        const QByteArray message = *encode(messageOf(sampleRequest(u"1"_s)));
        const auto restored = RedisScript(older + editingLua + restoreTasksLua)
                                  .run(m_hand, keys,
                                       own
                                           + QByteArrayList{"1", "retry", "1795225841", "", "", "0",
                                                            "1", "msg", message},
                                       u"restoring"_s);
        QVERIFY_RESULT(restored);
        QCOMPARE(restored->elements.value(0).elements.value(0).bytes, "done");
        QCOMPARE(containersOf(m_hand, "1"), QByteArrayList{"retry"});
    }

    void aDropLeavesForeignKeysAlone()
    {
        // A hash may name any key as its lock, of any type, even one that holds the task's own id.
        const QList<RedisCommand> foreign{{"SADD", m_keys.lockPrefix() + "set", "set"},
                                          {"SET", "elsewhere", "string"},
                                          {"SET", m_keys.lockPrefix() + "own", "own"}};
        QVERIFY_RESULT(m_hand.pipeline(foreign));
        QList<RepairStep> work;
        for (const QByteArray &id : QByteArrayList{"set", "string", "own"}) {
            const QByteArray lock
                = id == "string" ? QByteArray("elsewhere") : m_keys.lockPrefix() + id;
            const QString name = QString::fromUtf8(id);
            QVERIFY_RESULT(placeTask(m_hand, sampleRequest(name), TaskState::Pending));
            QVERIFY_RESULT(
                m_hand.command({"HSET", m_keys.task(id), "unique_key", lock}, u"locking"_s));
            work += RepairStep{{name}, Repair::Drop, signatureNow(name)};
        }
        TaskRepairer repairer(m_link);
        const auto answers = repairer.repair(m_queue, work);
        QVERIFY_RESULT(answers);
        for (const TaskAnswer &answer : *answers)
            QVERIFY2(answer.kind == TaskAnswer::Kind::Done, qPrintable(answer.detail));
        const RedisCommand exist{"EXISTS", foreign.at(0).at(1), foreign.at(1).at(1)};
        QCOMPARE(integer(exist), 2);
        QCOMPARE(integer({"EXISTS", foreign.at(2).at(1), m_keys.task(QByteArray("set"))}), 0);
        QCOMPARE(integer({"LLEN", m_keys.pending()}), 0);
    }

    void anEditOfEqualLengthIsSeenWhereverItIs()
    {
        QList<RepairStep> work;
        for (const QString &id : {u"edited"_s, u"same"_s}) {
            EnqueueRequest request = sampleRequest(id);
            request.payload = QByteArray(200 * 1024, 'x');
            QVERIFY_RESULT(placeTask(m_hand, request, TaskState::Active));
            work += RepairStep{{id}, Repair::Requeue, signatureNow(id)};
        }
        const QByteArray key = m_keys.task(QByteArray("edited"));
        QByteArray message = hashAt(m_hand, key).value("msg");
        const qsizetype at = message.lastIndexOf('x');
        QVERIFY(at > 150 * 1024);
        message[at] = 'y';
        QVERIFY_RESULT(m_hand.command({"HSET", key, "msg", message}, u"editing"_s));

        TaskRepairer repairer(m_link);
        const auto answers = repairer.repair(m_queue, work);
        QVERIFY_RESULT(answers);
        QVERIFY(answers->at(0).kind == TaskAnswer::Kind::Changed);
        QVERIFY(answers->at(1).kind == TaskAnswer::Kind::Done);
        QCOMPARE(integer({"LLEN", m_keys.pending()}), 1);
        QCOMPARE(integer({"LPOS", m_keys.pending(), "same"}), 0);
    }

    void anObstacleStopsARepairBeforeItWrites_data()
    {
        QTest::addColumn<QByteArray>("right");
        QTest::addColumn<QByteArray>("broken");
        for (const char *right : {"-lpush", "-lrem", "-zrem", "-hset"})
            QTest::addRow("%s", right) << QByteArray(right) << QByteArray();
        QTest::newRow("pending is no list") << QByteArray() << m_keys.pending();
        QTest::newRow("leases are no sorted set") << QByteArray() << m_keys.lease();
    }
    void anObstacleStopsARepairBeforeItWrites()
    {
        QFETCH(QByteArray, right);
        QFETCH(QByteArray, broken);
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"a"_s), TaskState::Active));
        const RepairStep requeue{{u"a"_s}, Repair::Requeue, signatureNow(u"a"_s)};
        if (!broken.isEmpty())
            QVERIFY_RESULT(m_hand.pipeline({{"DEL", broken}, {"SET", broken, "hello"}}));
        ClusterLink ana;
        openAs(ana.alone(), {"~*", "+@all", right.isEmpty() ? "+@all" : right});
        const auto before = wholeRedis(m_hand);
        TaskRepairer repairer(ana);
        const auto answers = repairer.repair(m_queue, {requeue});
        QVERIFY(!answers || answers->first().kind != TaskAnswer::Kind::Done);
        QCOMPARE(wholeRedis(m_hand), before);
    }

    void whatAnErrorHalfWayLeavesUnsureIsInDoubt()
    {
        QList<RepairStep> work;
        for (const QString &id : {u"a"_s, u"b"_s, u"c"_s}) {
            QVERIFY_RESULT(placeTask(m_hand, sampleRequest(id), TaskState::Active));
            work += RepairStep{{id}, Repair::Requeue, signatureNow(id)};
        }
        const QByteArray ofA = "(+hset ~" + m_keys.task(QByteArray("a")) + ')';
        ClusterLink ana; // may not write to b's hash, which only shows when a is repaired
        openAs(ana.alone(), {"~*", "+@all", "-hset", ofA});
        TaskRepairer repairer(ana);
        const auto answers = repairer.repair(m_queue, work);
        QVERIFY_RESULT(answers);
        QCOMPARE(integer({"LPOS", m_keys.pending(), "b"}), 0);
        QCOMPARE(integer({"LLEN", m_keys.pending()}), 2);
        QVERIFY(answers->at(0).kind == TaskAnswer::Kind::InDoubt);
        QVERIFY(answers->at(1).kind == TaskAnswer::Kind::InDoubt);
        QVERIFY(answers->at(2).kind == TaskAnswer::Kind::Failed);
        QVERIFY(!answers->at(2).detail.isEmpty());
    }
};

} // namespace tst_taskrepairer

OUTBOX_TEST(tst_taskrepairer::TestTaskRepairer)
#include "tst_taskrepairer.moc"
