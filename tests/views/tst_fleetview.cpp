// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The fleet page as a person meets it: the worst system first, those that are well in one line, a
// choice that stays, and the way into a system by keyboard. With OUTBOX_PICTURES=<folder> it is
// drawn for looking at.
#include "models/tables/fleetmodel.h"
#include "tests/support/accessiblewalk.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"
#include "views/fleet/fleetview.h"
#include "views/tables/livetable.h"
#include "views/theme/theme.h"
#include "views/widgets/emptypane.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <algorithm>
#include <memory>

namespace tst_fleetview {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QDateTime start(QDate(2026, 1, 2), QTime(3, 4), Qt::UTC);

FleetLine line(const QString &name, HealthLevel level, const QString &sentence,
               const QString &group = {}, const QDateTime &at = start)
{
    FleetLine one;
    one.key = name;
    one.name = name;
    one.report.level = level;
    one.report.sentence = sentence;
    one.group = group;
    one.at = at;
    return one;
}

/// Three that are well, and one at each other level.
QList<FleetLine> mixed(const QDateTime &at = start)
{
    using enum HealthLevel;
    QList<FleetLine> lines{
        line(u"books"_s, Ok, u"No row waits."_s, u"shop"_s, at),
        line(u"mail"_s, Ok, u"12 rows wait, oldest 2 s."_s, u"shop"_s, at),
        line(u"till"_s, Ok, u"No row waits."_s, {}, at),
        line(u"depot"_s, Watch, u"3 tasks are dead in the queue."_s, {}, at),
        line(u"orders"_s, Stalled, u"412 rows wait and nothing has been delivered for 40 min."_s,
             u"shop"_s, at),
        line(u"bills"_s, Broken, u"Redis refuses writes."_s, u"bank"_s, at),
        line(u"away"_s, Unknown, u"Unknown: the database does not answer."_s, u"bank"_s, at),
    };
    lines[4].oldestPendingSeconds = 2400;
    lines[4].waiting = 412;
    lines[4].dead = 2;
    lines[4].depth = 10'000;
    lines[4].isDepthExact = false;
    return lines;
}

} // namespace

class TestFleetView : public QObject
{
    Q_OBJECT

    std::unique_ptr<FleetView> m_view;

    [[nodiscard]] LiveTable *table() const
    {
        return m_view->findChild<LiveTable *>(u"fleetTable"_s);
    }
    template <typename Widget> [[nodiscard]] Widget *find(const QString &name) const
    {
        return m_view->findChild<Widget *>(name);
    }
    [[nodiscard]] QString cell(int row, FleetModel::Columns column) const
    {
        return table()->model()->index(row, column).data().toString();
    }
    [[nodiscard]] QStringList names() const
    {
        QStringList all;
        for (int row = 0; row < table()->model()->rowCount(); ++row) {
            const QString name = cell(row, FleetModel::Name);
            all += name.isEmpty() ? u"*"_s : name;
        }
        return all;
    }
    void choose(const QString &name) const
    {
        table()->selectRow(static_cast<int>(names().indexOf(name)));
    }
    [[nodiscard]] QString chosen() const
    {
        const QModelIndexList rows = table()->selectionModel()->selectedRows(FleetModel::Name);
        return rows.size() == 1 ? rows.constFirst().data().toString() : QString();
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        theme::apply(ThemeChoice::Light);
    }
    void init()
    {
        m_view = std::make_unique<FleetView>();
        m_view->resize(1000, 500);
        m_view->show();
    }
    void cleanup() { m_view.reset(); }

    void theWorstIsFirstAndTheHealthyAreOneLine()
    {
        m_view->setLines(mixed(), start.addSecs(7));
        QCOMPARE(names(), (QStringList{u"bills"_s, u"away"_s, u"orders"_s, u"depot"_s, u"*"_s}));
        QCOMPARE(cell(4, FleetModel::Sentence), u"3 of 7 are well"_s);
        QCOMPARE(cell(2, FleetModel::Level), u"Stalled"_s);
        QCOMPARE(cell(2, FleetModel::Group), u"shop"_s);
        QCOMPARE(cell(2, FleetModel::Oldest), u"40 min"_s);
        QCOMPARE(cell(2, FleetModel::Waiting), u"412"_s);
        QCOMPARE(cell(2, FleetModel::Dead), u"2"_s);
        QVERIFY(cell(2, FleetModel::Queue).startsWith(u'~'));
        QCOMPARE(cell(2, FleetModel::Age), u"7 s ago"_s);
        QCOMPARE(cell(1, FleetModel::Waiting), u"-"_s); // not known, and not 0
    }

    void theLineOfTheHealthyOpensAndFolds()
    {
        QSignalSpy opened(m_view.get(), &FleetView::openAsked);
        m_view->setLines(mixed(), start);
        table()->setFocus();
        table()->selectRow(4);
        QVERIFY(!find<QPushButton>(u"fleetOpen"_s)->isEnabled()); // it is no system
        QTest::keyClick(table(), Qt::Key_Return);
        QCOMPARE(names(),
                 (QStringList{u"bills"_s, u"away"_s, u"orders"_s, u"depot"_s, u"*"_s, u"books"_s,
                              u"mail"_s, u"till"_s}));
        QTest::keyClick(table(), Qt::Key_Return);
        QCOMPARE(names().size(), 5);
        QCOMPARE(opened.count(), 0);
    }

