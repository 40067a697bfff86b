// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The charts of the Overview: one cursor that keys move, a span that is selected, and where it
// leads.
#include "models/filter/checks.h"
#include "models/filter/filter.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"
#include "views/charts/timeseriesview.h"
#include "views/overview/overviewcharts.h"
#include "views/overview/overviewview.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>
#include <QPixmap>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <utility>

namespace tst_charts {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QDateTime end = QDateTime::fromSecsSinceEpoch(1'763'700'000, Qt::UTC);
constexpr int shownSeconds = 900; ///< a quarter of an hour, which is shown at first

QString localTime(const QDateTime &at)
{
    return at.toLocalTime().toString(u"HH:mm:ss"_s);
}

} // namespace

class TestCharts : public QObject
{
    Q_OBJECT

    std::unique_ptr<SystemHistory> m_history;
    std::unique_ptr<OverviewView> m_page;

    [[nodiscard]] TimeSeriesView *chart(const QString &name = u"backlogChart"_s) const
    {
        return m_page->findChild<TimeSeriesView *>(name);
    }
    [[nodiscard]] QAbstractButton *action(const QString &name) const
    {
        return chart()->findChild<QAbstractButton *>(name);
    }
    /// Whether a chart shows the time from `from` to `to`, and no other.
    [[nodiscard]] bool shows(const QDateTime &from, const QDateTime &to) const
    {
        const TimeSeriesView *view = chart(u"depthChart"_s);
        const double left = view->placeOf(from);
        const double right = view->width() - view->placeOf(to);
        return std::abs(left - 48) < 3 && std::abs(right - 48) < 3;
    }
    void drag(const QDateTime &from, const QDateTime &to) const
    {
        QWidget *canvas = chart()->findChild<QAbstractScrollArea *>()->viewport();
        const auto placeOf = [&](const QDateTime &at) {
            return QPoint(qRound(chart()->placeOf(at)), canvas->height() / 2);
        };
        // A layout that is still to come would move what is pressed.
        QPoint before;
        const auto stays = [&] {
            const QPoint place = placeOf(from);
            return std::exchange(before, place) == place;
        };
        QVERIFY(QTest::qWaitFor(stays));
        QTest::mousePress(canvas, Qt::LeftButton, {}, placeOf(from));
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, placeOf(to));
    }

private slots:
    void initTestCase() { OUTBOX_NEED_FONTS(); }
    void init()
    {
        m_history = std::make_unique<SystemHistory>();
        OutboxSnapshot rows;
        rows.pending = 7;
        rows.locked = 0;
        for (int second = -shownSeconds; second <= 0; ++second)
            m_history->addOutbox(end.addSecs(second), rows);
        m_page = std::make_unique<OverviewView>(m_history.get());
        m_page->resize(1200, 800);
        m_page->show();
        m_page->showHistory(end);
        QTRY_VERIFY(shows(end.addSecs(-shownSeconds), end));
    }

    /// Without keys the cursor is the mouse's alone, and says no time.
    void keysMoveTheCursorOfAllCharts()
    {
        QVERIFY(chart()->focusPolicy() & Qt::TabFocus);
        QTest::keyClick(chart(), Qt::Key_End);
        QVERIFY2(chart()->cursorText().startsWith(localTime(end)),
                 qPrintable(chart()->cursorText()));
        QVERIFY(chart()->cursorText().size() > localTime(end).size()); // the zone
        QTest::keyClick(chart(), Qt::Key_Left);
        const QDateTime before = end.addSecs(-shownSeconds / 100);
        QVERIFY2(chart()->cursorText().startsWith(localTime(before)),
                 qPrintable(chart()->cursorText()));
        QCOMPARE(chart(u"depthChart"_s)->cursorText(), chart()->cursorText());
        QAccessibleInterface *spoken = QAccessible::queryAccessibleInterface(chart());
        QCOMPARE(spoken->role(), QAccessible::Chart);
        const QString value = spoken->text(QAccessible::Value); // of the point that is nearest
        static const QRegularExpression said(u"^at \\d\\d:\\d\\d:\\d\\d: backlog 7;"_s);
        QVERIFY2(said.match(value).hasMatch(), qPrintable(value));
        QTest::keyClick(chart(), Qt::Key_Home);
        QVERIFY(chart()->cursorText().startsWith(localTime(end.addSecs(-shownSeconds))));
        QTest::keyClick(chart(), Qt::Key_Left); // it stays at the edge
        QVERIFY(chart()->cursorText().startsWith(localTime(end.addSecs(-shownSeconds))));
        QTest::keyClick(chart(), Qt::Key_Right);
        QVERIFY(chart()->cursorText().startsWith(
            localTime(end.addSecs(-shownSeconds + shownSeconds / 100))));
        // Where nothing is known the time is said all the same.
        const QString other = QAccessible::queryAccessibleInterface(chart(u"depthChart"_s))
                                  ->text(QAccessible::Value);
        QVERIFY2(other.startsWith(u"at "_s), qPrintable(other));
    }

