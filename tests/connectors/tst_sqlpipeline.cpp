// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Claims and commits in two halves: what is sent ahead works meanwhile, what fails fails alone, and
// nothing is lost or left open.
#include "connectors/sql/outbox/fencetable.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/support/delivered.h"
#include "tests/support/patience.h"
#include "tests/support/testprogram.h"

#include <QElapsedTimer>

namespace tst_sqlpipeline {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestSqlPipeline : public QObject
{
    Q_OBJECT

    Databases m_databases;

    DatabaseUrl tenRows()
    {
        const DatabaseUrl url = m_databases.fresh(DatabaseUrl::Dialect::PostgreSql);
        SideSession side(url);
        side.run(classicTable());
        side.run(numbered(10, u"n, 'mail', 'x'"_s, u"outbox"_s));
        return url;
    }

    static void openWith(OutboxStore &store, const DatabaseUrl &url,
                         const OutboxShape &shape = classicShape())
    {
        StoreSettings settings = settingsFor(url, StoreAccess::Relay);
        settings.lockTimeoutMs = 60'000;
        settings.statementTimeoutMs = 60'000;
        QVERIFY_RESULT(openOutbox(store, settings, shape));
    }

    static Result<Claim> claim(OutboxStore &store, const ClaimRequest &request)
    {
        if (auto sent = store.sendClaim(request); !sent)
            return passOn(sent);
        return store.takeClaim();
    }

    /// A commit that deletes rows calls `body`.
    static void atCommit(SideSession &side, const QString &body)
    {
        side.all({u"CREATE FUNCTION at_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN %1"
                  " RETURN NULL; END $$"_s.arg(body),
                  u"CREATE CONSTRAINT TRIGGER at_commit AFTER DELETE ON outbox DEFERRABLE INITIALLY"
                  " DEFERRED FOR EACH ROW EXECUTE FUNCTION at_commit()"_s});
    }

    static QString relayIs(SideSession &side)
    {
        return side.one(
            u"SELECT CASE wait_event_type WHEN 'Lock' THEN 'waiting' ELSE state END FROM pg_stat_activity WHERE application_name = 'relay'"_s);
    }

    static void endRelay(SideSession &side)
    {
        side.run(
            u"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'relay'"_s);
    }

    static QStringList range(int first, int last)
    {
        QStringList ids;
        for (int id = first; id <= last; ++id)
            ids += QString::number(id);
        return ids;
    }

private slots:
    void initTestCase() { OUTBOX_START_SERVER(m_databases.postgres); }

    void cleanup() { m_databases.postgres.thaw(); }

    void theServerWorksBeforeItsAnswerIsTaken()
    {
        const DatabaseUrl url = tenRows();
        SideSession side(url);
        OutboxStore store;
        openWith(store, url);
        QVERIFY(store.mayOverlap());
        QVERIFY_RESULT(store.sendClaim({4, {}, {}}));
        QTRY_COMPARE(relayIs(side), u"idle in transaction"_s);
        const auto first = store.takeClaim();
        QVERIFY_RESULT(first);
        QCOMPARE(idsOf(first->rows), range(1, 4));
        QVERIFY_RESULT(store.sendCommit(asDelivered(store.taken())));
        QTRY_COMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"6"_s);
        QVERIFY_RESULT(store.takeCommit());
        QCOMPARE(relayIs(side), u"idle"_s);
    }

