// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The queue page: queues, the tasks in them, and who serves them.
#include "models/tables/queuemodel.h"
#include "tests/support/fonts.h"
#include "tests/support/samplesystem.h"
#include "tests/support/testprogram.h"
#include "views/operation/verbbar.h"
#include "views/queue/queueview.h"
#include "views/queue/taskdetail.h"
#include "views/queue/taskspane.h"
#include "views/tables/livetable.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/noticebar.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <memory>

namespace tst_queueview {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestQueueView : public QObject
{
    Q_OBJECT

    static TaskPage page(int count, TaskState state)
    {
        TaskPage page;
        for (int number = 0; number < count; ++number)
            page.tasks.append(sample::task(number, state));
        page.next = u"more"_s;
        return page;
    }

    static TaskRequest request(const QString &filter, const QString &after = {})
    {
        return {{u"default"_s}, filter, after};
    }
    static TaskRequest lastOf(const QSignalSpy &asked)
    {
        return asked.last().first().value<TaskRequest>();
    }

    static QLineEdit *lineOf(const QueueView &view)
    {
        return view.findChild<QLineEdit *>(u"taskFilterLine"_s);
    }
    static void type(QLineEdit *line, const QString &text)
    {
        line->selectAll();
        QTest::keyClick(line, Qt::Key_Delete);
        QTest::keyClicks(line, text);
        QTest::keyClick(line, Qt::Key_Escape); // closes what is suggested
        line->setText(text);
        QTest::keyClick(line, Qt::Key_Return);
    }
    /// The first one whose accessible name begins so.
    template <typename Widget> static Widget *named(const QWidget &page, const QString &name)
    {
        for (Widget *one : page.findChildren<Widget *>()) {
            if (one->accessibleName().startsWith(name) || one->text().startsWith(name))
                return one;
        }
        return nullptr;
    }
    static TaskSearchView searchOf(const TaskRequest &request, TaskSearchView::State state,
                                   int found)
    {
        TaskSearchView search;
        search.request = request;
        search.state = state;
        search.tasks = page(found, TaskState::Completed).tasks;
        search.searched = 4000;
        search.seconds = 1.2;
        search.at = QDateTime::currentDateTimeUtc();
        return search;
    }

private slots:
    void initTestCase() { OUTBOX_NEED_FONTS(); }

    void choosesTheFirstQueueAndAsksForItsTasks()
    {
        QueueView view;
        view.show();
        QSignalSpy chosen(&view, &QueueView::queueChosen);
        QSignalSpy asked(view.tasks(), &TasksPane::tasksAsked);
        view.setQueues(sample::queues());
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(view.chosenQueue().text, u"default"_s);
        QCOMPARE(lastOf(asked).filter, u"state:pending"_s);
        view.setQueues(sample::queues());
        QCOMPARE(chosen.count(), 1);
        view.chooseQueue({u"mail"_s});
        QCOMPARE(chosen.count(), 2);
        QCOMPARE(lastOf(asked).queue.text, u"mail"_s);
    }

    /// A link opens a window at its filter before any queue is known.
    void choosesTheQueueThatTheFilterNames()
    {
        QueueView view;
        view.show();
        view.setFilter(u"queue:mail state:retry"_s);
        view.setQueues(sample::queues());
        QCOMPARE(view.chosenQueue().text, u"mail"_s);
    }

    void showsOneStateAtATime()
    {
        QueueView view;
        view.show();
        view.setQueues(sample::queues());
        QSignalSpy asked(view.tasks(), &TasksPane::tasksAsked);
        auto *table = view.findChild<LiveTable *>(u"tasksTable"_s);
        view.tasks()->setPage(request(u"state:pending"_s), page(5, TaskState::Pending));
        QCOMPARE(table->model()->rowCount(), 5);
        QTest::mouseClick(view.findChild<QAbstractButton *>(u"taskState-archived"_s),
                          Qt::LeftButton);
        QCOMPARE(lastOf(asked).filter, u"state:archived"_s);
        QCOMPARE(table->model()->rowCount(), 0);
        view.tasks()->setPage(request(u"state:pending"_s), page(5, TaskState::Pending));
        QCOMPARE(table->model()->rowCount(), 0); // an answer to the state before
        view.tasks()->setPage(request(u"state:archived"_s), {});
        QVERIFY2(table->emptyPane()->sentence().contains(u"dead"_s),
                 qPrintable(table->emptyPane()->sentence()));
    }

