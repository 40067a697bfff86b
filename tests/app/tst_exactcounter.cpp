// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// All rows are counted one by one in the background: whole, to be watched, ended at will, gentle.
#include "app/system/jobs/exactcounter.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"

#include <QSignalSpy>

namespace tst_exactcounter {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestExactCounter : public QObject
{
    Q_OBJECT

    Databases m_databases;
    QTemporaryDir m_folder;

private slots:
    void initTestCase_data() { addDialects(); }
    void initTestCase() { OUTBOX_START_DATABASES(m_databases); }

    void allRowsAreCounted()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(30'000, u"n, 'mail', 'payload ' || n"_s, u"outbox"_s));
        ExactCounter counter(classicProfile(m_databases, url), {}, m_folder.path());
        QList<ExactCount> steps;
        std::optional<Result<ExactCount>> ended;
        connect(&counter, &ExactCounter::progressed, this,
                [&](const ExactCount &count) { steps += count; });
        connect(&counter, &ExactCounter::ended, this,
                [&](const Result<ExactCount> &count) { ended = count; });
        counter.start(classicShape());
        QTRY_VERIFY_WITH_TIMEOUT(ended.has_value(), 30'000);
        QVERIFY_RESULT(*ended);
        const ExactCount &whole = **ended;
        QVERIFY(whole.isComplete);
        QCOMPARE(whole.seen, 30'000);
        QCOMPARE(whole.rows.value(MessageState::Pending), 30'000);
        QVERIFY(!counter.isRunning());
        QVERIFY(!steps.isEmpty()); // it was seen on its way
        for (qsizetype i = 1; i < steps.size(); ++i)
            QVERIFY(steps.at(i).seen > steps.at(i - 1).seen);
        // It rests as long as it works.
        QVERIFY(double(whole.started.msecsTo(whole.at)) >= 1.9 * whole.tookMs - 1000);
        // Its session is gone; a pooler keeps its own.
        if (dialect() == DatabaseUrl::Dialect::PostgreSql && !isDatabasePooled())
            QTRY_COMPARE(side.one(u"SELECT count(*) FROM pg_stat_activity WHERE datname = "
                                  "current_database() AND application_name <> 'side'"_s),
                         u"0"_s);
    }

    void aCountEndsAtWillAndCanBeginAnew()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(30'000, u"n, 'mail', 'payload ' || n"_s, u"outbox"_s));
        ExactCounter counter(classicProfile(m_databases, url), {}, m_folder.path());
        QList<Result<ExactCount>> ends;
        connect(&counter, &ExactCounter::ended, this,
                [&](const Result<ExactCount> &count) { ends += count; });
        QSignalSpy steps(&counter, &ExactCounter::progressed);
        counter.start(classicShape());
        QTRY_VERIFY(steps.count() > 0);
        counter.cancel();
        QCOMPARE(ends.size(), 1); // at once
        QVERIFY(!ends.constFirst());
        QCOMPARE(ends.constFirst().error().kind, Error::Kind::Cancelled);
        counter.cancel();
        QCOMPARE(ends.size(), 1);
        counter.start(classicShape());
        QTRY_COMPARE_WITH_TIMEOUT(ends.size(), 2, 30'000);
        QVERIFY_RESULT(ends.constLast());
        QCOMPARE(ends.constLast()->seen, 30'000);
    }

    void aSliceThatTakesTooLongIsEndedByTheServerAndTriedAgain()
    {
        if (dialect() != DatabaseUrl::Dialect::PostgreSql)
            QSKIP("whoever looks waits for nobody there");
        const DatabaseUrl url = m_databases.fresh(dialect());
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(30'000, u"n, 'mail', 'payload ' || n"_s, u"outbox"_s));
        const auto ended = [this] { return m_databases.postgres.log().count("statement timeout"); };
        const qsizetype before = ended();
        ExactCounter counter(classicProfile(m_databases, url), {}, m_folder.path());
        std::optional<Result<ExactCount>> counted;
        connect(&counter, &ExactCounter::ended, this,
                [&](const Result<ExactCount> &count) { counted = count; });
        bool isHeld = false;
        connect(&counter, &ExactCounter::progressed, this, [&] {
            if (std::exchange(isHeld, true))
                return;
            side.run(u"BEGIN"_s);
            side.run(u"LOCK TABLE outbox IN ACCESS EXCLUSIVE MODE"_s);
        });
        counter.start(classicShape());
        QTRY_VERIFY_WITH_TIMEOUT(ended() > before, 10'000);
        QVERIFY(!counted);
        side.run(u"COMMIT"_s);
        QTRY_VERIFY_WITH_TIMEOUT(counted.has_value(), 30'000);
        QVERIFY_RESULT(*counted);
        QCOMPARE((*counted)->seen, 30'000); // none twice
        QVERIFY((*counted)->longestMs >= 100); // and it is not hidden
    }

    void aFailureSaysWhy()
    {
        const DatabaseUrl url = m_databases.fresh(dialect());
        ExactCounter counter(classicProfile(m_databases, url), {},
                             m_folder.path()); // no such table
        std::optional<Result<ExactCount>> ended;
        connect(&counter, &ExactCounter::ended, this,
                [&](const Result<ExactCount> &count) { ended = count; });
        counter.start(classicShape());
        QTRY_VERIFY(ended.has_value());
        QVERIFY(!*ended);
        QVERIFY(!ended->error().text.isEmpty());
        QVERIFY(!counter.isRunning());
    }
};

} // namespace tst_exactcounter

OUTBOX_TEST(tst_exactcounter::TestExactCounter)
#include "tst_exactcounter.moc"
