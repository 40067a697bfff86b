// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The outbox page: what it asks for, what it takes, and what it says when there is nothing.
#include "models/filter/pagerequest.h"
#include "models/system/exactcount.h"
#include "models/tables/outboxmodel.h"
#include "tests/support/fonts.h"
#include "tests/support/shownoutbox.h"
#include "tests/support/testprogram.h"
#include "views/filter/filterbar.h"
#include "views/message/messagepanel.h"
#include "views/message/payloadview.h"
#include "views/outbox/outboxview.h"
#include "views/outbox/roworder.h"
#include "views/outbox/rowspane.h"
#include "views/tables/livetable.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/noticebar.h"
#include "views/widgets/sourcenotice.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

namespace tst_outboxview {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestOutboxView : public QObject
{
    Q_OBJECT

    std::unique_ptr<OutboxView> m_view;

    template <typename Widget> Widget *part(const QString &name)
    {
        auto *found = m_view->findChild<Widget *>(name);
        if (found == nullptr)
            qFatal("no %s", qPrintable(name));
        return found;
    }
    LiveTable *table() { return part<LiveTable>(u"outboxTable"_s); }
    void typeFilter(const QString &text)
    {
        auto *line = part<QLineEdit>(u"outboxFilterLine"_s);
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, text);
        QTest::keyClick(line, Qt::Key_Return);
    }

    /// The page of `request` out of a table whose newest row is number 100.
    static OutboxPageView answer(const PageRequest &request, int above)
    {
        OutboxPageView view = sample::page(request, 100 + above, request.limit);
        view.page.back = u"back"_s;
        view.page.turn = u"turn"_s;
        view.page.steps = {u"step"_s};
        return view;
    }
    QString idAtTop()
    {
        const int row = table()->rowAt(0);
        return table()->model()->index(row, OutboxModel::Id).data().toString();
    }

    /// At the end of its way a table shows the lower part of one more row.
    bool isAtTop(const QString &id)
    {
        const int row = table()->rowAt(0);
        return table()->model()->index(row, OutboxModel::Id).data().toString() == id
            || table()->model()->index(row - 1, OutboxModel::Id).data().toString() == id;
    }

private slots:
    void initTestCase() { OUTBOX_NEED_FONTS(); }

    void init() { m_view = sample::shownOutbox(); }

    void writesChipsIntoTheFilter()
    {
        QSignalSpy asked(m_view.get(), &OutboxView::rowsAsked);
        typeFilter(u"type:email:*"_s);
        auto *pending = part<QAbstractButton>(u"outboxState-pending"_s);
        auto *failed = part<QAbstractButton>(u"outboxState-failed"_s);
        QTest::mouseClick(pending, Qt::LeftButton);
        QTest::mouseClick(failed, Qt::LeftButton, Qt::ControlModifier); // beside the other
        QCOMPARE(part<QLineEdit>(u"outboxFilterLine"_s)->text(),
                 u"state:pending,failed type:email:*"_s);
        const auto request = asked.last().first().value<PageRequest>();
        QCOMPARE(request.filter.text(), u"state:pending,failed type:email:*"_s);
        typeFilter(u"state:locked"_s);
        QVERIFY(part<QAbstractButton>(u"outboxState-locked"_s)->isChecked());
        QVERIFY(!part<QAbstractButton>(u"outboxState-pending"_s)->isChecked());
    }

