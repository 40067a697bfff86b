// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The walk over a queue and the script that repairs, on a real Redis: all damage is suspected,
// nothing sound is, look and script agree on what they see, and repairs leave a sound queue.
#include "connectors/asynq/edit/taskrepairer.h"
#include "connectors/asynq/observe/queuesurvey.h"
#include "tests/support/queuedamage.h"
#include "tests/support/redishand.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_queuesurvey {

using namespace outbox;
using namespace outbox::asynq;
using namespace Qt::Literals::StringLiterals;

class TestQueueSurvey : public QObject
{
    Q_OBJECT

    PrivateRedis m_redis;
    ClusterLink m_link;
    RedisConnection &m_hand = m_link.alone();
    RedisConnection m_look;
    const QueueName m_queue{u"default"_s};
    const QueueKeys m_keys{m_queue};
    using Kinds = QHash<QByteArray, FindingKind>;

    static constexpr int perKind = 20;

    QString idOf(FindingKind kind, int number) { return u"%1-%2"_s.arg(word(kind)).arg(number); }

    bool seed()
    {
        for (const TaskState state : soundTaskStates()) {
            for (int i = 0; i < 150; ++i) {
                if (!placeTask(m_hand, sampleRequest(u"%1-%2"_s.arg(word(state)).arg(i)), state))
                    return false;
            }
        }
        for (const FindingKind kind : taskKinds()) {
            for (int i = 0; i < perKind; ++i) {
                if (!damage(m_hand, kind, sampleRequest(idOf(kind, i)), i))
                    return false;
            }
        }
        return true;
    }

    Kinds seeded()
    {
        Kinds kinds;
        for (const FindingKind kind : taskKinds()) {
            for (int i = 0; i < perKind; ++i)
                kinds.insert(idOf(kind, i).toUtf8(), kind);
        }
        return kinds;
    }

    /// Walks to the end; a new survey goes on after every `resumeAfter` pages.
    Result<Suspects> walk(int resumeAfter, QList<Finding> *findings = nullptr)
    {
        auto survey = std::make_unique<QueueSurvey>(m_look, m_queue);
        for (int pages = 1; !survey->isDone(); ++pages) {
            const auto page = survey->next();
            if (!page)
                return passOn(page);
            if (findings)
                *findings += page->findings;
            if (pages % resumeAfter == 0) {
                auto next = std::make_unique<QueueSurvey>(m_look, m_queue);
                next->resumeAt(survey->phase(), survey->cursor(), survey->suspects());
                survey = std::move(next);
            }
        }
        return survey->suspects();
    }

    Result<QList<TaskFacts>> damaged(const Suspects &suspects)
    {
        const auto look = readFacts(m_look, m_queue, suspects);
        if (!look)
            return passOn(look);
        QList<TaskFacts> all;
        for (const TaskFacts &facts : look->facts) {
            if (kindOf(facts))
                all += facts;
        }
        return all;
    }

    static std::optional<FindingKind> kindOf(const TaskFacts &facts)
    {
        return diagnose(facts, QDateTime::currentSecsSinceEpoch(), 120, true);
    }

    static Repair repairOf(FindingKind kind)
    {
        switch (kind) {
        case FindingKind::ActiveWithoutLease:
        case FindingKind::LeaseNobodyRecovers:
            return Repair::Requeue;
        case FindingKind::LeaseWithoutActive:
            return Repair::ClearLease;
        case FindingKind::StateDiffers:
            return Repair::Settle;
        case FindingKind::TwoContainers:
            return Repair::RestoreStatus;
        case FindingKind::OrphanHash:
            return Repair::Reattach;
        default:
            return Repair::Drop;
        }
    }

    /// As a user with these rights; named by what it may do.
    void open(RedisConnection &connection, RedisConnection::Access access,
              const QByteArrayList &rights)
    {
        const QString name = access == RedisConnection::Access::ReadOnly ? u"look"_s : u"act"_s;
        const RedisCommand user
            = RedisCommand{"ACL", "SETUSER", name.toUtf8(), "reset", "on", ">secret"} + rights;
        QVERIFY_RESULT(m_hand.command(user, u"staging"_s));
        auto endpoint = RedisEndpoint::fromUrl(m_redis.url());
        QVERIFY_RESULT(endpoint);
        endpoint->user = name;
        endpoint->password = u"secret"_s;
        QVERIFY_RESULT(connection.open(*endpoint, access, name));
    }

