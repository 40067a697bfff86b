// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Workers that follow the protocol meet an operator who runs, archives, deletes and replaces on the
// same queues: nobody is stuck, nothing is lost, nothing is left over, and Redis is never held up.
#include "app/demo/demoworker.h"
#include "connectors/asynq/asynqqueue.h"
#include "connectors/asynq/edit/taskeditor.h"
#include "connectors/asynq/observe/inspector.h"
#include "connectors/asynq/wire/keys.h"
#include "connectors/room.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <array>
#include <atomic>

namespace tst_livequeue {

using namespace outbox;
using namespace outbox::asynq;
using namespace Qt::Literals::StringLiterals;
using namespace std::chrono_literals;

using Kind = TaskAnswer::Kind;

namespace {

const QList<QueueName> queues{{u"default"_s}, {u"mail"_s}};
const QMap<QString, int> served{{u"default"_s, 1}, {u"mail"_s, 2}};
constexpr qint64 longestScript = 20'000; ///< µs

struct Shift
{
    qint64 finished = 0;
    qint64 failed = 0;
};

/// One worker's day: takes, finishes well or badly, forwards what is due; ends with empty hands.
Result<Shift> workUntil(DemoWorker &worker, const std::atomic_bool &isOver, quint32 seed)
{
    QRandomGenerator dice(seed);
    Shift shift;
    while (!isOver) {
        for (const QueueName &queue : queues) {
            const auto task = worker.dequeue(queue);
            if (!task)
                return passOn(task);
            if (!*task)
                continue;
            const quint32 throwOf = dice.bounded(10U);
            const QDateTime now = QDateTime::currentDateTimeUtc();
            const Result<void> ended = throwOf < 6 ? worker.complete(**task)
                : throwOf < 9                      ? worker.retryLater(**task, u"later"_s, now)
                                                   : worker.archive(**task, u"never"_s);
            if (!ended)
                return passOn(ended);
            ++(throwOf < 6 ? shift.finished : shift.failed);
        }
        if (dice.bounded(20U) == 0) {
            const auto moved = worker.forward(QDateTime::currentDateTimeUtc());
            if (!moved)
                return passOn(moved);
        }
    }
    return shift;
}

} // namespace

class TestLiveQueue : public QObject
{
    Q_OBJECT

    PrivateRedis m_redis;
    RedisConnection m_hand;
    AsynqQueue m_relay;
    AsynqInspector m_inspector;
    TaskEditor m_editor;
    std::atomic_bool m_isOver{false};
    int m_sent = 0;
    QSet<QString> m_deleted;
    QMap<Kind, qint64> m_answers;

    RedisEndpoint endpoint() const { return *RedisEndpoint::fromUrl(m_redis.url()); }
    qint64 number(const RedisCommand &command) { return numberOf(m_hand, command); }

    void send(const QueueName &queue, int count)
    {
        QList<EnqueueRequest> batch;
        for (int i = 0; i < count; ++i) {
            batch += sampleRequest(u"%1-%2"_s.arg(queue.text).arg(m_sent++));
            batch.last().queue = queue;
        }
        QVERIFY_RESULT(m_relay.enqueue(batch));
    }

    /// One act of the operator: on what a page shows, some of which will have moved by then.
    void operate(QRandomGenerator &dice)
    {
        const QueueName &queue = queues.at(dice.bounded(static_cast<int>(queues.size())));
        const QList<TaskState> states = soundTaskStates();
        const TaskState state = states.at(dice.bounded(static_cast<int>(states.size())));
        const auto page = m_inspector.tasks(queue, state, 40, {});
        QVERIFY_RESULT(page);
        QList<TaskId> ids;
        for (const Task &task : page->tasks)
            ids += task.id;
        const auto seen = m_inspector.observe(queue, ids);
        QVERIFY_RESULT(seen);
        QList<TaskGuard> guards;
        for (qsizetype i = 0; i < ids.size(); ++i) {
            // Nothing on a live queue ever looks damaged.
            QVERIFY2(seen->at(i).state == TaskState::None
                         || soundTaskStates().contains(seen->at(i).state),
                     qPrintable(ids.at(i).text + u" looks "_s + word(seen->at(i).state)));
            guards += {ids.at(i), seen->at(i).state, seen->at(i).stamp};
        }
        constexpr std::array verbs{&TaskEditor::run, &TaskEditor::archive, &TaskEditor::replace,
                                   &TaskEditor::remove};
        const quint32 verb = dice.bounded(10U);
        const auto edit = verbs.at(verb < 9 ? verb / 3 : 3); // few are deleted
        const auto answers = (m_editor.*edit)(queue, guards);
        QVERIFY_RESULT(answers);
        for (qsizetype i = 0; i < guards.size(); ++i) {
            const TaskAnswer &answer = answers->at(i);
            ++m_answers[answer.kind];
            QVERIFY2(answer.kind != Kind::Damaged, qPrintable(answer.detail));
            if (edit == &TaskEditor::remove && answer.kind == Kind::Done)
                m_deleted += guards.at(i).id.text;
        }
    }

