// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What holds for every verb: no act without consent, record and an armed fixture; chunks that can
// be cancelled and held; what changed meanwhile is told and left alone.
#include "app/operations/core/operationlog.h"
#include "app/operations/core/traces.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoperator.h"
#include "tests/support/testpostgres.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QTest>

namespace tst_operation {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestOperation : public QObject
{
    Q_OBJECT

    TestPostgres m_postgres;
    PrivateRedis m_redis;
    std::unique_ptr<TestOutbox> m_fixture;
    std::unique_ptr<TestOperator> m_person;

    Selection someRows(int count) const
    {
        return TestOperator::rows(m_fixture->insertedIds().mid(0, count));
    }

    Plan replayOf(int count)
    {
        const auto plan = m_person->plan(Verb::Replay, someRows(count));
        return plan ? *plan : Plan();
    }

    void nothingWasDone(const Result<Receipt> &receipt)
    {
        QVERIFY(!receipt);
        QCOMPARE(m_fixture->unprocessed(), 0);
    }

    AuditEntry lastEntry()
    {
        const auto entries = m_person->session().audit().read();
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
        m_fixture = std::make_unique<TestOutbox>(TestOutbox::Kind::Postgres,
                                                 BenchShape::CompletedAt, &m_postgres, m_redis);
        QVERIFY(m_fixture->setUp());
        QVERIFY(m_fixture->insertRows(20));
        QVERIFY(m_fixture->exec(u"update outbox set completed_at = now() - interval '3 days'"_s));
        m_person = std::make_unique<TestOperator>();
        QVERIFY_RESULT(m_person->open(*m_fixture));
    }
    void cleanup()
    {
        m_person.reset();
        m_fixture.reset();
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
        QVERIFY(!m_person->plan(Verb::Replay, {})); // nothing was selected
    }

    void withoutTheTypedTextNothingIsDone()
    {
        const Plan plan = replayOf(3);
        Consent consent = fullConsent(plan);
        consent.typed = u"4 fixture"_s;
        const auto receipt
            = operationFor(Verb::Replay)->carryOut(m_person->session(), plan, consent, {});
        nothingWasDone(receipt);
        QCOMPARE(receipt.error().kind, Error::Kind::Refused);
        QCOMPARE(lastEntry().kind, AuditEntry::Kind::Refusal);
        QCOMPARE(lastEntry().operation, plan.operation);
        QCOMPARE(m_person->activities().first().state, Activity::State::Refused);
    }

    void aSecondExecutionNeedsItsOwnConsent()
    {
        const Plan plan = replayOf(3);
        const auto receipt
            = operationFor(Verb::Replay)->carryOut(m_person->session(), plan, {}, {});
        nothingWasDone(receipt);
        QCOMPARE(lastEntry().kind, AuditEntry::Kind::Refusal);
        QCOMPARE(lastEntry().counts.value(word(Outcome::NotAllowed)), 3);
    }

