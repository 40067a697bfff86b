// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the page about roles says of Redis is so, cell by cell; what is refused names what is
// missing, and the ACL rules in the errors give it.
#include "connectors/asynq/asynqqueue.h"
#include "connectors/asynq/edit/taskeditor.h"
#include "connectors/asynq/edit/taskrepairer.h"
#include "connectors/asynq/observe/factsread.h"
#include "connectors/asynq/observe/inspector.h"
#include "connectors/asynq/observe/queuesurvey.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/asynq/wire/relayfield.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/rolespage.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <functional>

namespace tst_aclmatrix {

using namespace outbox;
using namespace outbox::asynq;
using namespace Qt::Literals::StringLiterals;

class TestAclMatrix : public QObject
{
    Q_OBJECT

    using Act = std::function<Result<void>(const RedisEndpoint &)>;

    PrivateRedis m_redis;
    RedisConnection m_hand;
    AsynqInspector m_inspector;
    RolesPage m_page;
    const QueueName m_queue{u"default"_s};
    const QueueKeys m_keys{m_queue};
    const QMap<QString, Act> m_acts = acts();

    static Result<void> ended(const auto &result)
    {
        return result ? Result<void>() : Result<void>(passOn(result));
    }
    /// What was done to each task; the first refusal as an error.
    static Result<void> ended(const Result<QList<TaskAnswer>> &answers)
    {
        if (!answers)
            return passOn(answers);
        for (const TaskAnswer &answer : *answers) {
            if (answer.kind != TaskAnswer::Kind::Done)
                return fail(Error::Kind::Conflict, u"acting"_s, answer.detail);
        }
        return {};
    }

    static Result<void> connected(const RedisEndpoint &at, RedisConnection::Access access,
                                  const std::function<Result<void>(RedisConnection &)> &act)
    {
        RedisConnection connection;
        const auto open = connection.open(at, access, u"role"_s);
        return open ? act(connection) : open;
    }
    static Act command(const RedisCommand &command)
    {
        return [command](const RedisEndpoint &at) {
            return connected(at, RedisConnection::Access::Act, [&](RedisConnection &connection) {
                return ended(connection.command(command, u"trying"_s));
            });
        };
    }
    static Act enqueueing(const QString &payload, EnqueueAnswer::Kind expected, bool same = true)
    {
        return [=](const RedisEndpoint &at) -> Result<void> {
            AsynqQueue queue;
            if (auto open = queue.open(at, u"role"_s); !open)
                return open;
            EnqueueRequest request = sampleRequest(payload.isEmpty() ? u"new"_s : u"1"_s);
            if (!payload.isEmpty() && payload != u"same"_s)
                request.payload = payload.toUtf8();
            const auto answers = queue.enqueue({request});
            if (!answers)
                return passOn(answers);
            const EnqueueAnswer &answer = answers->first();
            return answer.kind == expected && (same || !answer.same)
                ? Result<void>()
                : fail(Error::Kind::Conflict, u"enqueueing"_s, answer.detail);
        };
    }
    static Act editing(const std::function<Result<void>(TaskEditor &)> &act)
    {
        return [act](const RedisEndpoint &at) -> Result<void> {
            TaskEditor editor;
            const auto open = editor.open(at, u"role"_s);
            return open ? act(editor) : open;
        };
    }
    QList<TaskGuard> guard(const QString &id)
    {
        const auto seen = m_inspector.observe(m_queue, {{id}});
        if (!seen)
            return {};
        return {{{id}, seen->first().state, seen->first().stamp}};
    }

    Result<void> look(const RedisEndpoint &at) const
    {
        AsynqInspector inspector;
        if (auto open = inspector.open(at, u"role"_s); !open)
            return open;
        const QList<Result<void>> looks{ended(inspector.queues()),
                                        ended(inspector.snapshot({m_queue})),
                                        ended(inspector.dedup(m_queue)),
                                        ended(inspector.tasks(m_queue, TaskState::Retry, 10, {})),
                                        ended(inspector.tasks(m_queue, TaskState::Pending, 10, {})),
                                        ended(inspector.find(m_queue, {u"1"_s})),
                                        ended(inspector.glance(m_queue, {{u"1"_s}})),
                                        ended(inspector.observe(m_queue, {{u"1"_s}, {u"2"_s}})),
                                        ended(inspector.oldestArchived(m_queue, 5)),
                                        ended(inspector.servers()),
                                        ended(inspector.workers()),
                                        ended(inspector.facts())};
        for (const Result<void> &one : looks) {
            if (!one)
                return one;
        }
        return {};
    }
    Result<void> survey(RedisConnection &connection) const
    {
        QueueSurvey survey(connection, m_queue);
        while (!survey.isDone()) {
            if (const auto page = survey.next(); !page)
                return passOn(page);
        }
        return ended(readFacts(connection, m_queue, {{"1", {}}}));
    }
    Result<void> repair(const RedisEndpoint &at)
    {
        ClusterLink link;
        if (auto open = link.open(at, RedisConnection::Access::Act, u"role"_s); !open)
            return open;
        const auto facts = readFacts(m_hand, m_queue, {{"lone", {}}});
        if (!facts)
            return passOn(facts);
        const QByteArray seen = signatureOf(facts->facts.value("lone"));
        TaskRepairer repairer(link);
        const auto answers = repairer.repair(m_queue, {{{u"lone"_s}, Repair::Reattach, seen}});
        if (!answers)
            return passOn(answers);
        if (answers->first().kind == TaskAnswer::Kind::Done)
            return repairer.registerQueue(m_queue);
        const QString said = answers->first().detail;
        return fail(Error::Kind::Refused, u"repairing"_s, said, u"NOPERM"_s, said);
    }