    /// Every hash stands in exactly one container, and the inspector counts what is there.
    void checkQueue(const QueueName &queue, QSet<QString> &present)
    {
        const QueueKeys keys(queue);
        QHash<QByteArray, int> places;
        QMap<TaskState, qint64> counts;
        for (const TaskState state : soundTaskStates()) {
            const QByteArray container = keys.container(state);
            if (container.isEmpty())
                continue;
            const bool isList = state == TaskState::Pending || state == TaskState::Active;
            const auto ids = m_hand.command({isList ? "LRANGE" : "ZRANGE", container, "0", "-1"},
                                            u"looking"_s);
            QVERIFY_RESULT(ids);
            counts[state] = ids->elements.size();
            for (const RedisReply &id : ids->elements) {
                ++places[id.bytes];
                const auto said
                    = m_hand.command({"HGET", keys.task(id.bytes), "state"}, u"looking"_s);
                QVERIFY_RESULT(said);
                QCOMPARE(said->bytes, word(state).toUtf8());
            }
        }
        QCOMPARE(number({"ZCARD", keys.lease()}), 0);
        QCOMPARE(counts.value(TaskState::Active), 0);
        const auto snapshot = m_inspector.snapshot({queue});
        QVERIFY_RESULT(snapshot);
        const QueueSnapshot &shown = snapshot->first();
        QCOMPARE(shown.pending, counts.value(TaskState::Pending));
        QCOMPARE(shown.active, 0);
        QCOMPARE(shown.scheduled, counts.value(TaskState::Scheduled));
        QCOMPARE(shown.retry, counts.value(TaskState::Retry));
        QCOMPARE(shown.archived, counts.value(TaskState::Archived));
        QCOMPARE(shown.completed, counts.value(TaskState::Completed));

        QByteArray cursor = "0";
        qsizetype hashes = 0;
        do {
            const auto step = m_hand.command({"SCAN", cursor, "COUNT", "1000"}, u"looking"_s);
            QVERIFY_RESULT(step);
            cursor = step->elements.at(0).bytes;
            for (const RedisReply &key : step->elements.at(1).elements) {
                if (!key.bytes.startsWith(keys.taskPrefix()))
                    continue;
                ++hashes;
                const QByteArray id = key.bytes.mid(keys.taskPrefix().size());
                present += QString::fromUtf8(id);
                QVERIFY2(places.value(id) == 1, id.constData());
            }
        } while (cursor != "0");
        QCOMPARE(hashes, places.size());
    }

    QList<qint64> slowScripts()
    {
        QList<qint64> slow;
        const auto log = m_hand.command({"SLOWLOG", "GET", "-1"}, u"looking"_s);
        for (qsizetype i = 0; log && i < log->elements.size(); ++i) {
            const QList<RedisReply> entry = log->elements.at(i).elements;
            if (entry.value(3).elements.value(0).bytes.startsWith("EVAL"))
                slow += entry.value(2).integer;
        }
        std::sort(slow.begin(), slow.end(), std::greater<>());
        return slow;
    }

    /// Archives all that is pending, making room for it in an archive that is full.
    void archiveAll(const QueueName &queue, int total)
    {
        QList<TaskId> ids;
        for (int i = 0; i < total; ++i)
            ids += TaskId{u"%1-%2"_s.arg(queue.text).arg(m_sent - total + i)};
        const auto seen = m_inspector.observe(queue, ids);
        QVERIFY_RESULT(seen);
        constexpr int chunk = 500;
        for (int start = 0; start < total; start += chunk) {
            QList<TaskGuard> guards;
            for (int i = start; i < start + chunk; ++i)
                guards += {ids.at(i), seen->at(i).state, seen->at(i).stamp};
            const qint64 excess
                = number({"ZCARD", QueueKeys(queue).archived()}) + chunk - archiveLimit;
            const auto oldest = m_inspector.oldestArchived(queue, static_cast<int>(excess));
            QVERIFY_RESULT(oldest);
            const auto gone = m_editor.remove(queue, *oldest);
            QVERIFY_RESULT(gone);
            const auto archived = m_editor.archive(queue, guards);
            QVERIFY_RESULT(archived);
            for (const TaskAnswer &answer : *gone + *archived)
                QCOMPARE(answer.kind, Kind::Done);
        }
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(
            m_redis,
            {u"--slowlog-log-slower-than"_s, u"200"_s, u"--slowlog-max-len"_s, u"100000"_s});
        QVERIFY_RESULT(m_hand.open(endpoint(), RedisConnection::Access::Act, u"hand"_s));
        QVERIFY_RESULT(m_relay.open(endpoint(), u"relay"_s));
        QVERIFY_RESULT(m_inspector.open(endpoint(), u"looker"_s));
        QVERIFY_RESULT(m_editor.open(endpoint(), u"operator"_s));
    }

