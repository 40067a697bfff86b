// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// All rows are searched in the background: to the far end, each match once, ended and gone on with
// at will, whatever changes meanwhile, and within the share of the time that it may take.
#include "app/system/jobs/rowsearch.h"
#include "models/filter/pagerequest.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>

#include <algorithm>

namespace tst_rowsearch {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

using Phase = RowSearchState::Phase;
constexpr int patience = 60'000;

/// A search and what it told.
struct Watched
{
    explicit Watched(const Profile &profile, const QString &folder) : search(profile, {}, folder)
    {
        QObject::connect(&search, &RowSearch::progressed, &search,
                         [this](const RowSearchState &state) { states += state; });
        QObject::connect(&search, &RowSearch::found, &search,
                         [this](const PageRequest &, const MessagePage &page) { last = page; });
        search.setShare(1);
    }
    void start(const QString &filter)
    {
        PageRequest request;
        request.filter = filterOf(filter);
        search.start(classicShape(), request);
    }
    [[nodiscard]] QStringList ids() const
    {
        QStringList ids;
        for (const Message &row : last.rows)
            ids += row.id.text;
        return ids;
    }
    [[nodiscard]] QSet<QString> idSet() const
    {
        const QStringList all = ids();
        return {all.begin(), all.end()};
    }

    QList<RowSearchState> states;
    MessagePage last;
    RowSearch search;
};

} // namespace

class TestRowSearch : public QObject
{
    Q_OBJECT

    Databases m_databases;
    QTemporaryDir m_folder;

