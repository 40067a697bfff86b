// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Verbs on rows beyond single states: the way back of each, tombstones against late packets,
// leases, and systems of which a half is missing.
#include "app/relay/verdict.h"
#include "connectors/asynq/asynqqueue.h"
#include "tests/app/verbcells.h"
#include "tests/support/operatordesk.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"

#include <QFile>
#include <QTest>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestRowVerbs : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;

    static void addKinds()
    {
        QTest::addColumn<OutboxBench::Kind>("kind");
        QTest::newRow("PostgreSQL") << OutboxBench::Kind::Postgres;
        QTest::newRow("SQLite") << OutboxBench::Kind::Sqlite;
        QTest::newRow("MariaDB") << OutboxBench::Kind::MariaDb;
    }

    /// All cells of all rows; on SQLite a time may be spelled otherwise than it was.
    static QString content(OutboxBench &bench, OutboxBench::Kind kind)
    {
        if (kind == OutboxBench::Kind::MariaDb)
            return bench
                .scalar(u"select group_concat(concat_ws('|', id, type, hex(payload), created_at,"
                        " completed_at) order by id) from outbox"_s)
                .toString();
        return kind == OutboxBench::Kind::Postgres
            ? bench.scalar(u"select string_agg(t::text, ';' order by id) from outbox t"_s)
                  .toString()
            : bench
                  .scalar(
                      u"select group_concat(id || quote(type) || quote(payload) || "
                      "quote(created_at) || coalesce(strftime('%s', completed_at), ''), ';') from outbox"_s)
                  .toString();
    }

    static Result<Receipt> undoLast(OperatorDesk &desk)
    {
        const auto plan = planUndo(desk.bench(), desk.activities().first());
        return plan ? desk.carryOut(*plan) : Result<Receipt>(passOn(plan));
    }

    static QByteArray stateOf(OutboxBench &bench, const QString &task)
    {
        const auto state = bench.plainRedis().command(
            {"HGET", "asynq:{default}:t:" + task.toUtf8(), "state"}, u"looking"_s);
        return state ? state->bytes : QByteArray();
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(m_redis);
    }

    void aReplayIsTakenBackWhereNoRelayHasTakenTheRow_data() { addKinds(); }
    void aReplayIsTakenBackWhereNoRelayHasTakenTheRow()
    {
        QFETCH(OutboxBench::Kind, kind);
        OutboxBench bench(kind, BenchShape::CompletedAt, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(6));
        QVERIFY(bench.exec(u"update outbox set completed_at = '2026-03-01 10:00:00'"_s));
        const QString before = content(bench, kind);
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        const Selection all = OperatorDesk::rows(bench.insertedIds());
        QVERIFY_RESULT(desk.act(Verb::Replay, all));
        QCOMPARE(bench.unprocessed(), 6);
        const auto undone = undoLast(desk);
        QVERIFY_RESULT(undone);
        QCOMPARE(undone->count(Outcome::Done), 6);
        QCOMPARE(content(bench, kind), before);
        QVERIFY(!undone->undoable);

        // Once more, and now a relay is faster for two of them.
        QVERIFY_RESULT(desk.act(Verb::Replay, all));
        const Activity replay = desk.activities().first();
        BenchRelay relay;
        QVERIFY_RESULT(relay.open(bench));
        QCOMPARE(relay.relay().step(2).enqueued, 2);
        const auto plan = planUndo(desk.bench(), replay);
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->counts().value(Outcome::Done), 4);
        QCOMPARE(plan->counts().value(Outcome::NotOffered), 2);
        QCOMPARE(relay.relay().step(1).enqueued, 1); // and for one more before the act
        const auto receipt = desk.carryOut(*plan);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Done), 3);
        QCOMPARE(receipt->count(Outcome::Changed), 1);
        QCOMPARE(bench.unprocessed(), 0);
        QCOMPARE(bench.pendingIds().size(), 3);
    }

    /// A relay that stood still inside its batch sends what it had in hand behind the undo.
    void aLatePacketMeetsTheUndoOfAReplay_data() { addKinds(); }
    void aLatePacketMeetsTheUndoOfAReplay()
    {
        QFETCH(OutboxBench::Kind, kind);
        OutboxBench bench(kind, BenchShape::CompletedAt, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(2));
        QVERIFY(bench.exec(u"update outbox set completed_at = '2026-03-01 10:00:00'"_s));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        const QString row = bench.insertedIds().first();
        const QString task = bench.taskId(desk.bench().shape(), row);
        QVERIFY_RESULT(desk.act(Verb::Replay, OperatorDesk::rows({row})));
        EnqueueRequest request = sampleRequest(task);
        request.type = bench.expectedType(row);
        request.payload = bench.expectedPayload(row);
        const auto undone = undoLast(desk);
        QVERIFY_RESULT(undone);
        QCOMPARE(undone->count(Outcome::Done), 1);

        AsynqQueue late;
        QVERIFY_RESULT(late.open(bench.redis(), u"late"_s));
        const auto answers = late.enqueue({request});
        QVERIFY_RESULT(answers);
        QCOMPARE(answers->first().kind, EnqueueAnswer::Kind::Exists);
        QCOMPARE(verdictOn(answers->first()).act, RowVerdict::Act::Park);
        QVERIFY(bench.pendingIds().isEmpty());

        // Another replay takes the record away, where that is what stands there.
        const auto again = desk.plan(Verb::Replay, OperatorDesk::rows({row}));
        QVERIFY_RESULT(again);
        QCOMPARE(again->items.first().expected, Outcome::SecondExecution);
        QVERIFY2(again->items.first().reason.contains(u"taken back"_s),
                 qPrintable(again->items.first().reason));
        const auto replayed = desk.carryOut(*again);
        QVERIFY_RESULT(replayed);
        QCOMPARE(replayed->count(Outcome::Done), 1);
        QVERIFY(stateOf(bench, task).isEmpty());
        BenchRelay relay;
        QVERIFY_RESULT(relay.open(bench));
        QCOMPARE(relay.relay().step(5).enqueued, 1);
        QCOMPARE(bench.pendingIds(), QStringList{task});
    }

    /// Nor does reconcile take that record for the effect of the message.
    void theUndoOfAReplayIsNoEffect()
    {
        OutboxBench bench(OutboxBench::Kind::Postgres, BenchShape::CompletedAt, &m_postgres,
                          m_redis);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(2));
        const QStringList ids = bench.insertedIds();
        QVERIFY(bench.exec(u"update outbox set completed_at = now()"_s)
                && bench.exec(u"create table mail_status (id bigint primary key, status text)"_s)
                && bench.exec(u"insert into mail_status select id, 'processing' from outbox"_s));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        QVERIFY_RESULT(desk.act(Verb::Replay, OperatorDesk::rows({ids.at(0)})));
        QVERIFY_RESULT(undoLast(desk));
        const QString done = bench.taskId(desk.bench().shape(), ids.at(1));
        QVERIFY_RESULT(placeTask(bench.plainRedis(), sampleRequest(done), TaskState::Completed));

        OperatorSessionSettings settings = desk.bench().settings();
        settings.profile.status
            = StatusTable{TableName{{}, u"mail_status"_s}, u"id"_s, u"status"_s};
        QVERIFY_RESULT(desk.bench().open(settings));
        Selection disagreeing;
        disagreeing.kind = u"K27"_s;
        const auto plan = desk.plan(Verb::Reconcile, disagreeing);
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.size(), 1);
        QCOMPARE(plan->items.first().row.text, ids.at(1));
    }

    void aPurgedPendingRowIsNeverDeliveredLater_data() { addKinds(); }
    void aPurgedPendingRowIsNeverDeliveredLater()
    {
        QFETCH(OutboxBench::Kind, kind);
        OutboxBench bench(kind, BenchShape::CompletedAt, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(3));
        const QString before = content(bench, kind);
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        const QString task = bench.taskId(desk.bench().shape(), bench.insertedIds().at(1));
        const auto purged = desk.act(Verb::Purge, OperatorDesk::rows({bench.insertedIds().at(1)}));
        QVERIFY_RESULT(purged);
        QCOMPARE(purged->count(Outcome::Done), 1);
        QVERIFY(QFile::exists(purged->exportFile));
        QCOMPARE(bench.unprocessed(), 2);

        // The enqueue of a relay that had claimed the row before arrives only now.
        AsynqQueue late;
        QVERIFY_RESULT(late.open(bench.redis(), u"late"_s));
        EnqueueRequest request = sampleRequest(task);
        request.type = bench.expectedType(bench.insertedIds().at(1));
        request.payload = bench.expectedPayload(bench.insertedIds().at(1));
        const auto answers = late.enqueue({request});
        QVERIFY_RESULT(answers);
        QCOMPARE(answers->first().kind, EnqueueAnswer::Kind::Exists);
        QCOMPARE(verdictOn(answers->first()).act, RowVerdict::Act::Park);
        QVERIFY(bench.pendingIds().isEmpty());

        const auto back = undoLast(desk);
        QVERIFY_RESULT(back);
        QCOMPARE(back->count(Outcome::Done), 1);
        QCOMPARE(content(bench, kind), before);
        QVERIFY(stateOf(bench, task).isEmpty());
        BenchRelay relay;
        QVERIFY_RESULT(relay.open(bench));
        const RelayTotals totals = relay.drain();
        QCOMPARE(totals.enqueued, 3);
        QCOMPARE(totals.parked, 0);
    }

    void aPlanSaysWhatBecameOfAPendingRowsMessage()
    {
        OutboxBench bench(OutboxBench::Kind::Postgres, BenchShape::CompletedAt, &m_postgres,
                          m_redis);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(2));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        const QStringList ids = bench.insertedIds();
        EnqueueRequest request = sampleRequest(bench.taskId(desk.bench().shape(), ids.first()));
        request.type = bench.expectedType(ids.first());
        request.payload = bench.expectedPayload(ids.first());
        QVERIFY(placeTask(bench.plainRedis(), request, TaskState::Completed));
        const auto purge = desk.plan(Verb::Purge, OperatorDesk::rows(ids));
        QVERIFY_RESULT(purge);
        QVERIFY2(purge->items.at(0).reason.contains(u"its task has run"_s),
                 qPrintable(purge->items.at(0).reason));
        QVERIFY2(purge->items.at(1).reason.contains(u"will not be delivered later"_s),
                 qPrintable(purge->items.at(1).reason));

        // The answer to the relay's COMMIT was lost: the task waits, and so does its row.
        request.id.text = bench.taskId(desk.bench().shape(), ids.at(1));
        request.type = bench.expectedType(ids.at(1));
        request.payload = bench.expectedPayload(ids.at(1));
        QVERIFY(placeTask(bench.plainRedis(), request, TaskState::Pending));
        const auto removal = desk.plan(Verb::Delete, OperatorDesk::tasks({request.id.text}));
        QVERIFY_RESULT(removal);
        QCOMPARE(removal->items.first().expected, Outcome::Done);
        QVERIFY2(removal->items.first().reason.contains(u"a relay sends it again"_s),
                 qPrintable(removal->items.first().reason));
        QVERIFY_RESULT(desk.carryOut(*removal));
        BenchRelay relay;
        QVERIFY_RESULT(relay.open(bench));
        QCOMPARE(relay.drain().enqueued, 1); // so it is
    }

    void aCommitThatIsRefusedLeavesTheTombstonesAsTheyWere()
    {
        OutboxBench bench(OutboxBench::Kind::Postgres, BenchShape::CompletedAt, &m_postgres,
                          m_redis);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(1));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        const QStringList ids = bench.insertedIds();
        const QString task = bench.taskId(desk.bench().shape(), ids.first());
        QVERIFY(bench.exec(u"create or replace function keep() returns trigger language plpgsql as "
                           "$$ begin raise exception 'kept' using errcode = '23514'; end $$"_s));
        const auto refuseAt = [&bench](const QString &act) {
            return bench.exec(u"create constraint trigger keeps after %1 on outbox deferrable "
                              "initially deferred for each row execute function keep()"_s.arg(act));
        };
        QVERIFY(refuseAt(u"delete"_s));
        const auto kept = desk.act(Verb::Purge, OperatorDesk::rows(ids));
        QVERIFY_RESULT(kept);
        QCOMPARE(kept->count(Outcome::Failed), 1);
        QCOMPARE(bench.unprocessed(), 1);
        QVERIFY(stateOf(bench, task).isEmpty()); // the relay may deliver it

        QVERIFY(bench.exec(u"drop trigger keeps on outbox"_s));
        QVERIFY_RESULT(desk.act(Verb::Purge, OperatorDesk::rows(ids)));
        QVERIFY(refuseAt(u"insert"_s));
        const auto away = undoLast(desk);
        QVERIFY(bench.exec(u"drop function keep cascade"_s));
        QVERIFY_RESULT(away);
        QCOMPARE(away->count(Outcome::Failed), 1);
        QCOMPARE(bench.unprocessed(), 0);
        QCOMPARE(stateOf(bench, task), QByteArray("completed")); // it stays purged
    }

    void whatComesUnderTheIdWhileItIsPurgedSavesTheRow()
    {
        OutboxBench bench(OutboxBench::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(3));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        const QStringList ids = bench.insertedIds();
        OperationControl control;
        control.passed = [&](const char *point) {
            if (qstrcmp(point, "observed") == 0) { // after the last look, before the tombstone
                static_cast<void>(
                    placeTask(bench.plainRedis(), sampleRequest(ids.at(1)), TaskState::Pending));
            }
        };
        const auto receipt = desk.act(Verb::Purge, OperatorDesk::rows(ids), control);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->items.at(0).outcome, Outcome::Done);
        QCOMPARE(receipt->items.at(1).outcome, Outcome::Changed);
        QCOMPARE(receipt->items.at(2).outcome, Outcome::Done);
        QCOMPARE(bench.unprocessed(), 1);
        QCOMPARE(stateOf(bench, ids.at(1)), QByteArray("pending"));
    }

    void releaseTakesDeadLeasesOnly_data() { addKinds(); }
    void releaseTakesDeadLeasesOnly()
    {
        QFETCH(OutboxBench::Kind, kind);
        OutboxBench bench(kind, BenchShape::CompletedAt, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(bench.setUp());
        const bool postgres = kind == OutboxBench::Kind::Postgres;
        const bool mariadb = kind == OutboxBench::Kind::MariaDb;
        QVERIFY(bench.exec(u"alter table outbox add column locked_by text"_s));
        QVERIFY(bench.exec(u"alter table outbox add column locked_until "_s
                           + (postgres      ? u"timestamptz"_s
                                  : mariadb ? u"datetime(6)"_s
                                            : u"timestamp"_s)));
        QVERIFY(bench.insertRows(4)); // free, leased, dead, processed
        const auto lease = [&](int row, const QString &owner, const QString &minutes) {
            const QString until = postgres ? u"now() + interval '%1 minutes'"_s.arg(minutes)
                : mariadb                  ? u"now(6) + interval %1 minute"_s.arg(minutes)
                                           : u"datetime('now', '%1 minutes')"_s.arg(minutes);
            return bench.exec(
                u"update outbox set locked_by = '%1', locked_until = %2 where id = %3"_s.arg(
                    owner, until, bench.insertedIds().at(row)));
        };
        QVERIFY(lease(1, u"relay-7"_s, u"+10"_s));
        QVERIFY(lease(2, u"relay-8"_s, u"-12"_s));
        QVERIFY(bench.exec(u"update outbox set completed_at = current_timestamp where id = "_s
                           + bench.insertedIds().at(3)));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        const auto plan = desk.plan(Verb::Release, OperatorDesk::rows(bench.insertedIds()));
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.at(0).expected, Outcome::NothingToDo);
        QCOMPARE(plan->items.at(1).expected, Outcome::Claimed);
        QVERIFY(plan->items.at(1).reason.contains(u"relay-7"_s));
        QCOMPARE(plan->items.at(2).expected, Outcome::Done);
        QVERIFY2(plan->items.at(2).reason.contains(u"relay-8"_s)
                     && plan->items.at(2).reason.contains(u"12 min"_s),
                 qPrintable(plan->items.at(2).reason));
        QCOMPARE(plan->items.at(3).expected, Outcome::NothingToDo);
        const auto receipt = desk.carryOut(*plan);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->items.at(2).outcome, Outcome::Done);
        QVERIFY(!receipt->undoable);
        QVERIFY(
            bench.scalar(u"select locked_by from outbox where id = "_s + bench.insertedIds().at(2))
                .isNull());
        QCOMPARE(
            bench.scalar(u"select locked_by from outbox where id = "_s + bench.insertedIds().at(1))
                .toString(),
            u"relay-7"_s);
        QVERIFY(!planUndo(desk.bench(), desk.activities().first()));

        // Taken up again between plan and act.
        QVERIFY(lease(2, u"relay-8"_s, u"-12"_s));
        const auto again = desk.plan(Verb::Release, OperatorDesk::rows(bench.insertedIds()));
        QVERIFY_RESULT(again);
        QVERIFY(lease(2, u"relay-9"_s, u"+10"_s));
        const auto late = desk.carryOut(*again);
        QVERIFY_RESULT(late);
        QCOMPARE(late->items.at(2).outcome, Outcome::Claimed);
        QVERIFY(late->items.at(2).reason.contains(u"relay-9"_s));
    }

    void withoutLeaseColumnsThereIsNothingToRelease()
    {
        OutboxBench bench(OutboxBench::Kind::Sqlite, BenchShape::CompletedAt, nullptr, m_redis);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(1));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        const auto plan = desk.plan(Verb::Release, OperatorDesk::rows(bench.insertedIds()));
        QVERIFY(!plan);
        QCOMPARE(plan.error().kind, Error::Kind::Unsupported);
    }

    void aQueueThatCannotBeReadDecidesNothing()
    {
        PrivateRedis own;
        OUTBOX_START_SERVER(own);
        OutboxBench bench(OutboxBench::Kind::Sqlite, BenchShape::CompletedAt, nullptr, own);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(2));
        QVERIFY(bench.exec(u"update outbox set completed_at = current_timestamp"_s));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        const Selection all = OperatorDesk::rows(bench.insertedIds());
        const auto sighted = desk.plan(Verb::Purge, all);
        QVERIFY_RESULT(sighted);
        own.kill();
        for (const Verb verb : {Verb::Replay, Verb::Purge}) {
            const auto blind = desk.plan(verb, all);
            QVERIFY_RESULT(blind);
            QCOMPARE(blind->counts().value(Outcome::Unknown), 2);
            QCOMPARE(blind->acting(), 0);
        }
        const auto receipt = desk.carryOut(*sighted); // the last look before the act fails
        QVERIFY_RESULT(receipt);
        QVERIFY(receipt->error);
        QCOMPARE(receipt->count(Outcome::Failed), 2); // not in doubt: nothing was committed
        QCOMPARE(bench.scalar(u"select count(*) from outbox"_s).toInt(), 2);
    }

    void aProfileWithoutAQueueSaysSo()
    {
        OutboxBench bench(OutboxBench::Kind::Sqlite, BenchShape::CompletedAt, nullptr, m_redis);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(2));
        QVERIFY(markProcessed(bench, BenchShape::CompletedAt, {bench.insertedIds().first()}));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench.url(), bench.table(), {}));
        const Selection all = OperatorDesk::rows(bench.insertedIds());
        const auto replay = desk.plan(Verb::Replay, all);
        QVERIFY_RESULT(replay);
        QCOMPARE(replay->items.at(0).expected, Outcome::SecondExecution);
        const auto purge = desk.plan(Verb::Purge, all);
        QVERIFY_RESULT(purge);
        QCOMPARE(purge->items.at(0).expected, Outcome::Done);
        QCOMPARE(purge->items.at(1).expected, Outcome::Unknown);
        const auto receipt = desk.carryOut(*replay);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Done), 1);
        QCOMPARE(bench.unprocessed(), 2);
        QVERIFY(!desk.plan(Verb::Pause, {}));
    }
};

QTEST_GUILESS_MAIN(TestRowVerbs)
#include "tst_rowverbs.moc"