    void theTimeHeaderAloneTurnsTheOrder()
    {
        const QHeaderView *head = table()->horizontalHeader();
        QVERIFY(!head->isSortIndicatorShown()); // nobody has said what the order is
        OutboxPageView page = answer(m_view->request(), 0);
        page.page.isByTime = true;
        m_view->setPage(page);
        QVERIFY(head->isSortIndicatorShown());
        const auto click = [head](int column) {
            const QPoint at(head->sectionViewportPosition(column) + head->sectionSize(column) / 2,
                            head->height() / 2);
            QTest::mouseClick(head->viewport(), Qt::LeftButton, {}, at);
        };
        QSignalSpy asked(m_view.get(), &OutboxView::rowsAsked);
        click(OutboxModel::Type); // no index has that order
        QCOMPARE(asked.count(), 0);
        QCOMPARE(head->sortIndicatorSection(), int(OutboxModel::Created));
        click(OutboxModel::Created);
        QCOMPARE(asked.count(), 1);
        QVERIFY(!asked.constLast().constFirst().value<PageRequest>().newestFirst);
        QCOMPARE(head->sortIndicatorOrder(), Qt::AscendingOrder);
        const QString said
            = table()
                  ->model()
                  ->headerData(OutboxModel::Created, Qt::Horizontal, Qt::AccessibleDescriptionRole)
                  .toString();
        QVERIFY2(said.startsWith(u"The oldest rows come first"_s), qPrintable(said));
        typeFilter(u"type:email:*"_s); // stays so
        QVERIFY(!m_view->request().newestFirst);
        page = answer(m_view->request(), 0);
        page.page.isByTime = false; // it is another order: this says nothing of time
        m_view->setPage(page);
        QVERIFY(m_view->request().newestFirst);
        QVERIFY(!head->isSortIndicatorShown());
    }

    void aLinkToTheOldestRowsIsNoChoice()
    {
        OutboxPageView page = answer(m_view->request(), 0);
        page.page.isByTime = true;
        m_view->setPage(page);
        QSignalSpy chosen(m_view->order(), &RowOrder::chosen);
        m_view->openFilter(u"state:pending"_s, true);
        QVERIFY(!m_view->request().newestFirst);
        m_view->openFilter(u"state:pending"_s);
        QVERIFY(m_view->request().newestFirst);
        QCOMPARE(chosen.count(), 0);
        m_view->order()->turn();
        QCOMPARE(chosen.count(), 1);
        m_view->openFilter(u"state:failed"_s);
        QVERIFY(!m_view->request().newestFirst);
    }

    void chipsReplaceEachOther()
    {
        auto *pending = part<QAbstractButton>(u"outboxState-pending"_s);
        auto *failed = part<QAbstractButton>(u"outboxState-failed"_s);
        const auto *line = part<QLineEdit>(u"outboxFilterLine"_s);
        typeFilter(u"type:email:*"_s);
        QTest::mouseClick(pending, Qt::LeftButton);
        QTest::mouseClick(failed, Qt::LeftButton);
        QCOMPARE(line->text(), u"state:failed type:email:*"_s);
        QVERIFY(!pending->isChecked());
        pending->setFocus();
        QTest::keyClick(pending, Qt::Key_Space, Qt::ControlModifier);
        QCOMPARE(line->text(), u"state:pending,failed type:email:*"_s);
        QTest::mouseClick(failed, Qt::LeftButton, Qt::ControlModifier); // takes it away again
        QCOMPARE(line->text(), u"state:pending type:email:*"_s);
        QTest::mouseClick(failed, Qt::LeftButton, Qt::ControlModifier);
        QTest::mouseClick(pending, Qt::LeftButton); // one of two: that one alone
        QCOMPARE(line->text(), u"state:pending type:email:*"_s);
        QVERIFY(pending->isChecked());
        QTest::mouseClick(pending, Qt::LeftButton);
        QCOMPARE(line->text(), u"type:email:*"_s);
    }

