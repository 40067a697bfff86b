// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where a message stands and what a replay would do: one row here for each row of the tables.
#include "models/message/tombstone.h"
#include "models/system/verdict.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <functional>

namespace tst_verdict {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QDateTime now(QDate(2026, 11, 21), QTime(14, 3, 0));

Message row(MessageState state)
{
    Message row;
    row.id.text = u"7e57"_s;
    row.type = u"email:deliver"_s;
    row.payload = "{}";
    row.payloadBytes = 2;
    row.state = state;
    row.ageSeconds = 38;
    return row;
}

Task task(TaskState state)
{
    Task task;
    task.id.text = u"7e57"_s;
    task.type = u"email:deliver"_s;
    task.payload = "{}";
    task.payloadBytes = 2;
    task.state = state;
    task.maxRetry = 25;
    task.retentionSeconds = 24 * 3600;
    return task;
}

Error error(const QString &text)
{
    return {Error::Kind::Timeout, u"looking"_s, text, {}, {}, -1};
}

} // namespace

using Facts = std::function<void(IdVerdict &, VerdictTerms &)>;

class TestVerdict : public QObject
{
    Q_OBJECT

private slots:
    void tellsWhereItStandsAndWhatAReplayDoes_data()
    {
        QTest::addColumn<Facts>("facts");
        QTest::addColumn<Forecast>("expected");
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QString>("replay");
        const auto add = [](const char *name, const Facts &facts, Forecast expected,
                            const QString &sentence, const QString &replay) {
            QTest::newRow(name) << facts << expected << sentence << replay;
        };
        add(
            "row only", [](IdVerdict &v, VerdictTerms &) { v.row = row(MessageState::Pending); },
            Forecast::Accepted, u"Waiting in the outbox for 38 s; not locked."_s,
            u"it will be queued"_s);
        add(
            "row, held",
            [](IdVerdict &v, VerdictTerms &) {
                v.row = row(MessageState::Locked);
                v.row->lockedBy = LockHolder{4711, u"relay-7"_s, 0.2, false, 0};
            },
            Forecast::Accepted, u"Held by relay-7 (process 4711) since 0.2 s."_s,
            u"it will be queued"_s);
        add(
            "row, held by several",
            [](IdVerdict &v, VerdictTerms &) {
                v.row = row(MessageState::Locked);
                v.row->lockedBy = LockHolder{0, {}, {}, true, 0};
            },
            Forecast::Accepted, u"Held by several sessions."_s, u"it will be queued"_s);
        add(
            "row, due later",
            [](IdVerdict &v, VerdictTerms &) {
                v.row = row(MessageState::Waiting);
                v.row->attempts = 2;
                v.row->error = u"550 no such user"_s;
            },
            Forecast::Accepted, u"Not due yet; tried twice: 550 no such user."_s,
            u"it will be queued"_s);
        add(
            "row, failed",
            [](IdVerdict &v, VerdictTerms &) {
                v.row = row(MessageState::Failed);
                v.row->attempts = 3;
            },
            Forecast::Accepted, u"Failed, tried 3 times."_s, u"it will be queued"_s);
        add(
            "row, parked",
            [](IdVerdict &v, VerdictTerms &) {
                v.row = row(MessageState::Parked);
                v.row->note = u"the type is blank"_s;
            },
            Forecast::Parked,
            u"Parked: no relay sends it until it is unparked (the type is blank)."_s,
            u"no, its row is parked: unpark it, and a relay sends it"_s);
        add(
            "row and task, same message",
            [](IdVerdict &v, VerdictTerms &) {
                v.row = row(MessageState::Pending);
                v.task = task(TaskState::Pending);
            },
            Forecast::InFlight,
            u"Already in the queue; the outbox row stays because the last commit is in doubt. The "
            u"next "
            "pass ends it."_s,
            u"already in the queue, nothing to do"_s);
        add(
            "row and task, under way",
            [](IdVerdict &v, VerdictTerms &) {
                v.row = row(MessageState::Locked);
                v.task = task(TaskState::Pending);
            },
            Forecast::InFlight,
            u"Held by a session that is not visible; already in the queue, the commit is under way."_s,
            u"already in the queue, nothing to do"_s);
        add(
            "row and task, other message",
            [](IdVerdict &v, VerdictTerms &) {
                v.row = row(MessageState::Pending);
                v.task = task(TaskState::Pending);
                v.task->payload = "[]";
            },
            Forecast::Collision, u"Another message owns this id. The row stays in the outbox."_s,
            u"collision: another message owns the id"_s);
        add(
            "row and stub",
            [](IdVerdict &v, VerdictTerms &) {
                v.row = row(MessageState::Pending);
                v.task = task(TaskState::Stub);
            },
            Forecast::Blocked,
            u"A damaged task blocks this id (no message in it). The row is kept."_s,
            u"blocked by a damaged task"_s);
        add(
            "orphan", [](IdVerdict &v, VerdictTerms &) { v.task = task(TaskState::Orphan); },
            Forecast::Blocked, u"A damaged task blocks this id (in no list)."_s,
            u"blocked by a damaged task"_s);
        add(
            "task pending",
            [](IdVerdict &v, VerdictTerms &) {
                v.task = task(TaskState::Pending);
                v.task->pendingSince = now.addMSecs(-3200);
            },
            Forecast::InFlight, u"In the queue since 3.2 s."_s,
            u"already in the queue, nothing to do"_s);
        add(
            "task active", [](IdVerdict &v, VerdictTerms &) { v.task = task(TaskState::Active); },
            Forecast::InFlight, u"Running on a worker."_s,
            u"already in the queue, nothing to do"_s);
        add(
            "task retry",
            [](IdVerdict &v, VerdictTerms &) {
                v.task = task(TaskState::Retry);
                v.task->retried = 2;
                v.task->nextRun = now.addSecs(40);
                v.task->lastError = u"451 try later"_s;
            },
            Forecast::InFlight, u"Failed twice, next try in 40 s: 451 try later."_s,
            u"already in the queue, nothing to do"_s);
        add(
            "task archived",
            [](IdVerdict &v, VerdictTerms &) {
                v.task = task(TaskState::Archived);
                v.task->retried = 25;
                v.task->archivedAt = now.addSecs(-1380);
                v.task->lastError = u"550 no such user"_s;
            },
            Forecast::Dead,
            u"Dead in queue since 13:40:00 after 25 of 25 retries: 550 no such user."_s,
            u"dead in queue: refused by its own id"_s);
        add(
            "task completed",
            [](IdVerdict &v, VerdictTerms &) {
                v.row = row(MessageState::Processed);
                v.task = task(TaskState::Completed);
                v.task->completedAt = now.addSecs(-20);
                v.task->keptUntil = now.addSecs(24 * 3600 - 20);
            },
            Forecast::RefusedUntil, u"Completed 14:02:40; refused until about 14:02 tomorrow."_s,
            u"refused until about 14:02 tomorrow"_s);
        add(
            "task completed, expired",
            [](IdVerdict &v, VerdictTerms &) {
                v.task = task(TaskState::Completed);
                v.task->completedAt = now.addSecs(-7200);
                v.task->retentionSeconds = 3600;
            },
            Forecast::RefusedExpired,
            u"Completed 12:03:00; its window ended 13:03, but it is refused until a janitor runs."_s,
            u"refused until a janitor runs"_s);
        const auto record = [] {
            Task left = task(TaskState::Completed);
            left.type = QString::fromLatin1(tombstoneType);
            left.payload.clear();
            left.payloadBytes = 0;
            left.completedAt = now.addSecs(-20);
            left.keptUntil = now.addSecs(24 * 3600 - 20);
            return left;
        };
        const QString keepsOut
            = u"A record of a purge, or of a replay that was undone, keeps copies of it out "
              "until about 14:02 tomorrow."_s;
        add(
            "purged", [record](IdVerdict &v, VerdictTerms &) { v.task = record(); },
            Forecast::RefusedUntil, keepsOut, u"refused until about 14:02 tomorrow"_s);
        add(
            "a replay was undone",
            [record](IdVerdict &v, VerdictTerms &) {
                v.row = row(MessageState::Processed);
                v.task = record();
            },
            Forecast::RefusedUntil, keepsOut, u"refused until about 14:02 tomorrow"_s);
        add(
            "purged, and written again",
            [record](IdVerdict &v, VerdictTerms &) {
                v.row = row(MessageState::Pending);
                v.task = record();
            },
            Forecast::RefusedUntil, u"Waiting in the outbox for 38 s; not locked. "_s + keepsOut,
            u"refused until about 14:02 tomorrow"_s);
        add(
            "neither, rows are deleted", [](IdVerdict &, VerdictTerms &) {}, Forecast::Accepted,
            u"No row and no task: delivered and expired, or never written here."_s,
            u"its id is free, it will be queued"_s);
        add(
            "neither, rows are kept",
            [](IdVerdict &, VerdictTerms &terms) { terms.rowsAreDeleted = false; },
            Forecast::Accepted, u"No row and no task: never written here, or purged."_s,
            u"its id is free, it will be queued"_s);
        add(
            "processed, no task, in the window",
            [](IdVerdict &v, VerdictTerms &) {
                v.row = row(MessageState::Processed);
                v.row->processed = now.addSecs(-11);
            },
            Forecast::SecondExecution,
            u"Marked processed 14:02:49, but no task: inside the dedup window this is suspicious (K8)."_s,
            u"queued, and run a second time"_s);
        add(
            "processed, window over",
            [](IdVerdict &v, VerdictTerms &) {
                v.row = row(MessageState::Processed);
                v.row->processed = now.addDays(-3);
            },
            Forecast::SecondExecution,
            u"Marked processed 2026-11-18 14:03:00; its id is free again."_s,
            u"queued, and run a second time"_s);
        add(
            "queue not read",
            [](IdVerdict &v, VerdictTerms &) {
                v.row = row(MessageState::Pending);
                v.taskError = error(u"timed out"_s);
            },
            Forecast::Unknown,
            u"Waiting in the outbox for 38 s; not locked. The queue was not read (timed out)."_s,
            u"unknown: the queue did not answer"_s);
        add(
            "database not read",
            [](IdVerdict &v, VerdictTerms &) { v.rowError = error(u"timed out"_s); },
            Forecast::Accepted, u"The database was not read (timed out)."_s,
            u"its id is free, it will be queued; whether it ran before is not known"_s);
        add(
            "nothing read",
            [](IdVerdict &v, VerdictTerms &) {
                v.rowError = error(u"refused"_s);
                v.taskError = error(u"timed out"_s);
            },
            Forecast::Unknown,
            u"Unknown: neither the database nor the queue answered (refused; timed out)."_s,
            u"unknown: the queue did not answer"_s);
    }

