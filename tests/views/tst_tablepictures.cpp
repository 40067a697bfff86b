// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every page with tables and every dialog can be drawn, light and dark, large and small. With
// OUTBOX_PICTURES=<folder> the pictures are kept for looking at.
#include "tests/support/fonts.h"
#include "tests/support/samplefailures.h"
#include "tests/support/samplesystem.h"
#include "tests/support/testprogram.h"
#include "views/connections/profiledialog.h"
#include "views/failures/failurespane.h"
#include "views/frame/welcomeview.h"
#include "views/message/messagepanel.h"
#include "views/outbox/outboxview.h"
#include "views/queue/queueview.h"
#include "views/queue/taskspane.h"
#include "views/theme/theme.h"

#include <QDir>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QToolButton>

namespace tst_tablepictures {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int mostShown = 2'000;

std::unique_ptr<QWidget> outboxPage(int tab)
{
    auto view = std::make_unique<OutboxView>();
    view->setHealth(sample::live());
    view->openFilter({});
    view->setCounts(sample::counts());
    view->setPage(sample::page(view->request(), 0, 60));
    view->findChild<QTableView *>(u"outboxTable"_s)->selectRow(4);
    view->setVerdict(sample::verdict(4));
    view->panel()->setCurrentIndex(tab);
    return view;
}

std::unique_ptr<QWidget> outboxTrouble()
{
    auto view = outboxPage(0);
    auto *page = static_cast<OutboxView *>(view.get());
    page->openFilter(u"state:pending agee>5m"_s);
    page->setHealth(sample::failing());
    return view;
}

std::unique_ptr<QWidget> outboxEmpty()
{
    auto view = std::make_unique<OutboxView>();
    view->setHealth(sample::live());
    view->openFilter(u"type:nothing"_s);
    OutboxPageView nothing;
    nothing.request = view->request();
    view->setPage(nothing);
    return view;
}

std::unique_ptr<QWidget> outboxGroups(int count, bool fails)
{
    auto view = std::make_unique<OutboxView>();
    view->setHealth(sample::live());
    view->setCounts(sample::counts());
    view->groupsButton()->setChecked(true);
    FailuresPane *pane = view->groups();
    FailureSample sample = sample::failures(pane->question(), count);
    if (count == mostShown) {
        sample.isWhole = false;
        sample.total = 12'400;
        sample.totalIsExact = false;
    }
    pane->setSample(sample);
    if (count == mostShown) {
        const FailureGroup largest = groupsOf(sample, GroupBy::Cause).first();
        pane->setNotes({{noteKey(largest), u"INC-2031, the mail host is being moved"_s, u"ana"_s,
                         QDateTime::currentDateTimeUtc()}});
    }
    if (fails) {
        pane->setError({Error::Kind::Timeout, u"listing the rows of public.outbox"_s,
                        u"the statement took longer than 100 ms"_s, u"57014"_s,
                        u"No index finds these rows quickly: choose a shorter time"_s});
    }
    return view;
}

std::unique_ptr<QWidget> queueGroups()
{
    auto view = std::make_unique<QueueView>();
    view->setHealth(sample::live());
    view->setQueues(sample::queues());
    view->failures()->setSample(sample::failures(view->failures()->question(), 640));
    view->findChild<QTabWidget *>(u"queueTabs"_s)->setCurrentWidget(view->failures());
    return view;
}

std::unique_ptr<QWidget> queuePage(int tab)
{
    auto view = std::make_unique<QueueView>();
    view->setHealth(sample::live());
    view->setQueues(sample::queues());
    view->setWorkers(sample::servers(), sample::workers());
    view->setRedisFacts(sample::redis());
    view->tasks()->setState(TaskState::Retry);
    TaskPage page;
    for (int number = 0; number < 7; ++number)
        page.tasks.append(sample::task(number, TaskState::Retry));
    view->tasks()->setPage(view->tasks()->request(), page);
    view->findChild<QTableView *>(u"tasksTable"_s)->selectRow(1);
    view->findChild<QTabWidget *>(u"queueTabs"_s)->setCurrentIndex(tab);
    return view;
}

/// The tasks that a filter asks for.
QueueView *tasksPage(std::unique_ptr<QWidget> &page, const QString &text)
{
    page = queuePage(0);
    auto *view = static_cast<QueueView *>(page.get());
    view->setFilter(text);
    return view;
}

std::unique_ptr<QWidget> queueWrongFilter()
{
    std::unique_ptr<QWidget> page;
    tasksPage(page, u"state:retry agee>5m"_s);
    return page;
}

std::unique_ptr<QWidget> queueFilter()
{
    std::unique_ptr<QWidget> page;
    QueueView *view = tasksPage(page, u"state:retry,dead"_s);
    TaskPage tasks;
    for (int number = 0; number < 9; ++number)
        tasks.tasks += sample::task(number, number < 7 ? TaskState::Retry : TaskState::Archived);
    view->tasks()->setPage(view->tasks()->request(), tasks);
    return page;
}

std::unique_ptr<QWidget> queueSearch(TaskSearchView::State state, int found)
{
    std::unique_ptr<QWidget> page;
    QueueView *view = tasksPage(page, u"state:done payload.user.id:42"_s);
    TaskSearchView search;
    search.request = view->tasks()->request();
    search.state = state;
    for (int number = 0; number < found; ++number)
        search.tasks += sample::task(number, TaskState::Completed);
    search.searched = state == TaskSearchView::State::Complete ? 10'233 : 4'000;
    search.seconds = 1.2;
    search.at = sample::now();
    view->tasks()->setSearch(search);
    return page;
}

Profile profile(const QString &name, Environment environment)
{
    Profile one;
    one.name = name;
    one.environment = environment;
    one.databaseUrl = u"postgresql://app_ro@pg-1.internal:5432/orders?sslmode=verify-full"_s;
    one.redisUrl = u"rediss://redis-1.internal:6379/0"_s;
    return one;
}

std::unique_ptr<QWidget> profiles(int tab)
{
    auto dialog = std::make_unique<ProfileDialog>();
    dialog->setProfiles({profile(u"orders"_s, Environment::Production),
                         profile(u"orders-next"_s, Environment::Staging),
                         profile(u"local"_s, Environment::Development)});
    dialog->setTestSteps(
        {{u"resolve pg-1.internal"_s, ConnectionStep::State::Ok, 1.2, u"10.0.3.7"_s},
         {u"connect"_s, ConnectionStep::State::Ok, 0.8, {}},
         {u"TLS"_s, ConnectionStep::State::Ok, 14.1, u"verify-full, TLS 1.3"_s},
         {u"log in"_s, ConnectionStep::State::Failed, 22.0,
          u"The server does not know this password for \"app_ro\". Check the user and the "
          "password."_s},
         {u"table \"outbox\""_s, ConnectionStep::State::Skipped, 0, {}},
         {u"clock"_s, ConnectionStep::State::Skipped, 0, {}}});
    dialog->findChild<QTabWidget *>(u"profileTabs"_s)->setCurrentIndex(tab);
    return dialog;
}

} // namespace