    void saysHowManyRowsMatch()
    {
        const auto *where = part<QLabel>(u"outboxWindowWhere"_s);
        m_view->setPage(answer(m_view->request(), 0));
        QVERIFY2(!where->text().contains(u"match"_s), qPrintable(where->text())); // no filter
        m_view->openFilter(u"state:pending type:email:*"_s);
        OutboxPageView page = answer(m_view->request(), 0);
        m_view->setPage(page);
        QVERIFY2(where->text().contains(u"at least 500 match"_s), qPrintable(where->text()));
        m_view->openFilter(u"type:email:*"_s);
        page = sample::page(m_view->request(), 100, 40);
        page.page.next.clear();
        m_view->setPage(page);
        QVERIFY2(where->text().contains(u"rows 1\u201340, 40 match"_s), qPrintable(where->text()));
        m_view->openFilter(u"state:pending"_s);
        m_view->setPage(answer(m_view->request(), 0));
        OutboxSnapshot counts;
        counts.pending = 4'995;
        counts.exact = true;
        m_view->setCounts(counts);
        QVERIFY2(where->text().contains(countText(4'995, true) + u" match"_s),
                 qPrintable(where->text()));
        m_view->openFilter(u"state:failed"_s);
        counts.failed = 7;
        m_view->setCounts(counts); // while the rows are still those of the filter before
        QVERIFY2(!where->text().contains(u"match"_s), qPrintable(where->text()));
        m_view->openFilter(u"type:sms"_s); // that count was of another filter
        page = sample::page(m_view->request(), 100, 40);
        page.page.next.clear();
        page.page.undecided = 2; // left out, and they may match
        m_view->setPage(page);
        QVERIFY2(where->text().contains(u"at least 40 match"_s), qPrintable(where->text()));
    }

    void forgetsTheSystemBefore()
    {
        typeFilter(u"state:pending type:email:*"_s);
        m_view->setPage(sample::page(m_view->request(), 100, 200));
        table()->selectRow(0);
        QVERIFY(!m_view->panel()->shownId().isEmpty());
        m_view->forget();
        QCOMPARE(m_view->request(), PageRequest());
        QCOMPARE(table()->model()->rowCount(), 0);
        QVERIFY(m_view->panel()->shownId().isEmpty());
        QVERIFY(part<QLineEdit>(u"outboxFilterLine"_s)->text().isEmpty());
        QVERIFY(!part<QAbstractButton>(u"outboxState-pending"_s)->isChecked());
    }

    void takesWhatTheQueueSaysOfPausedRows()
    {
        part<QAbstractButton>(u"outboxLive"_s)->setChecked(false);
        m_view->openFilter(u"state:pending"_s);
        OutboxPageView page = sample::page(m_view->request(), 100, 10);
        page.page.next.clear(); // or more would be asked for, to fill the screen
        page.inQueue.clear();
        m_view->setPage(page);
        const QString id = page.page.rows.first().id.text;
        page.inQueue.insert(id, TaskState::Completed);
        m_view->setPage(page); // the same rows, joined
        QCOMPARE(
            table()->model()->index(0, OutboxModel::InQueue).data(StateRole).value<TaskState>(),
            TaskState::Completed);
        page.page.rows.removeFirst();
        m_view->setPage(page); // other rows: paused
        QCOMPARE(table()->model()->rowCount(), 10);
    }

    /// Also when the first rows came before the queue was asked: the widths are fitted to those.
    void neverCutsTheWordOfAState()
    {
        m_view = std::make_unique<OutboxView>();
        m_view->resize(1094, 700); // what the pages have of a window of 1280
        m_view->show();
        m_view->setHealth(sample::live());
        m_view->openFilter({});
        const QList<TaskState> states = allTaskStates();
        OutboxPageView page = sample::page(m_view->request(), 100, static_cast<int>(states.size()));
        page.page.next.clear();
        page.inQueue.clear();
        m_view->setPage(page);
        QVERIFY(!table()->model()->index(0, OutboxModel::InQueue).data(StateRole).isValid());
        for (qsizetype i = 0; i < states.size(); ++i)
            page.inQueue.insert(page.page.rows.at(i).id.text, states.at(i));
        m_view->setPage(page);
        QSet<TaskState> seen;
        for (int row = 0; row < table()->model()->rowCount(); ++row) {
            const QModelIndex cell = table()->model()->index(row, OutboxModel::InQueue);
            const auto state = cell.data(StateRole).value<TaskState>();
            const int word = table()->fontMetrics().horizontalAdvance(label(state));
            seen += state;
            QVERIFY2(table()->sizeHintForIndex(cell).width() > word, qPrintable(label(state)));
            QVERIFY2(table()->columnWidth(OutboxModel::InQueue)
                         >= table()->sizeHintForIndex(cell).width(),
                     qPrintable(label(state)));
        }
        QCOMPARE(seen.size(), states.size());
        const int end = table()->columnViewportPosition(OutboxModel::InQueue)
            + table()->columnWidth(OutboxModel::InQueue);
        QVERIFY2(end <= table()->viewport()->width(), qPrintable(QString::number(end)));
        QCOMPARE(table()->horizontalScrollBar()->maximum(), 0);
    }

    void showsErrorsWhereTheTableHasThem()
    {
        const auto noKeyList = [](const QList<MessageId> &) { return QString(); };
        QVERIFY(table()->isColumnHidden(OutboxModel::LastError));
        OutboxShape shape;
        shape.keyColumn = u"id"_s;
        m_view->setShape({}, shape, noKeyList);
        QVERIFY(table()->isColumnHidden(OutboxModel::LastError));
        shape.errorColumn = u"last_error"_s;
        m_view->setShape({}, shape, noKeyList);
        QVERIFY(!table()->isColumnHidden(OutboxModel::LastError));
        m_view->setPage(sample::page(m_view->request(), 100, 10));
        QStringList errors;
        for (int row = 0; row < table()->model()->rowCount(); ++row)
            errors += table()->model()->index(row, OutboxModel::LastError).data().toString();
        QVERIFY(errors.contains(u"550 mailbox unavailable"_s));
        m_view->forget();
        QVERIFY(table()->isColumnHidden(OutboxModel::LastError));
    }

    void filtersForTheValueOfACell()
    {
        typeFilter(u"state:pending age>1s"_s);
        m_view->setPage(sample::page(m_view->request(), 100, 10));
        table()->selectRow(0);
        const QModelIndex cell = table()->model()->index(0, OutboxModel::Type);
        const QPoint at = table()->visualRect(cell).center();
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, table()->viewport()->mapToGlobal(at));
        QApplication::sendEvent(table()->viewport(), &event);
        const std::unique_ptr<QMenu> menu(table()->findChild<QMenu *>(u"rowMenu"_s));
        QVERIFY(menu);
        auto *filter = menu->findChild<QAction *>(u"filterForValue"_s);
        QVERIFY(filter);
        filter->trigger();
        QCOMPARE(m_view->filter()->appliedText(),
                 u"state:pending age>1s type="_s + sample::message(100).type);
    }

    void copiesIdsForSqlAndForTheCommandLine()
    {
        Profile profile;
        profile.name = u"orders"_s;
        profile.databaseUrl = u"postgresql://ana@db1/orders"_s;
        OutboxShape shape;
        shape.keyColumn = u"id"_s;
        m_view->setShape(profile, shape,
                         [](const QList<MessageId> &keys) { return u"IN %1"_s.arg(keys.size()); });
        OutboxPageView page = sample::page(m_view->request(), 100, 3);
        page.page.next.clear();
        m_view->setPage(page);
        table()->selectAll();
        const auto copied = [this](qsizetype form) {
            QTest::keyClick(table(), Qt::Key_C, Qt::ControlModifier | Qt::AltModifier);
            const std::unique_ptr<QMenu> menu(table()->findChild<QMenu *>(u"copyMenu"_s));
            menu->actions().at(form)->trigger();
            return QApplication::clipboard()->text();
        };
        const QList<Message> &rows = page.page.rows;
        QCOMPARE(copied(2), u"IN 3"_s);
        QCOMPARE(copied(3),
                 u"outboxctl list --profile orders --filter id=%1,%2,%3"_s.arg(
                     rows.at(0).id.text, rows.at(1).id.text, rows.at(2).id.text));
    }

    void showsTheFaultOfAFilterAndKeepsTheQuestion()
    {
        typeFilter(u"state:pending"_s);
        const PageRequest before = m_view->request();
        QSignalSpy asked(m_view.get(), &OutboxView::rowsAsked);
        typeFilter(u"agee>5m"_s);
        QCOMPARE(asked.count(), 0);
        QCOMPARE(m_view->request(), before);
        auto *fault = part<QLabel>(u"outboxFilterFault"_s);
        QVERIFY(fault->isVisible());
        QVERIFY2(fault->text().contains(u"age"_s), qPrintable(fault->text()));
        typeFilter(u"age>5m"_s);
        QVERIFY(!fault->isVisible());
        QCOMPARE(asked.count(), 1);
    }

    void slidesOverATableOfAnySize()
    {
        QSignalSpy asked(m_view.get(), &OutboxView::rowsAsked);
        QSignalSpy sought(m_view.get(), &OutboxView::seekAsked);
        QScrollBar *bar = table()->verticalScrollBar();
        m_view->setPage(answer(m_view->request(), 0));
        for (const int rows : {1000, 1500}) {
            bar->setValue(bar->maximum());
            const QString eye = idAtTop();
            QCOMPARE(asked.last().first().value<PageRequest>().limit, rows);
            m_view->setPage(answer(m_view->request(), 0));
            QVERIFY(isAtTop(eye));
            QCOMPARE(table()->model()->rowCount(), rows);
        }
        bar->setValue(bar->maximum());
        const QString eye = idAtTop();
        QCOMPARE(m_view->request().after, u"step"_s); // it slides
        m_view->setPage(answer(m_view->request(), 500));
        QVERIFY(isAtTop(eye));
        QCOMPARE(table()->model()->rowCount(), 1500);
        QVERIFY2(part<QLabel>(u"outboxWindowWhere"_s)->text().contains(u"501"_s),
                 qPrintable(part<QLabel>(u"outboxWindowWhere"_s)->text()));

        sought.clear();
        bar->setValue(0);
        const QString top = idAtTop();
        QCOMPARE(sought.count(), 1);
        const auto up = sought.last().first().value<PageRequest>();
        QCOMPARE(up.after, u"back"_s);
        QVERIFY(!up.newestFirst);
        MessagePage found = answer(up, 0).page;
        found.next.clear(); // nothing stands above: the window begins at the start
        m_view->setSought(up, found);
        QVERIFY(m_view->request().after.isEmpty());
        m_view->setPage(answer(m_view->request(), 0));
        QCOMPARE(idAtTop(), top); // nobody is thrown to the top
        QCOMPARE(bar->value(), 500);
    }

    void aLateAnswerIsDropped()
    {
        const PageRequest old = m_view->request();
        typeFilter(u"state:pending"_s);
        m_view->setPage(sample::page(m_view->request(), 600, 100));
        m_view->setPage(sample::page(old, 600, 50)); // nobody asks this any more
        QCOMPARE(table()->model()->rowCount(), 100);
    }

    void goesToAnId()
    {
        QSignalSpy sought(m_view.get(), &OutboxView::seekAsked);
        auto *bar = part<QWidget>(u"outboxWindow"_s);
        const Message wanted = sample::message(2000);
        QVERIFY(QMetaObject::invokeMethod(bar, "idAsked", Q_ARG(QString, wanted.id.text)));
        const auto one = sought.last().first().value<PageRequest>();
        QCOMPARE(one.ids, QList{wanted.id});
        MessagePage found;
        found.rows = {wanted};
        found.back = u"here"_s;
        m_view->setSought(one, found);
        const auto around = sought.last().first().value<PageRequest>();
        QCOMPARE(around.after, u"here"_s);
        QVERIFY(!around.newestFirst);
        m_view->setSought(around, answer(around, 1750).page);
        QCOMPARE(m_view->request().after, u"turn"_s);
        m_view->setPage(answer(m_view->request(), 1700));
        QCOMPARE(table()->currentIndex().row(), 200);
        QVERIFY(
            table()->visualRect(table()->currentIndex()).intersects(table()->viewport()->rect()));
        QVERIFY(QMetaObject::invokeMethod(bar, "idAsked", Q_ARG(QString, u"nowhere"_s)));
        m_view->setSought(sought.last().first().value<PageRequest>(), MessagePage());
        QVERIFY(part<NoticeBar>(u"outboxProblem"_s)->isVisible());
    }

    void holdsNewRowsBackFromAReader()
    {
        auto *bar = part<NoticeBar>(u"outboxNewRows"_s);
        m_view->setPage(sample::page(m_view->request(), 95, 200));
        QVERIFY(!bar->isVisible()); // at the top they are simply there
        table()->verticalScrollBar()->setValue(50);
        m_view->setPage(sample::page(m_view->request(), 72, 200));
        QVERIFY(bar->isVisible());
        QVERIFY2(bar->text().startsWith(u"23 "_s), qPrintable(bar->text()));
        QTest::mouseClick(part<QAbstractButton>(u"outboxNewRowsAction"_s), Qt::LeftButton);
        QVERIFY(!bar->isVisible());
        QVERIFY(table()->isAtTop());
        QCOMPARE(table()->model()->index(0, 1).data().toString(), sample::message(72).id.text);
    }

    void keepsTheMessageThatLeftTheOutbox()
    {
        QSignalSpy chosen(m_view.get(), &OutboxView::rowChosen);
        table()->selectRow(3);
        QCOMPARE(chosen.count(), 1);
        const MessageId id = sample::message(103).id;
        QCOMPARE(chosen.first().first().value<MessageId>(), id);
        m_view->setVerdict(sample::verdict(103));
        QCOMPARE(part<QLabel>(u"journeySentence"_s)->text(), sample::verdict(103).sentence);
        m_view->setVerdict(sample::verdict(9)); // of a row chosen before
        m_view->setPage(sample::page(m_view->request(), 110, 200));
        QCOMPARE(chosen.count(), 2); // what became of it?
        QCOMPARE(chosen.last().first().value<MessageId>(), id);
        QCOMPARE(m_view->panel()->shownId(), id);
        QCOMPARE(part<QLabel>(u"journeySentence"_s)->text(), sample::verdict(103).sentence);
    }

    void detailsBelongToTheAnswerOfTheFilter()
    {
        QSignalSpy chosen(m_view.get(), &OutboxView::rowChosen);
        m_view->setPage(sample::page(m_view->request(), 100, 200));
        table()->selectRow(3);
        QCOMPARE(chosen.count(), 1);
        const MessageId before = m_view->panel()->shownId();

        typeFilter(u"state:failed"_s); // whose answer has other rows
        QCOMPARE(m_view->panel()->shownId(), before); // until it comes
        m_view->setPage(sample::page(m_view->request(), 4000, 200));
        QVERIFY(m_view->panel()->shownId().isEmpty());

        typeFilter(u"state:locked"_s); // one hit is what was meant
        OutboxPageView one = sample::page(m_view->request(), 5000, 1);
        one.page.rows = one.page.rows.first(1);
        one.page.next.clear();
        m_view->setPage(one);
        QCOMPARE(m_view->panel()->shownId(), one.page.rows.first().id);
    }

    void anIdWithoutARowIsAskedForAllTheSame()
    {
        QSignalSpy chosen(m_view.get(), &OutboxView::rowChosen);
        const QString id = u"0b5d7f3a-9a31-4f4e-8d1c-2f6f3b1f0c11"_s;
        typeFilter(id);
        OutboxPageView none;
        none.request = m_view->request();
        m_view->setPage(none);
        QCOMPARE(m_view->panel()->shownId().text, id);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.first().first().value<MessageId>().text, id);
        typeFilter(u"type:email:*"_s);
        none.request = m_view->request();
        m_view->setPage(none);
        QVERIFY(m_view->panel()->shownId().isEmpty());
    }