    qint64 integer(const RedisCommand &command)
    {
        const auto reply = m_hand.command(command, u"counting"_s);
        return reply ? reply->integer : -1;
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

    void everyDamageIsFoundAndNothingElse_data()
    {
        QTest::addColumn<int>("resumeAfter");
        QTest::newRow("in one go") << 1'000'000;
        QTest::newRow("stopped after every page") << 1;
        QTest::newRow("stopped after every third page") << 3;
    }
    void everyDamageIsFoundAndNothingElse()
    {
        QFETCH(int, resumeAfter);
        QVERIFY(seed());
        QList<Finding> aboutKeys;
        const auto suspects = walk(resumeAfter, &aboutKeys);
        QVERIFY_RESULT(suspects);
        QCOMPARE(aboutKeys, QList<Finding>());
        const auto found = damaged(*suspects);
        QVERIFY_RESULT(found);
        Kinds kinds;
        for (const TaskFacts &facts : *found)
            kinds.insert(facts.id, *kindOf(facts));
        const Kinds expected = seeded();
        for (const QByteArray &id : expected.keys())
            QVERIFY2(kinds.contains(id), id.constData());
        for (const QByteArray &id : kinds.keys()) {
            QVERIFY2(expected.contains(id), id.constData());
            QVERIFY2(kinds.value(id) == expected.value(id), id.constData());
        }
    }

    void lookAndScriptSeeTheSame()
    {
        QVERIFY(seed());
        Suspects all;
        for (const TaskState state : soundTaskStates())
            all.insert(word(state).toUtf8() + "-7", {});
        for (const QByteArray &id : seeded().keys())
            all.insert(id, {m_keys.group("g")});
        all.insert("never-there", {});
        const auto look = readFacts(m_look, m_queue, all);
        QVERIFY_RESULT(look);
        QCOMPARE(look->facts.size(), all.size());
        QList<RepairStep> compare;
        for (const TaskFacts &facts : look->facts)
            compare += {TaskId{QString::fromUtf8(facts.id)}, Repair::None, signatureOf(facts)};
        TaskRepairer repairer(m_link);
        const auto answers = repairer.repair(m_queue, compare);
        QVERIFY_RESULT(answers);
        for (qsizetype i = 0; i < compare.size(); ++i) {
            const QString both
                = QString::fromUtf8(compare.at(i).signature) + u" / "_s + answers->at(i).detail;
            QVERIFY2(answers->at(i).kind == TaskAnswer::Kind::Done, qPrintable(both));
        }
    }

    void repairsLeaveASoundQueue()
    {
        QVERIFY(seed());
        TaskRepairer repairer(m_link);
        for (int round = 0; round < 2; ++round) { // a lease taken off may uncover an orphan
            const auto suspects = walk(1'000'000);
            QVERIFY_RESULT(suspects);
            const auto found = damaged(*suspects);
            QVERIFY_RESULT(found);
            QList<RepairStep> work;
            for (const TaskFacts &facts : *found) {
                if (*kindOf(facts) != FindingKind::WrongType) {
                    work += {TaskId{QString::fromUtf8(facts.id)}, repairOf(*kindOf(facts)),
                             signatureOf(facts)};
                }
            }
            const auto answers = repairer.repair(m_queue, work);
            QVERIFY_RESULT(answers);
            for (const TaskAnswer &answer : *answers)
                QVERIFY2(answer.kind == TaskAnswer::Kind::Done, qPrintable(answer.detail));
            // Once more: nothing is as it was seen, so nothing is done twice.
            const auto again = repairer.repair(m_queue, work);
            QVERIFY_RESULT(again);
            for (const TaskAnswer &answer : *again)
                QVERIFY(answer.kind == TaskAnswer::Kind::Changed);
        }
        const auto suspects = walk(1'000'000);
        QVERIFY_RESULT(suspects);
        const auto left = damaged(*suspects);
        QVERIFY_RESULT(left);
        QCOMPARE(left->size(), perKind); // the keys of the wrong type, which are never touched
        for (const TaskFacts &facts : *left)
            QVERIFY(kindOf(facts) == FindingKind::WrongType);
        // 150 of each state, and what repairs moved there.
        QCOMPARE(integer({"LLEN", m_keys.pending()}), 150 + 2 * perKind);
        QCOMPARE(integer({"LLEN", m_keys.active()}), 150);
        QCOMPARE(integer({"ZCARD", m_keys.lease()}), 150);
    }

    void whatMovedMeanwhileIsLeftAlone()
    {
        QVERIFY_RESULT(damage(m_hand, FindingKind::OrphanHash, sampleRequest(u"o"_s), 0));
        const auto look = readFacts(m_look, m_queue, {{"o", {}}});
        QVERIFY_RESULT(look);
        const RepairStep drop{{u"o"_s}, Repair::Drop, signatureOf(look->facts.value("o"))};
        QVERIFY_RESULT(m_hand.command({"ZADD", m_keys.retry(), "99", "o"}, u"healing"_s));
        TaskRepairer repairer(m_link);
        const auto answers = repairer.repair(m_queue, {drop});
        QVERIFY_RESULT(answers);
        QVERIFY(answers->first().kind == TaskAnswer::Kind::Changed);
        QVERIFY(answers->first().detail.contains(u"in=retry@99"_s));
        QCOMPARE(integer({"EXISTS", m_keys.task(QByteArray("o"))}), 1);
    }

    void aMessageThatWasRewrittenIsNotDropped()
    {
        QVERIFY_RESULT(damage(m_hand, FindingKind::TrimmedOrphan, sampleRequest(u"o"_s), 0));
        const auto look = readFacts(m_look, m_queue, {{"o", {}}});
        QVERIFY_RESULT(look);
        const RepairStep drop{{u"o"_s}, Repair::Drop, signatureOf(look->facts.value("o"))};
        EnqueueRequest other = sampleRequest(u"o"_s);
        other.payload = R"({"n":2})"; // of the same length
        QVERIFY_RESULT(damage(m_hand, FindingKind::TrimmedOrphan, other, 0));
        TaskRepairer repairer(m_link);
        const auto answers = repairer.repair(m_queue, {drop});
        QVERIFY_RESULT(answers);
        QVERIFY(answers->first().kind == TaskAnswer::Kind::Changed);
    }

    void aFullArchiveTakesNothing()
    {
        QList<RedisCommand> fill;
        for (int i = 0; i < 9'999; ++i)
            fill += {"ZADD", m_keys.archived(), "1", QByteArray::number(i)};
        QVERIFY_RESULT(m_hand.pipeline(fill));
        QVERIFY_RESULT(damage(m_hand, FindingKind::OrphanHash, sampleRequest(u"o"_s), 0));
        const auto look = readFacts(m_look, m_queue, {{"o", {}}});
        QVERIFY_RESULT(look);
        TaskRepairer repairer(m_link);
        const auto answers = repairer.repair(
            m_queue, {{{u"o"_s}, Repair::Reattach, signatureOf(look->facts.value("o"))}});
        QVERIFY_RESULT(answers);
        QVERIFY(answers->first().kind == TaskAnswer::Kind::Full);
        QCOMPARE(integer({"ZCARD", m_keys.archived()}), 9'999);
    }

    void keysAndLocksAreLookedAt()
    {
        const QByteArray lock = m_keys.lockPrefix() + "mail:1";
        const QByteArray held = m_keys.lockPrefix() + "mail:2";
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"holder"_s), TaskState::Pending));
        QVERIFY_RESULT(
            m_hand.pipeline({{"SET", lock, "gone", "EX", "3600"},
                             {"SET", held, "holder", "EX", "3600"},
                             {"HSET", m_keys.task(QByteArray("holder")), "unique_key", held},
                             {"SET", m_keys.groups(), "no set"},
                             {"ZADD", m_keys.aggregationSets(), "5", "a-set"},
                             {"SREM", allQueues, "default"}}));
        QList<Finding> findings;
        QVERIFY_RESULT(walk(1'000'000, &findings));
        QMap<FindingKind, QString> subjects;
        for (const Finding &finding : std::as_const(findings))
            subjects.insert(finding.kind, finding.subject);
        QCOMPARE(findings.size(), 4);
        QCOMPARE(subjects.value(FindingKind::LockWithoutTask), QString::fromUtf8(lock));
        QCOMPARE(subjects.value(FindingKind::WrongType), QString::fromUtf8(m_keys.groups()));
        QCOMPARE(subjects.value(FindingKind::QueueNotListed), u"default"_s);
        QCOMPARE(subjects.value(FindingKind::LeaseNobodyRecovers), u"a-set"_s);

        TaskRepairer repairer(m_link);
        const auto heldStays = repairer.freeLock(m_queue, "holder", held);
        QVERIFY_RESULT(heldStays);
        QVERIFY(!*heldStays);
        const auto freed = repairer.freeLock(m_queue, "gone", lock);
        QVERIFY_RESULT(freed);
        QVERIFY(*freed);
        QVERIFY(!repairer.freeLock(m_queue, "gone", "another:key"));
        QVERIFY_RESULT(repairer.registerQueue(m_queue));
        QCOMPARE(integer({"SISMEMBER", allQueues, "default"}), 1);
    }