    void aClaimFollowsACommitAtOnce()
    {
        const DatabaseUrl url = tenRows();
        SideSession side(url);
        OutboxStore store;
        openWith(store, url);
        QStringList ids;
        QVERIFY_RESULT(store.sendClaim({3, {}, {}}));
        for (int batch = 0; batch < 4; ++batch) {
            const auto taken = store.takeClaim();
            QVERIFY_RESULT(taken);
            ids += idsOf(taken->rows);
            QVERIFY_RESULT(store.verifyClaim());
            QVERIFY_RESULT(store.sendCommit(asDelivered(store.taken())));
            QVERIFY_RESULT(store.sendClaim({3, {}, {}}));
            QCOMPARE(store.takeClaim().error().kind, Error::Kind::Conflict); // not its turn
            QCOMPARE(store.anyLeft({}).error().kind, Error::Kind::Conflict);
            QVERIFY_RESULT(store.takeCommit());
        }
        QCOMPARE(ids, range(1, 10));
        const auto none = store.takeClaim();
        QVERIFY_RESULT(none);
        QVERIFY(none->rows.isEmpty() && none->last.isEmpty());
        QCOMPARE(relayIs(side), u"idle"_s); // no transaction was left open
        QCOMPARE(store.takeCommit().error().kind, Error::Kind::Conflict);
        QCOMPARE(store.takeClaim().error().kind, Error::Kind::Conflict);
    }

    void aCommitThatFailsDoesNotTouchTheClaimBehindIt_data()
    {
        QTest::addColumn<bool>("takesTheClaim");
        QTest::newRow("taken") << true;
        QTest::newRow("rolled back unseen") << false;
    }

    void aCommitThatFailsDoesNotTouchTheClaimBehindIt()
    {
        QFETCH(bool, takesTheClaim);
        const DatabaseUrl url = tenRows();
        SideSession side(url);
        atCommit(side, u"RAISE 'not today';"_s);
        OutboxStore store;
        openWith(store, url);
        QVERIFY_RESULT(claim(store, {4, {}, {}}));
        QVERIFY_RESULT(store.sendCommit(asDelivered(store.taken())));
        QVERIFY_RESULT(store.sendClaim({4, {}, {}}));
        const auto committed = store.takeCommit();
        QVERIFY(!committed.has_value());
        QCOMPARE(committed.error().code, u"P0001"_s);
        QVERIFY(store.isOpen()); // there is no doubt about what became of it
        if (takesTheClaim) {
            const auto behind = store.takeClaim();
            QVERIFY_RESULT(behind);
            QCOMPARE(idsOf(behind->rows), range(1, 4));
            QVERIFY_RESULT(store.verifyClaim());
        }
        QVERIFY_RESULT(store.rollback());
        QCOMPARE(relayIs(side), u"idle"_s);
        side.run(u"DROP TRIGGER at_commit ON outbox"_s);
        const auto again = claim(store, {20, {}, {}});
        QVERIFY_RESULT(again);
        QCOMPARE(idsOf(again->rows), range(1, 10));
        QVERIFY_RESULT(commitTaken(store));
    }

    void aCommitThatFailsTakesTheLinesOfTheFenceWithIt()
    {
        const DatabaseUrl url = tenRows();
        SideSession side(url);
        side.run(FenceTableAccess::sql(url.dialect).section(u';', 0, 0));
        const QString reached = u"SELECT n FROM outbox_fence"_s;
        const auto lines = [](qint64 number) {
            return QList<RelayLife>{RelayLife{"a", {{u"mail"_s}, "life", number}}};
        };
        OutboxStore store;
        openWith(store, url);
        QVERIFY_RESULT(claim(store, {4, {}, {}}));
        QVERIFY_RESULT(store.sendCommit(asDelivered(store.taken()), lines(5)));
        QVERIFY_RESULT(store.takeCommit());
        QCOMPARE(side.one(reached), u"5"_s);

        atCommit(side, u"RAISE 'not today';"_s);
        QVERIFY_RESULT(claim(store, {4, {}, {}}));
        QVERIFY_RESULT(store.sendCommit(asDelivered(store.taken()), lines(7)));
        QVERIFY_RESULT(store.sendClaim({4, {}, {}}));
        const auto committed = store.takeCommit();
        QVERIFY(!committed.has_value());
        QCOMPARE(committed.error().code, u"P0001"_s);
        QVERIFY(store.isOpen());
        QVERIFY(store.fence().isUsed()); // it is not at fault
        QCOMPARE(side.one(reached), u"5"_s);
        const auto behind = store.takeClaim();
        QVERIFY_RESULT(behind);
        QCOMPARE(idsOf(behind->rows), range(5, 8));
        QVERIFY_RESULT(store.rollback());
    }

