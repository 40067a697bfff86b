// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A search through all rows is offered where some were searched, is watched while it goes, ends at
// will, goes on, and says what it has searched and when.
#include "models/filter/pagerequest.h"
#include "tests/support/fonts.h"
#include "tests/support/samplesystem.h"
#include "tests/support/testprogram.h"
#include "views/filter/filterbar.h"
#include "views/outbox/outboxview.h"
#include "views/outbox/searchbar.h"
#include "views/tables/livetable.h"
#include "views/theme/theme.h"
#include "views/widgets/emptypane.h"

#include <QAbstractButton>
#include <QMenu>
#include <QProgressBar>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

namespace tst_searchbar {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

using Phase = RowSearchState::Phase;

OutboxPageView quickAnswer(const PageRequest &request)
{
    OutboxPageView answer = sample::page(request, 0, 0);
    answer.page.reach = FilterReach::Scan;
    answer.page.searched = 20'000;
    answer.page.next = u"behind"_s;
    return answer;
}

OutboxPageView foundAnswer(const PageRequest &request, int rows)
{
    OutboxPageView answer = sample::page(request, 40, rows);
    answer.page.reach = FilterReach::Scan;
    answer.page.next = u"behind"_s;
    return answer;
}

RowSearchState stateOf(Phase phase)
{
    RowSearchState state;
    state.phase = phase;
    state.searched = 3'220'000;
    state.found = 1;
    state.runMs = 41'000;
    state.databaseMs = 7'790;
    state.longestMs = 61;
    state.at = QDateTime::currentDateTimeUtc();
    return state;
}

} // namespace

class TestSearchBar : public QObject
{
    Q_OBJECT

    std::unique_ptr<OutboxView> m_view;

    [[nodiscard]] SearchBar *bar() const { return m_view->search(); }
    [[nodiscard]] QAbstractButton *button() const
    {
        return bar()->findChild<QAbstractButton *>(u"outboxSearchAction"_s);
    }
    [[nodiscard]] bool says(const QString &text) const { return bar()->text().contains(text); }
    [[nodiscard]] QString shown() const { return bar()->text(); }
    void show(int width = 1180)
    {
        m_view = std::make_unique<OutboxView>();
        m_view->resize(width, 600);
        m_view->show();
        m_view->setHealth(sample::live());
        m_view->setCounts(sample::largeCounts());
        m_view->openFilter(u"payload~needle"_s);
        m_view->setPage(quickAnswer(m_view->request()));
    }

private slots:
    void initTestCase()
    {
        OUTBOX_NEED_FONTS();
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        theme::apply(ThemeChoice::Light);
    }
    void init() { show(); }

    void theRowsThatWereNotSearchedAreOffered()
    {
        QVERIFY2(says(u"Searched the newest 20,000 rows of ~10,000,000."_s), qPrintable(shown()));
        QVERIFY(says(u"not refreshed"_s));
        QVERIFY(button()->isVisible());
        QCOMPARE(button()->accessibleName(), u"Search all ~10,000,000 rows"_s);
        QSignalSpy asked(bar(), &SearchBar::searchAsked);
        button()->setFocus();
        QTest::keyClick(button(), Qt::Key_Space);
        QCOMPARE(asked.count(), 1);
        const auto *table = m_view->findChild<LiveTable *>(u"outboxTable"_s);
        QVERIFY(table->emptyPane()->sentence().contains(u"among those that were searched"_s));
        OutboxPageView all = quickAnswer(m_view->request());
        all.page.next.clear();
        m_view->setPage(all);
        QVERIFY(!button()->isVisible()); // there is nothing more to search
        QVERIFY(says(u"Searched all 20,000 rows."_s));
        QCOMPARE(table->emptyPane()->sentence(), u"No row matches this filter."_s);
    }

    void itIsWatchedAndEndedByTheSameKey()
    {
        QSignalSpy cancelled(bar(), &SearchBar::cancelAsked);
        m_view->setSearch(stateOf(Phase::Running));
        QVERIFY2(
            says(u"the newest 3,220,000 of ~10,000,000 rows, 1 found, 41 s, about 86 s left"_s),
            qPrintable(shown()));
        QVERIFY2(says(u"Database time: 19 %"_s), qPrintable(shown()));
        const auto *progress = bar()->findChild<QProgressBar *>();
        QVERIFY(progress->isVisible());
        QCOMPARE(progress->value(), 322);
        QVERIFY(!progress->accessibleName().isEmpty());
        QCOMPARE(button()->accessibleName(), u"Cancel"_s);
        button()->setFocus();
        QTest::keyClick(button(), Qt::Key_Space);
        QCOMPARE(cancelled.count(), 1);
        m_view->setPage(quickAnswer(m_view->request())); // late, and no longer what is shown
        QVERIFY(says(u"3,220,000"_s));
        RowSearchState byKey = stateOf(Phase::Running);
        byKey.byPages = false;
        m_view->setSearch(byKey);
        QVERIFY2(!says(u"newest"_s), qPrintable(shown()));
    }

