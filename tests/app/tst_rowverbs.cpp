// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Verbs on rows beyond single states: the way back of each, tombstones against late packets,
// leases, and systems of which a half is missing.
#include "connectors/asynq/asynqqueue.h"
#include "models/message/rowverdict.h"
#include "tests/app/verbcells.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testkinds.h"
#include "tests/support/testoperator.h"
#include "tests/support/testpostgres.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QTest>

namespace tst_rowverbs {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestRowVerbs : public QObject
{
    Q_OBJECT

    TestPostgres m_postgres;
    PrivateMariadb m_mariadb;
    PrivateRedis m_redis;

    /// All cells of all rows; on SQLite a time may be spelled otherwise than it was.
    static QString content(TestOutbox &fixture, TestOutbox::Kind kind)
    {
        if (kind == TestOutbox::Kind::MariaDb)
            return fixture
                .scalar(u"select group_concat(concat_ws('|', id, type, hex(payload), created_at,"
                        " completed_at) order by id) from outbox"_s)
                .toString();
        return kind == TestOutbox::Kind::Postgres
            ? fixture.scalar(u"select string_agg(t::text, ';' order by id) from outbox t"_s)
                  .toString()
            : fixture
                  .scalar(
                      u"select group_concat(id || quote(type) || quote(payload) || "
                      "quote(created_at) || coalesce(strftime('%s', completed_at), ''), ';') from outbox"_s)
                  .toString();
    }

    static Result<Receipt> undoLast(TestOperator &person)
    {
        const auto plan = planUndo(person.session(), person.activities().first());
        return plan ? person.carryOut(*plan) : Result<Receipt>(passOn(plan));
    }

    static QByteArray stateOf(TestOutbox &fixture, const QString &task)
    {
        const auto state = fixture.plainRedis().command(
            {"HGET", "asynq:{default}:t:" + task.toUtf8(), "state"}, u"looking"_s);
        return state ? state->bytes : QByteArray();
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        if (!isDatabasePooled())
            OUTBOX_START_SERVER(m_mariadb);
        OUTBOX_START_SERVER(m_redis);
    }