    void init()
    {
        QVERIFY_RESULT(m_hand.pipeline({{"FLUSHALL"}, {"SLOWLOG", "RESET"}}));
        m_sent = 0;
        m_deleted.clear();
        m_answers.clear();
        m_isOver = false;
    }

    void workersAndAnOperatorShareTheQueues()
    {
        Room<DemoWorker> first(u"first"_s);
        Room<DemoWorker> second(u"second"_s);
        QList<QFuture<Result<Shift>>> shifts;
        quint32 seed = 7;
        for (Room<DemoWorker> *room : {&first, &second}) {
            shifts += room->run([this, at = endpoint(), seed = seed++](DemoWorker &worker) {
                const auto open = worker.open(at, served, 1);
                return open ? workUntil(worker, m_isOver, seed) : passOn(open);
            });
        }
        QRandomGenerator dice(42);
        const QDeadlineTimer end(6s);
        while (!end.hasExpired() && !QTest::currentTestFailed()) {
            if (m_sent < 6'000) { // the archive must not trim: every task is to be accounted for
                for (const QueueName &queue : queues)
                    send(queue, 20);
            }
            for (int i = 0; i < 5 && !QTest::currentTestFailed(); ++i)
                operate(dice);
        }
        m_isOver = true;
        Shift sum;
        for (QFuture<Result<Shift>> &shift : shifts) {
            const Result<Shift> worked = shift.result();
            QVERIFY_RESULT(worked);
            sum.finished += worked->finished;
            sum.failed += worked->failed;
        }
        qInfo("%d tasks; workers finished %lld and failed %lld; the operator did %lld, was told "
              "changed %lld, gone %lld, active %lld",
              m_sent, static_cast<long long>(sum.finished), static_cast<long long>(sum.failed),
              static_cast<long long>(m_answers.value(Kind::Done)),
              static_cast<long long>(m_answers.value(Kind::Changed)),
              static_cast<long long>(m_answers.value(Kind::Gone)),
              static_cast<long long>(m_answers.value(Kind::Active)));
        QVERIFY(!QTest::currentTestFailed());
        QVERIFY(sum.finished > 500 && m_answers.value(Kind::Done) > 500);
        QVERIFY(m_answers.value(Kind::Changed) > 0); // they did meet

        QSet<QString> present;
        for (const QueueName &queue : queues) {
            checkQueue(queue, present);
            QVERIFY(!QTest::currentTestFailed());
        }
        QVERIFY(!present.intersects(m_deleted));
        QCOMPARE(present.size() + m_deleted.size(), m_sent);
    }

    void archivingTwentyFiveThousandNeitherBlocksNorLeaves()
    {
        constexpr int total = 25'000;
        const QueueName &queue = queues.first();
        // A busy machine may stop Redis itself for as long: it gets three chances to be calm.
        QList<qint64> scripts;
        for (int attempt = 0; attempt < 3; ++attempt) {
            QVERIFY_RESULT(m_hand.command({"FLUSHALL"}, u"clearing"_s));
            for (int i = 0; i < total; i += 1'000)
                send(queue, 1'000);
            QVERIFY_RESULT(m_hand.command({"SLOWLOG", "RESET"}, u"staging"_s));
            QElapsedTimer clock;
            clock.start();
            archiveAll(queue, total);
            QVERIFY(!QTest::currentTestFailed());
            scripts = slowScripts();
            qInfo("25,000 pending tasks archived in %lld ms; longest script %lld us",
                  static_cast<long long>(clock.elapsed()),
                  static_cast<long long>(scripts.value(0)));
            QSet<QString> present;
            checkQueue(queue, present);
            QVERIFY(!QTest::currentTestFailed());
            QCOMPARE(present.size(), archiveLimit);
            QCOMPARE(number({"ZCARD", QueueKeys(queue).archived()}), archiveLimit);
            QVERIFY(present.contains(u"%1-%2"_s.arg(queue.text).arg(m_sent - 1)));
            if (scripts.value(0) < longestScript)
                break;
        }
        QVERIFY(scripts.value(0) > 0); // the log would have told
        // The log counts the time in which Redis itself was not let run, so on a machine that
        // stayed busy all but a few of the scripts must do.
        QVERIFY(scripts.value(scripts.size() / 10) < longestScript);
    }
};

} // namespace tst_livequeue

OUTBOX_TEST(tst_livequeue::TestLiveQueue)
#include "tst_livequeue.moc"
