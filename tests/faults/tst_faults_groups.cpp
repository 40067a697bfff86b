// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Groups of failures while their source is lost: they say why and since when, keep what they
// showed, and look again when it is back. The window never stands still.
#include "tests/faults/faultconsole.h"
#include "tests/support/fonts.h"
#include "tests/support/redisqueue.h"
#include "tests/support/patience.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testprogram.h"
#include "views/failures/failurespane.h"
#include "views/frame/mainwindow.h"
#include "views/outbox/outboxview.h"
#include "views/queue/queueview.h"
#include "views/tables/livetable.h"
#include "views/widgets/noticebar.h"

#include <QComboBox>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>

namespace tst_faults_groups {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestFaultsGroups : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    std::unique_ptr<FaultConsole> m_console;

    static void addFaults()
    {
        QTest::addColumn<FaultLine>("fault");
        QTest::addColumn<bool>("isCut");
        QTest::newRow("reset") << FaultLine{.resetAfter = 0} << true;
        QTest::newRow("half open") << FaultLine{.isHalfOpen = true, .isSilent = true} << false;
    }

    void survive(FailuresPane *pane, FaultProxy &line, int groups)
    {
        QFETCH(FaultLine, fault);
        QFETCH(bool, isCut);
        const auto *table = pane->findChild<LiveTable *>(u"groupsTable"_s);
        const auto *problem = pane->findChild<NoticeBar *>(u"groupsProblem"_s);
        auto *again = pane->findChild<QToolButton *>(u"groupsAgain"_s);
        QVERIFY(FaultConsole::until([&] {
            if (table->model()->rowCount() != groups)
                again->click();
            return table->model()->rowCount() == groups;
        }));
        m_console->meter().forget();
        line.set(fault);
        if (isCut)
            line.cut();
        again->click();
        QVERIFY(FaultConsole::until([&] { return problem->isVisible(); }, 30'000));
        QVERIFY2(problem->text().contains(u"What is shown is from"_s), qPrintable(problem->text()));
        QCOMPARE(table->model()->rowCount(), groups);
        line.set({});
        if (!isCut)
            line.cut(); // what is half open is never whole again
        QVERIFY(FaultConsole::until([&] { return !problem->isVisible(); }, 40'000));
        QCOMPARE(table->model()->rowCount(), groups);
        qInfo("%s: the window stood still for %.1f ms at most", QTest::currentDataTag(),
              m_console->meter().longest());
        QVERIFY(m_console->meter().longest() <= patient(100));
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }
    void init()
    {
        m_console = std::make_unique<FaultConsole>(TestOutbox::Kind::Postgres, &m_postgres, m_redis,
                                                   nullptr, BenchShape::CompletedAt);
        const QString problem = m_console->open(false);
        QVERIFY2(problem.isEmpty(), qPrintable(problem));
    }
    void cleanup() { m_console.reset(); }

    void rowsKeepTheirGroups_data() { addFaults(); }
    void rowsKeepTheirGroups()
    {
        QVERIFY(m_console->fixture().insertRows(30));
        QVERIFY(m_console->fixture().exec(
            u"update outbox set type = 'mail', created_at = now() - interval '1 hour'"_s));
        m_console->desktop().window().showPage(Pages::Outbox);
        const OutboxView *outbox = m_console->desktop().pages().outbox;
        outbox->groupsButton()->setChecked(true);
        FailuresPane *pane = outbox->groups();
        pane->findChild<QComboBox *>(u"groupsScope"_s)->setCurrentIndex(1); // waiting too long
        survive(pane, m_console->databaseLine, 1);
    }

    void tasksKeepTheirGroups_data() { addFaults(); }
    void tasksKeepTheirGroups()
    {
        for (int n = 0; n < 20; ++n) {
            EnqueueRequest request = sampleRequest(u"failed-%1"_s.arg(n));
            asynq::TaskMessage message = messageOf(request);
            message.error = (n % 2 ? u"no route to 10.0.0.%1"_s : u"timeout after %1 ms"_s).arg(n);
            message.lastFailedAt = QDateTime::currentSecsSinceEpoch() - 60 * n;
            QVERIFY_RESULT(placeMessage(m_console->fixture().plainRedis(), request,
                                        TaskState::Archived, message));
        }
        m_console->desktop().window().showPage(Pages::Queue);
        QueueView *queue = m_console->desktop().pages().queue;
        queue->findChild<QTabWidget *>(u"queueTabs"_s)->setCurrentWidget(queue->failures());
        survive(queue->failures(), m_console->queueLine, 2);
    }
};

} // namespace tst_faults_groups

OUTBOX_TEST(tst_faults_groups::TestFaultsGroups)
#include "tst_faults_groups.moc"