    void tellsWhereItStandsAndWhatAReplayDoes()
    {
        QFETCH(Facts, facts);
        QFETCH(Forecast, expected);
        QFETCH(QString, sentence);
        QFETCH(QString, replay);
        IdVerdict verdict;
        VerdictTerms terms;
        terms.now = now;
        facts(verdict, terms);
        const IdVerdict told = judged(verdict, terms);
        QCOMPARE(told.sentence, sentence);
        QCOMPARE(told.replay, replay);
        QCOMPARE(forecast(verdict, terms), expected);
    }

    void aCutPayloadIsNoCollision()
    {
        Message cut = row(MessageState::Pending);
        cut.payloadBytes = 100;
        Task whole = task(TaskState::Pending);
        whole.payloadBytes = 100;
        QVERIFY(!collides(cut, whole));
        whole.payloadBytes = 101;
        QVERIFY(collides(cut, whole));
        whole.payloadBytes = 100;
        whole.type = u"sms:send"_s;
        QVERIFY(collides(cut, whole));
        Task unread = task(TaskState::Pending); // its message was too long for a look
        unread.type.clear();
        unread.payload.clear();
        unread.payloadBytes = 3'000'000;
        QVERIFY(!collides(cut, unread));
    }

    void aDanglingReferenceIsNoCollision()
    {
        Message dangling = row(MessageState::Pending);
        dangling.payload.clear();
        dangling.payloadBytes = -1;
        QVERIFY(!collides(dangling, task(TaskState::Pending)));
    }
};

} // namespace tst_verdict

OUTBOX_TEST(tst_verdict::TestVerdict)
#include "tst_verdict.moc"