    void forgetsTheSystemBefore()
    {
        QueueView view;
        view.show();
        view.setQueues(sample::queues());
        view.tasks()->setState(TaskState::Archived);
        view.tasks()->setPage(request(u"state:archived"_s), page(5, TaskState::Archived));
        QTest::mouseClick(view.findChild<QAbstractButton *>(u"tasksPagingOn"_s), Qt::LeftButton);
        QCOMPARE(view.tasks()->request().after, u"more"_s);
        QSignalSpy asked(view.tasks(), &TasksPane::tasksAsked);
        view.forget();
        QVERIFY(asked.isEmpty());
        QVERIFY(view.chosenQueue().isEmpty());
        QVERIFY(view.tasks()->request().after.isEmpty());
        QCOMPARE(view.tasks()->request().filter, u"state:pending"_s);
        QCOMPARE(view.findChild<LiveTable *>(u"queuesTable"_s)->model()->rowCount(), 0);
        QCOMPARE(view.findChild<LiveTable *>(u"tasksTable"_s)->model()->rowCount(), 0);
    }

    void pagesTasks()
    {
        QueueView view;
        view.show();
        view.setQueues(sample::queues());
        QSignalSpy asked(view.tasks(), &TasksPane::tasksAsked);
        view.tasks()->setPage(request(u"state:pending"_s), page(5, TaskState::Pending));
        QTest::mouseClick(view.findChild<QAbstractButton *>(u"tasksPagingOn"_s), Qt::LeftButton);
        QCOMPARE(lastOf(asked).after, u"more"_s);
        view.tasks()->setPage(request(u"state:pending"_s, u"more"_s), page(3, TaskState::Pending));
        QTest::mouseClick(view.findChild<QAbstractButton *>(u"tasksPagingBack"_s), Qt::LeftButton);
        QVERIFY(lastOf(asked).after.isEmpty());
    }

    void showsTheTaskThatWasChosen()
    {
        QueueView view;
        view.show();
        view.setQueues(sample::queues());
        view.tasks()->setState(TaskState::Retry);
        view.tasks()->setPage(request(u"state:retry"_s), page(5, TaskState::Retry));
        QSignalSpy chosen(view.tasks(), &TasksPane::taskChosen);
        view.findChild<LiveTable *>(u"tasksTable"_s)->selectRow(2);
        QCOMPARE(chosen.last().at(1).value<TaskId>(), sample::task(2, TaskState::Retry).id);
        Task whole = sample::task(2, TaskState::Retry);
        whole.lastError = u"<img src=\"/fifo\"> timeout"_s;
        view.tasks()->setTask(whole);
        bool said = false;
        for (const QLabel *one : view.findChildren<QLabel *>()) {
            QVERIFY(one->textFormat() == Qt::PlainText || one->text().isEmpty()
                    || !one->text().contains(u'<'));
            said = said || one->text() == whole.lastError;
        }
        QVERIFY(said);
    }

    void theFilterSaysWhatIsListed()
    {
        QueueView view;
        view.show();
        view.setQueues(sample::queues());
        QSignalSpy asked(view.tasks(), &TasksPane::tasksAsked);
        QLineEdit *line = lineOf(view);
        QCOMPARE(line->text(), u"state:pending"_s);
        type(line, u"state:retry,dead"_s);
        QCOMPARE(lastOf(asked).filter, u"state:retry,dead"_s);
        QVERIFY(view.findChild<QAbstractButton *>(u"taskState-retry"_s)->isChecked());
        QVERIFY(view.findChild<QAbstractButton *>(u"taskState-archived"_s)->isChecked());
        QCOMPARE(named<QToolButton>(view, u"All 8 that match"_s)->isEnabled(), true);
        type(line, {});
        QCOMPARE(lastOf(asked).filter, QString());
        QVERIFY(
            !named<QToolButton>(view, u"All"_s)->isEnabled()); // everything is asked for by name
    }