    void aReplayIsTakenBackWhereNoRelayHasTakenTheRow_data() { addKinds(); }
    void aReplayIsTakenBackWhereNoRelayHasTakenTheRow()
    {
        QFETCH(TestOutbox::Kind, kind);
        TestOutbox fixture(kind, BenchShape::CompletedAt, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(6));
        QVERIFY(fixture.exec(u"update outbox set completed_at = '2026-03-01 10:00:00'"_s));
        const QString before = content(fixture, kind);
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const Selection all = TestOperator::rows(fixture.insertedIds());
        QVERIFY_RESULT(person.act(Verb::Replay, all));
        QCOMPARE(fixture.unprocessed(), 6);
        const auto undone = undoLast(person);
        QVERIFY_RESULT(undone);
        QCOMPARE(undone->count(Outcome::Done), 6);
        QCOMPARE(content(fixture, kind), before);
        QVERIFY(!undone->undoable);

        // Once more, and now a relay is faster for two of them.
        QVERIFY_RESULT(person.act(Verb::Replay, all));
        const Activity replay = person.activities().first();
        FixtureRelay relay;
        QVERIFY_RESULT(relay.open(fixture));
        QCOMPARE(relay.relay().step(2).enqueued, 2);
        const auto plan = planUndo(person.session(), replay);
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->counts().value(Outcome::Done), 4);
        QCOMPARE(plan->counts().value(Outcome::NotOffered), 2);
        QCOMPARE(relay.relay().step(1).enqueued, 1); // and for one more before the act
        const auto receipt = person.carryOut(*plan);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Done), 3);
        QCOMPARE(receipt->count(Outcome::Changed), 1);
        QCOMPARE(fixture.unprocessed(), 0);
        QCOMPARE(fixture.pendingIds().size(), 3);
    }

    /// A relay that stood still inside its batch sends what it had in hand behind the undo.
    void aLatePacketMeetsTheUndoOfAReplay_data() { addKinds(); }
    void aLatePacketMeetsTheUndoOfAReplay()
    {
        QFETCH(TestOutbox::Kind, kind);
        TestOutbox fixture(kind, BenchShape::CompletedAt, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(2));
        QVERIFY(fixture.exec(u"update outbox set completed_at = '2026-03-01 10:00:00'"_s));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const QString row = fixture.insertedIds().first();
        const QString task = fixture.taskId(person.session().shape(), row);
        QVERIFY_RESULT(person.act(Verb::Replay, TestOperator::rows({row})));
        EnqueueRequest request = sampleRequest(task);
        request.type = fixture.expectedType(row);
        request.payload = fixture.expectedPayload(row);
        const auto undone = undoLast(person);
        QVERIFY_RESULT(undone);
        QCOMPARE(undone->count(Outcome::Done), 1);

        AsynqQueue late;
        QVERIFY_RESULT(late.open(fixture.redis(), u"late"_s));
        const auto answers = late.enqueue({request});
        QVERIFY_RESULT(answers);
        QCOMPARE(answers->first().kind, EnqueueAnswer::Kind::Exists);
        QCOMPARE(verdictOn({row}, answers->first()).act, RowVerdict::Act::Park);
        QVERIFY(fixture.pendingIds().isEmpty());

        // Another replay takes the record away, where that is what stands there.
        const auto again = person.plan(Verb::Replay, TestOperator::rows({row}));
        QVERIFY_RESULT(again);
        QCOMPARE(again->items.first().expected, Outcome::SecondExecution);
        QVERIFY2(again->items.first().reason.contains(u"undone"_s),
                 qPrintable(again->items.first().reason));
        const auto replayed = person.carryOut(*again);
        QVERIFY_RESULT(replayed);
        QCOMPARE(replayed->count(Outcome::Done), 1);
        QVERIFY(stateOf(fixture, task).isEmpty());
        FixtureRelay relay;
        QVERIFY_RESULT(relay.open(fixture));
        QCOMPARE(relay.relay().step(5).enqueued, 1);
        QCOMPARE(fixture.pendingIds(), QStringList{task});
    }

    /// Nor does reconcile take that record for the effect of the message.
    void theUndoOfAReplayIsNoEffect()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::CompletedAt, &m_postgres,
                           m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(2));
        const QStringList ids = fixture.insertedIds();
        QVERIFY(fixture.exec(u"update outbox set completed_at = now()"_s)
                && fixture.exec(u"create table mail_status (id bigint primary key, status text)"_s)
                && fixture.exec(u"insert into mail_status select id, 'processing' from outbox"_s));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        QVERIFY_RESULT(person.act(Verb::Replay, TestOperator::rows({ids.at(0)})));
        QVERIFY_RESULT(undoLast(person));
        const QString done = fixture.taskId(person.session().shape(), ids.at(1));
        QVERIFY_RESULT(placeTask(fixture.plainRedis(), sampleRequest(done), TaskState::Completed));

        OperatorSessionSettings settings = person.session().settings();
        settings.profile.status
            = StatusTable{TableName{{}, u"mail_status"_s}, u"id"_s, u"status"_s};
        QVERIFY_RESULT(person.session().open(settings));
        Selection disagreeing;
        disagreeing.meant = QList<FindingKind>{FindingKind::EffectDisagrees};
        const auto plan = person.plan(Verb::Reconcile, disagreeing);
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.size(), 1);
        QCOMPARE(plan->items.first().row.text, ids.at(1));
    }

    void aPurgedPendingRowIsNeverDeliveredLater_data() { addKinds(); }
    void aPurgedPendingRowIsNeverDeliveredLater()
    {
        QFETCH(TestOutbox::Kind, kind);
        TestOutbox fixture(kind, BenchShape::CompletedAt, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(3));
        const QString before = content(fixture, kind);
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const QString task = fixture.taskId(person.session().shape(), fixture.insertedIds().at(1));
        const auto purged
            = person.act(Verb::Purge, TestOperator::rows({fixture.insertedIds().at(1)}));
        QVERIFY_RESULT(purged);
        QCOMPARE(purged->count(Outcome::Done), 1);
        QVERIFY(QFile::exists(purged->exportFile));
        QCOMPARE(fixture.unprocessed(), 2);

        // The enqueue of a relay that had claimed the row before arrives only now.
        AsynqQueue late;
        QVERIFY_RESULT(late.open(fixture.redis(), u"late"_s));
        EnqueueRequest request = sampleRequest(task);
        request.type = fixture.expectedType(fixture.insertedIds().at(1));
        request.payload = fixture.expectedPayload(fixture.insertedIds().at(1));
        const auto answers = late.enqueue({request});
        QVERIFY_RESULT(answers);
        QCOMPARE(answers->first().kind, EnqueueAnswer::Kind::Exists);
        QCOMPARE(verdictOn({fixture.insertedIds().at(1)}, answers->first()).act,
                 RowVerdict::Act::Park);
        QVERIFY(fixture.pendingIds().isEmpty());

        const auto back = undoLast(person);
        QVERIFY_RESULT(back);
        QCOMPARE(back->count(Outcome::Done), 1);
        QCOMPARE(content(fixture, kind), before);
        QVERIFY(stateOf(fixture, task).isEmpty());
        FixtureRelay relay;
        QVERIFY_RESULT(relay.open(fixture));
        const RelayTotals totals = relay.drain();
        QCOMPARE(totals.enqueued, 3);
        QCOMPARE(totals.parked, 0);
    }

    void aPlanSaysWhatBecameOfAPendingRowsMessage()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::CompletedAt, &m_postgres,
                           m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(2));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const QStringList ids = fixture.insertedIds();
        EnqueueRequest request
            = sampleRequest(fixture.taskId(person.session().shape(), ids.first()));
        request.type = fixture.expectedType(ids.first());
        request.payload = fixture.expectedPayload(ids.first());
        QVERIFY(placeTask(fixture.plainRedis(), request, TaskState::Completed));
        const auto purge = person.plan(Verb::Purge, TestOperator::rows(ids));
        QVERIFY_RESULT(purge);
        QVERIFY2(purge->items.at(0).reason.contains(u"its task has run"_s),
                 qPrintable(purge->items.at(0).reason));
        QVERIFY2(purge->items.at(1).reason.contains(u"will not be delivered later"_s),
                 qPrintable(purge->items.at(1).reason));

        // The answer to the relay's COMMIT was lost: the task waits, and so does its row.
        request.id.text = fixture.taskId(person.session().shape(), ids.at(1));
        request.type = fixture.expectedType(ids.at(1));
        request.payload = fixture.expectedPayload(ids.at(1));
        QVERIFY(placeTask(fixture.plainRedis(), request, TaskState::Pending));
        const auto removal = person.plan(Verb::Delete, TestOperator::tasks({request.id.text}));
        QVERIFY_RESULT(removal);
        QCOMPARE(removal->items.first().expected, Outcome::Done);
        QVERIFY2(removal->items.first().reason.contains(u"a relay sends it again"_s),
                 qPrintable(removal->items.first().reason));
        QVERIFY_RESULT(person.carryOut(*removal));
        FixtureRelay relay;
        QVERIFY_RESULT(relay.open(fixture));
        QCOMPARE(relay.drain().enqueued, 1); // so it is
    }

    void aCommitThatIsRefusedLeavesTheTombstonesAsTheyWere()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::CompletedAt, &m_postgres,
                           m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(1));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const QStringList ids = fixture.insertedIds();
        const QString task = fixture.taskId(person.session().shape(), ids.first());
        QVERIFY(
            fixture.exec(u"create or replace function keep() returns trigger language plpgsql as "
                         "$$ begin raise exception 'kept' using errcode = '23514'; end $$"_s));
        const auto refuseAt = [&fixture](const QString &act) {
            return fixture.exec(
                u"create constraint trigger keeps after %1 on outbox deferrable "
                "initially deferred for each row execute function keep()"_s.arg(act));
        };
        QVERIFY(refuseAt(u"delete"_s));
        const auto kept = person.act(Verb::Purge, TestOperator::rows(ids));
        QVERIFY_RESULT(kept);
        QCOMPARE(kept->count(Outcome::Failed), 1);
        QCOMPARE(fixture.unprocessed(), 1);
        QVERIFY(stateOf(fixture, task).isEmpty()); // the relay may deliver it

        QVERIFY(fixture.exec(u"drop trigger keeps on outbox"_s));
        QVERIFY_RESULT(person.act(Verb::Purge, TestOperator::rows(ids)));
        QVERIFY(refuseAt(u"insert"_s));
        const auto away = undoLast(person);
        QVERIFY(fixture.exec(u"drop function keep cascade"_s));
        QVERIFY_RESULT(away);
        QCOMPARE(away->count(Outcome::Failed), 1);
        QCOMPARE(fixture.unprocessed(), 0);
        QCOMPARE(stateOf(fixture, task), QByteArray("completed")); // it stays purged
    }

    void whatComesUnderTheIdWhileItIsPurgedSavesTheRow()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(3));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const QStringList ids = fixture.insertedIds();
        OperationControl control;
        control.passed = [&](const char *point) {
            if (qstrcmp(point, "observed") == 0) { // after the last look, before the tombstone
                static_cast<void>(
                    placeTask(fixture.plainRedis(), sampleRequest(ids.at(1)), TaskState::Pending));
            }
        };
        const auto receipt = person.act(Verb::Purge, TestOperator::rows(ids), control);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->items.at(0).outcome, Outcome::Done);
        QCOMPARE(receipt->items.at(1).outcome, Outcome::Changed);
        QCOMPARE(receipt->items.at(2).outcome, Outcome::Done);
        QCOMPARE(fixture.unprocessed(), 1);
        QCOMPARE(stateOf(fixture, ids.at(1)), QByteArray("pending"));
    }

    void releaseTakesDeadLeasesOnly_data() { addKinds(); }
    void releaseTakesDeadLeasesOnly()
    {
        QFETCH(TestOutbox::Kind, kind);
        TestOutbox fixture(kind, BenchShape::CompletedAt, &m_postgres, m_redis, &m_mariadb);
        QVERIFY(fixture.setUp());
        const bool postgres = kind == TestOutbox::Kind::Postgres;
        const bool mariadb = kind == TestOutbox::Kind::MariaDb;
        QVERIFY(fixture.exec(u"alter table outbox add column locked_by text"_s));
        QVERIFY(fixture.exec(u"alter table outbox add column locked_until "_s
                             + (postgres      ? u"timestamptz"_s
                                    : mariadb ? u"datetime(6)"_s
                                              : u"timestamp"_s)));
        QVERIFY(fixture.insertRows(4)); // free, leased, dead, processed
        const auto lease = [&](int row, const QString &owner, const QString &minutes) {
            const QString until = postgres ? u"now() + interval '%1 minutes'"_s.arg(minutes)
                : mariadb                  ? u"now(6) + interval %1 minute"_s.arg(minutes)
                                           : u"datetime('now', '%1 minutes')"_s.arg(minutes);
            return fixture.exec(
                u"update outbox set locked_by = '%1', locked_until = %2 where id = %3"_s.arg(
                    owner, until, fixture.insertedIds().at(row)));
        };
        QVERIFY(lease(1, u"relay-7"_s, u"+10"_s));
        QVERIFY(lease(2, u"relay-8"_s, u"-12"_s));
        QVERIFY(fixture.exec(u"update outbox set completed_at = current_timestamp where id = "_s
                             + fixture.insertedIds().at(3)));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const auto plan = person.plan(Verb::Release, TestOperator::rows(fixture.insertedIds()));
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.at(0).expected, Outcome::NothingToDo);
        QCOMPARE(plan->items.at(1).expected, Outcome::Claimed);
        QVERIFY(plan->items.at(1).reason.contains(u"relay-7"_s));
        QCOMPARE(plan->items.at(2).expected, Outcome::Done);
        QVERIFY2(plan->items.at(2).reason.contains(u"relay-8"_s)
                     && plan->items.at(2).reason.contains(u"12 min"_s),
                 qPrintable(plan->items.at(2).reason));
        QCOMPARE(plan->items.at(3).expected, Outcome::NothingToDo);
        const auto receipt = person.carryOut(*plan);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->items.at(2).outcome, Outcome::Done);
        QVERIFY(!receipt->undoable);
        QVERIFY(
            fixture
                .scalar(u"select locked_by from outbox where id = "_s + fixture.insertedIds().at(2))
                .isNull());
        QCOMPARE(
            fixture
                .scalar(u"select locked_by from outbox where id = "_s + fixture.insertedIds().at(1))
                .toString(),
            u"relay-7"_s);
        QVERIFY(!planUndo(person.session(), person.activities().first()));

        // Taken up again between plan and act.
        QVERIFY(lease(2, u"relay-8"_s, u"-12"_s));
        const auto again = person.plan(Verb::Release, TestOperator::rows(fixture.insertedIds()));
        QVERIFY_RESULT(again);
        QVERIFY(lease(2, u"relay-9"_s, u"+10"_s));
        const auto late = person.carryOut(*again);
        QVERIFY_RESULT(late);
        QCOMPARE(late->items.at(2).outcome, Outcome::Claimed);
        QVERIFY(late->items.at(2).reason.contains(u"relay-9"_s));
    }

    void withoutLeaseColumnsThereIsNothingToRelease()
    {
        TestOutbox fixture(TestOutbox::Kind::Sqlite, BenchShape::CompletedAt, nullptr, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(1));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const auto plan = person.plan(Verb::Release, TestOperator::rows(fixture.insertedIds()));
        QVERIFY(!plan);
        QCOMPARE(plan.error().kind, Error::Kind::Unsupported);
    }

    void aQueueThatCannotBeReadDecidesNothing()
    {
        PrivateRedis own;
        OUTBOX_START_SERVER(own);
        TestOutbox fixture(TestOutbox::Kind::Sqlite, BenchShape::CompletedAt, nullptr, own);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(2));
        QVERIFY(fixture.exec(u"update outbox set completed_at = current_timestamp"_s));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const Selection all = TestOperator::rows(fixture.insertedIds());
        const auto sighted = person.plan(Verb::Purge, all);
        QVERIFY_RESULT(sighted);
        own.kill();
        for (const Verb verb : {Verb::Replay, Verb::Purge}) {
            const auto blind = person.plan(verb, all);
            QVERIFY_RESULT(blind);
            QCOMPARE(blind->counts().value(Outcome::Unknown), 2);
            QCOMPARE(blind->acting(), 0);
        }
        const auto receipt = person.carryOut(*sighted); // the last look before the act fails
        QVERIFY_RESULT(receipt);
        QVERIFY(receipt->error);
        QCOMPARE(receipt->count(Outcome::Failed), 2); // not in doubt: nothing was committed
        QCOMPARE(fixture.scalar(u"select count(*) from outbox"_s).toInt(), 2);
    }

    void aProfileWithoutAQueueSaysSo()
    {
        TestOutbox fixture(TestOutbox::Kind::Sqlite, BenchShape::CompletedAt, nullptr, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(2));
        QVERIFY(markProcessed(fixture, BenchShape::CompletedAt, {fixture.insertedIds().first()}));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture.url(), fixture.table(), {}));
        const Selection all = TestOperator::rows(fixture.insertedIds());
        const auto replay = person.plan(Verb::Replay, all);
        QVERIFY_RESULT(replay);
        QCOMPARE(replay->items.at(0).expected, Outcome::SecondExecution);
        const auto purge = person.plan(Verb::Purge, all);
        QVERIFY_RESULT(purge);
        QCOMPARE(purge->items.at(0).expected, Outcome::Done);
        QCOMPARE(purge->items.at(1).expected, Outcome::Unknown);
        const auto receipt = person.carryOut(*replay);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Done), 1);
        QCOMPARE(fixture.unprocessed(), 2);
        QVERIFY(!person.plan(Verb::Pause, {}));
    }
};

} // namespace tst_rowverbs

OUTBOX_TEST(tst_rowverbs::TestRowVerbs)
#include "tst_rowverbs.moc"
