// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Groups of failures as a person meets them: by the names that are read aloud, and by keyboard.
#include "models/filter/pagerequest.h"
#include "tests/support/accessiblewalk.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/samplefailures.h"
#include "tests/support/samplesystem.h"
#include "tests/support/testprogram.h"
#include "views/failures/failurespane.h"
#include "views/filter/filterbar.h"
#include "views/outbox/outboxview.h"
#include "views/queue/queueview.h"
#include "views/queue/taskspane.h"
#include "views/tables/livetable.h"
#include "views/theme/theme.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/noticebar.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabWidget>
#include <QToolButton>

namespace tst_failurespane {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

constexpr auto showName = "Show the members of the group";

template <typename Part> Part *named(const QWidget &in, const QString &accessibleName)
{
    for (Part *one : in.findChildren<Part *>()) {
        if (one->accessibleName() == accessibleName)
            return one;
    }
    qFatal("nothing is called %s", qPrintable(accessibleName));
}

QString cell(const LiveTable &table, int row, const QString &title)
{
    for (int column = 0; column < table.model()->columnCount(); ++column) {
        if (table.model()->headerData(column, Qt::Horizontal).toString() == title) {
            return table.isColumnHidden(column)
                ? u"hidden"_s
                : table.model()->index(row, column).data().toString();
        }
    }
    return u"no such column"_s;
}

} // namespace