    void linesOfTwoSessionsThatCommitAtOnceWaitForEachOther()
    {
        const DatabaseUrl url = tenRows();
        SideSession side(url);
        side.run(FenceTableAccess::sql(url.dialect).section(u';', 0, 0));
        atCommit(side, u"PERFORM pg_advisory_xact_lock(7);"_s);
        side.run(u"SELECT pg_advisory_lock(7)"_s);
        OutboxStore stores[2];
        for (qint64 number = 0; number < 2; ++number) {
            OutboxStore &store = stores[number];
            openWith(store, url);
            QVERIFY_RESULT(claim(store, {4, {}, {}}));
            QVERIFY_RESULT(store.sendCommit(asDelivered(store.taken()),
                                            {RelayLife{"a", {{u"mail"_s}, "life", 5 + number}},
                                             RelayLife{"a", {{u"post"_s}, "life", 5 + number}}}));
            QTRY_COMPARE_WITH_TIMEOUT(
                side.one(u"SELECT count(*) FROM pg_stat_activity WHERE application_name = 'relay'"
                         " AND wait_event_type = 'Lock'"_s),
                QString::number(number + 1), 20'000);
        }
        side.run(u"SELECT pg_advisory_unlock(7)"_s);
        for (OutboxStore &store : stores)
            QVERIFY_RESULT(store.takeCommit());
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"2"_s);
        QCOMPARE(side.one(u"SELECT string_agg(n::text, ' ') FROM outbox_fence"_s), u"6 6"_s);
    }

