// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The console as a whole: one system after another, and closing.
#include "models/filter/pagerequest.h"
#include "tests/app/consoleground.h"
#include "tests/support/fonts.h"
#include "tests/support/gapmeter.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"
#include "views/outbox/outboxview.h"
#include "views/queue/queueview.h"
#include "views/queue/taskspane.h"
#include "views/tables/livetable.h"

#include <QAbstractButton>
#include <QElapsedTimer>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include <algorithm>

namespace tst_desktop {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestDesktop : public QObject, protected ConsoleGround
{
    Q_OBJECT

    [[nodiscard]] int rows() const
    {
        return m_desktop->window().findChild<LiveTable *>(u"outboxTable"_s)->model()->rowCount();
    }
    [[nodiscard]] bool hasBreakMenu() const
    {
        return m_desktop->window().findChild<QMenu *>(u"breakMenu"_s) != nullptr;
    }

private slots:
    void initTestCase() { OUTBOX_NEED_FONTS(); }

    void init()
    {
        startConsole();
        m_desktop->begin();
        QCOMPARE(m_desktop->window().windowTitle(), u"No system open"_s);
        QSignalSpy settled(m_desktop.get(), &Desktop::demoSettled);
        m_desktop->openDemo(Demo::Kind::Sqlite);
        QTRY_COMPARE_WITH_TIMEOUT(settled.count(), 1, 30'000);
        if (m_desktop->relay() == nullptr)
            QSKIP("no private Redis could be started: apt-get install redis-server");
        m_desktop->window().show();
        QTRY_VERIFY(m_desktop->relay()->isRunning());
    }

    void cleanup() { m_desktop.reset(); }

    void anotherSystemBeginsOnEmptyPages()
    {
        const Pages &pages = m_desktop->pages();
        QVERIFY(hasBreakMenu());
        m_desktop->window().showPage(Pages::Queue);
        QTRY_VERIFY(!pages.queue->chosenQueue().isEmpty());
        m_desktop->relay()->driver().abandon(); // what it has sent leaves the demo's table
        m_desktop->window().showPage(Pages::Outbox);
        pages.outbox->openFilter(u"state:pending"_s);
        QTRY_VERIFY(rows() > 0);
        emit m_desktop->window().pauseAsked(true);

        // It calls itself a demo, too; that does not make it ours.
        Profile other = awayProfile(u"other"_s);
        other.environment = Environment::Demo;
        m_desktop->openProfile(other, {});
        QVERIFY(m_desktop->window().windowTitle().contains(u"other"_s));
        QVERIFY(!hasBreakMenu());
        QCOMPARE(rows(), 0);
        QCOMPARE(pages.outbox->request(), PageRequest());
        QVERIFY(pages.queue->chosenQueue().isEmpty());
        QVERIFY(!m_desktop->relay()->isRunning());
        const auto *pause = m_desktop->window().findChild<QAbstractButton *>(u"pauseRefresh"_s);
        QVERIFY(!pause->isChecked());
    }

    void askedFromOutsideItEndsWithoutAQuestion()
    {
        QSignalSpy ended(m_desktop.get(), &Desktop::ended);
        QSignalSpy finished(&m_desktop->relay()->driver(), &RelayDriver::finished);
        m_desktop->end();
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(finished.count(), 1);
        QVERIFY(!m_desktop->relay()->isRunning());
    }

    /// Servers start and stop in a room of their own: the longest time in which the window could
    /// not answer although it had a processor, in the middle of several switches.
    void theWindowAnswersWhileTheDemoIsSwitched_data()
    {
        QTest::addColumn<int>("kind");
        QTest::newRow("SQLite") << int(Demo::Kind::Sqlite);
        QTest::newRow("PostgreSQL") << int(Demo::Kind::Postgres);
    }
    void theWindowAnswersWhileTheDemoIsSwitched()
    {
        QFETCH(int, kind);
        GapMeter gaps;
        QList<double> stalls;
        QStringList told;
        for (const DemoDesign design :
             {DemoDesign::ProcessedDate, DemoDesign::Entity, DemoDesign::Tokens,
              DemoDesign::RedisRelay, DemoDesign::DedupStore}) {
            QSignalSpy settled(m_desktop.get(), &Desktop::demoSettled);
            gaps.forget();
            m_desktop->openDemo(static_cast<Demo::Kind>(kind), design);
            QTRY_COMPARE_WITH_TIMEOUT(settled.count(), 1, 60'000);
            if (!m_desktop->profile() || m_desktop->profile()->environment != Environment::Demo)
                QSKIP("no private server could be started: apt-get install postgresql");
            const bool hasRows = m_desktop->profile()->shape.has_value();
            QTRY_VERIFY(!hasRows || m_desktop->relay()->isRunning());
            stalls += gaps.longest();
            told += u"%1 ms"_s.arg(stalls.last(), 0, 'f', 1);
        }
        qInfo("longest stall of each switch: %s", qPrintable(told.join(u", "_s)));
        std::sort(stalls.begin(), stalls.end());
        QVERIFY(stalls.at(stalls.size() / 2) < patient(100));
    }

    void aDemoThatIsNotWantedAnyMoreIsNotShown()
    {
        QSignalSpy settled(m_desktop.get(), &Desktop::demoSettled);
        m_desktop->openDemo(Demo::Kind::Sqlite, DemoDesign::Entity);
        m_desktop->openDemo(Demo::Kind::Sqlite, DemoDesign::ProcessedDate);
        QTRY_COMPARE_WITH_TIMEOUT(settled.count(), 1, 30'000);
        QVERIFY(m_desktop->profile()->shape.has_value()); // messages in rows: the second one
        m_desktop->openDemo(Demo::Kind::Sqlite, DemoDesign::Entity);
        m_desktop->openProfile(awayProfile(u"other"_s), {});
        QCOMPARE(m_desktop->profile()->name, u"other"_s);
        m_desktop->openDemo(Demo::Kind::Sqlite);
        QTRY_COMPARE_WITH_TIMEOUT(settled.count(), 2, 30'000);
        QCOMPARE(m_desktop->profile()->environment, Environment::Demo);
        QVERIFY(!m_desktop->profile()->design.has_value());
    }

    void closesAtOnceWhenTheRelayHasEnded()
    {
        m_desktop->relay()->driver().abandon();
        QTRY_VERIFY(!m_desktop->relay()->isRunning());
        emit m_desktop->window().drainAndCloseAsked();
        QVERIFY(!m_desktop->window().isVisible());
    }
};

} // namespace tst_desktop

OUTBOX_TEST(tst_desktop::TestDesktop)
#include "tst_desktop.moc"
