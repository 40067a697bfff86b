// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Window, Overview, Dedup and Relay: actions, badges, stale looks, gaps, hostile text, intents.
#include "models/filter/completion.h"
#include "models/operations/findingwords.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/samplesystem.h"
#include "tests/support/testprogram.h"
#include "views/charts/timeseriesview.h"
#include "views/dedup/dedupview.h"
#include "views/frame/livestatus.h"
#include "views/frame/mainwindow.h"
#include "views/frame/pagelist.h"
#include "views/operation/selectionverbs.h"
#include "views/outbox/outboxview.h"
#include "views/overview/overviewview.h"
#include "views/reconcile/reconcileview.h"
#include "views/relay/relayview.h"
#include "views/tables/livetable.h"
#include "views/widgets/actions.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/environmentband.h"
#include "views/widgets/metriccard.h"

#include <QAbstractScrollArea>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QToolTip>

namespace tst_frame {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QDateTime end = QDateTime::fromSecsSinceEpoch(1'763'700'000, Qt::UTC);
const QString hostile = u"<img src=\"/dev/zero\">\u202etxt"_s;

/// No label may take text for markup, and no tooltip may hold a tag from outside.
void verifyPlain(const QWidget *widget)
{
    const QList<QLabel *> labels = widget->findChildren<QLabel *>();
    for (const QLabel *label : labels) {
        if (label->text().contains(u"<img"_s))
            QCOMPARE(label->textFormat(), Qt::PlainText);
    }
    const QList<QWidget *> all = widget->findChildren<QWidget *>();
    for (const QWidget *one : all)
        QVERIFY2(!one->toolTip().contains(u"<img"_s), qPrintable(one->objectName()));
}

} // namespace

class TestFrame : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        theme::apply(ThemeChoice::Light);
    }
    void actionsAreComplete();
    void badgesSayWhenTheyAreStale();
    void stepsAreEnabledWhereThereAreSome();
    void sheetTellsAllKeysAndTheFilter();
    void helpHasFiltersAndTheProgram();
    void messagesMenuFollowsThePage();
    void breakMenuOnlyWhenGiven();
    void closingWithARelayAsks();
    void messagesAreAtMostTwo();
    void chartKeepsItsPlaceAndGaps();
    void legendIsTheNewestValue();
    void whatHappenedStandsOnTheChart();
    void staleIsGreyAndSaysWhen();
    void numbersOpenTheirRows();
    void aStoppedRelayIsStartedFromItsLine();
    void theLastCheckHasItsLine();
    void idQuestion();
    void relayButtonsSayWhyNot();
    void relayLogIsNarrowedAndWidened();
    void startSheetRefuses();
    void startSheetSaysWhereItWritesAndHowLongIdsStay();
    void startSheetTakesAScheduleWhereRowsAreMarked();
    void startSheetTellsWhatItsChoicesAreWorth();
    void hostileTextStaysPlain();
    void everythingTouchedHasAName();
};

void TestFrame::actionsAreComplete()
{
    MainWindow window;
    window.addPage(new QWidget, u"overview"_s, u"Overview"_s);
    window.addPage(new QWidget, u"outbox"_s, u"Outbox"_s);
    QStringList seen;
    const QList<QAction *> actions = window.registry()->all();
    for (const QAction *action : actions) {
        QVERIFY(!action->text().isEmpty());
        QVERIFY(!action->toolTip().isEmpty());
        QVERIFY(!action->icon().isNull());
        const QString keys = action->shortcut().toString();
        QVERIFY2(keys.isEmpty() || !seen.contains(keys), qPrintable(keys));
        seen.append(keys);
    }
    for (const QString &keys : {u"F5"_s, u"F1"_s, u"Ctrl+P"_s, u"Ctrl+F"_s, u"Ctrl+K"_s,
                                u"Ctrl+Shift+C"_s, u"Ctrl+1"_s, u"Ctrl+2"_s})
        QVERIFY2(seen.contains(keys), qPrintable(keys));
    QSignalSpy refresh(&window, &MainWindow::refreshAsked);
    window.registry()->action(u"refresh"_s)->trigger();
    QCOMPARE(refresh.count(), 1);
    window.registry()->action(u"page2"_s)->trigger();
    QCOMPARE(window.currentPage(), 1);
}