    void aSessionThatEndsInACommitIsDoubtAndIsClosed()
    {
        const DatabaseUrl url = tenRows();
        SideSession side(url);
        atCommit(side, u"PERFORM pg_advisory_xact_lock(7);"_s);
        side.run(u"SELECT pg_advisory_lock(7)"_s);
        OutboxStore store;
        openWith(store, url);
        QVERIFY_RESULT(claim(store, {4, {}, {}}));
        QVERIFY_RESULT(store.sendCommit(asDelivered(store.taken())));
        QVERIFY_RESULT(store.sendClaim({4, {}, {}}));
        QTRY_COMPARE(relayIs(side), u"waiting"_s);
        endRelay(side);
        const auto committed = store.takeCommit();
        QCOMPARE(committed.error().kind, Error::Kind::Unreachable);
        QCOMPARE(committed.error().code, u"57P01"_s); // the farewell
        QVERIFY(!store.isOpen());
        QCOMPARE(store.takeClaim().error().kind, Error::Kind::Unreachable);
        QVERIFY_RESULT(store.rollback());
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"10"_s);
        side.run(u"SELECT pg_advisory_unlock(7)"_s);
        QVERIFY_RESULT(store.ensureOpen());
        const auto again = claim(store, {4, {}, {}}); // prepared anew
        QVERIFY_RESULT(again);
        QCOMPARE(idsOf(again->rows), range(1, 4));
        QVERIFY_RESULT(commitTaken(store));
    }

    void aSessionThatEndsBeforeTheClaimIsTakenIsNoticed()
    {
        const DatabaseUrl url = tenRows();
        SideSession side(url);
        OutboxStore store;
        openWith(store, url);
        side.all({u"BEGIN"_s, u"LOCK TABLE outbox"_s});
        QVERIFY_RESULT(store.sendClaim({4, {}, {}}));
        QTRY_COMPARE(relayIs(side), u"waiting"_s);
        endRelay(side);
        side.run(u"ROLLBACK"_s);
        const auto taken = store.takeClaim();
        QCOMPARE(taken.error().kind, Error::Kind::Unreachable);
        QCOMPARE(taken.error().code, u"57P01"_s);
        QVERIFY(!store.isOpen());

        QVERIFY_RESULT(store.ensureOpen());
        QVERIFY_RESULT(store.sendClaim({4, {}, {}}));
        QTRY_COMPARE(relayIs(side), u"idle in transaction"_s);
        endRelay(side); // the answer lies in our socket, and the farewell behind it
        const auto late = store.takeClaim();
        const auto alive = late ? store.verifyClaim() : tl::unexpected(late.error());
        QCOMPARE(alive.error().kind, Error::Kind::Unreachable);
        QCOMPARE(alive.error().code, u"57P01"_s);
        QCOMPARE(side.one(u"SELECT count(*) FROM outbox"_s), u"10"_s);
    }

    void aServerThatStandsStillEndsInATimeout()
    {
        const DatabaseUrl url = tenRows();
        OutboxStore store;
        StoreSettings settings = settingsFor(url, StoreAccess::Relay);
        settings.statementTimeoutMs = 100;
        QVERIFY_RESULT(openOutbox(store, settings));
        m_databases.postgres.freeze();
        QVERIFY_RESULT(store.sendClaim({4, {}, {}}));
        QCOMPARE(store.takeClaim().error().kind, Error::Kind::Timeout);
        QVERIFY(!store.isOpen());
    }

    void aYoungClaimIsVerifiedWithoutAskingTheServer()
    {
        const DatabaseUrl url = tenRows();
        OutboxStore store;
        StoreSettings settings = settingsFor(url, StoreAccess::Relay);
        settings.statementTimeoutMs = 100;
        QVERIFY_RESULT(openOutbox(store, settings));
        QElapsedTimer clock;
        clock.start();
        QVERIFY_RESULT(claim(store, {4, {}, {}}));
        m_databases.postgres.freeze();
        const auto young = store.verifyClaim();
        if (clock.elapsed() < 1000) // not held up by the machine
            QVERIFY_RESULT(young);
        QTRY_VERIFY(!store.verifyClaim().has_value()); // an old one is asked for
        QVERIFY(clock.elapsed() >= 1000);
        QVERIFY(!store.isOpen());
    }

    void aStatementIsPreparedOnceAndDoneWithoutWhereTheServerForgetsIt()
    {
        const DatabaseUrl url = tenRows();
        SideSession side(url);
        side.all({u"CREATE TABLE seen (names text)"_s,
                  u"CREATE FUNCTION look() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                  " INSERT INTO seen SELECT coalesce(string_agg(name, ' '), '') FROM"
                  " pg_prepared_statements; IF OLD.id = 5 THEN EXECUTE 'DEALLOCATE ALL'; END IF;"
                  " RETURN OLD; END $$"_s,
                  u"CREATE TRIGGER look BEFORE DELETE ON outbox FOR EACH ROW EXECUTE FUNCTION"
                  " look()"_s});
        OutboxStore store;
        openWith(store, url);
        QStringList ids;
        for (int batch = 0; batch < 5; ++batch) {
            const auto taken = claim(store, {2, {}, {}});
            QVERIFY_RESULT(taken);
            ids += idsOf(taken->rows);
            QVERIFY_RESULT(commitTaken(store));
        }
        QCOMPARE(ids, range(1, 10));
        const QStringList names = side.run(u"SELECT names FROM seen ORDER BY ctid"_s);
        QCOMPARE(names.size(), 10);
        QVERIFY(names.constFirst().startsWith(u"outboxdeck_"_s));
        QVERIFY(!names.constFirst().contains(u' '));
        QCOMPARE(names.mid(0, 5), QStringList(5, names.constFirst()));
        QCOMPARE(names.mid(5), QStringList(5, QString())); // forgotten once, prepared no more
    }

    void aChangedTableIsSaidAndReadAnew()
    {
        const DatabaseUrl url = tenRows();
        SideSession side(url);
        side.run(u"ALTER TABLE outbox ALTER payload TYPE bytea USING payload::bytea"_s);
        OutboxStore store;
        openWith(store, url, bytesShape());
        QVERIFY_RESULT(claim(store, {2, {}, {}}));
        QVERIFY_RESULT(commitTaken(store));
        side.run(u"ALTER TABLE outbox ALTER payload TYPE text USING 'now text'"_s);
        const auto changed = claim(store, {2, {}, {}});
        QCOMPARE(changed.error().kind, Error::Kind::Invalid);
        QCOMPARE(changed.error().code, u"0A000"_s);
        QVERIFY(!changed.error().hint.isEmpty());
        QCOMPARE(relayIs(side), u"idle"_s);
        const auto anew = claim(store, {2, {}, {}});
        QVERIFY_RESULT(anew);
        QCOMPARE(idsOf(anew->rows), range(3, 4));
        QCOMPARE(anew->rows.constFirst().payload, QByteArray("now text"));
        QVERIFY_RESULT(commitTaken(store));

        side.run(u"ALTER TABLE outbox RENAME payload TO payloads"_s);
        QCOMPARE(claim(store, {2, {}, {}}).error().code, u"42703"_s);
        const auto missing = claim(store, {2, {}, {}}); // by the catalog now
        QCOMPARE(missing.error().kind, Error::Kind::Invalid);
        QVERIFY2(missing.error().hint.contains(u"payloads"_s), qPrintable(missing.error().hint));
        side.run(u"ALTER TABLE outbox RENAME payloads TO payload"_s);
        QVERIFY_RESULT(claim(store, {2, {}, {}}));
        QVERIFY_RESULT(commitTaken(store));
    }

    void claimsGoOnBehindTheLastRow_data()
    {
        QTest::addColumn<int>("dialect");
        QTest::addColumn<QStringList>("order");
        QTest::addColumn<bool>("goesOn");
        QTest::addColumn<QStringList>("ids"); // of six rows, in that order
        for (const auto dialect :
             {DatabaseUrl::Dialect::PostgreSql, DatabaseUrl::Dialect::Sqlite}) {
            const auto add = [dialect](const char *name, const QStringList &order, bool goesOn,
                                       const QStringList &ids) {
                QTest::addRow("%s, %s", name,
                              dialect == DatabaseUrl::Dialect::Sqlite ? "SQLite" : "PostgreSQL")
                    << int(dialect) << order << goesOn << ids;
            };
            const QStringList up{u"1"_s, u"2"_s, u"3"_s, u"4"_s, u"5"_s, u"6"_s};
            const QStringList down{u"6"_s, u"5"_s, u"4"_s, u"3"_s, u"2"_s, u"1"_s};
            add("key", {u"id"_s}, true, up);
            add("key, descending", {u"-id"_s}, true, down);
            add("time with ties", {u"made"_s}, true, up);
            add("time, descending", {u"-made"_s}, true, down);
            add("time, key", {u"made"_s, u"id"_s}, true, up);
            add("both ways", {u"-made"_s, u"id"_s}, false,
                {u"6"_s, u"5"_s, u"3"_s, u"4"_s, u"1"_s, u"2"_s});
            add("may be NULL", {u"due"_s}, false, up);
            add("text", {u"type"_s}, true, up);
        }
    }

    void claimsGoOnBehindTheLastRow()
    {
        QFETCH(int, dialect);
        QFETCH(QStringList, order);
        QFETCH(bool, goesOn);
        QFETCH(QStringList, ids);
        const DatabaseUrl url = m_databases.fresh(static_cast<DatabaseUrl::Dialect>(dialect));
        SideSession side(url);
        side.run(classicTable(u", made timestamp NOT NULL, due timestamp"_s));
        // ties of two, and times that differ in microseconds
        side.run(u"INSERT INTO outbox VALUES"
                 " (1, 'a', 'x', '2026-03-01 10:00:00.000001', '2026-03-01 10:00:00.000001'),"
                 " (2, 'a', 'x', '2026-03-01 10:00:00.000001', '2026-03-01 10:00:00.000001'),"
                 " (3, 'it''s', 'x', '2026-03-01 10:00:00.000002', '2026-03-01 10:00:00.000002'),"
                 " (4, 'it''s', 'x', '2026-03-01 10:00:00.000002', '2026-03-01 10:00:00.000002'),"
                 " (5, 'u', 'x', '2026-03-01 10:00:00.000003', '2026-03-01 10:00:00.000003'),"
                 " (6, 'u', 'x', '2026-03-01 10:00:00.000004', '2026-03-01 10:00:00.000004')"_s);
        OutboxShape shape = classicShape();
        shape.order = order;
        OutboxStore store;
        openWith(store, url, shape);
        QStringList after;
        QStringList claimed;
        QString before = u"INSERT INTO outbox VALUES (%1, '%2', 'x', '%3', '%3')"_s;
        const bool isDown = order.constFirst().startsWith(u'-');
        for (int batch = 0; batch < 6; ++batch) {
            const auto taken = claim(store, {1, {{u"77"_s}}, after});
            QVERIFY_RESULT(taken);
            QCOMPARE(taken->rows.size(), 1);
            claimed += idsOf(taken->rows);
            QCOMPARE(!taken->last.isEmpty(), goesOn);
            QVERIFY_RESULT(commitTaken(store));
            after = taken->last;
            if (batch == 2 && goesOn) // stands before what was claimed, so it is not seen
                side.run(isDown ? before.arg(u"99"_s, u"z"_s, u"2026-03-02 10:00:00"_s)
                                : before.arg(u"-5"_s, u"A"_s, u"2026-02-01 10:00:00"_s));
        }
        QCOMPARE(claimed, ids);
        if (!goesOn)
            return;
        const auto behind = claim(store, {10, {}, after});
        QVERIFY_RESULT(behind);
        QVERIFY(behind->rows.isEmpty() && behind->last.isEmpty());
        const auto sweep = claim(store, {10, {}, {}});
        QVERIFY_RESULT(sweep);
        QCOMPARE(idsOf(sweep->rows), QStringList{isDown ? u"99"_s : u"-5"_s});
        QVERIFY_RESULT(commitTaken(store));
    }

    void lateCommitsAreFoundByAClaimFromTheStart()
    {
        const DatabaseUrl url = tenRows();
        SideSession side(url);
        side.all({u"DELETE FROM outbox WHERE id = 3"_s, u"BEGIN"_s,
                  u"INSERT INTO outbox VALUES (3, 'late', 'x')"_s});
        OutboxStore store;
        openWith(store, url);
        const auto first = claim(store, {5, {}, {}});
        QVERIFY_RESULT(first);
        QCOMPARE(idsOf(first->rows), (QStringList{u"1"_s, u"2"_s, u"4"_s, u"5"_s, u"6"_s}));
        QCOMPARE(first->last, QStringList{u"6"_s});
        QVERIFY_RESULT(commitTaken(store));
        side.run(u"COMMIT"_s);
        const auto second = claim(store, {10, {}, first->last});
        QVERIFY_RESULT(second);
        QCOMPARE(idsOf(second->rows), range(7, 10));
        QVERIFY_RESULT(commitTaken(store));
        const auto sweep = claim(store, {10, {}, {}});
        QVERIFY_RESULT(sweep);
        QCOMPARE(idsOf(sweep->rows), QStringList{u"3"_s});
        QVERIFY_RESULT(commitTaken(store));
    }
};

} // namespace tst_sqlpipeline

OUTBOX_TEST(tst_sqlpipeline::TestSqlPipeline)
#include "tst_sqlpipeline.moc"