    void theChosenRowIsAskedForAgainWhenItChanges()
    {
        OutboxPageView page = sample::page(m_view->request(), 100, 200);
        m_view->setPage(page);
        table()->selectRow(2);
        QSignalSpy chosen(m_view.get(), &OutboxView::rowChosen);
        m_view->setPage(page);
        QCOMPARE(chosen.count(), 0);
        page.page.rows[2].state = MessageState::Failed;
        m_view->setPage(page);
        QCOMPARE(chosen.count(), 1);
        page.page.rows.removeAt(2); // it left the outbox
        m_view->setPage(page);
        QCOMPARE(chosen.count(), 2);
    }

    void staysStillWhilePaused()
    {
        QSignalSpy paused(m_view.get(), &OutboxView::livePaused);
        QTest::mouseClick(part<QAbstractButton>(u"outboxLive"_s), Qt::LeftButton);
        QCOMPARE(paused.last().first().toBool(), true);
        m_view->setPage(sample::page(m_view->request(), 0, 20));
        QCOMPARE(table()->model()->rowCount(), 200);
        typeFilter(u"state:pending"_s); // a new question is answered all the same
        m_view->setPage(sample::page(m_view->request(), 0, 20));
        QCOMPARE(table()->model()->rowCount(), 20);
    }