    void aDragLeadsToTheRowsOfItsSpan()
    {
        m_page->setRowsOffered(true);
        QSignalSpy asked(m_page.get(), &OverviewView::showAsked);
        QVERIFY(!action(u"rowsOfSpan"_s)->isVisible());
        drag(end.addSecs(-200), end.addSecs(-600)); // in whatever direction
        QVERIFY(action(u"rowsOfSpan"_s)->isVisible());
        action(u"rowsOfSpan"_s)->click();
        const QString text = asked.takeFirst().first().toString();
        QVERIFY2(text.startsWith(u"created:"_s), qPrintable(text));
        const auto timeOf
            = [](const QString &part) { return QDateTime::fromString(part, Qt::ISODate); };
        const QString span = text.section(u':', 1);
        QVERIFY(std::abs(timeOf(span.section(u".."_s, 0, 0)).secsTo(end.addSecs(-600))) <= 4);
        QVERIFY(std::abs(timeOf(span.section(u".."_s, 1)).secsTo(end.addSecs(-200))) <= 4);
        const auto filter = Filter::fromText(text);
        QVERIFY(filter.has_value());
        QVERIFY(checksOf(*filter, FilterSubject::Rows, end.toLocalTime()).has_value());
        // By keys as well, where Return on the chart itself would zoom.
        action(u"rowsOfSpan"_s)->setFocus();
        QTest::keyClick(action(u"rowsOfSpan"_s), Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked.takeFirst().first().toString(), text);
        // A click takes the span away.
        drag(end.addSecs(-100), end.addSecs(-100));
        QVERIFY(!action(u"rowsOfSpan"_s)->isVisible());
        QVERIFY(!action(u"zoomSpan"_s)->isVisible());
    }

    void itsPictureIsCopiedAndSaved()
    {
        QApplication::clipboard()->clear();
        QTest::keyClick(chart(), Qt::Key_C, Qt::ControlModifier);
        const QPixmap copied = QApplication::clipboard()->pixmap();
        QCOMPARE(copied.size(), chart()->size() * chart()->devicePixelRatioF());
        QSignalSpy asked(m_page.get(), &OverviewView::pictureAsked);
        QWidget *canvas = chart()->findChild<QAbstractScrollArea *>()->viewport();
        const QPoint middle = canvas->rect().center();
        // By the key for menus, and by the mouse over the lines.
        for (const auto &[part, reason] :
             {std::pair(static_cast<QWidget *>(chart()), QContextMenuEvent::Keyboard),
              std::pair(canvas, QContextMenuEvent::Mouse)}) {
            QContextMenuEvent event(reason, middle, part->mapToGlobal(middle));
            QApplication::sendEvent(part, &event);
            auto *menu = chart()->findChild<QMenu *>(u"pictureMenu"_s);
            QVERIFY(menu != nullptr);
            menu->findChild<QAction *>(u"savePicture"_s)->trigger();
            menu->close();
            QTRY_VERIFY(chart()->findChild<QMenu *>(u"pictureMenu"_s) == nullptr);
        }
        QCOMPARE(asked.count(), 2);
        QCOMPARE(asked.first().at(0).value<QPixmap>().size(), copied.size());
        QCOMPARE(asked.first().at(1).toString(), u"Backlog and lag"_s);
    }

    /// An outbox without such a column has no rows of a span.
    void rowsAreOfferedWhereTheyHaveATime()
    {
        drag(end.addSecs(-600), end.addSecs(-200));
        QVERIFY(action(u"zoomSpan"_s)->isVisible());
        QVERIFY(!action(u"rowsOfSpan"_s)->isVisible());
        m_page->setRowsOffered(true);
        QVERIFY(action(u"rowsOfSpan"_s)->isVisible());
        m_page->forget();
        QVERIFY(!action(u"rowsOfSpan"_s)->isVisible());
    }