class TestTablePictures : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { OUTBOX_NEED_FONTS(); }

    void draws_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<std::function<std::unique_ptr<QWidget>()>>("make");
        using Make = std::function<std::unique_ptr<QWidget>()>;
        const QList<std::pair<QString, Make>> pages{
            {u"outbox-journey"_s, [] { return outboxPage(0); }},
            {u"outbox-payload"_s, [] { return outboxPage(1); }},
            {u"outbox-columns"_s, [] { return outboxPage(2); }},
            {u"outbox-sql"_s, [] { return outboxPage(3); }},
            {u"outbox-trouble"_s, outboxTrouble},
            {u"outbox-empty"_s, outboxEmpty},
            {u"outbox-groups"_s, [] { return outboxGroups(mostShown, false); }},
            {u"outbox-groups-failing"_s, [] { return outboxGroups(300, true); }},
            {u"outbox-groups-empty"_s, [] { return outboxGroups(0, false); }},
            {u"queue-failures"_s, queueGroups},
            {u"queue-tasks"_s, [] { return queuePage(0); }},
            {u"queue-filter"_s, queueFilter},
            {u"queue-wrong-filter"_s, queueWrongFilter},
            {u"queue-search"_s, [] { return queueSearch(TaskSearchView::State::Running, 3); }},
            {u"queue-searched"_s, [] { return queueSearch(TaskSearchView::State::Paused, 7); }},
            {u"queue-none-found"_s, [] { return queueSearch(TaskSearchView::State::Complete, 0); }},
            {u"queue-workers"_s, [] { return queuePage(2); }},
            {u"queue-redis"_s, [] { return queuePage(3); }},
            {u"profiles-general"_s, [] { return profiles(0); }},
            {u"profiles-outbox"_s, [] { return profiles(1); }},
            {u"profiles-safety"_s, [] { return profiles(2); }},
            {u"welcome"_s, [] { return std::make_unique<WelcomeView>(); }},
        };
        for (const auto &[name, make] : pages)
            QTest::newRow(qPrintable(name)) << name << make;
    }

    void draws()
    {
        QFETCH(QString, name);
        QFETCH(std::function<std::unique_ptr<QWidget>()>, make);
        const QString folder = qEnvironmentVariable("OUTBOX_PICTURES");
        for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            theme::apply(choice);
            for (const QSize size : {QSize(960, 560), QSize(1096, 720)}) {
                const auto widget = make();
                const bool dialog = name.startsWith(u"profiles"_s);
                widget->setBackgroundRole(QPalette::Window);
                widget->setAutoFillBackground(true);
                if (!dialog)
                    widget->resize(size);
                widget->show();
                QVERIFY(QTest::qWaitForWindowExposed(widget.get()));
                const QPixmap picture = widget->grab();
                QVERIFY(!picture.isNull());
                if (folder.isEmpty())
                    continue;
                const QString file = u"%1/%2-%3-%4.png"_s.arg(
                    folder, name, choice == ThemeChoice::Light ? u"light"_s : u"dark"_s,
                    QString::number(size.width()));
                QVERIFY(QDir().mkpath(folder));
                QVERIFY(picture.save(file));
            }
        }
    }
};

} // namespace tst_tablepictures

OUTBOX_TEST(tst_tablepictures::TestTablePictures)
#include "tst_tablepictures.moc"