    void aBenchThatIsNotArmedRefuses()
    {
        const Plan plan = replayOf(3);
        m_person->session().disarm();
        nothingWasDone(m_person->carryOut(plan));
        QCOMPARE(lastEntry().kind, AuditEntry::Kind::Refusal);
        m_person->session().arm({});
        const auto receipt = m_person->carryOut(plan);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Done), 3);
    }

    void aPlanOfAnotherSystemOrVerbIsRefused()
    {
        Plan plan = replayOf(3);
        const auto purge
            = operationFor(Verb::Purge)->carryOut(m_person->session(), plan, fullConsent(plan), {});
        nothingWasDone(purge);
        plan.target = u"outbox @ elsewhere/db"_s;
        nothingWasDone(m_person->carryOut(plan));
    }

    void withoutARecordNothingIsDone()
    {
        const Plan plan = replayOf(3);
        // A folder where the file should be: nobody can append to it, root neither.
        QVERIFY(QDir().mkpath(m_person->session().audit().file()));
        nothingWasDone(m_person->carryOut(plan));
    }

    void aRoleWithoutTheRightIsToldBeforeAnythingBegins()
    {
        QVERIFY(m_fixture->exec(u"create role purger login"_s));
        QVERIFY(m_fixture->exec(u"grant select, delete on outbox to purger"_s));
        TestOperator person;
        QVERIFY_RESULT(person.open(*m_fixture));
        OperatorSessionSettings settings;
        settings.profile = person.session().profile();
        settings.profile.actingUser = u"purger"_s;
        settings.shape = person.session().shape();
        settings.act = ProfilePasswords();
        settings.stateFolder = person.stateFolder();
        settings.face = u"outboxctl"_s;
        QVERIFY_RESULT(person.session().open(settings));
        const auto refused = person.act(Verb::Replay, someRows(2));
        nothingWasDone(refused);
        QCOMPARE(refused.error().kind, Error::Kind::Refused);
        const auto purged = person.act(Verb::Purge, someRows(2));
        QVERIFY_RESULT(purged);
        QCOMPARE(purged->count(Outcome::Done), 2);
        QVERIFY(m_fixture->exec(u"drop owned by purger; drop role purger"_s));
    }

    void eachChunkIsOnRecordBeforeAndAfter()
    {
        OperationControl control;
        control.chunk = 2;
        QStringList points;
        control.passed = [&points](const char *point) { points += QString::fromLatin1(point); };
        QList<OperationProgress> progress;
        control.progressed = [&progress](const OperationProgress &now) { progress += now; };
        const auto receipt = m_person->act(Verb::Replay, someRows(5), control);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->items.size(), 5);
        QVERIFY(receipt->undoable);
        QCOMPARE(points.count(u"committed"_s), 3);
        QCOMPARE(progress.last(), (OperationProgress{5, 5, u"Replay"_s}));

        const auto entries = m_person->session().audit().read();
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
        const auto receipt = m_person->act(Verb::Replay, someRows(12), control);
        QVERIFY_RESULT(receipt);
        QVERIFY(receipt->cancelled && !receipt->error);
        QCOMPARE(receipt->count(Outcome::Done), 8);
        QCOMPARE(receipt->count(Outcome::Cancelled), 4);
        QCOMPARE(m_fixture->unprocessed(), 8);
        QCOMPARE(m_person->activities().first().state, Activity::State::Cancelled);
    }

    void pauseHoldsTheNextChunk()
    {
        OperationControl control;
        control.chunk = 4;
        int asked = 0;
        control.isPaused = [&asked] { return ++asked > 1 && asked < 5; };
        const auto receipt = m_person->act(Verb::Replay, someRows(8), control);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Done), 8);
        QVERIFY(asked >= 5);
    }

    void whatChangedMeanwhileIsToldAndLeftAlone()
    {
        const QStringList ids = m_fixture->insertedIds();
        const Plan plan = replayOf(5);
        QVERIFY(m_fixture->exec(u"update outbox set type = 'changed' where id = "_s + ids.at(0)));
        QVERIFY(m_fixture->exec(u"delete from outbox where id = "_s + ids.at(1)));
        const QByteArray task = m_fixture->taskId(m_person->session().shape(), ids.at(2)).toUtf8();
        QVERIFY(m_fixture->plainRedis()
                    .command({"HSET", "asynq:{default}:t:" + task, "state", "active"}, u"placing"_s)
                    .has_value());
        QVERIFY(m_fixture->exec(u"begin"_s));
        QVERIFY(m_fixture->exec(u"select 1 from outbox where id = %1 for update"_s.arg(ids.at(3))));

        const auto receipt = m_person->carryOut(plan);
        QVERIFY(m_fixture->exec(u"rollback"_s));
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->items.at(0).outcome, Outcome::Changed);
        QCOMPARE(receipt->items.at(1).outcome, Outcome::Gone);
        QCOMPARE(receipt->items.at(2).outcome, Outcome::Changed);
        QCOMPARE(receipt->items.at(3).outcome, Outcome::Claimed);
        QVERIFY(receipt->items.at(3).reason.contains(u"fixture-plain"_s)); // by whom
        QCOMPARE(receipt->items.at(4).outcome, Outcome::Done);
        for (const ReceiptItem &item : receipt->items)
            QVERIFY(item.outcome == Outcome::Done || !item.reason.isEmpty());
        QCOMPARE(m_fixture->unprocessed(), 1);
        QCOMPARE(receipt->sentence(), u"1 done, 1 claimed, 1 not there, 2 changed meanwhile"_s);

        // The same plan once more finds nothing as it was seen.
        const auto again = m_person->carryOut(plan);
        QVERIFY_RESULT(again);
        QCOMPARE(again->count(Outcome::Done), 1); // the row that was claimed
        QCOMPARE(m_fixture->unprocessed(), 2);
    }

    void nothingIsTakenBackTwice()
    {
        const auto replayed = m_person->act(Verb::Replay, someRows(3));
        QVERIFY_RESULT(replayed);
        const auto activity = activityOf(m_person->session().audit(), replayed->operation);
        QVERIFY_RESULT(activity);
        QCOMPARE(activity->state, Activity::State::Done);
        const auto undo = planUndo(m_person->session(), *activity);
        QVERIFY_RESULT(undo);
        const auto rival = planUndo(m_person->session(), *activity); // planned in another window
        QVERIFY_RESULT(rival);
        const auto back = m_person->carryOut(*undo);
        QVERIFY_RESULT(back);
        QCOMPARE(back->count(Outcome::Done), 3);

        const auto late = m_person->carryOut(*rival);
        nothingWasDone(late);
        QCOMPARE(late.error().kind, Error::Kind::Refused);
        QCOMPARE(lastEntry().kind, AuditEntry::Kind::Refusal);
        const auto known = activityOf(m_person->session().audit(), replayed->operation);
        QVERIFY_RESULT(known);
        QCOMPARE(known->state, Activity::State::Undone);
        QVERIFY(!planUndo(m_person->session(), *known));
    }

    void nothingIsTakenBackByTwoAtOnce()
    {
        const auto replayed = m_person->act(Verb::Replay, someRows(3));
        QVERIFY_RESULT(replayed);
        const auto activity = activityOf(m_person->session().audit(), replayed->operation);
        QVERIFY_RESULT(activity);
        const auto undo = planUndo(m_person->session(), *activity);
        QVERIFY_RESULT(undo);
        const AuditTrail rival(m_person->session().audit().file());
        {
            const auto turn = rival.holdForUndo(replayed->operation);
            QVERIFY_RESULT(turn);
            const auto early = m_person->carryOut(*undo);
            QCOMPARE(early.error().kind, Error::Kind::Refused);
            QVERIFY(!early.error().hint.isEmpty());
            QCOMPARE(m_fixture->unprocessed(), 3);
        }
        OperationControl control;
        int refused = 0;
        control.passed = [&](const char *point) { // from its last look to its end
            if (QByteArrayList{"ready", "begun", "acted", "ended"}.contains(point))
                refused += rival.holdForUndo(replayed->operation) ? 0 : 1;
        };
        const auto back = m_person->carryOut(*undo, control);
        QVERIFY_RESULT(back);
        QCOMPARE(back->count(Outcome::Done), 3);
        QCOMPARE(refused, 4);
        QVERIFY_RESULT(rival.holdForUndo(replayed->operation));
    }

    void whatWasChangedInTheRecordIsNotActedOn()
    {
        const auto replayed = m_person->act(Verb::Replay, someRows(3));
        QVERIFY_RESULT(replayed);
        const auto known = activityOf(m_person->session().audit(), replayed->operation);
        QVERIFY_RESULT(known);
        const auto undo = planUndo(m_person->session(), *known);
        QVERIFY_RESULT(undo);
        QFile file(m_person->session().audit().file());
        QVERIFY(file.open(QFile::ReadWrite));
        QByteArray text = file.readAll();
        const qsizetype at = text.lastIndexOf("\"after\":\"done ");
        QVERIFY(at > 0);
        char &digit = text[at + 14];
        digit = digit == '1' ? '2' : '1';
        QVERIFY(file.seek(0) && file.write(text) == text.size() && file.flush());

        const auto activity = activityOf(m_person->session().audit(), replayed->operation);
        QVERIFY_RESULT(activity);
        QCOMPARE(activity->state, Activity::State::RecordChanged);
        QVERIFY(!activity->undoable);
        for (const auto &refused : {planUndo(m_person->session(), *activity).error(),
                                    checkDoubt(m_person->session(), *activity).error(),
                                    m_person->carryOut(*undo).error()}) {
            QCOMPARE(refused.kind, Error::Kind::Refused);
        }
        QVERIFY(planUndo(m_person->session(), *activity).error().hint.contains(u"--verify"_s));
        QCOMPARE(m_fixture->unprocessed(), 3);
    }

    void aServerThatDiesLeavesDoubtThatALookSettles()
    {
        OperationControl control;
        control.chunk = 4;
        PrivatePostgres own;
        OUTBOX_START_SERVER(own);
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::CompletedAt, &own, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(12));
        QVERIFY(fixture.exec(u"update outbox set completed_at = now()"_s));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        int chunks = 0;
        control.passed = [&](const char *point) {
            if (qstrcmp(point, "written") == 0 && ++chunks == 2)
                own.kill();
        };
        const auto receipt
            = person.act(Verb::Replay, TestOperator::rows(fixture.insertedIds()), control);
        QVERIFY_RESULT(receipt);
        QVERIFY(receipt->error);
        QCOMPARE(receipt->count(Outcome::Done), 4);
        QCOMPARE(receipt->count(Outcome::InDoubt), 4);
        QCOMPARE(receipt->count(Outcome::Cancelled), 4);
        const Activity activity = person.activities().first();
        QCOMPARE(activity.state, Activity::State::InDoubt);
        QVERIFY(!planUndo(person.session(), activity)); // look first

        QVERIFY_RESULT(own.restart());
        const auto checked = checkDoubt(person.session(), activity);
        QVERIFY_RESULT(checked);
        QVERIFY(checked->doubtful.isEmpty());
        QCOMPARE(checked->counts.value(word(Outcome::Cancelled)), 8);
        QCOMPARE(checked->counts.value(word(Outcome::Done)), 4);
    }

    /// An operator died between its intent and its act, and a relay went on.
    void aRowThatARelayTookWasNotPurged()
    {
        TestOutbox fixture(TestOutbox::Kind::Postgres, BenchShape::Payload, &m_postgres, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(1));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const auto plan = person.plan(Verb::Purge, TestOperator::rows(fixture.insertedIds()));
        QVERIFY_RESULT(plan);
        OperationLog log(person.session(), *plan, fullConsent(*plan));
        QVERIFY_RESULT(log.begin());
        QVERIFY_RESULT(log.intent(0, plan->items));
        FixtureRelay relay;
        QVERIFY_RESULT(relay.open(fixture));
        QCOMPARE(relay.drain().enqueued, 1);
        const auto checked = checkDoubt(person.session(), person.activities().first());
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

} // namespace tst_operation

OUTBOX_TEST(tst_operation::TestOperation)
#include "tst_operation.moc"