    void aSpanIsZoomedOnAllChartsAndBack()
    {
        const auto *label = m_page->findChild<QLabel *>(u"zoomedSpan"_s);
        drag(end.addSecs(-600), end.addSecs(-200));
        action(u"zoomSpan"_s)->click();
        QTRY_VERIFY(shows(end.addSecs(-600), end.addSecs(-200)));
        QVERIFY(!label->text().isEmpty());
        m_page->showHistory(end.addSecs(60)); // it stands still
        m_page->resize(1240, 800); // all is drawn at once
        QTRY_VERIFY(shows(end.addSecs(-600), end.addSecs(-200)));
        QVERIFY2(chart()->accessibleDescription().startsWith(u"backlog 7"_s),
                 qPrintable(chart()->accessibleDescription()));
        QTest::keyClick(chart(), Qt::Key_Escape);
        QTRY_VERIFY(shows(end.addSecs(60 - shownSeconds), end.addSecs(60)));
        QVERIFY(label->text().isEmpty());
        // By keys, and back by the buttons.
        QTest::keyClick(chart(), Qt::Key_End);
        for (int i = 0; i < 20; ++i)
            QTest::keyClick(chart(), Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(action(u"zoomSpan"_s)->isVisible());
        QTest::keyClick(chart(), Qt::Key_Return);
        QTRY_VERIFY(shows(end.addSecs(60 - shownSeconds / 5), end.addSecs(60)));
        m_page->findChild<QAbstractButton *>(u"range15"_s)->click();
        QTRY_VERIFY(shows(end.addSecs(60 - shownSeconds), end.addSecs(60)));
    }

    /// Fails where the earlier line stands at its own time, or a gap is drawn over.
    void yesterdayStandsBehindTheLines()
    {
        auto *charts = m_page->charts();
        QSignalSpy asked(charts, &OverviewCharts::earlierAsked);
        QSignalSpy chosen(charts, &OverviewCharts::earlierChosen);
        charts->setEarlierOffered(true);
        QVERIFY(asked.isEmpty());
        m_page->findChild<QAction *>(u"earlier-day"_s)->trigger();
        QCOMPARE(chosen.first().first().value<Earlier>(), Earlier::Day);
        QCOMPARE(asked.size(), 1);
        const auto *note = m_page->findChild<QLabel *>(u"earlierNote"_s);
        QVERIFY(note->isVisible() && note->text().startsWith(u"Reading"_s));
        const auto question = asked.first().first().value<EarlierQuestion>();
        const qint64 by = earlierByMs(Earlier::Day, end) / 1'000;
        QVERIFY(question.from <= end.toSecsSinceEpoch() - by - shownSeconds);
        // Two pieces of five minutes, with five minutes between them in which nobody looked.
        HistoryPoints kept;
        for (qint64 at = end.toSecsSinceEpoch() - by - shownSeconds;
             at <= end.toSecsSinceEpoch() - by; at += 60) {
            const qint64 passed = at - (end.toSecsSinceEpoch() - by - shownSeconds);
            if (passed > 300 && passed < 600)
                continue;
            HistoryPoint point;
            point.at = at;
            point.of(Measure::Backlog).add(5);
            kept.of(HistoryTier::Minute) += point;
        }
        charts->setEarlierPoints(question, kept);
        QVERIFY(!note->isVisible());
        m_page->resize(1240, 800); // all is drawn at once
        QTRY_COMPARE(chart()->earlierPiecesOf(0), 2);
        QCOMPARE(chart()->earlierPiecesOf(1), 0); // no lag was kept
        QVERIFY2(chart()->accessibleDescription().contains(u"yesterday 5, difference +2"_s),
                 qPrintable(chart()->accessibleDescription()));
        QVERIFY(chart()->accessibleDescription().contains(u"yesterday not known"_s));
        QTest::keyClick(chart(), Qt::Key_End);
        const QString value
            = QAccessible::queryAccessibleInterface(chart())->text(QAccessible::Value);
        QVERIFY2(value.contains(u"backlog 7; yesterday 5, difference +2"_s), qPrintable(value));
        // In the midst of the gap nothing is made up.
        for (TimeSeriesView *one : m_page->findChildren<TimeSeriesView *>())
            one->setCursor(end.addSecs(-450));
        QVERIFY2(chart()->accessibleDescription().contains(u"yesterday not known"_s),
                 qPrintable(chart()->accessibleDescription()));
        QVERIFY(!chart()->accessibleDescription().contains(u"yesterday 5"_s));
        QCOMPARE(asked.size(), 1); // drawing costs no reading
        m_page->findChild<QAction *>(u"earlier-none"_s)->trigger();
        QTRY_COMPARE(chart()->earlierPiecesOf(0), 0);
        QVERIFY(!chart()->accessibleDescription().contains(u"yesterday"_s));
    }

    void whatWasNotKeptIsSaid()
    {
        auto *charts = m_page->charts();
        QSignalSpy asked(charts, &OverviewCharts::earlierAsked);
        charts->setEarlierOffered(true);
        charts->setEarlier(Earlier::Week);
        const auto question = asked.first().first().value<EarlierQuestion>();
        const auto *note = m_page->findChild<QLabel *>(u"earlierNote"_s);
        charts->setEarlierPoints({}, HistoryPoints()); // an answer to somebody else
        QVERIFY(note->text().startsWith(u"Reading"_s));
        charts->setEarlierPoints(question, HistoryPoints());
        QVERIFY2(note->text().contains(u"Nothing was kept of a week before"_s),
                 qPrintable(note->text()));
        charts->setEarlierPoints(question, fail(Error::Kind::Refused, u"reading"_s, u"<b>"_s));
        QVERIFY2(note->text().contains(u"is not known: reading"_s), qPrintable(note->text()));
        charts->setEarlierOffered(false);
        QVERIFY(!note->isVisible());
        QVERIFY(!m_page->findChild<QToolButton *>(u"chartsEarlier"_s)->isEnabled());
    }
};

} // namespace tst_charts

OUTBOX_TEST(tst_charts::TestCharts)
#include "tst_charts.moc"
