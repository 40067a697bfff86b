// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the command line tells of queues, tasks and guesses is so, and all of it is told.
#include "tests/support/ctlworld.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/sentinelworld.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_ctltells {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

QString causesOf(const CtlRun &run)
{
    QStringList texts;
    for (const QJsonValue &cause : run.last().value("causes"_L1).toArray())
        texts += cause.toObject().value("text"_L1).toString();
    return texts.join(u'\n');
}

} // namespace

class TestCtlTells : public QObject, protected CtlWorld
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }
    void cleanup() { tearDownWorld(); }

    void aPausedQueueIsNotWell()
    {
        QVERIFY(setUpWorld());
        const QStringList check{u"check"_s, u"--json"_s};
        QVERIFY(!causesOf(ctl(check)).contains(u"paused"_s));
        QVERIFY_RESULT(
            m_fixture->plainRedis().command({"SET", "asynq:{default}:paused", "1"}, u"pausing"_s));
        const CtlRun run = ctl(check);
        QCOMPARE(run.exitCode, 1);
        QVERIFY2(causesOf(run).contains(u"Queue \"default\" is paused; 2 tasks wait"_s),
                 run.out.constData());
        QVERIFY(ctl({u"status"_s}).out.contains("PAUSED"));
    }

    void whatWaitsInGroupsAndInOtherQueuesCounts()
    {
        QVERIFY(setUpWorld());
        for (int n = 0; n < 3; ++n) {
            EnqueueRequest request = sampleRequest(u"g%1"_s.arg(n));
            request.queue.text = u"mail"_s;
            QVERIFY(placeTask(m_fixture->plainRedis(), request, TaskState::Aggregating));
        }
        const CtlRun status = ctl({u"status"_s, u"--json"_s});
        QCOMPARE(status.last().value("queue"_L1).toObject().value("aggregating"_L1).toInteger(-1),
                 0);
        const QJsonArray queues = status.last().value("queues"_L1).toArray();
        QCOMPARE(queues.size(), 2);
        QCOMPARE(queues.at(1).toObject().value("name"_L1).toString(), u"mail"_s);
        QCOMPARE(queues.at(1).toObject().value("aggregating"_L1).toInteger(), 3);
        QVERIFY(ctl({u"status"_s}).out.contains("queue    mail: "));
        QVERIFY(ctl({u"status"_s}).out.contains("in groups 3"));

        const CtlRun check = ctl({u"check"_s, u"--json"_s});
        QVERIFY2(causesOf(check).contains(u"No worker serves queue \"mail\"; 3 tasks wait"_s),
                 check.out.constData());
        QVERIFY(runCtl({u"tasks"_s, u"--help"_s}).out.contains("aggregating"));
    }

    void everyFieldOfATaskIsShown()
    {
        QVERIFY(setUpWorld());
        const EnqueueRequest request = sampleRequest(u"full"_s);
        asynq::TaskMessage message = messageOf(request);
        message.deadline = 4'116'744'000; // noon of a day in the year 2100
        message.uniqueKey = u"asynq:{default}:unique:mail:1"_s;
        message.group = u"g"_s;
        message.headers = {{u"trace"_s, u"abc"_s}};
        RedisConnection &redis = m_fixture->plainRedis();
        QVERIFY_RESULT(placeMessage(redis, request, TaskState::Completed, message));
        QVERIFY_RESULT(
            redis.command({"HSET", "asynq:{default}:t:full", "result", "all is sent"}, u"seed"_s));
        const CtlRun shown = ctl({u"show"_s, u"full"_s, u"--json"_s});
        const CtlRun listed = ctl({u"tasks"_s, u"--json"_s, u"--state"_s, u"completed"_s});
        QJsonObject task = shown.last().value("task"_L1).toObject();
        QCOMPARE(task.value("result"_L1).toObject().value("text"_L1).toString(), u"all is sent"_s);
        for (int once = 0; once < 2; ++once) {
            QCOMPARE(task.value("deadline"_L1).toString(), u"2100-06-15T12:00:00.000Z"_s);
            QCOMPARE(task.value("unique_key"_L1).toString(), message.uniqueKey);
            QCOMPARE(task.value("group"_L1).toString(), u"g"_s);
            QCOMPARE(task.value("headers"_L1).toObject().value("trace"_L1).toString(), u"abc"_s);
            for (const QJsonObject &one : listed.objects()) {
                if (one.value("id"_L1).toString() == u"full"_s)
                    task = one;
            }
        }
        const QByteArray text = ctl({u"show"_s, u"full"_s}).out;
        for (const char *part :
             {"2100-06-15", "unique:mail:1", "group g", "trace: abc", "all is sent"})
            QVERIFY2(text.contains(part), part);
    }

    /// Fails without `timeline` in the answer, or where a point lacks a member, or is out of order.
    void theLineOfTimeIsTold()
    {
        QVERIFY(setUpWorld());
        const QJsonObject shown = ctl({u"show"_s, u"3"_s, u"--json"_s}).last();
        const QJsonArray line = shown.value("timeline"_L1).toArray();
        QStringList kinds;
        bool isBehindNow = false;
        for (const QJsonValue &value : line) {
            const QJsonObject point = value.toObject();
            for (const QString &member : {u"kind"_s, u"at"_s, u"future"_s, u"from"_s, u"word"_s,
                                          u"note"_s, u"gap_s"_s, u"gap"_s})
                QVERIFY2(point.contains(member), qPrintable(member));
            const QString kind = point.value("kind"_L1).toString();
            QCOMPARE(point.value("future"_L1).toBool(), isBehindNow);
            QCOMPARE(point.value("gap"_L1).toString().isEmpty(), kinds.isEmpty());
            if (point.value("at"_L1).isNull())
                QVERIFY2(!point.value("note"_L1).toString().isEmpty(), qPrintable(kind));
            isBehindNow = isBehindNow || kind == u"now"_s;
            kinds += kind;
        }
        for (const QString &kind :
             {u"written"_s, u"queued"_s, u"done"_s, u"now"_s, u"kept-until"_s})
            QCOMPARE(kinds.count(kind), 1);
        QCOMPARE(kinds.first(), u"written"_s);
        QVERIFY(kinds.indexOf(u"done"_s) < kinds.indexOf(u"now"_s));
        QCOMPARE(kinds.last(), u"kept-until"_s);

        const QByteArray text = ctl({u"show"_s, u"3"_s}).out;
        for (const char *part :
             {"TIME LINE", "Written", "not known", "Done", "Now", "Refused until"})
            QVERIFY2(text.contains(part), part);
        const CtlRun nowhere = ctl({u"show"_s, u"nowhere"_s});
        QCOMPARE(nowhere.exitCode, 3);
        QVERIFY(nowhere.out.contains("there is no row now"));
    }

    void aGuessIsToldBesideItsNumbers()
    {
        QVERIFY(setUpWorld());
        // Its name does not say outbox, so nobody can be sure.
        QVERIFY(m_fixture->exec(u"create table message_queue (id bigint primary key, type text not "
                                u"null, payload text not null, created_at timestamptz not null, "
                                u"sent_at timestamptz)"_s));
        QVERIFY(m_fixture->exec(u"insert into message_queue select g, 'mail', '{}', now() - "
                                u"interval '4 days', null from generate_series(1, 176) g"_s));
        const QStringList table{u"--table"_s, u"message_queue"_s};
        const QJsonObject outbox
            = ctl({u"status"_s, u"--json"_s}, table).last().value("outbox"_L1).toObject();
        const QJsonObject mapping = outbox.value("mapping"_L1).toObject();
        QVERIFY(mapping.value("confidence"_L1).toDouble(1) < 0.9);
        QVERIFY(mapping.value("confirmed"_L1).isNull());
        QVERIFY(mapping.contains("questions"_L1));
        QVERIFY(!outbox.value("exact"_L1).toBool(true));
        QVERIFY(ctl({u"status"_s}, table).out.contains("(the mapping is a guess)"));
        const CtlRun check = ctl({u"check"_s, u"--json"_s}, table);
        QVERIFY2(causesOf(check).contains(u"Mapping is a guess ("_s), check.out.constData());
        QVERIFY2(!causesOf(check).contains(u"Behind"_s), check.out.constData());
        QVERIFY(!ctl({u"status"_s, u"--json"_s})
                     .last()
                     .value("outbox"_L1)
                     .toObject()
                     .contains("mapping"_L1));
    }

    /// Reading it costs the server more than all counts of a look.
    void aLookReadsTheCatalogOnce()
    {
        QVERIFY(setUpWorld());
        QVERIFY(m_fixture->exec(u"do $$ begin execute format('alter database %I set log_statement ="
                                u" ''all''', current_database()); end $$"_s));
        const auto times
            = [this] { return m_postgres.log().count("format_type(atttypid, atttypmod)"); };
        for (const char *command : {"status", "check"}) {
            const qsizetype before = times();
            QVERIFY(!ctl({QString::fromLatin1(command)}).out.isEmpty());
            QCOMPARE(times() - before, 1);
        }
    }

    void aSentinelIsCalledThat()
    {
        QVERIFY(setUpWorld());
        PrivateSentinel sentinel; // of a Redis that is not there
        QVERIFY_RESULT(sentinel.start(1));
        const CtlRun relay = ctl({u"relay"_s, u"--drain"_s, u"--ids-never-return"_s},
                                 {u"--redis"_s, sentinel.url()});
        QVERIFY2(relay.err.contains("this is a Sentinel"), relay.err.constData());
        const QByteArray form = "redis+sentinel://" + sentinel.at().text().toUtf8() + "/NAME/0";
        QVERIFY2(relay.err.contains(form), relay.err.constData());
        QCOMPARE(relay.exitCode, 5);
        const CtlRun status = ctl({u"status"_s}, {u"--redis"_s, sentinel.url()});
        QVERIFY2(status.err.contains("this is a Sentinel"), status.err.constData());
        QCOMPARE(count(u"completed_at is null"_s), 2);
    }
};

} // namespace tst_ctltells

OUTBOX_TEST(tst_ctltells::TestCtlTells)
#include "tst_ctltells.moc"
