// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tasks are searched in the background: within a budget, beside the looks, ended and gone on with
// at will.
#include "app/system/jobs/taskfetcher.h"
#include "app/system/queuefeed.h"
#include "app/system/tasksearch.h"
#include "connectors/asynq/wire/keys.h"
#include "tests/bench/queuefill.h"
#include "tests/support/patience.h"
#include "tests/support/redishand.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>

namespace tst_tasksearch {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

using State = TaskSearchView::State;

class TestTaskSearch : public QObject
{
    Q_OBJECT

    static constexpr int pending = 30'000;

    PrivateRedis m_redis;
    RedisConnection m_hand;
    std::unique_ptr<QueueFeed> m_feed;
    std::unique_ptr<TaskSearch> m_search;
    TaskSearchView m_view; // the last one
    QList<TaskSearchView> m_steps;

    void place(const QString &id, TaskState state, const QByteArray &payload = R"({"n":1})",
               const QString &type = u"mail:deliver"_s)
    {
        EnqueueRequest request = sampleRequest(id);
        request.payload = payload;
        request.type = type;
        QVERIFY_RESULT(placeTask(m_hand, request, state));
    }
    void start(const QString &filter) { m_search->start({{u"default"_s}, filter, {}}); }
    [[nodiscard]] QStringList idsFound() const
    {
        QStringList ids;
        for (const Task &task : m_view.tasks)
            ids += task.id.text;
        ids.sort();
        return ids;
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_redis);
        QVERIFY_RESULT(openByHand(m_hand, m_redis));
    }
    void init()
    {
        QVERIFY_RESULT(m_hand.command({"FLUSHALL"}, u"clearing"_s));
        QVERIFY_RESULT(m_hand.command({"CONFIG", "RESETSTAT"}, u"clearing"_s));
        Profile profile;
        profile.redisUrl = m_redis.url();
        m_feed = std::make_unique<QueueFeed>(profile, ProfilePasswords());
        m_search = std::make_unique<TaskSearch>(*m_feed);
        m_steps.clear();
        connect(m_search.get(), &TaskSearch::progressed, this, [this](const TaskSearchView &view) {
            m_view = view;
            m_steps += view;
        });
    }
    void cleanup()
    {
        m_search.reset();
        m_feed.reset();
    }

