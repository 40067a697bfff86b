// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What happened in the window stands on its charts, once, and in the next window as well.
#include "app/system/historykeeper.h"
#include "tests/app/consoleground.h"
#include "tests/support/fonts.h"
#include "tests/support/patience.h"
#include "tests/support/servers.h"
#include "tests/support/testoutbox.h"
#include "tests/support/testprogram.h"
#include "views/charts/timeseriesview.h"
#include "views/operation/plandialog.h"
#include "views/relay/relayview.h"
#include "views/tables/livetable.h"

#include <QAbstractButton>
#include <QFileInfo>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>

namespace tst_eventmarks {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestEventMarks : public QObject, protected ConsoleGround
{
    Q_OBJECT

    std::unique_ptr<PrivateRedis> m_redis;
    std::unique_ptr<TestOutbox> m_fixture;

    [[nodiscard]] Profile profile() const
    {
        Profile one = profileOver(*m_fixture, u"fixture"_s);
        one.readOnly = false;
        return one;
    }
    void open()
    {
        openWindow(profile());
        window().showPage(Pages::Overview);
        QTRY_VERIFY(m_desktop->system()->database().shape().has_value());
        QTRY_COMPARE(m_desktop->system()->snapshot().queue.state, SourceHealth::State::Live);
    }
    void startRelay()
    {
        RelayStart start;
        start.retentionSeconds = 3600;
        m_desktop->relay()->start(start);
        QTRY_COMPARE(m_desktop->relay()->driver().state(), RelayState::Running);
    }
    [[nodiscard]] QStringList happened() const
    {
        QStringList texts;
        for (const HistoryEvent &event : m_desktop->system()->history().events())
            texts += event.text;
        return texts;
    }
    /// What a chart says of itself to who cannot see it.
    [[nodiscard]] QString chart(const QString &name) const
    {
        return window().findChild<QWidget *>(name)->accessibleDescription();
    }

private slots:
    void initTestCase() { OUTBOX_NEED_FONTS(); }
    void init()
    {
        m_redis = std::make_unique<PrivateRedis>();
        OUTBOX_START_SERVER(*m_redis);
        m_fixture = std::make_unique<TestOutbox>(TestOutbox::Kind::Sqlite, BenchShape::CompletedAt,
                                                 nullptr, *m_redis);
        QVERIFY(m_fixture->setUp());
        QVERIFY(m_fixture->insertRows(6));
        startConsole();
    }
    void cleanup()
    {
        m_desktop.reset();
        m_fixture.reset();
        m_redis.reset();
    }

    /// Nobody would tell of either: a step in a line without its cause.
    void aRelayIsMarkedWhereItStartsAndStops()
    {
        open();
        startRelay();
        QTRY_COMPARE(happened(), QStringList{u"Relay started here."_s});
        for (const QString &name : {u"backlogChart"_s, u"ratesChart"_s, u"depthChart"_s})
            QTRY_COMPARE(chart(name).count(u"Relay started here"_s), 1);
        QTRY_COMPARE(m_fixture->unprocessed(), 0);
        emit m_desktop->pages().relay->stopAsked();
        QTRY_COMPARE(happened(), (QStringList{u"Relay started here."_s, u"Relay stopped here."_s}));
        // One mark for both, unless the machine is very slow.
        QTRY_VERIFY2(chart(u"backlogChart"_s).contains(u" 2 events"_s)
                         || chart(u"backlogChart"_s).contains(u"Relay stopped here"_s),
                     qPrintable(chart(u"backlogChart"_s)));
    }

    void anOperationIsMarkedWithItsCount()
    {
        QVERIFY(m_fixture->exec(u"update outbox set completed_at = '2026-01-02 03:04:05' "
                                u"where id <= 2"_s));
        open();
        OperationRequest request;
        request.verb = Verb::Purge;
        request.selection.filter = u"state:processed"_s;
        m_desktop->operations()->ask(request);
        PlanDialog *dialog = m_desktop->operations()->dialog();
        auto *go = dialog->findChild<QPushButton *>(u"planGo"_s);
        QTRY_COMPARE(dialog->step(), PlanDialog::Step::Preview);
        QTRY_VERIFY2(go->isEnabled(), qPrintable(go->toolTip()));
        QTest::keyClick(go, Qt::Key_Return);
        if (dialog->step() == PlanDialog::Step::Confirm) {
            QTest::keyClicks(dialog->findChild<QLineEdit *>(u"confirmTyped"_s), u"2 fixture"_s);
            QTest::keyClick(go, Qt::Key_Return);
        }
        QTRY_COMPARE(dialog->step(), PlanDialog::Step::Result);
        QTRY_COMPARE(happened(), QStringList{u"Purged: 2 rows."_s});
        QTRY_VERIFY2(chart(u"backlogChart"_s).contains(u" Purged: 2 rows"_s),
                     qPrintable(chart(u"backlogChart"_s)));
    }

    /// A gap in the lines says that nothing is known, and not why.
    void aSourceThatIsLostAndBackIsMarked()
    {
        open();
        QVERIFY(happened().isEmpty()); // to be opened is no event
        m_redis->kill();
        QTRY_COMPARE(happened(), QStringList{u"Redis does not answer."_s});
        OUTBOX_START_SERVER(*m_redis);
        m_desktop->system()->refreshNow();
        QTRY_COMPARE(happened(),
                     (QStringList{u"Redis does not answer."_s, u"Redis answers again."_s}));
    }

    /// The rows that came in the time of a knee, without a word typed.
    void aSpanOpensTheRowsOfItsTime()
    {
        QVERIFY(m_fixture->exec(u"update outbox set created_at = '2020-01-02 03:04:05' "
                                u"where id <= 2"_s));
        open();
        auto *chart = window().findChild<TimeSeriesView *>(u"backlogChart"_s);
        QTRY_VERIFY(chart->accessibleDescription().contains(u"backlog 6"_s));
        QTest::keyClick(chart, Qt::Key_End);
        QTest::keyClick(chart, Qt::Key_Home, Qt::ShiftModifier);
        auto *go = chart->findChild<QAbstractButton *>(u"rowsOfSpan"_s);
        QVERIFY(go->isVisible());
        go->click();
        QCOMPARE(window().currentPage(), int(Pages::Outbox));
        const auto *rows = window().findChild<LiveTable *>(u"outboxTable"_s);
        QTRY_COMPARE(rows->model()->rowCount(), 4);
    }

    /// A relay that ends with its window is stopped, and the next window knows all of it.
    void theNextWindowKnowsWhatHappened()
    {
        open();
        startRelay();
        const QString file = historyFileOf(profile(), m_folder->path());
        QTRY_VERIFY(QFileInfo(file).size() > 0); // it is open: what is left is one writing
        m_desktop.reset();
        startAgain();
        open();
        QTRY_COMPARE(happened(), (QStringList{u"Relay started here."_s, u"Relay stopped here."_s}));
    }
};

} // namespace tst_eventmarks

OUTBOX_TEST(tst_eventmarks::TestEventMarks)
#include "tst_eventmarks.moc"
