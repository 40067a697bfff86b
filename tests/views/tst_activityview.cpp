// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The activity page: what was done, what can be undone and why not, what must be checked. With
// OUTBOX_PICTURES=<folder> the pictures are kept for looking at.
#include "models/tables/auditmodel.h"
#include "tests/support/fonts.h"
#include "tests/support/sampleactivity.h"
#include "tests/support/testprogram.h"
#include "views/activity/activityview.h"
#include "views/tables/livetable.h"
#include "views/theme/theme.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/noticebar.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>

namespace tst_activityview {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestActivityView : public QObject
{
    Q_OBJECT

    template <typename T> static T *part(const ActivityView &view, const char *name)
    {
        return view.findChild<T *>(QString::fromLatin1(name));
    }
    static QAbstractButton *button(const ActivityView &view, const char *name)
    {
        return part<QAbstractButton>(view, name);
    }
    static LiveTable *table(const ActivityView &view)
    {
        return part<LiveTable>(view, "activityTable");
    }
    static int rowOf(const ActivityView &view, Activity::State state)
    {
        for (int row = 0; row < table(view)->model()->rowCount(); ++row) {
            if (table(view)->model()->index(row, 0).data(RowRole).value<Activity>().state == state)
                return row;
        }
        return -1;
    }

private slots:
    void initTestCase() { OUTBOX_NEED_FONTS(); }

    void saysWhyItIsEmpty()
    {
        ActivityView view;
        view.show();
        const EmptyPane *pane = table(view)->emptyPane();
        QVERIFY(pane->sentence().startsWith(u"Reading"_s));
        QVERIFY(!button(view, "activityExport")->isEnabled());
        view.setActivities({});
        QVERIFY2(pane->sentence().contains(u"Nothing was done"_s), qPrintable(pane->sentence()));
        QVERIFY(!button(view, "activityExport")->isEnabled());
        view.setActivities(sample::activities());
        view.openFilter(u"who:nobody"_s);
        QCOMPARE(table(view)->model()->rowCount(), 0);
        QVERIFY2(pane->sentence().contains(u"filter"_s), qPrintable(pane->sentence()));
        QTest::mouseClick(pane->findChild<QAbstractButton *>(), Qt::LeftButton);
        QCOMPARE(table(view)->model()->rowCount(), sample::activities().size());
    }

    void undoIsOfferedWhereItCanBeDone_data()
    {
        using State = Activity::State;
        QTest::addColumn<State>("state");
        QTest::addColumn<bool>("undo");
        QTest::addColumn<bool>("check");
        QTest::newRow("running") << State::Running << false << false;
        QTest::newRow("done") << State::Done << true << false;
        QTest::newRow("partly") << State::Partly << true << false;
        QTest::newRow("cancelled") << State::Cancelled << true << false;
        QTest::newRow("failed") << State::Failed << false << false;
        QTest::newRow("in doubt") << State::InDoubt << false << true;
        QTest::newRow("refused") << State::Refused << false << false;
        QTest::newRow("undone") << State::Undone << false << false;
        QTest::newRow("noted") << State::Noted << false << false;
    }

    void undoIsOfferedWhereItCanBeDone()
    {
        QFETCH(Activity::State, state);
        QFETCH(bool, undo);
        QFETCH(bool, check);
        ActivityView view;
        view.show();
        view.setActivities(sample::activities());
        QVERIFY(!button(view, "activityUndo")->isEnabled());
        QSignalSpy undone(&view, &ActivityView::undoAsked);
        QSignalSpy checked(&view, &ActivityView::checkAsked);
        const int row = rowOf(view, state);
        QVERIFY(row >= 0);
        table(view)->selectRow(row);
        const QString operation = sample::activities().at(row).operation;
        const auto *undoButton = button(view, "activityUndo");
        const auto *checkButton = button(view, "activityCheck");
        QCOMPARE(undoButton->isEnabled(), undo);
        QCOMPARE(checkButton->isEnabled(), check);
        QVERIFY(!undoButton->toolTip().isEmpty());
        QTest::mouseClick(button(view, "activityUndo"), Qt::LeftButton);
        QTest::mouseClick(button(view, "activityCheck"), Qt::LeftButton);
        QCOMPARE(undone.count(), undo ? 1 : 0);
        QCOMPARE(checked.count(), check ? 1 : 0);
        if (undo)
            QCOMPARE(undone.first().first().toString(), operation);
        if (check)
            QCOMPARE(checked.first().first().toString(), operation);
    }

