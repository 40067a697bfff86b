// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A window that is opened again shows what was seen before, with a gap while none was open.
#include "app/settings/privatefile.h"
#include "app/system/historykeeper.h"
#include "tests/app/consoleground.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"
#include "views/charts/timeseriesview.h"
#include "views/frame/mainwindow.h"
#include "views/overview/overviewcharts.h"
#include "views/overview/overviewview.h"

#include <QAbstractButton>
#include <QAction>
#include <QFileInfo>
#include <QTest>

#include <algorithm>

namespace tst_historypage {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestHistoryPage : public QObject, protected ConsoleGround
{
    Q_OBJECT

    /// Neither of its servers is there: looking ends in misses, which are kept as well.
    [[nodiscard]] Profile profile() const { return awayProfile(u"shop"_s); }
    [[nodiscard]] QString file() const { return historyFileOf(profile(), m_folder->path()); }

    /// Two minutes of seven rows that wait, which began `ago` seconds before `now`.
    void keep(const QDateTime &now, int ago) const
    {
        HistoryBuffer buffer;
        for (int second = 0; second < 120; ++second)
            buffer.add(now.addSecs(second - ago), Measure::Backlog, 7.0);
        QVERIFY_RESULT(ensurePrivateFolder(QFileInfo(file()).absolutePath()));
        HistoryStore store;
        QVERIFY_RESULT(store.open(file()));
        QVERIFY_RESULT(store.put(buffer.take(), now.toSecsSinceEpoch()));
    }

private slots:
    void initTestCase() { OUTBOX_NEED_FONTS(); }
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void anOpenedWindowGoesOnWhereTheLastOneEnded()
    {
        const QDateTime now = QDateTime::currentDateTimeUtc();
        constexpr int lastWeek = 5 * 86'400;
        keep(now, lastWeek);
        keep(now, 1'800);
        Desktop desktop(folders());
        desktop.openProfile(profile(), {});
        const SystemHistory &history = desktop.system()->history();
        const TimeSeries &backlog = history.series(Measure::Backlog);
        QTRY_COMPARE(backlog.largest(now.addSecs(-3'600), now), std::optional(7.0));
        QVERIFY(!backlog.latest());
        const QDateTime later = now.addSecs(60);
        const QList<LineSegment> pieces = backlog.segments(later.addSecs(-3'600), later);
        QCOMPARE(pieces.size(), 1);
        const double end = static_cast<double>(now.addSecs(-1'700 + 60).toMSecsSinceEpoch());
        QVERIFY(pieces.last().last().x() < end); // nobody looked from then on
        const TimeSeries &month = history.longSeries(Measure::Backlog);
        QCOMPARE(month.segments(later.addDays(-7), later).size(), 2);

        for (const QString &range : {u"range1440"_s, u"range10080"_s, u"range43200"_s}) {
            auto *button = desktop.window().findChild<QAbstractButton *>(range);
            QVERIFY2(button != nullptr, qPrintable(range));
            button->click();
            QVERIFY(button->isChecked());
        }
    }

    /// The file is read in its room: nothing is drawn yet when the choice was made.
    void yesterdayIsReadAndTheChoiceIsKept()
    {
        const QDateTime now = QDateTime::currentDateTimeUtc();
        const auto day = int(earlierByMs(Earlier::Day, now) / 1'000);
        keep(now, day + 300);
        {
            Desktop desktop(folders());
            desktop.openProfile(profile(), {});
            desktop.window().show();
            auto *charts = desktop.pages().overview->charts();
            charts->setRange(15);
            charts->findChild<QAction *>(u"earlier-day"_s)->trigger();
            const auto *chart = desktop.window().findChild<TimeSeriesView *>(u"backlogChart"_s);
            QTRY_COMPARE_WITH_TIMEOUT(chart->earlierPiecesOf(0), 1, patient(20'000));
            QCOMPARE(chart->piecesOf(0), 0);
        }
        Desktop again(folders());
        QVERIFY(again.window().findChild<QAction *>(u"earlier-day"_s)->isChecked());
    }

    void whatAWindowSawIsThereWhenItIsClosed()
    {
        const qint64 before = QDateTime::currentSecsSinceEpoch();
        {
            Desktop desktop(folders());
            desktop.openProfile(profile(), {});
            QTRY_VERIFY(desktop.system()->snapshot().database.state
                        == SourceHealth::State::Failing);
            QTRY_VERIFY(QFileInfo(file()).size() > 0); // it is open: what is left is one writing
        }
        HistoryStore store;
        QVERIFY_RESULT(store.open(file()));
        const auto seconds
            = store.read(HistoryTier::Second, before, QDateTime::currentSecsSinceEpoch() + 1);
        QVERIFY_RESULT(seconds);
        QVERIFY(!seconds->isEmpty());
        const auto hasMissed
            = [](const HistoryPoint &point) { return point.of(Measure::Backlog).missed; };
        QVERIFY(std::any_of(seconds->begin(), seconds->end(), hasMissed));
    }
};

} // namespace tst_historypage

OUTBOX_TEST(tst_historypage::TestHistoryPage)
#include "tst_historypage.moc"