    void saysWhatAnEmptyTableMeans()
    {
        OutboxPageView nothing;
        nothing.request = m_view->request();
        m_view->setPage(nothing);
        QVERIFY(table()->emptyPane()->isVisible());
        QVERIFY(table()->emptyPane()->sentence().contains(u"nothing to do"_s));
        typeFilter(u"type:none"_s);
        nothing.request = m_view->request();
        m_view->setPage(nothing);
        QVERIFY(table()->emptyPane()->sentence().contains(u"filter"_s));
        QTest::mouseClick(table()->emptyPane()->findChild<QAbstractButton *>(u"emptyAction"_s),
                          Qt::LeftButton);
        QVERIFY(m_view->request().filter.isEmpty());
        OutboxView fresh;
        fresh.setHealth({});
        QCOMPARE(fresh.findChild<LiveTable *>(u"outboxTable"_s)->emptyPane()->sentence(),
                 u"Not connected."_s);
        fresh.setHealth(sample::failing());
        QCOMPARE(fresh.findChild<LiveTable *>(u"outboxTable"_s)->emptyPane()->sentence(),
                 u"No rows were read: see the reason above."_s);
    }

    void keepsRowsAndSaysHowOldTheyAre()
    {
        QSignalSpy retry(m_view.get(), &OutboxView::retryAsked);
        auto *source = part<SourceNotice>(u"outboxSource"_s);
        QVERIFY(!source->isVisible());
        m_view->setHealth(sample::failing());
        QVERIFY(source->isStale());
        QVERIFY(source->text().contains(u"from "_s));
        QCOMPARE(table()->model()->rowCount(), 200);
        QTest::mouseClick(part<QAbstractButton>(u"outboxSourceAction"_s), Qt::LeftButton);
        QCOMPARE(retry.count(), 1);
        m_view->setHealth(sample::live());
        QVERIFY(!source->isStale());
        source->setStaleAfter(1);
        m_view->setHealth(sample::live());
        QTRY_VERIFY_WITH_TIMEOUT(source->isStale(), 4000);
    }

