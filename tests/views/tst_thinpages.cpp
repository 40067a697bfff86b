// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pages of which few rows are left: the table asks for the next ones until the screen is full, and
// knows when not to.
#include "models/filter/pagerequest.h"
#include "models/tables/rowwindow.h"
#include "tests/support/fonts.h"
#include "tests/support/shownoutbox.h"
#include "tests/support/testprogram.h"
#include "views/outbox/outboxview.h"
#include "views/tables/livetable.h"

#include <QSignalSpy>
#include <QTest>

namespace tst_thinpages {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestThinPages : public QObject
{
    Q_OBJECT

    std::unique_ptr<OutboxView> m_view;

private slots:
    void initTestCase() { OUTBOX_NEED_FONTS(); }

    void init() { m_view = sample::shownOutbox(); }

    void fillsTheScreen()
    {
        QSignalSpy asked(m_view.get(), &OutboxView::rowsAsked);
        m_view->openFilter(u"type:rare"_s);
        asked.clear();
        OutboxPageView few
            = sample::page(m_view->request(), 100, 3); // thinned out, and more behind
        m_view->setPage(few);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked.last().first().value<PageRequest>().limit, 1000);
    }

    void aFilterOfTasksStaysWithTheNewestRows()
    {
        QSignalSpy asked(m_view.get(), &OutboxView::rowsAsked);
        m_view->openFilter(u"task:archived"_s);
        asked.clear();
        const auto answer = [this] {
            OutboxPageView none = sample::page(m_view->request(), 100, 0);
            none.page.reach = FilterReach::Queue;
            m_view->setPage(none);
        };
        for (int i = 0; i < 5; ++i)
            answer();
        QCOMPARE(asked.count(), 2);
        QCOMPARE(m_view->request().limit, RowWindow::most);
        QVERIFY(m_view->request().after.isEmpty());
        m_view->hide(); // nobody slides, and there is no first row
        m_view->openFilter(u"task:retry"_s);
        answer();
        QCOMPARE(m_view->findChild<LiveTable *>(u"outboxTable"_s)->model()->rowCount(), 0);
    }
};

} // namespace tst_thinpages

OUTBOX_TEST(tst_thinpages::TestThinPages)
#include "tst_thinpages.moc"