    QMap<QString, Act> acts()
    {
        using Kind = EnqueueAnswer::Kind;
        using Access = RedisConnection::Access;
        return {
            {u"look at queues, tasks and retained ids"_s,
             [this](const RedisEndpoint &at) { return look(at); }},
            {u"look for what is inconsistent"_s,
             [this](const RedisEndpoint &at) {
                 return connected(at, Access::ReadOnly,
                                  [this](RedisConnection &to) { return survey(to); });
             }},
            {u"length of a queue"_s,
             [this](const RedisEndpoint &at) {
                 return connected(at, Access::ReadOnly, [this](RedisConnection &to) {
                     return ended(to.command({"LLEN", m_keys.pending()}, u"counting"_s));
                 });
             }},
            {u"enqueue"_s, enqueueing({}, Kind::Stored)},
            {u"enqueue the same again"_s, enqueueing(u"same"_s, Kind::Exists)},
            {u"enqueue another under the same id"_s, enqueueing(u"another"_s, Kind::Exists, false)},
            {u"wait for replicas"_s,
             [](const RedisEndpoint &at) {
                 return connected(at, Access::Act, [](RedisConnection &to) {
                     return ended(to.command({"WAIT", "0", "1"}, u"waiting"_s));
                 });
             }},
            {u"run, archive, replace and delete a task"_s, editing([this](TaskEditor &editor) {
                 auto done = ended(editor.run(m_queue, guard(u"2"_s)));
                 if (done)
                     done = ended(editor.replace(m_queue, guard(u"2"_s)));
                 if (done)
                     done = ended(editor.archive(m_queue, guard(u"2"_s)));
                 return done ? ended(editor.remove(m_queue, guard(u"2"_s))) : done;
             })},
            {u"leave and take back a tombstone"_s, editing([this](TaskEditor &editor) {
                 auto done = ended(editor.placeTombstone(m_queue, {{u"gone"_s}}, 60, u"op"_s));
                 return done ? ended(editor.removeTombstone(m_queue, {{u"gone"_s}}, u"op"_s))
                             : done;
             })},
            {u"pause and unpause a queue"_s, editing([this](TaskEditor &editor) {
                 auto done = ended(editor.pause(m_queue));
                 return done ? ended(editor.unpause(m_queue)) : done;
             })},
            {u"cancel a running task"_s,
             editing([](TaskEditor &editor) { return editor.cancel({{u"1"_s}}); })},
            {u"repair a finding"_s, [this](const RedisEndpoint &at) { return repair(at); }},
            {u"DEL asynq:{default}:t:1"_s, command({"DEL", "asynq:{default}:t:1"})},
            {u"DEL inside a script"_s,
             [](const RedisEndpoint &at) {
                 return connected(at, Access::Act, [](RedisConnection &to) {
                     return ended(RedisScript("return redis.call('DEL', KEYS[1])")
                                      .run(to, {"asynq:{default}:t:1"}, {}, u"trying"_s));
                 });
             }},
            {u"GET of a key outside"_s, command({"GET", "elsewhere"})},
            {u"KEYS *"_s, command({"KEYS", "*"})},
            {u"CONFIG GET maxmemory"_s, command({"CONFIG", "GET", "maxmemory"})},
            {u"CONFIG SET maxmemory 0"_s, command({"CONFIG", "SET", "maxmemory", "0"})},
            {u"FLUSHALL"_s, command({"FLUSHALL"})},
            {u"CLIENT LIST"_s, command({"CLIENT", "LIST"})},
            {u"CLIENT KILL ID 999999"_s, command({"CLIENT", "KILL", "ID", "999999"})},
            {u"CLIENT PAUSE 0"_s, command({"CLIENT", "PAUSE", "0"})},
            {u"MONITOR"_s, command({"MONITOR"})},
            {u"log in with a wrong password"_s,
             [](RedisEndpoint at) {
                 at.password = u"wrong"_s;
                 return connected(at, Access::ReadOnly,
                                  [](RedisConnection &) -> Result<void> { return {}; });
             }},
        };
    }