    void aSearchIsToldAndEndsAndGoesOnAtWill()
    {
        QueueView view;
        view.show();
        view.setQueues(sample::queues());
        QSignalSpy listed(view.tasks(), &TasksPane::tasksAsked);
        QSignalSpy asked(view.tasks(), &TasksPane::searchAsked);
        type(lineOf(view), u"state:done payload.user.id:42"_s);
        QCOMPARE(asked.count(), 1);
        QVERIFY(listed.isEmpty());
        QVERIFY(view.tasks()->isSearch());
        QCOMPARE(view.findChild<QLabel *>(u"taskFilterReach"_s)->text(), u"scan"_s);
        auto *bar = view.findChild<NoticeBar *>(u"tasksSearch"_s);
        TaskSearchView search = searchOf(lastOf(asked), TaskSearchView::State::Running, 2);
        view.tasks()->setSearch(search);
        QVERIFY2(bar->text().contains(u"4,000 of 10,233 tasks"_s), qPrintable(bar->text()));
        QVERIFY(bar->text().contains(u"2 found"_s));
        const auto *table = view.findChild<LiveTable *>(u"tasksTable"_s);
        QCOMPARE(table->model()->rowCount(), 2); // live
        QSignalSpy stopped(view.tasks(), &TasksPane::searchStopAsked);
        QTest::mouseClick(named<QPushButton>(*bar, u"Cancel"_s), Qt::LeftButton);
        QCOMPARE(stopped.count(), 1);
        search.state = TaskSearchView::State::Stopped;
        view.tasks()->setSearch(search);
        QVERIFY(bar->text().startsWith(u"Stopped."_s));
        QSignalSpy on(view.tasks(), &TasksPane::searchOnAsked);
        QTest::mouseClick(named<QPushButton>(*bar, u"Continue"_s), Qt::LeftButton);
        QCOMPARE(on.count(), 1);
        search.state = TaskSearchView::State::Complete;
        view.tasks()->setSearch(search);
        QVERIFY(bar->text().contains(u"not refreshed"_s));
        QVERIFY(named<QToolButton>(view, u"All 2 that match"_s)->isEnabled());
        view.setQueues(sample::queues()); // nothing but the counts moves
        QCOMPARE(asked.count(), 1);
        QCOMPARE(table->model()->rowCount(), 2);
        QTest::mouseClick(view.findChild<QAbstractButton *>(u"taskState-retry"_s), Qt::LeftButton);
        QCOMPARE(asked.count(), 2); // the rest of the filter stays
        QCOMPARE(lastOf(asked).filter, u"state:retry payload.user.id:42"_s);
        view.tasks()->setSearch(search); // an answer to the question before
        QCOMPARE(table->model()->rowCount(), 0);
        QVERIFY(!bar->isVisible());
    }

    void aWrongFilterIsToldInTheBarAndNotUsed()
    {
        QueueView view;
        view.resize(1100, 700);
        view.show();
        view.setQueues(sample::queues());
        QSignalSpy asked(view.tasks(), &TasksPane::searchAsked);
        type(lineOf(view), u"state:retry agee>5m"_s);
        QVERIFY(asked.isEmpty());
        auto *fault = view.findChild<QLabel *>(u"taskFilterFault"_s);
        QVERIFY(fault->isVisible());
        QVERIFY(fault->text().contains(u"Did you mean `age`?"_s));
        QCOMPARE(view.tasks()->request().filter, u"state:pending"_s);
        type(lineOf(view), u"processed:any"_s);
        QVERIFY(fault->text().contains(u"a field of rows"_s));
    }

    void aFilterThatNamesAQueueGoesThere()
    {
        QueueView view;
        view.show();
        view.setQueues(sample::queues());
        QSignalSpy asked(view.tasks(), &TasksPane::searchAsked);
        view.setFilter(u"queue:mail error:any"_s);
        QCOMPARE(view.chosenQueue().text, u"mail"_s);
        QCOMPARE(lastOf(asked).queue.text, u"mail"_s);
        view.chooseQueue({u"default"_s}); // by a click: it is not pulled back
        QCOMPARE(view.chosenQueue().text, u"default"_s);
    }

    void whatIsKnownOfTheTasksIsSuggested()
    {
        QueueView view;
        view.show();
        view.setQueues(sample::queues());
        view.tasks()->setPage(request(u"state:pending"_s), page(8, TaskState::Pending));
        const auto suggested = [&view](const QString &typed) -> QStringList {
            lineOf(view)->clear();
            QTest::keyClicks(lineOf(view), typed);
            QStringList words;
            for (QWidget *one : QApplication::topLevelWidgets()) {
                auto *list = qobject_cast<QAbstractItemView *>(one);
                if (!list || list->objectName() != u"taskFilterLineSuggestions"_s)
                    continue;
                for (int row = 0; row < list->model()->rowCount(); ++row)
                    words += list->model()->index(row, 0).data().toString();
            }
            return words;
        };
        QVERIFY(suggested(u"sta"_s).join(u' ').contains(u"state:"_s));
        QVERIFY(suggested(u"state:arch"_s).join(u' ').contains(u"archived"_s));
        const QString type = sample::task(0, TaskState::Pending).type;
        QVERIFY(suggested(u"type:"_s).join(u' ').contains(type));
        QVERIFY(suggested(u"queue:"_s).join(u' ').contains(u"default"_s));
        QVERIFY(!suggested(u"payload."_s).isEmpty());
        QVERIFY(!suggested(u"retr"_s).isEmpty());
    }