    void whereItStoppedItSaysWhatItSearchedAndGoesOn()
    {
        QSignalSpy goneOn(bar(), &SearchBar::goOnAsked);
        m_view->setSearch(stateOf(Phase::Cancelled));
        QVERIFY2(says(u"Searched the newest 3,220,000 of ~10,000,000 rows: 1 found."_s),
                 qPrintable(shown()));
        QVERIFY(says(u"not refreshed"_s));
        QCOMPARE(button()->accessibleName(), u"Continue"_s);
        QVERIFY(!bar()->findChild<QProgressBar *>()->isVisible());
        button()->click();
        m_view->setSearch(stateOf(Phase::Full));
        button()->click();
        RowSearchState failed = stateOf(Phase::Failed);
        failed.error = Error{Error::Kind::Unreachable, u"searching"_s, u"<b>cut</b>"_s, {}, {}, -1};
        m_view->setSearch(failed);
        QVERIFY2(says(u"<b>cut</b>"_s), qPrintable(shown()));
        QVERIFY(says(u"1 found"_s));
        button()->click();
        QCOMPARE(goneOn.count(), 3);
        RowSearchState done = stateOf(Phase::Done);
        done.searched = 10'000'123;
        m_view->setSearch(done);
        QVERIFY2(says(u"Searched all 10,000,123 rows: 1 found. 41 s, of which 7.8 s in the "
                      "database; the longest statement 61 ms."_s),
                 qPrintable(shown()));
        QVERIFY(!button()->isVisible());
    }

    void whatIsFoundIsShownWhileItGoesAndWhilePaused()
    {
        const auto *table = m_view->findChild<LiveTable *>(u"outboxTable"_s);
        m_view->setSearch(stateOf(Phase::Running));
        QVERIFY(table->emptyPane()->sentence().contains(u"The search goes on"_s));
        m_view->findChild<QAbstractButton *>(u"outboxLive"_s)->setChecked(false);
        m_view->setPage(foundAnswer(m_view->request(), 1));
        QCOMPARE(table->model()->rowCount(), 1);
        m_view->setPage(foundAnswer(m_view->request(), 3));
        QCOMPARE(table->model()->rowCount(), 3);
        QCOMPARE(m_view->shownRows().size(), 3);
        m_view->openFilter(u"payload~other"_s);
        QVERIFY(m_view->shownRows().isEmpty()); // they answer the question before
        QVERIFY(!bar()->isVisible());
        QVERIFY(!bar()->isRunning());
    }

    void aFilterThatNoIndexAnswersInTimeCanBeSearchedFor()
    {
        m_view->openFilter(u"error~smtp"_s);
        QVERIFY(!bar()->isVisible());
        m_view->setPageError(
            Error{Error::Kind::Timeout, u"listing"_s, u"took too long"_s, {}, {}, -1});
        QVERIFY(bar()->isVisible());
        QCOMPARE(button()->accessibleName(), u"Search all ~10,000,000 rows"_s);
        m_view->openFilter({});
        m_view->setPageError(
            Error{Error::Kind::Timeout, u"listing"_s, u"took too long"_s, {}, {}, -1});
        QVERIFY(!bar()->isVisible()); // all rows are no search
    }

    void itsLoadIsChosenByAPerson()
    {
        QCOMPARE(bar()->share(), 0.2);
        QSignalSpy chosen(bar(), &SearchBar::shareChosen);
        auto *load = bar()->findChild<QToolButton *>(u"outboxSearchLoad"_s);
        QVERIFY(load->isVisible());
        QVERIFY(load->accessibleName().contains(u"20 %"_s));
        load->menu()->actions().constFirst()->trigger();
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen.constFirst().constFirst().toDouble(), 0.05);
        QVERIFY(load->accessibleName().contains(u" 5 %"_s));
    }

    void picture()
    {
        const QString folder = qEnvironmentVariable("OUTBOX_PICTURES");
        for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
            theme::apply(choice);
            const QString tone = choice == ThemeChoice::Light ? u"light"_s : u"dark"_s;
            const auto keep = [&](const QString &name) {
                QCoreApplication::sendPostedEvents(); // the layout follows the text
                QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
                const QPixmap grabbed = m_view->grab();
                QVERIFY(!grabbed.isNull());
                if (!folder.isEmpty())
                    QVERIFY(grabbed.save(folder + u"/search-%1-%2.png"_s.arg(name, tone)));
            };
            show();
            keep(u"offered"_s);
            m_view->setSearch(stateOf(Phase::Running));
            keep(u"in-progress"_s);
            m_view->setPage(foundAnswer(m_view->request(), 1));
            keep(u"one-found"_s);
            m_view->setSearch(stateOf(Phase::Cancelled));
            keep(u"cancelled"_s);
            RowSearchState failed = stateOf(Phase::Failed);
            failed.error = Error{Error::Kind::Unreachable,
                                 u"searching the rows of outbox"_s,
                                 u"the server closed the connection"_s,
                                 {},
                                 {},
                                 -1};
            m_view->setSearch(failed);
            keep(u"failed"_s);
            RowSearchState done = stateOf(Phase::Done);
            done.searched = 10'000'123;
            m_view->setSearch(done);
            keep(u"done"_s);
            show(820);
            m_view->setSearch(stateOf(Phase::Running));
            m_view->setPage(foundAnswer(m_view->request(), 1));
            keep(u"narrow"_s);
        }
        theme::apply(ThemeChoice::Light);
    }
};

} // namespace tst_searchbar

OUTBOX_TEST(tst_searchbar::TestSearchBar)
#include "tst_searchbar.moc"
