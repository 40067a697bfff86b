// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window with Overview, Dedup and Relay can be drawn, light and dark, large and small. With
// OUTBOX_PICTURES=<folder> the pictures are kept for looking at.
#include "tests/support/fonts.h"
#include "tests/support/samplesystem.h"
#include "tests/support/testprogram.h"
#include "views/dedup/dedupview.h"
#include "views/frame/livestatus.h"
#include "views/frame/mainwindow.h"
#include "views/overview/overviewview.h"
#include "views/relay/relayview.h"
#include "views/widgets/actions.h"

#include <QDir>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

#include <cmath>

namespace tst_framepictures {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QDateTime end = QDateTime::fromString(u"2026-11-21T14:02:11Z"_s, Qt::ISODate);

Profile ordersProfile()
{
    Profile profile;
    profile.name = u"orders"_s;
    profile.environment = Environment::Production;
    profile.databaseUrl = u"postgresql://pg-1/shop"_s;
    profile.redisUrl = u"redis://redis-1:6379/0"_s;
    return profile;
}

/// A quarter of an hour with a backlog in the middle and, later, 40 s without Redis.
SystemHistory history()
{
    SystemHistory made;
    double backlog = 60;
    double processed = 10'000;
    double queued = 30;
    for (int second = 1'000; second >= 0; --second) {
        const QDateTime at = end.addSecs(-second);
        const double wave = std::sin(second / 40.0) + 0.6 * std::sin(second / 7.3);
        const double in = 81 + 9 * wave;
        const bool stuck = second < 620 && second > 520;
        const double out = stuck ? 0 : std::min(backlog + in, backlog > 200 ? 150.0 : in);
        backlog += in - out;
        const double worked = std::min(queued + out, 96 + 6 * wave);
        queued += out - worked;
        processed += worked;
        OutboxSnapshot outboxNow;
        outboxNow.pending = static_cast<qint64>(backlog);
        outboxNow.oldestPendingSeconds = backlog / 90;
        made.addOutbox(at, outboxNow);
        if (second < 260 && second > 220) {
            made.missQueues(at);
            continue;
        }
        QueueSnapshot queue;
        queue.pending = static_cast<qint64>(queued);
        queue.active = 8 + static_cast<qint64>(2 * wave);
        queue.retry = 12;
        queue.archived = second < 400 ? 1 : 0;
        queue.processedTotal = static_cast<qint64>(processed);
        queue.failedTotal = 0;
        made.addQueues(at, {queue});
    }
    return made;
}

HealthReport report(HealthLevel level)
{
    HealthReport made;
    made.level = level;
    made.promise
        = u"No loss if the Redis process dies; up to about 2 s if its host dies. No WAIT: a failover may lose what the replica had not seen."_s;
    switch (level) {
    case HealthLevel::Ok:
        made.sentence
            = u"412 rows wait, oldest 38 s; the relay sends 96/s and is ahead of arrival (81/s)."_s;
        break;
    case HealthLevel::Broken:
        made.sentence
            = u"Redis refuses writes (out of memory): nothing can be delivered. 412 rows wait, the oldest for 4 min."_s;
        made.causes = {
            {HealthLevel::Broken, u"Redis refuses writes: OOM command not allowed"_s, u"redis"_s},
            {HealthLevel::Watch, u"3 rows are locked for more than 5 min by relay-7@db1"_s,
             u"state:locked"_s},
            {HealthLevel::Watch, u"1 task is dead in queue \"default\""_s, u"task:archived"_s}};
        break;
    default:
        made.sentence
            = u"Unknown since 14:02:11: the database does not answer (connection refused)."_s;
        break;
    }
    return made;
}

OutboxSnapshot counts()
{
    OutboxSnapshot made;
    made.at = end;
    made.pending = 412;
    made.locked = 6;
    made.waiting = 9;
    made.oldestPendingSeconds = 38;
    return made;
}

std::unique_ptr<QWidget> overview(const SystemHistory *past, HealthLevel level)
{
    auto page = std::make_unique<OverviewView>(past);
    QueueSnapshot queue;
    queue.pending = 250;
    queue.active = 4;
    queue.archived = 1;
    page->setOutbox(counts());
    page->setQueues({queue});
    page->setRetention(level == HealthLevel::Broken ? 45 : 24 * 3600);
    page->setHealth(report(level));
    if (level == HealthLevel::Unknown)
        page->setStale(Source::Database, end.addSecs(-40));
    page->showHistory(end);
    return page;
}

std::unique_ptr<QWidget> dedup()
{
    auto page = std::make_unique<DedupView>();
    DedupSnapshot kept;
    kept.at = end;
    kept.name = {u"default"_s};
    kept.retained = 10'233;
    kept.expired = 12;
    kept.soonestExpiry = end.addSecs(180);
    kept.latestExpiry = end.addSecs(24 * 3600);
    kept.bytes = 8'412'000;
    kept.sampled = 50;
    for (int hour = 0; hour < 24; ++hour)
        kept.expiryPerHour.append(
            hour == 9 || hour == 10 ? 0 : 260 + std::lround(230 * std::sin(hour / 3.2)));
    RedisFacts facts;
    facts.maxMemory = 1'073'741'824;
    page->setRedisFacts(facts);
    page->setDedup(kept);
    page->setMargin(24.0 * 3600, 41.0 * 60, 38.0);
    TaskPage tasks;
    for (int i = 0; i < 40; ++i) {
        Task task;
        task.id = {sample::message(i).id.text};
        task.type = sample::message(i).type;
        task.state = TaskState::Completed;
        task.completedAt = sample::now().addSecs(-86'000 + i * 97);
        task.keptUntil = task.completedAt->addSecs(86'400);
        task.retentionSeconds = 86'400;
        task.payloadBytes = 91 + i * 13;
        tasks.tasks.append(task);
    }
    page->setRetained(tasks);
    IdVerdict verdict;
    verdict.message = {sample::message(3).id.text};
    verdict.task = tasks.tasks.at(3);
    verdict.sentence = u"Completed 14:02:40. Its id is refused until about 14:02 tomorrow."_s;
    verdict.replay = u"refused until about 14:02 tomorrow; it would be swallowed."_s;
    page->findChild<QLineEdit *>(u"idField"_s)->setText(verdict.message.text);
    page->findChild<QPushButton *>(u"askId"_s)->click();
    page->setVerdict(verdict);
    return page;
}

std::unique_ptr<QWidget> relay(RelayState state)
{
    auto page = std::make_unique<RelayView>();
    page->setRunning({}, end.addSecs(-2'472));
    page->setState(state);
    RelayTotals totals{100'000, 12, 3, 0, 1, 1'007, 2};
    QList<RelayStep> steps;
    for (int i = 0; i < 300; ++i) {
        RelayStep step;
        step.at = end.addSecs(i - 300);
        step.number = 700 + i;
        step.claimed = 80 + i % 21;
        step.enqueued = step.claimed - (i % 17 == 0 ? 1 : 0);
        step.alreadyQueued = i % 17 == 0 ? 1 : 0;
        step.committed = i != 290;
        step.claimMs = 4 + i % 5;
        step.enqueueMs = 3 + (i % 9) * 0.4;
        step.commitMs = 5;
        if (i == 290)
            step.error = Error{Error::Kind::Unreachable,
                               u"enqueueing 97 messages"_s,
                               u"connection reset by peer"_s,
                               {},
                               {}};
        if (i == 296)
            step.parked = {{sample::message(7).id, u"the payload is no valid UTF-8"_s}};
        page->addSteps({step});
        page->tick(step.at);
    }
    page->setTotals(totals);
    RelayOutlook outlook;
    outlook.promise = report(HealthLevel::Ok).promise;
    outlook.profile = ordersProfile();
    outlook.worstDelaySeconds = 41 * 60;
    outlook.notes = {u"relay-7@db1 holds 6 rows: safe, same row locks."_s};
    page->setOutlook(outlook);
    page->setForbidden(u"This profile is read-only."_s);
    if (state == RelayState::BackingOff)
        page->setNotice(u"Redis does not answer: connection refused. Next try in 4 s."_s);
    return page;
}

} // namespace

class TestFramePictures : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { OUTBOX_NEED_FONTS(); }
    void draw_data();
    void draw();
    void drawSheets();
};

static void keep(QWidget *widget, const QString &name)
{
    const QPixmap picture = widget->grab();
    QVERIFY(!picture.isNull());
    const QString folder = qEnvironmentVariable("OUTBOX_PICTURES");
    if (!folder.isEmpty() && QDir().mkpath(folder))
        QVERIFY(picture.save(folder + u'/' + name + u".png"_s));
}

void TestFramePictures::draw_data()
{
    QTest::addColumn<QSize>("size");
    QTest::addColumn<ThemeChoice>("choice");
    for (const QSize size : {QSize(1280, 800), QSize(1024, 640)}) {
        for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            const char *tone = choice == ThemeChoice::Light ? "light" : "dark";
            QTest::addRow("%d-%s", size.width(), tone) << size << choice;
        }
    }
}

void TestFramePictures::draw()
{
    QFETCH(const QSize, size);
    QFETCH(const ThemeChoice, choice);
    theme::apply(choice);
    const SystemHistory past = history();
    MainWindow window;
    Profile profile = ordersProfile();
    profile.environment
        = choice == ThemeChoice::Light ? Environment::Production : Environment::Demo;
    window.setProfile(profile);
    window.addPage(overview(&past, HealthLevel::Ok).release(), u"overview"_s, u"Overview"_s);
    window.addPage(overview(&past, HealthLevel::Broken).release(), u"outbox"_s, u"Outbox"_s);
    window.addPage(overview(&past, HealthLevel::Unknown).release(), u"queue"_s, u"Queue"_s);
    window.addPage(dedup().release(), u"dedup"_s, u"Dedup"_s);
    window.addPage(relay(RelayState::Running).release(), u"relay"_s, u"Relay"_s);
    window.addPage(relay(RelayState::BackingOff).release(), u"relay"_s, u"Backing"_s);
    window.setBadge(1, u"412"_s, false);
    window.setBadge(2, u"250"_s, true);
    window.setBadge(4, u"RUN"_s, false);
    window.setSource(
        Source::Database,
        {SourceHealth::State::Live, end.addMSecs(-800), 3.2, {}, 0, u"PostgreSQL 15.8"_s});
    window.setSource(Source::Queue,
                     {SourceHealth::State::Failing, end.addMSecs(-8'000), 1, {}, 4'000, {}});
    window.status()->setNotify(true);
    window.setRefresh(1'000, false);
    window.setBreakMenu({{u"stop-relay"_s, u"Stop the relay"_s, u"Rows pile up."_s}});
    window.status()->tick(end);
    window.resize(size);
    window.show();
    const QStringList names{u"overview"_s, u"overview-broken"_s, u"overview-unknown"_s,
                            u"dedup"_s,    u"relay"_s,           u"relay-backoff"_s};
    for (int page = 0; page < names.size(); ++page) {
        if (page == 1)
            window.messages()->add({u"a"_s,
                                    HealthLevel::Watch,
                                    u"The database closed the connection. Trying again in 4 s."_s,
                                    {{u"now"_s, u"Try now"_s}}});
        else
            window.messages()->remove(u"a"_s);
        window.showPage(page);
        QCoreApplication::processEvents();
        QCOMPARE(window.size(), size);
        keep(&window, names.at(page) + u'-' + QString::fromLatin1(QTest::currentDataTag()));
    }
}

void TestFramePictures::drawSheets()
{
    for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        theme::apply(choice);
        const QString tone = choice == ThemeChoice::Light ? u"-light"_s : u"-dark"_s;
        RelayStartDialog sheet;
        RelayOutlook outlook;
        outlook.promise = report(HealthLevel::Ok).promise;
        outlook.profile = ordersProfile();
        outlook.arming.opensLocked = false;
        outlook.worstDelaySeconds = 41 * 60;
        outlook.notes = {u"relay-7@db1 holds 6 rows: safe, same row locks."_s};
        sheet.setOutlook(outlook);
        sheet.show();
        keep(&sheet, u"startsheet"_s + tone);
        outlook.marksRows = true;
        RelayStart job;
        job.schedule = u"every 15s"_s;
        sheet.setStart(job);
        sheet.setOutlook(outlook);
        keep(&sheet, u"startsheet-job"_s + tone);
        outlook.refusals = {
            u"Redis may evict keys (maxmemory-policy is allkeys-lru): ids could be forgotten."_s};
        sheet.setOutlook(outlook);
        keep(&sheet, u"startsheet-refused"_s + tone);
        MainWindow window;
        window.registry()->action(u"shortcuts"_s)->trigger();
        keep(window.findChild<QDialog *>(u"shortcutSheet"_s), u"shortcuts"_s + tone);
    }
}

} // namespace tst_framepictures

OUTBOX_TEST(tst_framepictures::TestFramePictures)
#include "tst_framepictures.moc"