    void editIsThereWhereATaskCanBeEdited()
    {
        QueueView view;
        view.show();
        auto *bar = view.findChild<VerbBar *>(u"taskEdit"_s);
        QVERIFY(bar && !bar->isVisibleTo(bar->parentWidget()));
        for (const TaskState state : soundTaskStates()) {
            view.tasks()->detail()->choose(sample::task(4, state));
            const bool isThere = state == TaskState::Archived || state == TaskState::Scheduled
                || state == TaskState::Retry;
            QCOMPARE(bar->isVisibleTo(bar->parentWidget()), isThere);
        }
        view.tasks()->detail()->clear();
        QVERIFY(!bar->isVisibleTo(bar->parentWidget()));
    }

    void aLargePayloadIsFetchedWhenItIsAskedFor()
    {
        QueueView view;
        view.show();
        view.setQueues(sample::queues());
        TaskPage tasks = page(2, TaskState::Pending);
        tasks.tasks.first().payload.clear();
        tasks.tasks.first().payloadBytes = 3'000'000;
        view.tasks()->setPage(request(u"state:pending"_s), tasks);
        TaskDetail *detail = view.tasks()->detail();
        QSignalSpy asked(detail, &TaskDetail::wholeAsked);
        QSignalSpy notWanted(detail, &TaskDetail::wholeNotWanted);
        view.findChild<LiveTable *>(u"tasksTable"_s)->selectRow(0);
        detail->setCurrentIndex(1);
        auto *bar = detail->findChild<NoticeBar *>(u"taskPayloadLarge"_s);
        QTest::mouseClick(named<QPushButton>(*bar, u"Fetch whole"_s), Qt::LeftButton);
        QCOMPARE(asked.count(), 1);
        const auto refused = Error{Error::Kind::Refused, u"fetching"_s, u"too large"_s, {}, {}};
        const TaskId id = tasks.tasks.first().id;
        detail->setWhole(id, tl::unexpected(refused));
        QVERIFY(bar->text().contains(u"too large"_s));
        Task whole = tasks.tasks.first();
        whole.payload = QByteArray(3'000'000, 'x');
        detail->setWhole(id, whole);
        QVERIFY(!bar->isVisible());
        notWanted.clear();
        view.findChild<LiveTable *>(u"tasksTable"_s)->selectRow(1);
        QCOMPARE(notWanted.count(), 1);
        detail->setWhole(id, whole); // of the task before
        QVERIFY(detail->findChild<QPlainTextEdit *>(u"taskPayloadText"_s)->toPlainText().size()
                < 1000);
    }

    void copiesTheLineThatListsTasks()
    {
        QueueView view;
        view.show();
        view.setQueues(sample::queues());
        Profile profile;
        profile.name = u"orders"_s;
        view.tasks()->setProfile(profile);
        view.tasks()->setState(TaskState::Retry);
        const TaskPage shown = page(2, TaskState::Retry);
        view.tasks()->setPage(view.tasks()->request(), shown);
        auto *table = view.findChild<LiveTable *>(u"tasksTable"_s);
        QCOMPARE(table->model()->rowCount(), 2);
        table->selectAll();
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
        const std::unique_ptr<QMenu> menu(table->findChild<QMenu *>(u"copyMenu"_s));
        QVERIFY(menu);
        menu->actions().at(2)->trigger();
        QCOMPARE(QApplication::clipboard()->text(),
                 u"outboxctl tasks --profile orders --filter 'state:retry id=%1,%2'"_s.arg(
                     shown.tasks.at(0).id.text, shown.tasks.at(1).id.text));
        menu->actions().at(3)->trigger();
        QVERIFY(QApplication::clipboard()->text().startsWith(
            u"outboxdeck --profile orders --page=queue "_s));
    }

    void marksQueuesThatNobodyServes()
    {
        QueueView view;
        view.show();
        view.setQueues(sample::queues());
        const auto *table = view.findChild<LiveTable *>(u"queuesTable"_s);
        QCOMPARE(table->model()->index(1, QueueModel::ServedBy).data().toString(), u"NOBODY"_s);
        QVERIFY(table->model()->index(1, QueueModel::Name).data().toString().contains(u"paused"_s));
        QVERIFY(!view.grab().isNull());
    }
};

} // namespace tst_queueview

OUTBOX_TEST(tst_queueview::TestQueueView)
#include "tst_queueview.moc"
