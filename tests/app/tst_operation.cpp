// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What holds for every verb: no act without consent, record and an armed bench; chunks that can be
// cancelled and held; what changed meanwhile is told and left alone.
#include "app/operations/operationlog.h"
#include "app/operations/traces.h"
#include "tests/support/operatordesk.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"

#include <QFile>
#include <QTest>

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestOperation : public QObject
{
    Q_OBJECT

    PrivatePostgres m_postgres;
    PrivateRedis m_redis;
    std::unique_ptr<OutboxBench> m_bench;
    std::unique_ptr<OperatorDesk> m_desk;

    Selection someRows(int count) const
    {
        return OperatorDesk::rows(m_bench->insertedIds().mid(0, count));
    }

    Plan replayOf(int count)
    {
        const auto plan = m_desk->plan(Verb::Replay, someRows(count));
        return plan ? *plan : Plan();
    }

    void nothingWasDone(const Result<Receipt> &receipt)
    {
        QVERIFY(!receipt);
        QCOMPARE(m_bench->unprocessed(), 0);
    }

    AuditEntry lastEntry()
    {
        const auto entries = m_desk->bench().audit().read();
        return entries && !entries->isEmpty() ? entries->last() : AuditEntry();
    }

private slots:
    void initTestCase()
    {
        OUTBOX_START_SERVER(m_postgres);
        OUTBOX_START_SERVER(m_redis);
    }
    void init()
    {
        m_bench = std::make_unique<OutboxBench>(OutboxBench::Kind::Postgres,
                                                BenchShape::CompletedAt, &m_postgres, m_redis);
        QVERIFY(m_bench->setUp());
        QVERIFY(m_bench->insertRows(20));
        QVERIFY(m_bench->exec(u"update outbox set completed_at = now() - interval '3 days'"_s));
        m_desk = std::make_unique<OperatorDesk>();
        QVERIFY_RESULT(m_desk->open(*m_bench));
    }
    void cleanup()
    {
        m_desk.reset();
        m_bench.reset();
    }

    void aPlanSaysWhatWillRun()
    {
        const Plan plan = replayOf(3);
        QCOMPARE(plan.acting(), 3);
        QCOMPARE(plan.selection, u"3 rows"_s);
        QVERIFY(plan.statements.join(u' ').contains(u"FOR UPDATE"_s));
        QVERIFY(plan.warnings.join(u' ').contains(u"outbox_audit"_s));
        QVERIFY(!plan.undo.isEmpty());
        QVERIFY(!QUuid::fromString(plan.operation).isNull());
        QVERIFY(!plan.target.isEmpty());
        QVERIFY(!m_desk->plan(Verb::Replay, {})); // nothing was selected
    }

    void withoutTheTypedTextNothingIsDone()
    {
        const Plan plan = replayOf(3);
        Consent consent = fullConsent(plan);
        consent.typed = u"4 bench"_s;
        const auto receipt
            = operationFor(Verb::Replay)->carryOut(m_desk->bench(), plan, consent, {});
        nothingWasDone(receipt);
        QCOMPARE(receipt.error().kind, Error::Kind::Refused);
        QCOMPARE(lastEntry().kind, AuditEntry::Kind::Refusal);
        QCOMPARE(lastEntry().operation, plan.operation);
        QCOMPARE(m_desk->activities().first().state, Activity::State::Refused);
    }

    void aSecondExecutionNeedsItsOwnConsent()
    {
        const Plan plan = replayOf(3);
        const auto receipt = operationFor(Verb::Replay)->carryOut(m_desk->bench(), plan, {}, {});
        nothingWasDone(receipt);
        QCOMPARE(lastEntry().kind, AuditEntry::Kind::Refusal);
        QCOMPARE(lastEntry().counts.value(word(Outcome::NotAllowed)), 3);
    }

    void aBenchThatIsNotArmedRefuses()
    {
        const Plan plan = replayOf(3);
        m_desk->bench().disarm();
        nothingWasDone(m_desk->carryOut(plan));
        QCOMPARE(lastEntry().kind, AuditEntry::Kind::Refusal);
        m_desk->bench().arm({});
        const auto receipt = m_desk->carryOut(plan);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Done), 3);
    }

    void aPlanOfAnotherSystemOrVerbIsRefused()
    {
        Plan plan = replayOf(3);
        const auto purge
            = operationFor(Verb::Purge)->carryOut(m_desk->bench(), plan, fullConsent(plan), {});
        nothingWasDone(purge);
        plan.target = u"outbox @ elsewhere/db"_s;
        nothingWasDone(m_desk->carryOut(plan));
    }

    void withoutARecordNothingIsDone()
    {
        const Plan plan = replayOf(3);
        // A folder where the file should be: nobody can append to it, root neither.
        QVERIFY(QDir().mkpath(m_desk->bench().audit().file()));
        nothingWasDone(m_desk->carryOut(plan));
    }

    void aRoleWithoutTheRightIsToldBeforeAnythingBegins()
    {
        QVERIFY(m_bench->exec(u"create role purger login"_s));
        QVERIFY(m_bench->exec(u"grant select, delete on outbox to purger"_s));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(*m_bench));
        OperatorSessionSettings settings;
        settings.profile = desk.bench().profile();
        settings.profile.actingUser = u"purger"_s;
        settings.shape = desk.bench().shape();
        settings.act = Secrets();
        settings.stateFolder = desk.stateFolder();
        settings.face = u"outboxctl"_s;
        QVERIFY_RESULT(desk.bench().open(settings));
        const auto refused = desk.act(Verb::Replay, someRows(2));
        nothingWasDone(refused);
        QCOMPARE(refused.error().kind, Error::Kind::Refused);
        const auto purged = desk.act(Verb::Purge, someRows(2));
        QVERIFY_RESULT(purged);
        QCOMPARE(purged->count(Outcome::Done), 2);
        QVERIFY(m_bench->exec(u"drop owned by purger; drop role purger"_s));
    }

    void eachChunkIsOnRecordBeforeAndAfter()
    {
        OperationControl control;
        control.chunk = 2;
        QStringList points;
        control.passed = [&points](const char *point) { points += QString::fromLatin1(point); };
        QList<OperationProgress> progress;
        control.progressed = [&progress](const OperationProgress &now) { progress += now; };
        const auto receipt = m_desk->act(Verb::Replay, someRows(5), control);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->items.size(), 5);
        QVERIFY(receipt->undoable);
        QCOMPARE(points.count(u"committed"_s), 3);
        QCOMPARE(progress.last(), (OperationProgress{5, 5, u"Replay"_s}));

        const auto entries = m_desk->bench().audit().read();
        QVERIFY_RESULT(entries);
        QStringList kinds;
        for (const AuditEntry &entry : *entries)
            kinds += word(entry.kind);
        QCOMPARE(kinds.join(u' '), u"begin intent outcome intent outcome intent outcome end"_s);
        QCOMPARE(entries->at(1).items.size(), 2);
        const Trace before = Trace::fromText(entries->at(1).items.first().before);
        QCOMPARE(before.row, MessageState::Processed);
        QVERIFY(before.processed && !before.version.isEmpty());
        const AuditedItem after = entries->at(2).items.first();
        QCOMPARE(outcomeOf(after), Outcome::Done);
        QCOMPARE(afterOf(after), receipt->items.first().after);
    }

    void cancelTakesEffectBetweenTwoChunks()
    {
        std::stop_source stop;
        OperationControl control;
        control.chunk = 4;
        control.cancel = stop.get_token();
        int chunks = 0;
        control.passed = [&](const char *point) {
            if (qstrcmp(point, "held") == 0 && ++chunks == 2)
                stop.request_stop();
        };
        const auto receipt = m_desk->act(Verb::Replay, someRows(12), control);
        QVERIFY_RESULT(receipt);
        QVERIFY(receipt->cancelled && !receipt->error);
        QCOMPARE(receipt->count(Outcome::Done), 8);
        QCOMPARE(receipt->count(Outcome::Cancelled), 4);
        QCOMPARE(m_bench->unprocessed(), 8);
        QCOMPARE(m_desk->activities().first().state, Activity::State::Cancelled);
    }

    void pauseHoldsTheNextChunk()
    {
        OperationControl control;
        control.chunk = 4;
        int asked = 0;
        control.isPaused = [&asked] { return ++asked > 1 && asked < 5; };
        const auto receipt = m_desk->act(Verb::Replay, someRows(8), control);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Done), 8);
        QVERIFY(asked >= 5);
    }

    void whatChangedMeanwhileIsToldAndLeftAlone()
    {
        const QStringList ids = m_bench->insertedIds();
        const Plan plan = replayOf(5);
        QVERIFY(m_bench->exec(u"update outbox set type = 'changed' where id = "_s + ids.at(0)));
        QVERIFY(m_bench->exec(u"delete from outbox where id = "_s + ids.at(1)));
        const QByteArray task = m_bench->taskId(m_desk->bench().shape(), ids.at(2)).toUtf8();
        QVERIFY(m_bench->plainRedis()
                    .command({"HSET", "asynq:{default}:t:" + task, "state", "active"}, u"placing"_s)
                    .has_value());
        QVERIFY(m_bench->exec(u"begin"_s));
        QVERIFY(m_bench->exec(u"select 1 from outbox where id = %1 for update"_s.arg(ids.at(3))));

        const auto receipt = m_desk->carryOut(plan);
        QVERIFY(m_bench->exec(u"rollback"_s));
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->items.at(0).outcome, Outcome::Changed);
        QCOMPARE(receipt->items.at(1).outcome, Outcome::Gone);
        QCOMPARE(receipt->items.at(2).outcome, Outcome::Changed);
        QCOMPARE(receipt->items.at(3).outcome, Outcome::Claimed);
        QVERIFY(receipt->items.at(3).reason.contains(u"bench-plain"_s)); // by whom
        QCOMPARE(receipt->items.at(4).outcome, Outcome::Done);
        for (const ReceiptItem &item : receipt->items)
            QVERIFY(item.outcome == Outcome::Done || !item.reason.isEmpty());
        QCOMPARE(m_bench->unprocessed(), 1);
        QCOMPARE(receipt->sentence(), u"1 done, 1 claimed, 1 not there, 2 changed meanwhile"_s);

        // The same plan once more finds nothing as it was seen.
        const auto again = m_desk->carryOut(plan);
        QVERIFY_RESULT(again);
        QCOMPARE(again->count(Outcome::Done), 1); // the row that was claimed
        QCOMPARE(m_bench->unprocessed(), 2);
    }

    void nothingIsTakenBackTwice()
    {
        const auto replayed = m_desk->act(Verb::Replay, someRows(3));
        QVERIFY_RESULT(replayed);
        const auto activity = activityOf(m_desk->bench().audit(), replayed->operation);
        QVERIFY_RESULT(activity);
        QCOMPARE(activity->state, Activity::State::Done);
        const auto undo = planUndo(m_desk->bench(), *activity);
        QVERIFY_RESULT(undo);
        const auto rival = planUndo(m_desk->bench(), *activity); // planned in another window
        QVERIFY_RESULT(rival);
        const auto back = m_desk->carryOut(*undo);
        QVERIFY_RESULT(back);
        QCOMPARE(back->count(Outcome::Done), 3);

        const auto late = m_desk->carryOut(*rival);
        nothingWasDone(late);
        QCOMPARE(late.error().kind, Error::Kind::Refused);
        QCOMPARE(lastEntry().kind, AuditEntry::Kind::Refusal);
        const auto known = activityOf(m_desk->bench().audit(), replayed->operation);
        QVERIFY_RESULT(known);
        QCOMPARE(known->state, Activity::State::Undone);
        QVERIFY(!planUndo(m_desk->bench(), *known));
    }

    void nothingIsTakenBackByTwoAtOnce()
    {
        const auto replayed = m_desk->act(Verb::Replay, someRows(3));
        QVERIFY_RESULT(replayed);
        const auto activity = activityOf(m_desk->bench().audit(), replayed->operation);
        QVERIFY_RESULT(activity);
        const auto undo = planUndo(m_desk->bench(), *activity);
        QVERIFY_RESULT(undo);
        const AuditTrail rival(m_desk->bench().audit().file());
        {
            const auto turn = rival.holdForUndo(replayed->operation);
            QVERIFY_RESULT(turn);
            const auto early = m_desk->carryOut(*undo);
            QCOMPARE(early.error().kind, Error::Kind::Refused);
            QVERIFY(!early.error().hint.isEmpty());
            QCOMPARE(m_bench->unprocessed(), 3);
        }
        OperationControl control;
        int refused = 0;
        control.passed = [&](const char *point) { // from its last look to its end
            if (QByteArrayList{"ready", "begun", "acted", "ended"}.contains(point))
                refused += rival.holdForUndo(replayed->operation) ? 0 : 1;
        };
        const auto back = m_desk->carryOut(*undo, control);
        QVERIFY_RESULT(back);
        QCOMPARE(back->count(Outcome::Done), 3);
        QCOMPARE(refused, 4);
        QVERIFY_RESULT(rival.holdForUndo(replayed->operation));
    }

    void whatWasChangedInTheRecordIsNotActedOn()
    {
        const auto replayed = m_desk->act(Verb::Replay, someRows(3));
        QVERIFY_RESULT(replayed);
        const auto known = activityOf(m_desk->bench().audit(), replayed->operation);
        QVERIFY_RESULT(known);
        const auto undo = planUndo(m_desk->bench(), *known);
        QVERIFY_RESULT(undo);
        QFile file(m_desk->bench().audit().file());
        QVERIFY(file.open(QFile::ReadWrite));
        QByteArray text = file.readAll();
        const qsizetype at = text.lastIndexOf("\"after\":\"done ");
        QVERIFY(at > 0);
        char &digit = text[at + 14];
        digit = digit == '1' ? '2' : '1';
        QVERIFY(file.seek(0) && file.write(text) == text.size() && file.flush());

        const auto activity = activityOf(m_desk->bench().audit(), replayed->operation);
        QVERIFY_RESULT(activity);
        QCOMPARE(activity->state, Activity::State::RecordChanged);
        QVERIFY(!activity->undoable);
        for (const auto &refused :
             {planUndo(m_desk->bench(), *activity).error(),
              checkDoubt(m_desk->bench(), *activity).error(), m_desk->carryOut(*undo).error()}) {
            QCOMPARE(refused.kind, Error::Kind::Refused);
        }
        QVERIFY(planUndo(m_desk->bench(), *activity).error().hint.contains(u"--verify"_s));
        QCOMPARE(m_bench->unprocessed(), 3);
    }

    void aServerThatDiesLeavesDoubtThatALookSettles()
    {
        OperationControl control;
        control.chunk = 4;
        PrivatePostgres own;
        OUTBOX_START_SERVER(own);
        OutboxBench bench(OutboxBench::Kind::Postgres, BenchShape::CompletedAt, &own, m_redis);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(12));
        QVERIFY(bench.exec(u"update outbox set completed_at = now()"_s));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        int chunks = 0;
        control.passed = [&](const char *point) {
            if (qstrcmp(point, "written") == 0 && ++chunks == 2)
                own.kill();
        };
        const auto receipt
            = desk.act(Verb::Replay, OperatorDesk::rows(bench.insertedIds()), control);
        QVERIFY_RESULT(receipt);
        QVERIFY(receipt->error);
        QCOMPARE(receipt->count(Outcome::Done), 4);
        QCOMPARE(receipt->count(Outcome::InDoubt), 4);
        QCOMPARE(receipt->count(Outcome::Cancelled), 4);
        const Activity activity = desk.activities().first();
        QCOMPARE(activity.state, Activity::State::InDoubt);
        QVERIFY(!planUndo(desk.bench(), activity)); // look first

        QVERIFY_RESULT(own.restart());
        const auto checked = checkDoubt(desk.bench(), activity);
        QVERIFY_RESULT(checked);
        QVERIFY(checked->doubtful.isEmpty());
        QCOMPARE(checked->counts.value(word(Outcome::Cancelled)), 8);
        QCOMPARE(checked->counts.value(word(Outcome::Done)), 4);
    }

    /// An operator died between its intent and its act, and a relay went on.
    void aRowThatARelayTookWasNotPurged()
    {
        OutboxBench bench(OutboxBench::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(bench.setUp());
        QVERIFY(bench.insertRows(1));
        OperatorDesk desk;
        QVERIFY_RESULT(desk.open(bench));
        const auto plan = desk.plan(Verb::Purge, OperatorDesk::rows(bench.insertedIds()));
        QVERIFY_RESULT(plan);
        OperationLog log(desk.bench(), *plan, fullConsent(*plan));
        QVERIFY_RESULT(log.begin());
        QVERIFY_RESULT(log.intent(0, plan->items));
        BenchRelay relay;
        QVERIFY_RESULT(relay.open(bench));
        QCOMPARE(relay.drain().enqueued, 1);
        const auto checked = checkDoubt(desk.bench(), desk.activities().first());
        QVERIFY_RESULT(checked);
        QCOMPARE(checked->counts.value(word(Outcome::Changed)), 1);
        QCOMPARE(checked->counts.value(word(Outcome::Done)), 0);
    }

    void tracesCanBeReadAgain_data()
    {
        QTest::addColumn<QString>("version");
        QTest::newRow("PostgreSQL") << u"845"_s;
        QTest::newRow("SQLite") << u"12:'2026-01-01 10:00:00' task=x|NULL"_s;
        QTest::newRow("none") << QString();
    }
    void tracesCanBeReadAgain()
    {
        QFETCH(QString, version);
        Trace trace;
        trace.row = MessageState::Processed;
        trace.version = version;
        trace.processed = QDateTime(QDate(2026, 11, 21), QTime(10, 0, 0, 125), Qt::UTC);
        trace.task = TaskState::Archived;
        trace.stamp = "1763719200.5";
        QCOMPARE(Trace::fromText(trace.text()), trace);
        QCOMPARE(Trace::fromText(Trace().text()), Trace());
    }
};

QTEST_GUILESS_MAIN(TestOperation)
#include "tst_operation.moc"
