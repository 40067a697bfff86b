// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The queue page: queues, the tasks in them, and who serves them.
#include "models/queuemodel.h"
#include "tests/support/samplesystem.h"
#include "views/emptypane.h"
#include "views/livetable.h"
#include "views/queueview.h"
#include "views/taskspane.h"

#include <QAbstractButton>
#include <QFontDatabase>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>

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

private slots:
    void initTestCase()
    {
        if (QFontDatabase::families().isEmpty())
            QSKIP("no font is installed: apt-get install fonts-dejavu-core");
    }

    void choosesTheFirstQueueAndAsksForItsTasks()
    {
        QueueView view;
        view.show();
        QSignalSpy chosen(&view, &QueueView::queueChosen);
        QSignalSpy asked(&view, &QueueView::tasksAsked);
        view.setQueues(sample::queues());
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(view.chosenQueue().text, u"default"_s);
        QCOMPARE(asked.last().at(1).value<TaskState>(), TaskState::Pending);
        view.setQueues(sample::queues());
        QCOMPARE(chosen.count(), 1);
        view.chooseQueue({u"mail"_s});
        QCOMPARE(chosen.count(), 2);
        QCOMPARE(asked.last().at(0).value<QueueName>().text, u"mail"_s);
    }

    void showsOneStateAtATime()
    {
        QueueView view;
        view.show();
        view.setQueues(sample::queues());
        QSignalSpy asked(&view, &QueueView::tasksAsked);
        auto *table = view.findChild<LiveTable *>(u"tasksTable"_s);
        view.tasks()->setPage({u"default"_s}, TaskState::Pending, {}, page(5, TaskState::Pending));
        QCOMPARE(table->model()->rowCount(), 5);
        QTest::mouseClick(view.findChild<QAbstractButton *>(u"taskState-archived"_s),
                          Qt::LeftButton);
        QCOMPARE(asked.last().at(1).value<TaskState>(), TaskState::Archived);
        QCOMPARE(table->model()->rowCount(), 0);
        view.tasks()->setPage({u"default"_s}, TaskState::Pending, {}, page(5, TaskState::Pending));
        QCOMPARE(table->model()->rowCount(), 0); // an answer to the state before
        view.tasks()->setPage({u"default"_s}, TaskState::Archived, {}, {});
        QVERIFY2(table->emptyPane()->sentence().contains(u"dead"_s),
                 qPrintable(table->emptyPane()->sentence()));
    }

    void forgetsTheSystemBefore()
    {
        QueueView view;
        view.show();
        view.setQueues(sample::queues());
        view.tasks()->setState(TaskState::Archived);
        view.tasks()->setPage({u"default"_s}, TaskState::Archived, {},
                              page(5, TaskState::Archived));
        QTest::mouseClick(view.findChild<QAbstractButton *>(u"tasksPagingOn"_s), Qt::LeftButton);
        QCOMPARE(view.tasks()->cursor(), u"more"_s);
        QSignalSpy asked(&view, &QueueView::tasksAsked);
        view.forget();
        QVERIFY(asked.isEmpty());
        QVERIFY(view.chosenQueue().isEmpty());
        QVERIFY(view.tasks()->cursor().isEmpty());
        QCOMPARE(view.tasks()->state(), TaskState::Pending);
        QCOMPARE(view.findChild<LiveTable *>(u"queuesTable"_s)->model()->rowCount(), 0);
        QCOMPARE(view.findChild<LiveTable *>(u"tasksTable"_s)->model()->rowCount(), 0);
    }

    void pagesTasks()
    {
        QueueView view;
        view.show();
        view.setQueues(sample::queues());
        QSignalSpy asked(&view, &QueueView::tasksAsked);
        view.tasks()->setPage({u"default"_s}, TaskState::Pending, {}, page(5, TaskState::Pending));
        QTest::mouseClick(view.findChild<QAbstractButton *>(u"tasksPagingOn"_s), Qt::LeftButton);
        QCOMPARE(asked.last().at(2).toString(), u"more"_s);
        view.tasks()->setPage({u"default"_s}, TaskState::Pending, u"more"_s,
                              page(3, TaskState::Pending));
        QTest::mouseClick(view.findChild<QAbstractButton *>(u"tasksPagingBack"_s), Qt::LeftButton);
        QVERIFY(asked.last().at(2).toString().isEmpty());
    }

    void showsTheTaskThatWasChosen()
    {
        QueueView view;
        view.show();
        view.setQueues(sample::queues());
        view.tasks()->setState(TaskState::Retry);
        view.tasks()->setPage({u"default"_s}, TaskState::Retry, {}, page(5, TaskState::Retry));
        QSignalSpy chosen(&view, &QueueView::taskChosen);
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

QTEST_MAIN(TestQueueView)
#include "tst_queueview.moc"