    void aSystemIsOpenedByKeyAndButton()
    {
        QSignalSpy opened(m_view.get(), &FleetView::openAsked);
        m_view->setLines(mixed(), start);
        QVERIFY(!find<QPushButton>(u"fleetOpen"_s)->isEnabled());
        choose(u"orders"_s);
        table()->setFocus();
        QTest::keyClick(table(), Qt::Key_Return);
        QCOMPARE(opened.takeFirst().first().toString(), u"orders"_s);
        QVERIFY(walk::press(m_view.get(), u"Open the system"_s));
        QTRY_COMPARE(opened.count(), 1);
        QCOMPARE(opened.takeFirst().first().toString(), u"orders"_s);
    }

    void theChosenOneStaysWhateverBecomesOfIt()
    {
        m_view->setLines(mixed(), start);
        choose(u"depot"_s);
        QList<FleetLine> later = mixed(start.addSecs(20));
        later[3].report.level = HealthLevel::Broken; // behind "bills" by its name
        m_view->setLines(later, start.addSecs(20));
        QCOMPARE(names().at(1), u"depot"_s);
        QCOMPARE(chosen(), u"depot"_s);
        later[3].report.level = HealthLevel::Ok;
        m_view->setLines(later, start.addSecs(40));
        QCOMPARE(names(), (QStringList{u"bills"_s, u"away"_s, u"orders"_s, u"*"_s, u"depot"_s}));
        QCOMPARE(chosen(), u"depot"_s);
        QCOMPARE(cell(3, FleetModel::Sentence), u"4 of 7 are well"_s);
        later.removeAt(3); // saved no more
        m_view->setLines(later, start.addSecs(41));
        QCOMPARE(chosen(), QString());
        QVERIFY(!find<QPushButton>(u"fleetOpen"_s)->isEnabled());
    }

    void theChosenOneStaysInView()
    {
        QList<FleetLine> many;
        for (int number = 0; number < 200; ++number) {
            many += line(u"system %1"_s.arg(number, 3, 10, QChar(u'0')), HealthLevel::Watch,
                         u"One row waits."_s);
        }
        m_view->setLines(many, start);
        choose(u"system 150"_s);
        table()->scrollTo(table()->currentIndex());
        QVERIFY(table()->verticalScrollBar()->value() > 0);
        many[150].report.level = HealthLevel::Broken;
        m_view->setLines(many, start.addSecs(1));
        QCOMPARE(table()->currentIndex().row(), 0);
        QCOMPARE(chosen(), u"system 150"_s);
        QVERIFY(table()->viewport()->rect().contains(
            table()->visualRect(table()->currentIndex()).center()));
    }

    void thePageIsCalm()
    {
        m_view->setLines(mixed(), start);
        QList<FleetLine> later = mixed();
        later[6].report.level = HealthLevel::Ok; // "away" is back: at once
        m_view->setLines(later, start.addSecs(1));
        QCOMPARE(names(), (QStringList{u"bills"_s, u"orders"_s, u"depot"_s, u"*"_s}));
        later[3].report.level = HealthLevel::Broken; // "depot" breaks: told, not moved
        m_view->setLines(later, start.addSecs(2));
        const QStringList before = names();
        QCOMPARE(before.indexOf(u"depot"_s), 2);
        QCOMPARE(cell(2, FleetModel::Level), u"Broken"_s);
        m_view->setLines(later, start.addSecs(10));
        QCOMPARE(names(), before);
        m_view->setLines(later, start.addSecs(11));
        QCOMPARE(names().indexOf(u"depot"_s), 1);
    }

    void whatIsOldIsNotWell()
    {
        m_view->setLines(mixed(), start.addSecs(31));
        QVERIFY(!names().contains(u"*"_s));
        QVERIFY(names().contains(u"books"_s));
        const QModelIndex level = table()->model()->index(
            static_cast<int>(names().indexOf(u"books"_s)), FleetModel::Level);
        QVERIFY(!level.data(StateRole).isValid()); // no colour
    }

    void filterAndGroupChoose()
    {
        m_view->setLines(mixed(), start);
        auto *group = find<QComboBox>(u"fleetGroup"_s);
        QCOMPARE(group->count(), 3); // all, bank, shop
        group->setCurrentIndex(group->findText(u"shop"_s));
        QCOMPARE(names(), (QStringList{u"orders"_s, u"*"_s}));
        QCOMPARE(cell(1, FleetModel::Sentence), u"2 of 3 are well"_s);
        auto *filter = find<QLineEdit>(u"fleetFilter"_s);
        m_view->focusFilter();
        QTest::keyClicks(filter, u"OLDEST"_s);
        QCOMPARE(names(), QStringList{u"mail"_s}); // who asks for a text sees what has it
        QTest::keyClicks(filter, u" nothing"_s);
        QCOMPARE(names().size(), 0);
        QCOMPARE(table()->emptyPane()->sentence(), u"No system matches this filter."_s);
        auto *clear = table()->emptyPane()->findChild<QAbstractButton *>(u"emptyAction"_s);
        QTest::mouseClick(clear, Qt::LeftButton);
        QCOMPARE(names().size(), 5);
        QVERIFY(filter->text().isEmpty());
        QCOMPARE(group->currentIndex(), 0);
    }