class TestFailuresPane : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        theme::apply(ThemeChoice::Light);
    }

    void itAsksWhileItIsOnScreen()
    {
        FailuresPane pane(FailureSource::Rows);
        QSignalSpy asked(&pane, &FailuresPane::sampleAsked);
        QSignalSpy ended(&pane, &FailuresPane::sampleNotWanted);
        QCOMPARE(asked.count(), 0);
        pane.show();
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.last().first().value<FailureQuestion>().withinSeconds, 24 * 3600);
        named<QComboBox>(pane, u"Since when"_s)->setCurrentIndex(0);
        QCOMPARE(asked.count(), 2);
        QCOMPARE(asked.last().first().value<FailureQuestion>().withinSeconds, 3600);
        named<QComboBox>(pane, u"What is grouped"_s)->setCurrentIndex(1);
        QVERIFY(asked.last().first().value<FailureQuestion>().scope.contains(u"age>5m"_s));
        QVERIFY(walk::press(&pane, u"Refresh"_s));
        QTRY_COMPARE(asked.count(), 4);
        pane.hide();
        QCOMPARE(ended.count(), 1);
    }

    void groupsAreMadeAnewWithoutAsking()
    {
        FailuresPane pane(FailureSource::Rows);
        pane.resize(1000, 500);
        pane.show();
        pane.setSample(sample::failures(pane.question(), 300));
        const auto *table = named<LiveTable>(pane, u"Groups of failures"_s);
        QCOMPARE(table->model()->rowCount(), 5);
        QCOMPARE(cell(*table, 0, u"Type"_s), u"email:deliver"_s);
        QCOMPARE(cell(*table, 0, u"Error"_s), u"dial tcp *: connect: connection refused"_s);
        QCOMPARE(cell(*table, 0, u"Queue"_s), u"hidden"_s);
        QVERIFY(cell(*table, 0, u"Trend"_s) == u"rising"_s);
        QVERIFY(pane.findChild<QLabel *>(u"groupsSize"_s)->text().startsWith(u"all 300, as of "_s));
        QSignalSpy asked(&pane, &FailuresPane::sampleAsked);
        named<QComboBox>(pane, u"Group by"_s)->setCurrentIndex(2); // type
        QCOMPARE(table->model()->rowCount(), 4);
        QCOMPARE(cell(*table, 0, u"Error"_s), u"hidden"_s);
        named<QComboBox>(pane, u"Group by"_s)->setCurrentIndex(3); // queue
        QCOMPARE(cell(*table, 0, u"Queue"_s), u"default"_s);
        QCOMPARE(table->model()->rowCount(), 2);
        QCOMPARE(asked.count(), 0);
        // An answer to another question changes nothing.
        FailureSample late = sample::failures({FailureSource::Rows, u"state:failed"_s, {}}, 3);
        pane.setSample(late);
        QCOMPARE(table->model()->rowCount(), 2);
    }

    void aGroupIsShownByKeyAndByButton()
    {
        FailuresPane pane(FailureSource::Rows);
        pane.resize(1000, 500);
        pane.show();
        QSignalSpy chosen(&pane, &FailuresPane::filterChosen);
        pane.setSample(sample::failures(pane.question(), 300));
        auto *table = named<LiveTable>(pane, u"Groups of failures"_s);
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Down);
        const QString filter = named<QLabel>(pane, u"The filter of the group"_s)->text();
        QVERIFY(filter.contains(u"type=\"webhook:call\" cause=\"POST https:"_s));
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.last().first().toString(), filter);
        QVERIFY(walk::press(&pane, QString::fromLatin1(showName)));
        QTRY_COMPARE(chosen.count(), 2);
        QVERIFY(walk::description(&pane, QAccessible::Button, QString::fromLatin1(showName))
                    .startsWith(u"webhook:call: POST"_s));
    }

    void aRefreshKeepsTheChosenGroup()
    {
        FailuresPane pane(FailureSource::Rows);
        pane.show();
        pane.setSample(sample::failures(pane.question(), 300));
        auto *table = named<LiveTable>(pane, u"Groups of failures"_s);
        table->selectRow(2);
        const QString before = cell(*table, table->currentIndex().row(), u"Error"_s);
        pane.setSample(sample::failures(pane.question(), 900));
        QCOMPARE(cell(*table, table->currentIndex().row(), u"Error"_s), before);
    }

    void aGroupTakesANote()
    {
        FailuresPane pane(FailureSource::Rows);
        pane.resize(1000, 500);
        pane.show();
        pane.setSample(sample::failures(pane.question(), 300));
        const auto *table = named<LiveTable>(pane, u"Groups of failures"_s);
        QCOMPARE(cell(*table, 0, u"Note"_s), u"hidden"_s);
        QList<GroupNote> kept;
        connect(&pane, &FailuresPane::noteWritten, this, [&](const GroupNote &note) {
            kept.removeIf([&note](const GroupNote &one) { return one.group == note.group; });
            if (!note.isEmpty())
                kept += note;
            pane.setNotes(kept);
        });
        auto *text = named<QLineEdit>(pane, u"Note of the group"_s);
        auto *who = named<QLineEdit>(pane, u"Owner of the group"_s);
        text->setFocus();
        QTest::keyClicks(text, u"<b>INC-12</b>"_s);
        pane.setSample(sample::failures(pane.question(), 310)); // a refresh while one writes
        QCOMPARE(text->text(), u"<b>INC-12</b>"_s);
        QTest::keyClick(text, Qt::Key_Return);
        QCOMPARE(kept.size(), 1);
        QTest::keyClicks(who, u"ana"_s);
        QTest::keyClick(who, Qt::Key_Return);
        QCOMPARE(kept.size(), 1);
        QCOMPARE(kept.first().who, u"ana"_s);
        QCOMPARE(cell(*table, 0, u"Note"_s), u"ana: <b>INC-12</b>"_s);
        text->setText(u"it is done"_s); // goes with the next group that is chosen
        named<LiveTable>(pane, u"Groups of failures"_s)->selectRow(1);
        QCOMPARE(kept.first().text, u"it is done"_s);
        QVERIFY(text->text().isEmpty() && who->text().isEmpty());
        named<LiveTable>(pane, u"Groups of failures"_s)->selectRow(0);
        QCOMPARE(who->text(), u"ana"_s);
        who->clear();
        text->clear();
        QTest::keyClick(text, Qt::Key_Return);
        QVERIFY(kept.isEmpty());
        QCOMPARE(cell(*table, 0, u"Note"_s), u"hidden"_s);
        named<QComboBox>(pane, u"Group by"_s)->setCurrentIndex(4); // hours have none
        QVERIFY(!text->isVisible());
    }

    void itFailsAloneAndKeepsWhatItShowed()
    {
        FailuresPane pane(FailureSource::Rows);
        pane.resize(1000, 500);
        pane.show();
        auto *table = named<LiveTable>(pane, u"Groups of failures"_s);
        QCOMPARE(table->emptyPane()->sentence(), u"Reading…"_s);
        pane.setSample(sample::failures(pane.question(), 300));
        pane.setError({Error::Kind::Timeout, u"listing the rows"_s, u"<b>too slow</b>"_s, {}, {}});
        const auto *problem = pane.findChild<NoticeBar *>(u"groupsProblem"_s);
        QVERIFY(problem->isVisible());
        QVERIFY(problem->text().contains(u"<b>too slow</b>"_s));
        QVERIFY(
            problem->text().contains(QDateTime::currentDateTime().addSecs(-1).toString(u"HH:"_s)));
        QCOMPARE(table->model()->rowCount(), 5);
        QSignalSpy asked(&pane, &FailuresPane::sampleAsked);
        QVERIFY(walk::press(&pane, u"Try again"_s));
        QTRY_COMPARE(asked.count(), 1);
        pane.setSample(sample::failures(pane.question(), 10));
        QVERIFY(!problem->isVisible());
    }

    void columnsFitWhatComesLater()
    {
        FailuresPane pane(FailureSource::Tasks);
        pane.resize(1000, 500);
        pane.show();
        const auto *table = named<LiveTable>(pane, u"Groups of failures"_s);
        pane.setSample(sample::failures(pane.question(), 0));
        pane.setSample(sample::failures(pane.question(), 2)); // one group
        const QString text = cell(*table, 0, u"Error"_s);
        QVERIFY(table->columnWidth(1) > table->fontMetrics().horizontalAdvance(text));
        QVERIFY(!table->horizontalScrollBar()->isVisible());
    }

    void nothingSaysWhatToDo()
    {
        FailuresPane pane(FailureSource::Rows);
        pane.show();
        pane.setSample(sample::failures(pane.question(), 0));
        auto *table = named<LiveTable>(pane, u"Groups of failures"_s);
        QVERIFY(table->emptyPane()->sentence().contains(u"last 24 hours"_s));
        QSignalSpy asked(&pane, &FailuresPane::sampleAsked);
        auto *ever = named<QPushButton>(pane, u"All time"_s);
        QVERIFY(ever->isVisible());
        ever->click();
        QCOMPARE(asked.count(), 1);
        QVERIFY(!asked.last().first().value<FailureQuestion>().withinSeconds);
        pane.setSample(sample::failures(pane.question(), 0));
        QVERIFY(table->emptyPane()->sentence().contains(u"Nothing asks for attention"_s));
        QVERIFY(!ever->isVisible());
        QCOMPARE(named<QComboBox>(pane, u"Since when"_s)->currentText(), u"All time"_s);
        pane.setSample(sample::failures(pane.question(), 4));
        pane.forget();
        QCOMPARE(table->model()->rowCount(), 0);
    }

    void theOutboxPageListsTheMembersOfAGroup()
    {
        OutboxView page;
        page.resize(1200, 700);
        page.show();
        page.setHealth(sample::live());
        auto *pane = page.groups();
        QVERIFY(!pane->isVisible());
        page.groupsButton()->click();
        QVERIFY(pane->isVisible());
        pane->setSample(sample::failures(pane->question(), 100));
        QSignalSpy asked(&page, &OutboxView::rowsAsked);
        QVERIFY(walk::press(&page, QString::fromLatin1(showName)));
        QTRY_VERIFY(!pane->isVisible());
        QCOMPARE(asked.count(), 1);
        const auto request = asked.last().first().value<PageRequest>();
        QVERIFY(request.filter.mentions(u"cause"_s));
        QCOMPARE(page.filter()->appliedText(), request.filter.text());
        page.groupsButton()->click();
        page.openFilter(u"state:failed"_s); // rows are what is asked for
        QVERIFY(!pane->isVisible());
    }

    void theQueuePageHasItsGroups()
    {
        QueueView page;
        page.resize(1200, 700);
        page.show();
        page.setQueues(sample::queues());
        auto *tabs = named<QTabWidget>(page, u"What is in the queue"_s);
        QSignalSpy asked(page.failures(), &FailuresPane::sampleAsked);
        tabs->setCurrentWidget(page.failures());
        QCOMPARE(asked.count(), 1);
        QCOMPARE(tabs->tabText(tabs->currentIndex()), u"Fa&ilures"_s);
        FailureSample sample = sample::failures(page.failures()->question(), 100);
        for (FailedItem &item : sample.items)
            item.queue = item.queue == u"critical"_s ? u"mail"_s : item.queue;
        page.failures()->setSample(sample);
        auto *table = named<LiveTable>(*page.failures(), u"Groups of failures"_s);
        QCOMPARE(cell(*table, 0, u"Queue"_s), u"default"_s);
        int row = 0;
        while (cell(*table, row, u"Queue"_s) != u"mail"_s)
            ++row;
        table->selectRow(row);
        const QString filter
            = named<QLabel>(*page.failures(), u"The filter of the group"_s)->text();
        QSignalSpy searches(page.tasks(), &TasksPane::searchAsked);
        QVERIFY(walk::press(&page, QString::fromLatin1(showName)));
        QTRY_COMPARE(tabs->currentWidget(), page.tasks());
        QCOMPARE(page.tasks()->filter()->appliedText(), filter);
        QCOMPARE(page.chosenQueue().text, u"mail"_s);
        QVERIFY(searches.count() > 0);
        QCOMPARE(searches.last().first().value<TaskRequest>().queue.text, u"mail"_s);
    }
};

} // namespace tst_failurespane

OUTBOX_TEST(tst_failurespane::TestFailuresPane)
#include "tst_failurespane.moc"
