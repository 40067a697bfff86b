// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Locked rows are counted and named without being touched, and looking leaves no trace.
#include "models/filter/pagerequest.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/testprogram.h"

#include <QRegularExpression>

namespace tst_sqllocks {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestSqlLocks : public QObject
{
    Q_OBJECT

    Databases m_databases;
    DatabaseUrl m_url;
    std::unique_ptr<SideSession> m_side;
    OutboxStore m_look;

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_databases.postgres, {u"log_statement=all"_s}); }

    void init()
    {
        m_url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        m_side = std::make_unique<SideSession>(m_url);
        m_side->run(classicTable());
        m_side->run(numbered(20, u"n, 'mail', 'x'"_s, u"outbox"_s));
        QVERIFY_RESULT(openOutbox(m_look, settingsFor(m_url, StoreAccess::ReadOnly)));
    }

    void cleanup() { m_look.close(); }

    void nothingIsLockedAtFirst()
    {
        const auto seen = m_look.snapshot();
        QVERIFY_RESULT(seen);
        QCOMPARE(seen->pending, 20);
        QCOMPARE(seen->locked, 0);
        QVERIFY(seen->holders.isEmpty());
        QVERIFY(seen->exact);
        QVERIFY(qAbs(seen->clockOffsetSeconds) < 1);
        QVERIFY(!seen->processed && seen->notes.contains(u"processed"_s));
    }

    void locksAreAskedForWhereARowMayBeHeld()
    {
        const auto asksOf = [this](qsizetype from) {
            return m_databases.postgres.log().mid(from).count("pg_lock_status");
        };
        qsizetype logged = m_databases.postgres.log().size();
        QVERIFY_RESULT(m_look.snapshot());
        QTRY_VERIFY(m_databases.postgres.log().mid(logged).contains("pg_relation_size"));
        QCOMPARE(asksOf(logged), 0);
        // The version keeps the number of who held it last: only the locks say that nobody does.
        m_side->all({u"BEGIN"_s, u"SELECT * FROM outbox WHERE id = 3 FOR UPDATE"_s, u"COMMIT"_s});
        logged = m_databases.postgres.log().size();
        const auto seen = m_look.snapshot();
        QVERIFY_RESULT(seen);
        QCOMPARE(seen->pending, 20);
        QCOMPARE(seen->locked, 0);
        QTRY_VERIFY(asksOf(logged) > 0);
    }

    void whoHoldsIsSeenAmongManyThatHeld()
    {
        // More versions than are told apart: all is asked at once.
        m_side->run(numbered(100, u"n + 20, 'mail', 'x'"_s, u"outbox"_s));
        for (int id = 21; id <= 120; ++id)
            m_side->run(u"SELECT * FROM outbox WHERE id = %1 FOR UPDATE"_s.arg(id));
        SideSession holder(m_url);
        const qint64 pid = holder.one(u"SELECT pg_backend_pid()"_s).toLongLong();
        holder.all({u"BEGIN"_s, u"DELETE FROM outbox WHERE id IN (7, 70)"_s});
        const auto seen = m_look.snapshot();
        QVERIFY_RESULT(seen);
        QCOMPARE(seen->pending, 118);
        QCOMPARE(seen->locked, 2);
        QCOMPARE(seen->holders.size(), 1);
        QCOMPARE(seen->holders.constFirst().pid, pid);
        QCOMPARE(seen->holders.constFirst().rows, 2);
    }

    void everyKindOfHolderIsSeen_data()
    {
        QTest::addColumn<QStringList>("statements");
        QTest::addColumn<int>("locked");
        QTest::newRow("for update")
            << QStringList{u"BEGIN"_s, u"SELECT * FROM outbox WHERE id <= 5 FOR UPDATE"_s} << 5;
        QTest::newRow("key share")
            << QStringList{u"BEGIN"_s, u"SELECT * FROM outbox WHERE id = 3 FOR KEY SHARE"_s} << 1;
        QTest::newRow("delete in progress")
            << QStringList{u"BEGIN"_s, u"DELETE FROM outbox WHERE id > 10"_s} << 10;
        QTest::newRow("savepoint open")
            << QStringList{u"BEGIN"_s, u"SAVEPOINT a"_s, u"DELETE FROM outbox WHERE id <= 4"_s}
            << 4;
        QTest::newRow("savepoint released")
            << QStringList{u"BEGIN"_s, u"CREATE TEMP TABLE busy (n int)"_s, u"SAVEPOINT a"_s,
                           u"SELECT * FROM outbox WHERE id <= 7 FOR UPDATE"_s,
                           u"RELEASE SAVEPOINT a"_s}
            << 7;
        QTest::newRow("nobody any more")
            << QStringList{u"BEGIN"_s, u"DELETE FROM outbox WHERE id <= 4"_s, u"ROLLBACK"_s} << 0;
    }

    void everyKindOfHolderIsSeen()
    {
        QFETCH(QStringList, statements);
        QFETCH(int, locked);
        SideSession holder(m_url);
        const qint64 pid = holder.one(u"SELECT pg_backend_pid()"_s).toLongLong();
        holder.all(statements);

        const auto seen = m_look.snapshot();
        QVERIFY_RESULT(seen);
        QCOMPARE(seen->pending, 20 - locked);
        QCOMPARE(seen->locked, locked);
        const auto page = m_look.page({});
        QVERIFY_RESULT(page);
        int onPage = 0;
        for (const Message &row : page->rows)
            onPage += row.state == MessageState::Locked ? 1 : 0;
        QCOMPARE(page->rows.size(), 20);
        QCOMPARE(onPage, locked);
        PageRequest only;
        only.states = {MessageState::Locked};
        const auto lockedPage = m_look.page(only);
        QVERIFY_RESULT(lockedPage);
        QCOMPARE(lockedPage->rows.size(), locked);
        only.states = {MessageState::Pending};
        const auto pendingPage = m_look.page(only);
        QVERIFY_RESULT(pendingPage);
        QCOMPARE(pendingPage->rows.size(), 20 - locked);
        if (locked == 0)
            return;
        QCOMPARE(seen->holders.size(), 1);
        QCOMPARE(seen->holders.constFirst().pid, pid);
        QCOMPARE(seen->holders.constFirst().application, u"side"_s);
        QCOMPARE(seen->holders.constFirst().rows, locked);
        QVERIFY(seen->holders.constFirst().sinceSeconds.value_or(-1) >= 0);
        QCOMPARE(lockedPage->rows.constFirst().lockedBy->pid, pid);
    }

    void twoWhoShareARowAreSeveral()
    {
        SideSession one(m_url);
        SideSession two(m_url);
        const QString share = u"SELECT * FROM outbox WHERE id IN (4, 5) FOR SHARE"_s;
        one.all({u"BEGIN"_s, share});
        two.all({u"BEGIN"_s, share});
        const auto seen = m_look.snapshot();
        QVERIFY_RESULT(seen);
        QCOMPARE(seen->locked, 2);
        QCOMPARE(seen->holders.size(), 1);
        QVERIFY(seen->holders.constFirst().several);
        one.run(u"ROLLBACK"_s);
        const auto still = m_look.snapshot();
        QVERIFY_RESULT(still);
        QCOMPARE(still->locked, 2); // the other one is still there
        two.run(u"ROLLBACK"_s);
        const auto after = m_look.snapshot();
        QVERIFY_RESULT(after);
        QCOMPARE(after->locked, 0);
    }

    void twoSessionsAreCountedApart()
    {
        SideSession one(m_url);
        SideSession two(m_url);
        one.all({u"BEGIN"_s, u"SELECT * FROM outbox WHERE id <= 2 FOR UPDATE"_s});
        two.all({u"BEGIN"_s, u"DELETE FROM outbox WHERE id BETWEEN 3 AND 8"_s});
        const auto seen = m_look.snapshot();
        QVERIFY_RESULT(seen);
        QCOMPARE(seen->locked, 8);
        QCOMPARE(seen->holders.size(), 2);
        QCOMPARE(seen->holders.at(0).rows, 6);
        QCOMPARE(seen->holders.at(1).rows, 2);
    }

    void countingStopsAtTheCap()
    {
        const auto seen = m_look.snapshot({7, 7});
        QVERIFY_RESULT(seen);
        QVERIFY(!seen->exact);
        QVERIFY(seen->notes.contains(u"pending"_s));
        QVERIFY(*seen->pending >= 7 && *seen->pending < 20);
    }

    void lookingLeavesNoTrace()
    {
        const QString versions
            = u"SELECT string_agg(xmin::text || xmax::text || ctid::text, ',' ORDER BY id) FROM outbox"_s;
        m_side->all({u"CHECKPOINT"_s, versions}); // sets hint bits, which looking may do as well
        const QString before = m_side->one(versions);
        const QString wal = m_side->one(u"SELECT pg_current_wal_insert_lsn()"_s);
        const qsizetype logged = m_databases.postgres.log().size();
        for (int i = 0; i < 3; ++i) {
            QVERIFY_RESULT(m_look.snapshot());
            QVERIFY_RESULT(m_look.page({}));
            QVERIFY_RESULT(m_look.find({u"3"_s}));
            QVERIFY_RESULT(m_look.probe());
            const QString held
                = u"SELECT count(*) FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
                  " WHERE a.application_name = 'look'"_s;
            QCOMPARE(m_side->one(held), u"0"_s); // nothing open between two looks
        }
        QCOMPARE(m_side->one(versions), before);
        QCOMPARE(m_side->one(u"SELECT pg_current_wal_insert_lsn()"_s), wal);
        const QString log = QString::fromUtf8(m_databases.postgres.log().mid(logged));
        QVERIFY(log.contains(u"pg_xact_status"_s));
        static const QRegularExpression writing(
            u"\\b(INSERT|UPDATE|DELETE|TRUNCATE|CREATE|FOR SHARE|FOR KEY|FOR NO KEY|LOCK TABLE|BEGIN)\\b"_s);
        const auto match = writing.match(log);
        QVERIFY2(!match.hasMatch(), qPrintable(match.captured()));
    }
};

} // namespace tst_sqllocks

OUTBOX_TEST(tst_sqllocks::TestSqlLocks)
#include "tst_sqllocks.moc"