    void aRefreshKeepsWhatIsChosenAndTellsWhatChanged()
    {
        ActivityView view;
        view.show();
        QList<Activity> all = sample::activities();
        view.setActivities(all);
        table(view)->selectRow(1);
        QVERIFY(button(view, "activityUndo")->isEnabled());
        all[1].state = Activity::State::Undone;
        all.prepend(sample::activity(77, Verb::Import, u"the undo"_s, Activity::State::Done,
                                     {{u"done"_s, 297}}));
        view.setActivities(all);
        QCOMPARE(table(view)->currentIndex().row(), 2);
        QVERIFY(!button(view, "activityUndo")->isEnabled());
        QVERIFY2(button(view, "activityUndo")->toolTip().contains(u"undone already"_s),
                 qPrintable(button(view, "activityUndo")->toolTip()));
        view.setActivities({});
        QVERIFY(!button(view, "activityUndo")->isEnabled());
        QVERIFY(part<QLabel>(view, "activityTitle")->text().isEmpty());
    }

    void filtersWhileOneTypes()
    {
        ActivityView view;
        view.show();
        view.setActivities(sample::activities());
        auto *line = part<QLineEdit>(view, "activityFilterLine");
        QTest::keyClicks(line, u"verb:purge"_s);
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(table(view)->model()->rowCount(), 2);
        line->clear();
        QTest::keyClicks(line, u"verbb:purge"_s);
        const auto *fault = part<QLabel>(view, "activityFilterFault");
        QVERIFY(fault->isVisible());
        QVERIFY2(fault->text().contains(u"`verb`"_s), qPrintable(fault->text()));
        view.openOperation(sample::activities().at(2).operation);
        QCOMPARE(table(view)->currentIndex().row(), 2);
        view.openFilter(u"outcome:in-doubt"_s);
        QCOMPARE(table(view)->model()->rowCount(), 1);
    }

    void exportsTheSelectionOrAllThatIsShown()
    {
        ActivityView view;
        view.show();
        view.setActivities(sample::activities());
        QSignalSpy asked(&view, &ActivityView::exportAsked);
        view.openFilter(u"who:ana*"_s);
        const int shown = table(view)->model()->rowCount();
        QVERIFY(shown > 2 && shown < sample::activities().size());
        table(view)->selectRow(0);
        QTest::mouseClick(button(view, "activityExport"), Qt::LeftButton);
        QCOMPARE(asked.last().first().value<QList<Activity>>().size(), shown);
        table(view)->selectionModel()->select(table(view)->model()->index(1, 0),
                                              QItemSelectionModel::Select
                                                  | QItemSelectionModel::Rows);
        QTest::mouseClick(button(view, "activityExport"), Qt::LeftButton);
        QCOMPARE(asked.last().first().value<QList<Activity>>().size(), 2);
        table(view)->copyIds();
        QVERIFY(QApplication::clipboard()->text().contains(
            table(view)->model()->index(1, 0).data(RowRole).value<Activity>().operation));
    }

    void tellsWhatTheChainIsLike()
    {
        ActivityView view;
        view.show();
        QSignalSpy asked(&view, &ActivityView::verifyAsked);
        QTest::mouseClick(button(view, "activityVerify"), Qt::LeftButton);
        QCOMPARE(asked.count(), 1);
        view.setChain(u"Entry 5 was changed after it was written."_s, false);
        QVERIFY(part<NoticeBar>(view, "activityChain")->isVisible());
        QCOMPARE(part<NoticeBar>(view, "activityChain")->text(),
                 u"Entry 5 was changed after it was written."_s);
    }