    void whatStandsDeepIsFoundWhenItGoesOn()
    {
        QVERIFY(fillQueue(m_hand, 2 * pending, 0)); // half of them done
        place(u"needle"_s, TaskState::Pending, R"({"order":{"id":77}})"); // the last to be served
        m_feed->setRunning(true);
        QSignalSpy looks(m_feed.get(), &QueueFeed::taken);
        start(u"state:pending payload.order.id:77"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_view.state, State::Paused, 60'000);
        QCOMPARE(m_view.searched, TaskSearch::firstTasks);
        QVERIFY(m_view.tasks.isEmpty());
        QVERIFY(m_view.mayGoOn());
        QVERIFY(!looks.isEmpty()); // the queue was looked at meanwhile
        m_search->goOn();
        QTRY_COMPARE_WITH_TIMEOUT(m_view.state, State::Complete, 60'000);
        QCOMPARE(m_view.searched, pending + 1);
        QCOMPARE(idsFound(), QStringList{u"needle"_s});
        QVERIFY(!m_view.mayGoOn());
        for (qsizetype i = 1; i < m_steps.size(); ++i)
            QVERIFY(m_steps.at(i).searched >= m_steps.at(i - 1).searched);

        const auto stats = m_hand.command({"INFO", "commandstats"}, u"asking"_s);
        QVERIFY_RESULT(stats);
        for (const char *never :
             {"cmdstat_keys:", "cmdstat_eval", "cmdstat_hgetall:", "cmdstat_sort", "cmdstat_scan:"})
            QVERIFY2(!stats->bytes.contains(never), never);
    }

    void allStatesAreSearchedWhereNoneIsNamed()
    {
        for (const TaskState state : soundTaskStates())
            place(word(state), state, R"({"user":"ana"})");
        place(u"other"_s, TaskState::Retry, R"({"user":"bob"})");
        start(u"payload.user:ana"_s);
        QTRY_COMPARE(m_view.state, State::Complete);
        QCOMPARE(m_view.tasks.size(), soundTaskStates().size());
        start(u"payload.user:ana -state:pending,active,completed,aggregating,scheduled"_s);
        QTRY_COMPARE(m_view.state, State::Complete);
        QCOMPARE(idsFound(), (QStringList{u"archived"_s, u"retry"_s}));
        QCOMPARE(m_view.searched, 3);
    }

    void payloadsTooLongToBeSearchedAreCounted()
    {
        place(u"long"_s, TaskState::Pending, QByteArray(100'000, 'a') + "needle");
        place(u"huge"_s, TaskState::Pending, QByteArray(2'000'000, 'a') + "needle");
        place(u"short"_s, TaskState::Pending, "a needle");
        start(u"payload~needle"_s);
        QTRY_COMPARE(m_view.state, State::Complete);
        QCOMPARE(idsFound(), QStringList{u"short"_s});
        QCOMPARE(m_view.undecided, 2);
        start(u"size>1M"_s);
        QTRY_COMPARE(m_view.state, State::Complete);
        QCOMPARE(idsFound(), QStringList{u"huge"_s});
        QVERIFY(m_view.tasks.first().payload.size() <= 256);
    }

    void itStopsAtWillAndGoesOnWhereItWas()
    {
        QVERIFY(fillQueue(m_hand, 20'000, 0));
        start(u"id:none-of-them"_s);
        connect(m_search.get(), &TaskSearch::progressed, m_search.get(),
                [this](const TaskSearchView &view) {
                    if (view.isRunning() && view.searched > 0)
                        m_search->stop();
                });
        QTRY_COMPARE_WITH_TIMEOUT(m_view.state, State::Stopped, 60'000);
        QVERIFY(m_view.searched < 20'000);
        QVERIFY(!m_search->isRunning());
        disconnect(m_search.get(), &TaskSearch::progressed, m_search.get(), nullptr);
        m_search->goOn();
        QTRY_COMPARE_WITH_TIMEOUT(m_view.state, State::Complete, 60'000);
        QCOMPARE(m_view.searched, 20'000);
    }

    void aNewSearchTakesThePlaceOfTheOneBefore()
    {
        QVERIFY(fillQueue(m_hand, 4'000, 0));
        place(u"mine"_s, TaskState::Retry);
        start(u"id:7e57"_s);
        start(u"id:mine state:retry"_s);
        m_steps.clear();
        QTRY_COMPARE(m_view.state, State::Complete);
        QCOMPARE(idsFound(), QStringList{u"mine"_s});
        for (const TaskSearchView &step : m_steps)
            QCOMPARE(step.request.filter, u"id:mine state:retry"_s);
    }

    void itListsNoMoreThanALookCanHold()
    {
        QVERIFY(fillQueue(m_hand, 8'000, 0));
        start(u"type:mail:*"_s);
        QTRY_COMPARE_WITH_TIMEOUT(m_view.state, State::Full, 30'000);
        QVERIFY(m_view.tasks.size() >= TaskSearch::mostListed);
        QVERIFY(m_view.tasks.size() < TaskSearch::mostListed + TaskSearch::pageTasks);
        QVERIFY(!m_view.mayGoOn());
    }

    void whatRedisRefusesIsToldAndItMayGoOn()
    {
        place(u"a"_s, TaskState::Pending);
        place(u"b"_s, TaskState::Retry);
        const QByteArray retry
            = asynq::QueueKeys(QueueName{u"default"_s}).container(TaskState::Retry);
        QVERIFY_RESULT(m_hand.pipeline({{"RENAME", retry, "kept"}, {"SET", retry, "no set"}}));
        start(u"mail"_s);
        QTRY_COMPARE(m_view.state, State::Failed);
        QVERIFY(m_view.error);
        QCOMPARE(idsFound(), QStringList{u"a"_s});
        QVERIFY_RESULT(m_hand.command({"RENAME", "kept", retry}, u"repairing"_s));
        m_search->goOn();
        QTRY_COMPARE(m_view.state, State::Complete);
        QCOMPARE(idsFound(), (QStringList{u"a"_s, u"b"_s}));
        start(u"agee>5m"_s);
        QCOMPARE(m_view.state, State::Failed);
        QCOMPARE(m_view.error->kind, Error::Kind::Invalid);
        m_search->goOn(); // there is nothing to go on with
        QCOMPARE(m_view.state, State::Failed);
    }

    void aLargeTaskIsFetchedWhenItIsAskedFor()
    {
        const QByteArray payload = "{\"text\":\"" + QByteArray(3'000'000, 'a') + "\"}";
        place(u"large"_s, TaskState::Retry, payload);
        std::optional<Task> found;
        connect(m_feed.get(), &QueueFeed::found, this,
                [&](const QueueName &, const TaskId &, const Result<std::optional<Task>> &task) {
                    found = task ? *task : std::nullopt;
                });
        m_feed->find({u"default"_s}, {u"large"_s});
        QTRY_VERIFY(found.has_value());
        QVERIFY(found->payload.isEmpty());
        QVERIFY(found->payloadBytes >= payload.size());
        Profile profile;
        profile.redisUrl = m_redis.url();
        TaskFetcher fetcher(profile, {});
        QList<Result<Task>> ends;
        connect(&fetcher, &TaskFetcher::ended, this,
                [&](const TaskId &, const Result<Task> &task) { ends += task; });
        fetcher.start({u"default"_s}, {u"large"_s});
        fetcher.cancel(); // nothing is told of that one
        fetcher.start({u"default"_s}, {u"large"_s});
        QTRY_COMPARE(ends.size(), 1);
        QVERIFY_RESULT(ends.constFirst());
        QCOMPARE(ends.constFirst()->payload, payload);
        fetcher.start({u"default"_s}, {u"gone"_s});
        QTRY_COMPARE(ends.size(), 2);
        QCOMPARE(ends.constLast().error().kind, Error::Kind::Conflict);
    }

    void aListGoesThroughTheStatesOfTheFilter()
    {
        for (int i = 0; i < 150; ++i) {
            place(u"r%1"_s.arg(i), TaskState::Retry);
            place(u"d%1"_s.arg(i), TaskState::Archived);
        }
        QList<std::pair<TaskRequest, TaskPage>> pages;
        connect(m_feed.get(), &QueueFeed::tasksTaken, this,
                [&](const TaskRequest &request, const TaskPage &page) {
                    pages += {request, page};
                });
        m_feed->setRunning(true);
        TaskRequest request{{u"default"_s}, u"state:retry,dead"_s, {}};
        m_feed->showTasks(request);
        QTRY_VERIFY(!pages.isEmpty());
        QCOMPARE(pages.last().second.tasks.size(), 200);
        QCOMPARE(pages.last().second.next, u"archived 50"_s);
        request.after = pages.last().second.next;
        m_feed->showTasks(request);
        QTRY_COMPARE(pages.last().first, request);
        QCOMPARE(pages.last().second.tasks.size(), 100);
        QVERIFY(pages.last().second.next.isEmpty());
    }
};

} // namespace tst_tasksearch

OUTBOX_TEST(tst_tasksearch::TestTaskSearch)
#include "tst_tasksearch.moc"