    void opensAPayloadAsWhatItIs()
    {
        auto *payload = part<PayloadView>(u"payload"_s);
        payload->setPayload("{\"a\":9007199254740993}", 22);
        QCOMPARE(payload->form(), PayloadView::Form::Tree);
        payload->setPayload(QByteArray("\x00\xff\x01", 3), 3);
        QCOMPARE(payload->form(), PayloadView::Form::Hex);
        QVERIFY(part<QPlainTextEdit>(u"payloadHex"_s)->toPlainText().contains(u"00 ff 01"_s));
        payload->setPayload("plain <b>text\xe2\x80\xae", 16);
        QCOMPARE(payload->form(), PayloadView::Form::Text);
        QCOMPARE(part<QPlainTextEdit>(u"payloadText"_s)->toPlainText(), u"plain <b>text\\u202e"_s);
        QElapsedTimer clock;
        clock.start();
        payload->setPayload(QByteArray(1024 * 1024, 'x'), 1024 * 1024);
        m_view->panel()->setCurrentIndex(1);
        QVERIFY(!m_view->grab().isNull());
        qInfo("a line of 1 MB: %lld ms", clock.elapsed());
        QVERIFY(clock.elapsed() < 1000);
    }

    void namesWhatAPersonTouches()
    {
        for (const QAbstractButton *one : m_view->findChildren<QAbstractButton *>()) {
            if (!one->objectName().startsWith(u"qt_"_s) && !one->inherits("QTableCornerButton")
                && one->parent() != part<QLineEdit>(u"outboxFilterLine"_s)
                && one->isVisibleTo(m_view.get()) && !one->inherits("QTabBar"))
                QVERIFY2(!one->accessibleName().isEmpty() || one->objectName().isEmpty(),
                         qPrintable(one->objectName()));
        }
        QVERIFY(!table()->accessibleName().isEmpty());
    }
};

} // namespace tst_outboxview

OUTBOX_TEST(tst_outboxview::TestOutboxView)
#include "tst_outboxview.moc"