void TestFrame::badgesSayWhenTheyAreStale()
{
    PageList list;
    list.addPage(u"outbox"_s, u"Outbox"_s, u"Outbox"_s);
    list.setBadge(0, u"412"_s, false);
    QCOMPARE(list.item(0)->data(Qt::AccessibleTextRole).toString(), u"Outbox, 412"_s);
    list.setBadge(0, u"412"_s, true);
    QVERIFY(list.isBadgeStale(0));
    QVERIFY(list.item(0)->data(Qt::AccessibleTextRole).toString().contains(u"not up to date"_s));
}

void TestFrame::stepsAreEnabledWhereThereAreSome()
{
    MainWindow window;
    QAction *back = window.registry()->action(u"back"_s);
    QAction *forward = window.registry()->action(u"forward"_s);
    QCOMPARE(back->shortcut(), QKeySequence(QKeySequence::Back));
    QVERIFY(!back->isEnabled() && !forward->isEnabled());
    window.setSteps(true, false);
    QVERIFY(back->isEnabled() && !forward->isEnabled());
    QSignalSpy asked(&window, &MainWindow::backAsked);
    back->trigger();
    QCOMPARE(asked.count(), 1);
}

void TestFrame::sheetTellsAllKeysAndTheFilter()
{
    MainWindow window;
    window.registry()->action(u"shortcuts"_s)->trigger();
    const auto *sheet = window.findChild<QDialog *>(u"shortcutSheet"_s);
    QStringList keys;
    for (const QLabel *label : sheet->findChildren<QLabel *>(u"shortcutKeys"_s))
        keys += label->text();
    for (const QString &one : {u"Enter"_s, u"Esc"_s, u"Ctrl+C"_s, u"Ctrl+K"_s, u"Alt+Left"_s})
        QVERIFY2(keys.contains(one), qPrintable(keys.join(u' ')));
    const auto examples = sheet->findChildren<QLabel *>(u"filterExample"_s);
    QVERIFY(examples.size() > 10);
    for (const QLabel *label : examples) {
        const FilterReading reading
            = readFilter(label->text(), FilterSubject::Rows, QDateTime::currentDateTime());
        QVERIFY2(reading.status == FilterStatus::Complete, qPrintable(label->text()));
    }
    QVERIFY(sheet->width() <= 1024);
}

void TestFrame::helpHasFiltersAndTheProgram()
{
    MainWindow window;
    window.registry()->action(u"filterHelp"_s)->trigger();
    const auto *keys = window.findChild<QDialog *>(u"shortcutSheet"_s);
    QVERIFY(keys && !keys->findChildren<QLabel *>(u"filterExample"_s).isEmpty());
    window.registry()->action(u"about"_s)->trigger();
    const auto *about = window.findChild<QDialog *>(u"aboutSheet"_s);
    QVERIFY(about);
    QStringList told;
    for (const QLabel *label : about->findChildren<QLabel *>()) {
        QCOMPARE(label->textFormat(), Qt::PlainText);
        told += label->text();
    }
    const QString all = told.join(u' ');
    for (const QString &one : {u"Outbox Deck"_s, u"GNU General Public License"_s, u"Manual"_s})
        QVERIFY2(all.contains(one), qPrintable(all));
}

