// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Groups of tasks that are retried or dead, from a real Redis: each counts what was put there, and
// is a filter of just its members. Nothing is written, nothing is read whole.
#include "app/system/jobs/failurefeed.h"
#include "models/filter/taskfilter.h"
#include "models/groups/failuregroups.h"
#include "tests/support/randomfilters.h"
#include "tests/support/redishand.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_failedtasks {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestFailedTasks : public QObject
{
    Q_OBJECT

    PrivateRedis m_redis;
    RedisConnection m_hand;
    const QDateTime m_now = QDateTime::currentDateTimeUtc();

    struct Placed
    {
        QString queue;
        QString type;
        QString cause; ///< what it must be: the test's own word for it
        qint64 failed = 0;
        TaskState state = TaskState::Retry;
    };

    QList<Placed> fill(int count)
    {
        static const QList<std::pair<QString, QString>> errors{
            {u"timeout after %1 ms"_s, u"timeout after * ms"_s},
            {u"timeout after all ms"_s, u"timeout after all ms"_s},
            {u"order 7e57d004-2b97-4e7a-8000-%1 is closed?"_s, u"order * is closed?"_s},
            {QString(), QString()}};
        RandomFilters random("fill");
        QList<Placed> all;
        for (int n = 0; n < count; ++n) {
            const auto &[error, cause] = random.oneOf(errors);
            Placed placed{random.oneOf(QStringList{u"default"_s, u"mail"_s}),
                          random.oneOf(QStringList{u"sms"_s, u"a*b?"_s}), cause,
                          // in the middle of an hour's half, so that no limit passes it
                          m_now.toSecsSinceEpoch() - random.below(40) * 3600 - 900,
                          random.below(3) ? TaskState::Retry : TaskState::Archived};
            EnqueueRequest request = sampleRequest(u"task-%1"_s.arg(n));
            request.queue.text = placed.queue;
            request.type = placed.type;
            asynq::TaskMessage message = messageOf(request);
            message.error = error.contains(u"%1"_s) ? error.arg(n, 12, 10, QChar(u'0')) : error;
            message.lastFailedAt = placed.failed;
            if (!placeMessage(m_hand, request, placed.state, message))
                QTest::qFail("placing a task", __FILE__, __LINE__);
            all += placed;
        }
        return all;
    }

    static QString keyOf(const Placed &placed, GroupBy by)
    {
        switch (by) {
        case GroupBy::Cause:
            return placed.queue + u'|' + placed.type + u'|' + placed.cause;
        case GroupBy::Error:
            return placed.queue + u'|' + placed.cause;
        case GroupBy::Type:
            return placed.queue + u'|' + placed.type;
        case GroupBy::Queue:
            return placed.queue;
        case GroupBy::Hour:
            break;
        }
        return placed.queue + u'|' + QString::number(placed.failed / 3600);
    }

    static QString keyOf(const FailureGroup &group)
    {
        return keyOf(Placed{group.queue, group.type, group.cause,
                            group.hour ? group.hour->toSecsSinceEpoch() : 0},
                     group.by);
    }

    QList<Task> allTasks()
    {
        QList<Task> all;
        AsynqInspector inspector;
        const auto endpoint = RedisEndpoint::fromUrl(m_redis.url());
        if (!endpoint || !inspector.open(*endpoint, u"all"_s))
            return {};
        for (const QString &queue : {u"default"_s, u"mail"_s}) {
            for (const TaskState state : {TaskState::Retry, TaskState::Archived}) {
                for (QString after; true;) {
                    const auto page = inspector.tasks({queue}, state, 500, after);
                    if (!page)
                        return {};
                    all += page->tasks;
                    after = page->next;
                    if (after.isEmpty())
                        break;
                }
            }
        }
        return all;
    }

    std::optional<FailureSample> lookAt(const FailureQuestion &question)
    {
        Profile profile;
        profile.redisUrl = m_redis.url();
        profile.queue = u"default"_s;
        TaskFailures feed(profile, {});
        std::optional<FailureSample> sample;
        connect(&feed, &FailureFeed::taken, this,
                [&](const FailureSample &taken) { sample = taken; });
        feed.show(question);
        (void)QTest::qWaitFor([&] { return sample.has_value(); }, 20'000);
        return sample;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_redis);
        const auto endpoint = openByHand(m_hand, m_redis);
        QVERIFY_RESULT(endpoint);
    }

    void init() { QVERIFY_RESULT(m_hand.command({"FLUSHALL"}, u"clearing"_s)); }

    void groupsCountWhatWasPutThere_data()
    {
        QTest::addColumn<int>("hours");
        QTest::newRow("ever") << 0;
        QTest::newRow("a day") << 24;
    }

    void groupsCountWhatWasPutThere()
    {
        QFETCH(int, hours);
        QList<Placed> placed = fill(700);
        QVERIFY_RESULT(placeTask(m_hand, sampleRequest(u"waits"_s), TaskState::Pending));
        const auto before = wholeRedis(m_hand);
        const auto within = hours ? std::optional<qint64>(hours * 3600) : std::nullopt;
        const auto sample
            = lookAt({FailureSource::Tasks, scopesOf(FailureSource::Tasks).first().filter, within});
        QVERIFY(sample);
        QCOMPARE(wholeRedis(m_hand), before);
        if (hours) {
            placed.removeIf([&](const Placed &one) {
                return one.failed < m_now.toSecsSinceEpoch() - hours * 3600;
            });
        }
        QVERIFY(placed.size() > 200);
        QVERIFY(sample->isWhole);
        QCOMPARE(sample->items.size(), placed.size());
        const QList<Task> tasks = allTasks();
        QCOMPARE(tasks.size(), 700);
        for (const GroupBy by : allGroupings()) {
            QMap<QString, qint64> expected;
            for (const Placed &one : std::as_const(placed))
                ++expected[keyOf(one, by)];
            QMap<QString, qint64> seen;
            for (const FailureGroup &group : groupsOf(*sample, by)) {
                seen.insert(keyOf(group), group.count);
                const auto filter = TaskFilter::fromText(group.filter, m_now);
                QVERIFY_RESULT(filter);
                qint64 found = 0;
                for (const Task &task : tasks)
                    found += filter->of(task) == Truth::Yes ? 1 : 0;
                QVERIFY2(found == group.count, qPrintable(group.filter));
            }
            QCOMPARE(seen, expected);
        }
        qInfo("%lld tasks: %d pages, %.1f ms, the longest %.1f ms",
              static_cast<long long>(placed.size()), sample->reads, sample->tookMs,
              sample->longestMs);
    }

    void aStateIsAScope()
    {
        const QList<Placed> placed = fill(100);
        const auto sample
            = lookAt({FailureSource::Tasks, scopesOf(FailureSource::Tasks).at(2).filter, {}});
        QVERIFY(sample);
        QCOMPARE(sample->items.size(),
                 std::count_if(placed.begin(), placed.end(),
                               [](const Placed &one) { return one.state == TaskState::Archived; }));
    }

    void aSampleIsBoundedAndTellsItsSize()
    {
        (void)fill(2'600);
        const auto sample
            = lookAt({FailureSource::Tasks, scopesOf(FailureSource::Tasks).first().filter, {}});
        QVERIFY(sample);
        QCOMPARE(sample->items.size(), mostFailedItems);
        QVERIFY(!sample->isWhole);
        QCOMPARE(sizeWords(*sample), u"2,000 of 2,600"_s);
        QVERIFY(sample->reads <= 14);
        qInfo("%d pages, %.1f ms, the longest %.1f ms", sample->reads, sample->tookMs,
              sample->longestMs);
    }

    void aFailureSaysWhy()
    {
        Profile profile;
        profile.redisUrl = u"redis://127.0.0.1:1"_s;
        TaskFailures feed(profile, {});
        QSignalSpy failures(&feed, &FailureFeed::failed);
        feed.show({FailureSource::Tasks, u"state:retry"_s, {}});
        QTRY_VERIFY_WITH_TIMEOUT(failures.count() > 0, 10'000);
        QVERIFY(!failures.constFirst().constFirst().value<Error>().text.isEmpty());
        feed.hide();
    }
};

} // namespace tst_failedtasks

OUTBOX_TEST(tst_failedtasks::TestFailedTasks)
#include "tst_failedtasks.moc"