    void textFromOutsideStaysText()
    {
        ActivityView view;
        view.show();
        Activity hostile = sample::activities().at(1);
        hostile.what = u"<img src=\"/fifo\">\u202e"_s;
        hostile.note = u"<b>bold</b>"_s;
        hostile.error = u"<a href=\"x\">x</a>"_s;
        view.setActivities({hostile});
        table(view)->selectRow(0);
        for (const QLabel *one : view.findChildren<QLabel *>()) {
            QVERIFY2(one->textFormat() == Qt::PlainText || !one->text().contains(u'<'),
                     qPrintable(one->objectName() + one->text()));
            QVERIFY(!one->text().contains(QChar(0x202e)));
        }
    }

    void everythingIsNamedAndReachedByTab()
    {
        ActivityView view;
        view.show();
        QVERIFY(QTest::qWaitForWindowActive(&view));
        view.setActivities(sample::activities());
        table(view)->selectRow(1);
        view.focusFilter();
        QStringList met;
        for (int step = 0; step < 12; ++step) {
            QWidget *focus = QApplication::focusWidget();
            QVERIFY(focus != nullptr);
            QVERIFY2(!focus->accessibleName().isEmpty()
                         || qobject_cast<QTabBar *>(focus) != nullptr,
                     qPrintable(focus->objectName()));
            met += focus->objectName();
            QTest::keyClick(focus, Qt::Key_Tab);
        }
        for (const QString &name : {u"activityFilterLine"_s, u"activityExport"_s,
                                    u"activityVerify"_s, u"activityTable"_s, u"activityUndo"_s})
            QVERIFY2(met.contains(name), qPrintable(name + u" not in "_s + met.join(u' ')));
    }

    void draws_data()
    {
        QTest::addColumn<int>("chosen");
        QTest::addColumn<int>("tab");
        QTest::newRow("done") << 1 << 0;
        QTest::newRow("doubt") << 2 << 0;
        QTest::newRow("messages") << 3 << 1;
        QTest::newRow("statements") << 1 << 2;
        QTest::newRow("trouble") << 7 << 0;
        QTest::newRow("none") << -1 << 0;
        QTest::newRow("empty") << -2 << 0;
    }

    void draws()
    {
        QFETCH(int, chosen);
        QFETCH(int, tab);
        const QString folder = qEnvironmentVariable("OUTBOX_PICTURES");
        for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            theme::apply(choice);
            for (const QSize size : {QSize(860, 560), QSize(1276, 820)}) {
                ActivityView view;
                view.setBackgroundRole(QPalette::Window);
                view.setAutoFillBackground(true);
                view.resize(size);
                view.show();
                QVERIFY(QTest::qWaitForWindowExposed(&view));
                view.setActivities(chosen == -2 ? QList<Activity>() : sample::activities());
                if (chosen >= 0)
                    table(view)->selectRow(chosen);
                view.setSources(u"From the file of this machine and the newest 2,000 entries of "
                                "the table outbox_audit."_s,
                                false, chosen == 2);
                if (chosen == 2)
                    view.setChain(u"The chain of 1204 entries holds."_s, true);
                if (chosen == 7) {
                    view.setChain(u"Entry 5 was changed after it was written."_s, false);
                    view.openFilter(u"outcome:failed verbb:purge"_s);
                }
                part<QTabWidget>(view, "activityDetail")->setCurrentIndex(tab);
                const QPixmap picture = view.grab();
                QVERIFY(!picture.isNull());
                if (folder.isEmpty())
                    continue;
                QVERIFY(QDir().mkpath(folder));
                QVERIFY(picture.save(u"%1/activity-%2-%3-%4.png"_s.arg(
                    folder, QString::fromLatin1(QTest::currentDataTag()),
                    choice == ThemeChoice::Light ? u"light"_s : u"dark"_s,
                    QString::number(size.width()))));
            }
        }
    }
};

} // namespace tst_activityview

OUTBOX_TEST(tst_activityview::TestActivityView)
#include "tst_activityview.moc"