    void theRolesOfViewerAndOperatorSuffice()
    {
        const QByteArrayList viewer{
            "%R~asynq:*", "resetchannels", "-@all", "+auth", "+client|setname", "+@read",
            "-keys",      "-randomkey",    "+info", "+time", "+memory|usage"};
        const QByteArrayList acts{"~asynq:*", "+eval",  "+evalsha", "+script|load", "+hset",
                                  "+hdel",    "+lpush", "+lrem",    "+zadd",        "+zrem",
                                  "+sadd",    "+srem",  "+del",     "+unlink"};
        QVERIFY(seed());
        RedisConnection look;
        ClusterLink act;
        open(look, RedisConnection::Access::ReadOnly, viewer);
        open(act.alone(), RedisConnection::Access::Act, viewer + acts);
        QueueSurvey survey(look, m_queue);
        while (!survey.isDone())
            QVERIFY_RESULT(survey.next());
        const auto facts = readFacts(look, m_queue, survey.suspects());
        QVERIFY_RESULT(facts);
        QList<RepairStep> work;
        for (const TaskFacts &one : facts->facts) {
            if (const auto kind = kindOf(one); kind && *kind != FindingKind::WrongType)
                work += {TaskId{QString::fromUtf8(one.id)}, repairOf(*kind), signatureOf(one)};
        }
        QVERIFY(work.size() >= perKind * (taskKinds().size() - 1));
        const auto answers = TaskRepairer(act).repair(m_queue, work);
        QVERIFY_RESULT(answers);
        for (const TaskAnswer &answer : *answers)
            QVERIFY2(answer.kind == TaskAnswer::Kind::Done, qPrintable(answer.detail));
        // Without a right a task stays where it can be found.
        QVERIFY_RESULT(damage(m_hand, FindingKind::ActiveWithoutLease, sampleRequest(u"o"_s), 0));
        const auto active = readFacts(look, m_queue, {{"o", {}}});
        QVERIFY_RESULT(active);
        QVERIFY_RESULT(m_hand.command({"ACL", "SETUSER", "act", "-lpush"}, u"staging"_s));
        const auto refused = TaskRepairer(act).repair(
            m_queue, {{{u"o"_s}, Repair::Requeue, signatureOf(active->facts.value("o"))}});
        QVERIFY_RESULT(refused);
        QVERIFY(refused->first().kind == TaskAnswer::Kind::Failed);
        QCOMPARE(integer({"LREM", m_keys.active(), "0", "o"}), 1);
    }

    void aQueueOfALongNameIsTakenLiterally()
    {
        // SCAN's pattern must not read the name as wildcards: another queue would be walked too.
        const QueueName odd{u"a*[b]?\\c"_s};
        EnqueueRequest own = sampleRequest(u"o"_s);
        own.queue = odd;
        EnqueueRequest other = sampleRequest(u"p"_s);
        other.queue.text = u"aXXb1\\c"_s;
        QVERIFY_RESULT(damage(m_hand, FindingKind::OrphanHash, own, 0));
        QVERIFY_RESULT(damage(m_hand, FindingKind::OrphanHash, other, 0));
        QueueSurvey survey(m_look, odd);
        while (!survey.isDone())
            QVERIFY_RESULT(survey.next());
        QCOMPARE(survey.suspects().keys(), QByteArrayList{"o"});
    }
};

} // namespace tst_queuesurvey

OUTBOX_TEST(tst_queuesurvey::TestQueueSurvey)
#include "tst_queuesurvey.moc"