void TestFrame::messagesMenuFollowsThePage()
{
    MainWindow window;
    auto *rows = new OutboxView;
    window.addPage(new QWidget, u"overview"_s, u"Overview"_s);
    window.addPage(rows, u"outbox"_s, u"Outbox"_s);
    window.show();
    const QAction *replay = window.registry()->action(u"replay"_s);
    window.showPage(1);
    QVERIFY(replay->toolTip().contains(u"No system is open"_s));
    rows->setPage(sample::page(rows->request(), 0, 20));
    ActingTerms terms;
    rows->verbs()->setTerms(terms);
    QVERIFY(replay->toolTip().contains(u"Nothing is selected"_s));
    auto *table = rows->findChild<QTableView *>(u"outboxTable"_s);
    table->selectRow(0); // pending
    QVERIFY(replay->toolTip().contains(u"waits already"_s));
    table->selectRow(4); // processed
    QVERIFY(replay->isEnabled());
    QSignalSpy asked(rows->verbs(), &VerbBar::operationAsked);
    window.registry()->action(u"replay"_s)->trigger();
    QCOMPARE(asked.first().first().value<OperationRequest>().selection.rows,
             QList<MessageId>{sample::message(4).id});
    QVERIFY(!window.registry()->action(u"run"_s)->isEnabled());
    window.showPage(0);
    QVERIFY(!replay->isEnabled());
    QVERIFY(replay->toolTip().contains(u"on the Outbox page"_s));
    const QAction *repair = window.registry()->action(u"reconcile"_s);
    QVERIFY(!repair->isEnabled());
    QVERIFY(repair->toolTip().contains(u"on the Reconcile page"_s));
}

void TestFrame::breakMenuOnlyWhenGiven()
{
    MainWindow window;
    QVERIFY(window.findChild<QMenu *>(u"breakMenu"_s) == nullptr);
    window.setBreakMenu({{u"kill-redis"_s, u"Kill Redis"_s, u"It comes back after 10 s."_s}});
    QSignalSpy asked(&window, &MainWindow::breakAsked);
    window.findChild<QMenu *>(u"breakMenu"_s)->actions().first()->trigger();
    QCOMPARE(asked.takeFirst().first().toString(), u"kill-redis"_s);
    const QAction *entry = window.findChild<QMenu *>(u"breakMenu"_s)->actions().first();
    QVERIFY(!entry->isChecked()); // asked for is not broken
    window.setBroken(u"kill-redis"_s, true);
    QVERIFY(entry->isChecked());
    window.setBroken(u"kill-redis"_s, false);
    QVERIFY(!entry->isChecked());
    window.setBreakMenu({});
    QVERIFY(window.findChild<QMenu *>(u"breakMenu"_s) == nullptr);
}

void TestFrame::closingWithARelayAsks()
{
    MainWindow window;
    window.show();
    window.setRelayRunning(true);
    QVERIFY(!window.close());
    QSignalSpy drain(&window, &MainWindow::drainAndCloseAsked);
    window.findChild<QPushButton *>(u"drainAndClose"_s)->click();
    QCOMPARE(drain.count(), 1);
    window.setRelayRunning(false);
    QVERIFY(window.close());
}

void TestFrame::messagesAreAtMostTwo()
{
    MessageBar bar;
    for (const QString &id : {u"a"_s, u"b"_s, u"c"_s, u"c"_s})
        bar.add({id, HealthLevel::Watch, u"Text "_s + id, {}});
    QCOMPARE(bar.count(), 3);
    auto *more = bar.findChild<QToolButton *>(u"moreMessages"_s);
    QVERIFY(more != nullptr);
    QVERIFY(more->text().startsWith(u'1'));
    bar.remove(u"a"_s);
    QCOMPARE(bar.count(), 2);
}

void TestFrame::chartKeepsItsPlaceAndGaps()
{
    TimeSeriesView view(u"Backlog"_s, AxisUnit::Count, std::nullopt,
                        {{u"rows"_s, [] { return LineStyle{Qt::blue}; }, false, false}});
    view.resize(600, 200);
    view.QWidget::show();
    TimeSeries series;
    for (int second = 0; second < 600; ++second) {
        if (second < 200 || second > 260)
            series.add(end.addSecs(second - 600), 400 - second / 2.0);
    }
    view.show(
        {end.addSecs(-600), end, {series.segments(end.addSecs(-600), end)}, {series.latest()}});
    QTRY_COMPARE(view.piecesOf(0), 2);
    QCOMPARE(view.accessibleDescription(), u"rows 101, falling"_s);
    const double before = view.placeOf(end.addSecs(-300));
    // The same moment moves left by exactly the time that passed, whatever the values do.
    const double perSecond = (view.placeOf(end) - view.placeOf(end.addSecs(-600))) / 600;
    view.show({end.addSecs(-590), end.addSecs(10), {series.segments(end.addSecs(-590), end)}, {}});
    QTRY_COMPARE(qRound(view.placeOf(end.addSecs(-300)) * 10),
                 qRound((before - 10 * perSecond) * 10));
    // Ten seconds without a sample: the newest value is not known, and said so.
    QCOMPARE(view.accessibleDescription(), u"rows not known"_s);
}