    DatabaseUrl filled(int rows)
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(rows, u"n, 'mail', 'payload ' || n || ' of many'"_s, u"outbox"_s));
        return url;
    }

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase() { OUTBOX_START_DATABASES(m_databases); }

    void whatStandsAtTheFarEndIsFound()
    {
        const DatabaseUrl url = filled(50'000);
        SideSession side(url);
        side.run(u"UPDATE outbox SET payload = 'the Needle' WHERE id = 1"_s);
        Watched watched(classicProfile(m_databases, url), m_folder.path());
        watched.start(u"payload~needle type:mail"_s);
        QTRY_COMPARE_WITH_TIMEOUT(watched.search.state().phase, Phase::Done, patience);
        QCOMPARE(watched.ids(), QStringList{u"1"_s});
        QCOMPARE(watched.last.reach, FilterReach::Scan);
        QVERIFY(watched.last.next.isEmpty());
        const RowSearchState &end = watched.search.state();
        QCOMPARE(end.searched, 50'000);
        QCOMPARE(end.found, 1);
        QVERIFY(end.databaseMs > 0);
        QVERIFY(!watched.search.isRunning());
        QVERIFY(watched.states.size() > 3); // it was seen on its way
        for (qsizetype i = 1; i < watched.states.size(); ++i)
            QVERIFY(watched.states.at(i).searched > watched.states.at(i - 1).searched);
        if (dialect() == DatabaseUrl::Dialect::PostgreSql) // its session is gone
            QTRY_COMPARE(side.one(u"SELECT count(*) FROM pg_stat_activity WHERE datname = "
                                  "current_database() AND application_name <> 'side'"_s),
                         u"0"_s);
    }

    void itEndsAtWillAndGoesOnWithEachMatchOnce()
    {
        const DatabaseUrl url = filled(40'000);
        Watched watched(classicProfile(m_databases, url), m_folder.path());
        watched.start(u"payload~\"00 of\""_s); // 400 of them
        QTRY_VERIFY(watched.search.state().searched > 0);
        watched.search.cancel();
        QCOMPARE(watched.states.constLast().phase, Phase::Cancelled); // at once
        const qint64 searched = watched.search.state().searched;
        QVERIFY(searched < 40'000);
        QVERIFY(watched.search.isHeld());
        const QStringList part = watched.ids();
        watched.search.goOn();
        QVERIFY(watched.search.isRunning());
        QTRY_COMPARE_WITH_TIMEOUT(watched.search.state().phase, Phase::Done, patience);
        QCOMPARE(watched.search.state().searched, 40'000);
        QCOMPARE(watched.ids().size(), 400);
        QCOMPARE(watched.idSet().size(), 400);
        QCOMPARE(watched.ids().mid(0, part.size()), part); // what was found stays in its place
        QCOMPARE(watched.ids().constFirst(), u"40000"_s);
        QCOMPARE(watched.ids().constLast(), u"100"_s);
        watched.search.goOn(); // there is nothing behind the end
        QVERIFY(!watched.search.isRunning());
    }

    void knownRowsAreNotFoundAgain()
    {
        const DatabaseUrl url = filled(4'000);
        Watched watched(classicProfile(m_databases, url), m_folder.path());
        PageRequest request;
        request.filter = filterOf(u"payload~\"000 of\""_s);
        Message known;
        known.id = {u"4000"_s};
        watched.search.start(classicShape(), request, {known});
        QCOMPARE(watched.ids(), QStringList{u"4000"_s}); // at once
        QTRY_COMPARE_WITH_TIMEOUT(watched.search.state().phase, Phase::Done, patience);
        QCOMPARE(watched.ids(), (QStringList{u"4000"_s, u"3000"_s, u"2000"_s, u"1000"_s}));
    }

    void anotherSearchOrNoneDropsIt()
    {
        const DatabaseUrl url = filled(40'000);
        Watched watched(classicProfile(m_databases, url), m_folder.path());
        watched.start(u"payload~nothing"_s);
        QTRY_VERIFY(watched.search.state().searched > 0);
        watched.search.drop();
        QVERIFY(!watched.search.isHeld());
        watched.search.goOn(); // nothing is left to go on with
        QVERIFY(!watched.search.isRunning());
        watched.states.clear();
        watched.start(u"payload~\"payload 40000\""_s);
        watched.start(u"payload~\"payload 39999\""_s);
        QTRY_COMPARE_WITH_TIMEOUT(watched.search.state().phase, Phase::Done, patience);
        QCOMPARE(watched.search.state().searched, 40'000);
        QCOMPARE(watched.ids(), QStringList{u"39999"_s});
    }

    void rowsThatComeAndGoMeanwhileChangeNothingForTheOthers()
    {
        const DatabaseUrl url = filled(40'000);
        SideSession side(url);
        Watched watched(classicProfile(m_databases, url), m_folder.path());
        int changes = 0;
        connect(&watched.search, &RowSearch::progressed, this, [&](const RowSearchState &state) {
            if (state.phase != Phase::Running || changes == 5)
                return;
            ++changes; // among them rows that were found, and rows that were not reached
            side.run(u"INSERT INTO outbox VALUES (%1, 'mail', 'new 00 of many')"_s.arg(50'000
                                                                                       + changes));
            side.run(u"DELETE FROM outbox WHERE id IN (%1, %2)"_s.arg(40'001 - changes * 100)
                         .arg(changes * 100));
            side.run(u"DELETE FROM outbox WHERE id = %1"_s.arg(changes * 7 + 1));
        });
        watched.start(u"payload~\"00 of\""_s);
        QTRY_COMPARE_WITH_TIMEOUT(watched.search.state().phase, Phase::Done, patience);
        QVERIFY(changes > 0);
        const QSet<QString> found = watched.idSet();
        QCOMPARE(found.size(), watched.ids().size());
        for (int id = 100 + 100 * changes; id <= 40'000; id += 100) // these stood all the time
            QVERIFY2(found.contains(QString::number(id)), qPrintable(QString::number(id)));
    }

    void aLostConnectionIsSaidAndTheSearchGoesOnBehindIt()
    {
        if (dialect() == DatabaseUrl::Dialect::Sqlite)
            QSKIP("there is no connection to lose");
        const DatabaseUrl url = filled(40'000);
        SideSession side(url);
        Watched watched(classicProfile(m_databases, url), m_folder.path());
        bool isCut = false;
        connect(&watched.search, &RowSearch::progressed, this, [&](const RowSearchState &state) {
            if (state.phase != Phase::Running || std::exchange(isCut, true))
                return;
            if (dialect() == DatabaseUrl::Dialect::PostgreSql) {
                side.run(u"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname ="
                         " current_database() AND application_name LIKE 'outboxdeck%'"_s);
                return;
            }
            const QStringList sessions
                = side.run(u"SELECT id FROM information_schema.processlist WHERE db = DATABASE()"
                           " AND id <> CONNECTION_ID()"_s);
            for (const QString &session : sessions)
                side.run(u"KILL "_s + session);
        });
        watched.start(u"payload~\"00 of\""_s);
        QTRY_COMPARE_WITH_TIMEOUT(watched.search.state().phase, Phase::Failed, patience);
        QVERIFY(watched.search.state().error);
        QVERIFY(!watched.search.state().error->text.isEmpty());
        QVERIFY(watched.search.state().searched > 0);
        watched.search.goOn();
        QTRY_COMPARE_WITH_TIMEOUT(watched.search.state().phase, Phase::Done, patience);
        QVERIFY(!watched.search.state().error);
        QCOMPARE(watched.search.state().searched, 40'000);
        QCOMPARE(watched.ids().size(), 400);
        QCOMPARE(watched.idSet().size(), 400);
    }

    void itStopsWhenSoMuchIsFoundAndCanGoOn()
    {
        const DatabaseUrl url = filled(3'000);
        Watched watched(classicProfile(m_databases, url), m_folder.path());
        watched.start(u"payload~many"_s);
        QTRY_COMPARE_WITH_TIMEOUT(watched.search.state().phase, Phase::Full, patience);
        QCOMPARE(watched.search.state().found, RowSearch::usualEach);
        for (int i = 0; i < 5; ++i) {
            watched.search.goOn();
            QTRY_VERIFY_WITH_TIMEOUT(!watched.search.isRunning(), patience);
        }
        QCOMPARE(watched.ids().size(), 3'000);
        QCOMPARE(watched.idSet().size(), 3'000);
    }

    void theDatabaseWorksNoLongerThanItsShare()
    {
        const DatabaseUrl url = filled(30'000);
        QList<double> shares;
        for (int round = 0; round < 3; ++round) {
            Watched watched(classicProfile(m_databases, url), m_folder.path());
            watched.search.setShare(0.2);
            watched.start(u"payload~nothing"_s);
            QTRY_COMPARE_WITH_TIMEOUT(watched.search.state().phase, Phase::Done, patience);
            shares += watched.search.state().share();
        }
        std::sort(shares.begin(), shares.end());
        QVERIFY2(shares.at(1) < 0.3, qPrintable(QString::number(shares.at(1))));
    }

    void slicesThatTakeTooLongAreMadeSmaller()
    {
        if (dialect() != DatabaseUrl::Dialect::PostgreSql)
            QSKIP("only there an operator can be made slow");
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable().replace(u"payload text"_s, u"payload jsonb"_s));
        side.run(numbered(800, u"n, 'mail', jsonb_build_object('n', n)"_s, u"outbox"_s));
        makeDocumentsSlow(side, url);
        Watched watched(classicProfile(m_databases, url), m_folder.path());
        watched.start(u"payload.n:2 type:mail"_s);
        QTRY_COMPARE_WITH_TIMEOUT(watched.search.state().phase, Phase::Done, patience);
        QCOMPARE(watched.ids(), QStringList{u"2"_s});
        QCOMPARE(watched.search.state().searched, 800);
        QVERIFY(watched.states.size() > 6); // the first 2,000 rows were too many for one slice
    }

    void aFailureSaysWhy()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        Watched watched(classicProfile(m_databases, url), m_folder.path()); // no such table
        watched.start(u"payload~nothing"_s);
        QTRY_COMPARE_WITH_TIMEOUT(watched.search.state().phase, Phase::Failed, patience);
        QVERIFY(!watched.search.state().error->text.isEmpty());
        SideSession(url).run(classicTable());
        watched.search.goOn(); // which it can when the reason is gone
        QTRY_COMPARE_WITH_TIMEOUT(watched.search.state().phase, Phase::Done, patience);
    }
};

} // namespace tst_rowsearch

OUTBOX_TEST(tst_rowsearch::TestRowSearch)
#include "tst_rowsearch.moc"