    /// The tasks as they were, and every user with the rights of the page.
    void reset()
    {
        QVERIFY_RESULT(m_hand.command({"FLUSHALL"}, u"clearing"_s));
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"1"_s), TaskState::Pending));
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"2"_s), TaskState::Retry));
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"3"_s), TaskState::Completed));
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"lone"_s), TaskState::Retry));
        QVERIFY_RESULT(m_hand.command({"ZREM", m_keys.retry(), "lone"}, u"damaging"_s));
        for (const QString &rule : std::as_const(m_page.statements)) {
            QByteArrayList words = rule.toUtf8().simplified().split(' ');
            words.insert(3, "reset");
            for (QByteArray &word : words) {
                if (word.startsWith('>'))
                    word = ">secret";
            }
            QVERIFY_RESULT(m_hand.command(words, u"giving rights"_s));
        }
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_redis);
        m_page = RolesPage::read(QStringLiteral(ROLES_PAGE), u"Redis"_s, {u"ACL SETUSER "_s});
        QCOMPARE(m_page.roles.size(), 3);
        QCOMPARE(m_page.statements.size(), 3);
        const auto at = RedisEndpoint::fromUrl(m_redis.url());
        QVERIFY_RESULT(at);
        QVERIFY_RESULT(m_hand.open(*at, RedisConnection::Access::Act, u"hand"_s));
        QVERIFY_RESULT(m_inspector.open(*at, u"hand"_s));
    }

    void thePageNamesEveryAct() { m_page.expectActs(m_acts.keys()); }

    void everyCellIsAsDocumented_data() { m_page.addCells(); }
    void everyCellIsAsDocumented()
    {
        QFETCH(QString, act);
        QFETCH(QString, role);
        QFETCH(bool, allowed);
        auto at = RedisEndpoint::fromUrl(m_redis.url());
        QVERIFY_RESULT(at);
        at->user = role;
        at->password = u"secret"_s;
        const Act &run = m_acts[act];
        reset();
        auto done = run(*at);
        if (allowed) {
            QVERIFY_RESULT(done);
            return;
        }
        QVERIFY(!done);
        QCOMPARE(done.error().kind, Error::Kind::Refused);
        if (done.error().code == u"WRONGPASS")
            return;
        QStringList rules;
        while (!done) {
            const QString said = oneLine(done.error());
            QVERIFY2(done.error().code == u"NOPERM", qPrintable(said));
            const QString mark = u"ACL SETUSER %1 "_s.arg(role);
            const qsizetype begins = done.error().hint.indexOf(mark);
            QVERIFY2(begins >= 0, qPrintable(said));
            const QString rule = done.error().hint.mid(begins + mark.size()).section(u" ["_s, 0, 0);
            QVERIFY2(!rules.contains(rule) && rules.size() < 20, qPrintable(said));
            if (act == u"MONITOR" || act == u"FLUSHALL") {
                QCOMPARE(rule, u'+' + act.toLower());
                return;
            }
            if (act == u"GET of a key outside" && rule.endsWith(u"~asynq:*"_s))
                return; // which it has: the key is none of ours
            rules += rule;
            reset();
            for (const QString &one : std::as_const(rules)) {
                QVERIFY_RESULT(m_hand.command(RedisCommand{"ACL", "SETUSER", role.toUtf8()}
                                                  + one.toUtf8().split(' '),
                                              u"giving rights"_s));
            }
            done = run(*at);
        }
    }

    /// Which fails without a word where it may not.
    void aRelayMayTellWhoItIsAndForgetThoseThatAreGone()
    {
        auto at = RedisEndpoint::fromUrl(m_redis.url());
        QVERIFY_RESULT(at);
        at->user = u"deck_relay"_s;
        at->password = u"secret"_s;
        reset();
        RelayAbout about;
        about.host = u"web1"_s;
        about.version = u"0.9.0"_s;
        QVERIFY_RESULT(m_hand.command(
            {"HSET", m_keys.fence(), "life", "one", "r:gone", "1", "h:gone", relayValue(about)},
            u"staging"_s));
        AsynqQueue relay;
        QVERIFY_RESULT(relay.open(*at, u"role"_s));
        relay.watchLives("mine", {});
        relay.introduce(about, 60);
        QVERIFY_RESULT(relay.meet(m_queue));
        const auto told = [this](const QByteArray &field) {
            return numberOf(m_hand, {"HEXISTS", m_keys.fence(), field});
        };
        QCOMPARE(told("h:mine"), 1);
        QCOMPARE(told("h:gone"), 0);
        QCOMPARE(told("r:gone"), 1);
    }
};

} // namespace tst_aclmatrix

OUTBOX_TEST(tst_aclmatrix::TestAclMatrix)
#include "tst_aclmatrix.moc"