    void aGroupThatIsChosenStaysChosen()
    {
        m_view->setLines(mixed(), start);
        auto *group = find<QComboBox>(u"fleetGroup"_s);
        group->setCurrentIndex(group->findText(u"shop"_s));
        QList<FleetLine> later = mixed();
        later += line(u"new"_s, HealthLevel::Watch, u"One row waits."_s, u"abc"_s);
        m_view->setLines(later, start.addSecs(1));
        QCOMPARE(group->count(), 4);
        QCOMPARE(group->currentText(), u"shop"_s);
        QVERIFY(!names().contains(u"new"_s));
    }

    void itAsksWhileItIsOnScreen()
    {
        FleetView page;
        QSignalSpy asked(&page, &FleetView::looksAsked);
        QSignalSpy ended(&page, &FleetView::looksNotWanted);
        QCOMPARE(asked.count(), 0);
        page.show();
        QCOMPARE(asked.count(), 1);
        page.hide();
        QCOMPARE(ended.count(), 1);
        QSignalSpy always(&page, &FleetView::watchingAlwaysChosen);
        page.setWatchingAlways(true); // as it was remembered
        QCOMPARE(always.count(), 0);
        page.findChild<QCheckBox *>(u"fleetAlways"_s)->click();
        QCOMPARE(always.takeFirst().first().toBool(), false);
    }

    void whatItCostsIsOneLine()
    {
        auto *cost = find<QLabel>(u"fleetCost"_s);
        QCOMPARE(cost->text(), u"No system is looked at now."_s);
        m_view->setCost(FleetCost{8.2, 12, 41'984, 0.008});
        QCOMPARE(cost->text(),
                 u"Looking: 8.2 looks a second, 12 sessions with databases, 41.0 kB read a second, "
                 "0.8 % of a processor"_s);
    }

    void everythingHasAName()
    {
        m_view->setLines(mixed(), start);
        int asked = 0;
        for (const QWidget *one : m_view->findChildren<QWidget *>()) {
            if (!one->isVisible() || one->focusPolicy() == Qt::NoFocus
                || one->inherits("QHeaderView"))
                continue;
            ++asked;
            QVERIFY2(!one->accessibleName().isEmpty(),
                     qPrintable(QString::fromLatin1(one->metaObject()->className())));
        }
        QVERIFY(asked >= 4); // filter, group, switch, table; nothing is chosen to be opened
    }

    void aHostileNameIsATextLikeAnyOther()
    {
        const QString hostile = u"<b>bold</b>"_s;
        m_view->setLines({line(hostile, HealthLevel::Broken, hostile, hostile)}, start);
        m_view->setNote(hostile);
        QCOMPARE(cell(0, FleetModel::Name), hostile);
        QCOMPARE(find<QLabel>(u"fleetNote"_s)->textFormat(), Qt::PlainText);
        for (const auto column : {FleetModel::Name, FleetModel::Group, FleetModel::Sentence}) {
            const QString tip = table()->model()->index(0, column).data(Qt::ToolTipRole).toString();
            QVERIFY2(!tip.contains(u"<b>"_s), qPrintable(tip));
        }
    }

    void theModelKeepsTheRules()
    {
        FleetModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::Fatal);
        QList<FleetLine> lines = mixed();
        model.merge(fleetRows(lines, {}, false, {}, start));
        QCOMPARE(model.rowCount(), 5);
        std::reverse(lines.begin(), lines.end());
        model.merge(fleetRows(lines, {}, true, {}, start));
        QCOMPARE(model.rowCount(), 8);
        model.merge({});
        QCOMPARE(model.rowCount(), 0);
    }

    void pictures()
    {
        m_view->setLines(mixed(), start.addSecs(3));
        m_view->setCost(FleetCost{2.1, 7, 9'000, 0.004});
        choose(u"orders"_s);
        const QString folder = qEnvironmentVariable("OUTBOX_PICTURES");
        for (const auto &[tone, choice] :
             {std::pair(u"light"_s, ThemeChoice::Light), std::pair(u"dark"_s, ThemeChoice::Dark)}) {
            theme::apply(choice);
            QCoreApplication::processEvents();
            const QPixmap picture = m_view->grab();
            QVERIFY(!picture.isNull());
            if (!folder.isEmpty())
                QVERIFY(picture.save(QDir(folder).filePath(u"fleet-"_s + tone + u".png"_s)));
        }
        theme::apply(ThemeChoice::Light);
    }
};

} // namespace tst_fleetview

OUTBOX_TEST(tst_fleetview::TestFleetView)
#include "tst_fleetview.moc"