/// In a day a column of the chart is some 290 s wide: the legend is the newest value all the same,
/// at once, and under the cursor it says from when it is.
void TestFrame::legendIsTheNewestValue()
{
    TimeSeriesView view(u"In and out"_s, AxisUnit::PerSecond, std::nullopt,
                        {{u"in"_s, [] { return LineStyle{Qt::blue}; }, false, false}});
    TimeSeries series;
    for (int second = 0; second < 86'400; second += 10)
        series.add(end.addSecs(second - 86'400), second < 86'300 ? 4.4 : 0.0);
    const auto pictured = [&](const QDateTime &to) {
        const QDateTime from = to.addDays(-1);
        return ChartPicture{from, to, {series.segments(from, to)}, {series.latest()}};
    };
    view.show(pictured(end));
    QCOMPARE(view.accessibleDescription(), u"in 0/s, falling"_s);
    series.add(end.addSecs(1), 7.0);
    view.show(pictured(end.addSecs(1))); // the lines are drawn later
    QCOMPARE(view.accessibleDescription(), u"in 7.0/s, rising"_s);
    view.setCursor(end.addSecs(-7200));
    QVERIFY(view.accessibleDescription().startsWith(u"at "_s));
    QVERIFY(view.accessibleDescription().endsWith(u": in 4.4/s"_s));
    // Of an old hour a point each quarter was kept: the nearest one is meant.
    TimeSeries quarters;
    for (int second = -3600; second <= 0; second += 900)
        quarters.add(end.addSecs(second), 5.0);
    constexpr qint64 reachMs = 1'800'000;
    const QDateTime from = end.addSecs(-3600);
    ChartPicture old{from, end, {quarters.segments(from, end, 100, reachMs)}, {5.0}};
    old.reachMs = reachMs;
    view.show(old);
    view.setCursor(end.addSecs(-1300));
    QVERIFY2(view.accessibleDescription().endsWith(u": in 5.0/s"_s),
             qPrintable(view.accessibleDescription()));
}

/// A chart without marks has neither a tooltip nor a word of them.
void TestFrame::whatHappenedStandsOnTheChart()
{
    TimeSeriesView view(u"Backlog"_s, AxisUnit::Count, std::nullopt,
                        {{u"rows"_s, [] { return LineStyle{Qt::blue}; }, false, false}});
    view.resize(700, 200);
    view.QWidget::show();
    using Kind = HistoryEvent::Kind;
    ChartPicture picture{end.addSecs(-600), end, {}, {4.0}};
    picture.events = {{end.addSecs(-900), Kind::Relay, u"Long ago."_s},
                      {end.addSecs(-400), Kind::Relay, u"Relay stopped here."_s},
                      {end.addSecs(-100), Kind::Database, hostile},
                      {end.addSecs(-99), Kind::Database, u"The database answers again."_s}};
    view.show(picture);
    const auto timeText
        = [](int seconds) { return end.addSecs(seconds).toLocalTime().toString(u"HH:mm:ss"_s); };
    QTRY_COMPARE(view.accessibleDescription(),
                 u"rows 4, steady. Events: %1 Relay stopped here, %2 2 events"_s.arg(
                     timeText(-400), timeText(-100)));
    QWidget *canvas = view.findChild<QAbstractScrollArea *>()->viewport();
    const auto askTip = [&](int seconds) {
        const QPoint place(qRound(view.placeOf(end.addSecs(seconds))), canvas->height() / 2);
        QHelpEvent asked(QEvent::ToolTip, place, canvas->mapToGlobal(place));
        QCoreApplication::sendEvent(canvas, &asked);
        return QToolTip::text();
    };
    QVERIFY2(askTip(-400).contains(timeText(-400) + u" Relay stopped here."_s),
             qPrintable(QToolTip::text()));
    QVERIFY2(askTip(-100).contains(timeText(-99) + u" The database answers again."_s),
             qPrintable(QToolTip::text()));
    QVERIFY(!QToolTip::text().contains(u"<img"_s) && !QToolTip::text().contains(u'\u202e'));
    (void)askTip(-250);
    QTRY_COMPARE(QToolTip::text(), QString());
    view.setCursor(end.addSecs(-400));
    QVERIFY2(view.accessibleDescription().endsWith(timeText(-400) + u" Relay stopped here."_s),
             qPrintable(view.accessibleDescription()));
}

void TestFrame::staleIsGreyAndSaysWhen()
{
    const SystemHistory history;
    OverviewView page(&history);
    OutboxSnapshot rows;
    rows.pending = 412;
    rows.oldestPendingSeconds = 38;
    page.setOutbox(rows);
    auto *card = page.findChild<MetricCard *>(u"pendingCard"_s);
    QCOMPARE(card->accessibleName(), u"Pending rows: 412"_s);
    page.setStale(Source::Database, end);
    QVERIFY(card->isStale());
    QVERIFY(card->accessibleDescription().contains(end.toLocalTime().toString(u"HH:mm:ss"_s)));
    QVERIFY(!page.findChild<MetricCard *>(u"depthCard"_s)->isStale());
    page.setStale(Source::Database, std::nullopt);
    QVERIFY(!card->isStale());

    SourceHealth health;
    health.state = SourceHealth::State::Live;
    health.lastGood = end;
    QCOMPARE(staleSince(health, end.addMSecs(2'900), 1'000), std::nullopt);
    QCOMPARE(staleSince(health, end.addMSecs(3'100), 1'000), std::optional(end));
}

void TestFrame::numbersOpenTheirRows()
{
    const SystemHistory history;
    OverviewView page(&history);
    QSignalSpy asked(&page, &OverviewView::showAsked);
    page.findChild<MetricCard *>(u"pendingCard"_s)->click();
    QCOMPARE(asked.takeFirst().first().toString(), u"state:pending"_s);
    HealthReport report;
    report.level = HealthLevel::Watch;
    report.causes = {{HealthLevel::Watch, u"3 rows locked"_s, u"state:locked"_s}};
    page.setHealth(report);
    page.findChild<QToolButton *>(u"showCause"_s)->click();
    QCOMPARE(asked.takeFirst().first().toString(), u"state:locked"_s);
}

void TestFrame::aStoppedRelayIsStartedFromItsLine()
{
    const SystemHistory history;
    OverviewView page(&history);
    const auto starts = [&page] { return page.findChildren<QToolButton *>(u"startHere"_s); };
    QSignalSpy asked(&page, &OverviewView::startRelayAsked);
    HealthReport report;
    report.level = HealthLevel::Watch;
    report.causes
        = {{HealthLevel::Watch,
            u"The relay here was stopped."_s,
            u"relay"_s,
            {},
            HealthReason::RelayStopped},
           {HealthLevel::Watch, u"Relay silent."_s, u"relay"_s, {}, HealthReason::RelaySilent}};
    page.setHealth(report);
    QVERIFY(starts().isEmpty()); // it may be paused, or writing be locked
    page.setStartOffered(true);
    QCOMPARE(starts().size(), 1);
    starts().constFirst()->click();
    QCOMPARE(asked.size(), 1);
    page.setStartOffered(false);
    QVERIFY(starts().isEmpty());
}

void TestFrame::theLastCheckHasItsLine()
{
    const SystemHistory history;
    OverviewView page(&history);
    const auto lines = [&page] {
        QStringList names;
        for (const QToolButton *one : page.findChildren<QToolButton *>(u"showCause"_s))
            names += one->accessibleName();
        return names;
    };
    QCOMPARE(lines(), QStringList{u"Show: Not checked for inconsistencies yet."_s});
    HealthReport report;
    report.level = HealthLevel::Watch;
    for (int number = 0; number < 8; ++number)
        report.causes += {HealthLevel::Watch, u"cause %1"_s.arg(number), u"state:locked"_s, {}, {}};
    page.setHealth(report);
    QCOMPARE(lines().size(), 7);
    QCOMPARE(lines().last(), u"Show: cause 6"_s); // no alarm, and takes no place from one
    ScanSummary check{end, 24, 24, true};
    page.setLastCheck(check);
    QCOMPARE(lines().size(), 7);
    QCOMPARE(lines().last(), u"Show: "_s + summaryWords(check, QDateTime::currentDateTimeUtc()));
    QSignalSpy asked(&page, &OverviewView::showAsked);
    page.findChildren<QToolButton *>(u"showCause"_s).last()->click();
    QCOMPARE(asked.takeFirst().first().toString(), u"reconcile"_s);
    check.lasting = 0; // all of it ends by itself
    page.setLastCheck(check);
    QCOMPARE(lines().last(), u"Show: cause 6"_s);
    page.forget();
    QCOMPARE(lines(), QStringList{u"Show: Not checked for inconsistencies yet."_s});
}

void TestFrame::idQuestion()
{
    DedupView page;
    QSignalSpy asked(&page, &DedupView::idAsked);
    auto *ask = page.findChild<QPushButton *>(u"askId"_s);
    QVERIFY(!ask->isEnabled());
    page.findChild<QLineEdit *>(u"idField"_s)->setText(u" 42 "_s);
    ask->click();
    QCOMPARE(asked.takeFirst().first().value<MessageId>(), MessageId{u"42"_s});
    IdVerdict late;
    late.message = {u"41"_s};
    late.sentence = u"An old answer."_s;
    page.setVerdict(late);
    auto *sentence = page.findChild<QLabel *>(u"idSentence"_s);
    QVERIFY(sentence->text() != late.sentence);
    late.message = {u"42"_s};
    page.setVerdict(late);
    QCOMPARE(sentence->text(), late.sentence);
}

void TestFrame::relayButtonsSayWhyNot()
{
    RelayView page;
    auto *start = page.findChild<QPushButton *>(u"openStart"_s);
    auto *drain = page.findChild<QPushButton *>(u"drainRelay"_s);
    QVERIFY(start->isEnabled());
    QVERIFY(!drain->isEnabled() && !drain->toolTip().isEmpty());
    page.setForbidden(u"This profile is read-only."_s);
    QVERIFY(!start->isEnabled());
    QVERIFY(start->toolTip().contains(u"read-only"_s));
    page.setForbidden({});
    page.setState(RelayState::Running);
    QVERIFY(!start->isEnabled() && drain->isEnabled());
    const auto *stop = page.findChild<QPushButton *>(u"stopRelay"_s);
    QVERIFY(stop->accessibleDescription().contains(u"nothing is lost"_s));
    QSignalSpy pause(&page, &RelayView::pauseAsked);
    QSignalSpy resume(&page, &RelayView::resumeAsked);
    page.findChild<QPushButton *>(u"pauseRelay"_s)->click();
    page.setState(RelayState::Paused);
    page.findChild<QPushButton *>(u"pauseRelay"_s)->click();
    QCOMPARE(pause.count(), 1);
    QCOMPARE(resume.count(), 1);
    page.setState(RelayState::Stopping);
    QVERIFY(!drain->isEnabled());
}

void TestFrame::relayLogIsNarrowedAndWidened()
{
    RelayView page;
    const auto *table = page.findChild<LiveTable *>(u"relayLog"_s);
    auto *problems = page.findChild<QToolButton *>(u"problemsOnly"_s);
    QVERIFY(table && problems);
    RelayStep step;
    step.at = end;
    step.claimed = 3;
    step.enqueued = 3;
    step.committed = true;
    page.addSteps({step});
    QVERIFY(table->emptyPane()->isHidden());
    problems->click();
    QCOMPARE(table->model()->rowCount(), 0);
    QVERIFY(!table->emptyPane()->isHidden());
    QVERIFY(table->emptyPane()->sentence().startsWith(u"No problem"_s));
    problems->click();
    QCOMPARE(table->model()->rowCount(), 1);
    QVERIFY(table->emptyPane()->isHidden()); // it would cover the rows
}

void TestFrame::startSheetRefuses()
{
    RelayView page;
    RelayOutlook outlook;
    outlook.refusals = {u"Redis may evict keys."_s};
    page.setOutlook(outlook);
    page.openStartSheet();
    auto *sheet = page.findChild<RelayStartDialog *>();
    QVERIFY(sheet != nullptr && !sheet->isModal());
    auto *go = sheet->findChild<QPushButton *>(u"startRelay"_s);
    QVERIFY(!go->isEnabled() && go->toolTip().contains(u"evict"_s));
    outlook.refusals.clear();
    page.setOutlook(outlook);
    QSignalSpy asked(&page, &RelayView::startAsked);
    go->click();
    QCOMPARE(asked.takeFirst().first().value<RelayStart>(), RelayStart{});
}

void TestFrame::startSheetSaysWhereItWritesAndHowLongIdsStay()
{
    RelayView page;
    RelayOutlook outlook;
    outlook.profile.name = u"orders"_s;
    outlook.profile.environment = Environment::Production;
    outlook.arming = {true, QDateTime::currentDateTimeUtc().addSecs(600), u"ana@desk"_s, {}};
    page.setOutlook(outlook);
    page.openStartSheet();
    auto *sheet = page.findChild<RelayStartDialog *>();
    const auto *band = sheet->findChild<EnvironmentBand *>();
    QVERIFY(band->accessibleName().contains(u"orders @"_s));
    QVERIFY(band->accessibleName().contains(u"UNLOCKED"_s));
    QVERIFY(!band->findChild<QWidget *>(u"bandLock"_s)->isVisible()); // the window's band has it
    auto *number = sheet->findChild<QSpinBox *>(u"relayRetentionNumber"_s);
    const auto *unit = sheet->findChild<QComboBox *>(u"relayRetentionUnit"_s);
    QCOMPARE(number->value(), 24); // as in the profile, and not in minutes
    QCOMPARE(unit->currentText(), u"hours"_s);
    auto *go = sheet->findChild<QPushButton *>(u"startRelay"_s);
    number->setValue(0);
    QVERIFY(!go->isEnabled());
    sheet->findChild<QCheckBox *>(u"allowDuplicates"_s)->setChecked(true);
    QVERIFY(go->isEnabled());
}

void TestFrame::startSheetTakesAScheduleWhereRowsAreMarked()
{
    RelayView page;
    RelayOutlook outlook;
    page.setOutlook(outlook);
    page.openStartSheet();
    auto *sheet = page.findChild<RelayStartDialog *>();
    auto *schedule = sheet->findChild<QLineEdit *>(u"scheduleField"_s);
    const auto *note = sheet->findChild<QLabel *>(u"scheduleNote"_s);
    auto *go = sheet->findChild<QPushButton *>(u"startRelay"_s);
    QVERIFY(!schedule->isVisible());
    outlook.marksRows = true;
    page.setOutlook(outlook);
    QVERIFY(schedule->isVisible());
    schedule->setText(u"61 * * * *"_s);
    QVERIFY(!go->isEnabled());
    QVERIFY(note->text().contains(u"minute: 61"_s));
    schedule->setText(u"every 15s"_s);
    QVERIFY(go->isEnabled());
    QSignalSpy asked(&page, &RelayView::startAsked);
    go->click();
    QCOMPARE(asked.takeFirst().first().value<RelayStart>().schedule, u"every 15s"_s);
}

void TestFrame::startSheetTellsWhatItsChoicesAreWorth()
{
    RelayView page;
    RelayOutlook outlook;
    outlook.facts = RedisFacts{};
    outlook.facts->connectedReplicas = 1;
    page.setOutlook(outlook);
    page.openStartSheet();
    auto *sheet = page.findChild<RelayStartDialog *>();
    const auto *line = sheet->findChild<QLabel *>(u"relayPromise"_s);
    auto *barrier = sheet->findChild<QCheckBox *>(u"barrierField"_s);
    QVERIFY(!barrier->isEnabled()); // no database that has one
    QVERIFY(line->text().contains(u"no WAIT"_s) && !line->text().contains(u"barrier"_s));
    outlook.hasBarrier = true;
    page.setOutlook(outlook);
    QVERIFY(barrier->isEnabled() && line->text().contains(u"no barrier"_s));
    auto *disk = sheet->findChild<QCheckBox *>(u"diskField"_s);
    QVERIFY(!disk->isEnabled() && disk->toolTip().contains(u"append-only"_s));
    outlook.facts->aofEnabled = true;
    page.setOutlook(outlook);
    QVERIFY(disk->isEnabled() && line->text().contains(u"about 2 s"_s));
    disk->setChecked(true);
    QVERIFY(line->text().contains(u"comes back with its disk"_s));
    outlook.facts->aofEnabled = false; // the choice stays, and the relay would refuse to start
    page.setOutlook(outlook);
    QVERIFY(disk->isEnabled() && disk->isChecked());
    QVERIFY(!line->text().contains(u"comes back with its disk"_s));
    outlook.facts->aofEnabled = true;
    page.setOutlook(outlook);
    barrier->setChecked(true);
    sheet->findChild<QSpinBox *>(u"replicasField"_s)->setValue(1);
    sheet->findChild<QSpinBox *>(u"depthField"_s)->setValue(5000);
    QVERIFY(!line->text().contains(u"no WAIT"_s) && !line->text().contains(u"no barrier"_s));
    QSignalSpy asked(&page, &RelayView::startAsked);
    sheet->findChild<QPushButton *>(u"startRelay"_s)->click();
    RelayStart expected;
    expected.barrier = true;
    expected.replicas = 1;
    expected.onDisk = true;
    expected.deepestQueue = 5000;
    QCOMPARE(asked.takeFirst().first().value<RelayStart>(), expected);
}

void TestFrame::hostileTextStaysPlain()
{
    const SystemHistory history;
    OverviewView overview(&history);
    HealthReport report;
    report.level = HealthLevel::Broken;
    report.sentence = hostile;
    report.promise = hostile;
    report.causes = {{HealthLevel::Broken, hostile, hostile}};
    overview.setHealth(report);
    verifyPlain(&overview);
    QVERIFY(overview.findChild<QLabel *>(u"promiseLine"_s)->text().contains(u"\\u202e"_s));

    RelayView relay;
    RelayOutlook outlook;
    outlook.promise = outlook.profile.name = hostile;
    outlook.refusals = outlook.notes = {hostile};
    relay.setOutlook(outlook);
    relay.setNotice(hostile);
    relay.openStartSheet();
    relay.setForbidden(hostile);
    verifyPlain(&relay);

    MainWindow window;
    Profile profile;
    profile.name = hostile;
    profile.queue = hostile;
    window.setProfile(profile);
    window.messages()->add({u"a"_s, HealthLevel::Watch, hostile, {}});
    SourceHealth health;
    health.detail = hostile;
    health.error = Error{Error::Kind::Refused, hostile, hostile, {}, {}};
    window.setSource(Source::Database, health);
    window.setBreakMenu({{u"x"_s, u"x"_s, hostile}});
    verifyPlain(&window);
}

void TestFrame::everythingTouchedHasAName()
{
    MainWindow window;
    const SystemHistory history;
    window.addPage(new OverviewView(&history), u"overview"_s, u"Overview"_s);
    window.addPage(new DedupView, u"dedup"_s, u"Dedup"_s);
    window.addPage(new ReconcileView, u"reconcile"_s, u"Reconcile"_s);
    window.addPage(new RelayView, u"relay"_s, u"Relay"_s);
    const QList<QWidget *> all = window.findChildren<QWidget *>();
    for (const QWidget *one : all) {
        const bool ours = one->inherits("QAbstractButton") || one->inherits("QLineEdit")
            || one->inherits("QAbstractItemView") || one->inherits("outbox::TimeSeriesView");
        if (!ours || one->isHidden() || one->inherits("QTableCornerButton")
            || one->objectName().startsWith(u"qt_"_s) || one->inherits("QHeaderView")
            || !(one->focusPolicy() & Qt::TabFocus))
            continue;
        QVERIFY2(
            !one->accessibleName().isEmpty(),
            qPrintable(QString::fromLatin1(one->metaObject()->className()) + one->objectName()));
    }
}

} // namespace tst_frame

OUTBOX_TEST(tst_frame::TestFrame)
#include "tst_frame.moc"
