// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The line of time of one message: what is known, in order, what is not known, and the gaps.
#include "models/message/tombstone.h"
#include "models/system/timeline.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <functional>

namespace tst_timeline {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QDateTime now(QDate(2026, 11, 21), QTime(14, 3, 0), Qt::UTC);

QDateTime at(double seconds)
{
    return now.addMSecs(static_cast<qint64>(seconds * 1000));
}

Message row(MessageState state, double created)
{
    Message row;
    row.id.text = u"7e57"_s;
    row.type = u"email:deliver"_s;
    row.payload = "{}";
    row.payloadBytes = 2;
    row.state = state;
    row.created = at(created);
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
    task.retentionSeconds = 86'400;
    return task;
}

Task retrying()
{
    Task one = task(TaskState::Retry);
    one.retried = 2;
    one.lastFailed = at(-12);
    one.lastError = u"connection refused"_s;
    one.nextRun = at(40);
    return one;
}

Task done(double completed)
{
    Task one = task(TaskState::Completed);
    one.completedAt = at(completed);
    return one;
}

Error error()
{
    return {Error::Kind::Timeout, u"looking"_s, u"no answer"_s, {}, {}, -1};
}

/// "written@-38, now@0 [38 s in the outbox]": seconds from now, "?" for a time that is not known,
/// "+" behind what is to come.
QString drawn(const QList<TimelinePoint> &line)
{
    QStringList texts;
    for (const TimelinePoint &point : line) {
        QString text = word(point.kind);
        if (point.at)
            text += u'@' + QString::number(now.secsTo(*point.at));
        else
            text += u'?';
        if (point.isFuture)
            text += u'+';
        if (!point.gap.isEmpty())
            text += u" ["_s + point.gap + u']';
        texts += text;
    }
    return texts.join(u", "_s);
}

const TimelinePoint &pointOf(const QList<TimelinePoint> &line, TimelinePoint::Kind kind)
{
    for (const TimelinePoint &point : line) {
        if (point.kind == kind)
            return point;
    }
    qFatal("no such point");
}

} // namespace

using Facts = std::function<void(IdVerdict &)>;

class TestTimeline : public QObject
{
    Q_OBJECT

private slots:
    void tellsWhatIsKnownInOrder_data()
    {
        QTest::addColumn<Facts>("facts");
        QTest::addColumn<QString>("expected");
        const auto add = [](const char *name, const Facts &facts, const QString &expected) {
            QTest::newRow(name) << facts << expected;
        };
        // A row that is not sent yet, in tables of all kinds.
        add(
            "waits", [](IdVerdict &v) { v.row = row(MessageState::Pending, -38); },
            u"written@-38, now@0 [38 s in the outbox]"_s);
        add(
            "held by a lock",
            [](IdVerdict &v) {
                v.row = row(MessageState::Locked, -38);
                v.row->lockedBy = LockHolder{4711, u"relay-7"_s, 0.2, false, 0};
            },
            u"written@-38, claimed? [not known], now@0 [38 s in the outbox]"_s);
        add(
            "held by a lease",
            [](IdVerdict &v) {
                v.row = row(MessageState::Locked, -38);
                v.row->leaseUntil = at(30);
            },
            u"written@-38, claimed? [not known], now@0 [38 s in the outbox], "
            "lease-end@30+ [in 30 s]"_s);
        add(
            "its lease is over",
            [](IdVerdict &v) {
                v.row = row(MessageState::Pending, -38);
                v.row->leaseUntil = at(-5);
            },
            u"written@-38, lease-end@-5 [33 s], now@0 [5.0 s ago]"_s);
        add(
            "due later",
            [](IdVerdict &v) {
                v.row = row(MessageState::Waiting, -600);
                v.row->attempts = 2;
                v.row->error = u"550 no such user"_s;
            },
            u"written@-600, last-try? [not known], now@0 [10 min in the outbox], "
            "due?+ [not known]"_s);
        add(
            "failed", [](IdVerdict &v) { v.row = row(MessageState::Failed, -600); },
            u"written@-600, failed? [not known], now@0 [10 min in the outbox]"_s);
        add(
            "parked",
            [](IdVerdict &v) {
                v.row = row(MessageState::Parked, -98);
                v.row->parkedSince = at(-60);
            },
            u"written@-98, parked@-60 [38 s in the outbox], now@0 [60 s ago]"_s);
        add(
            "parked, since when is not told",
            [](IdVerdict &v) { v.row = row(MessageState::Parked, -98); },
            u"written@-98, parked? [not known], now@0 [98 s in the outbox]"_s);
        add(
            "no time in the table",
            [](IdVerdict &v) {
                v.row = row(MessageState::Pending, 0);
                v.row->created.reset();
            },
            u"written?, now@0 [not known]"_s);
        // Delivered rows are deleted: the task alone tells.
        add(
            "pending",
            [](IdVerdict &v) {
                v.task = task(TaskState::Pending);
                v.task->pendingSince = at(-2);
            },
            u"written?, queued@-2 [not known], now@0 [2.0 s ago]"_s);
        add(
            "pending again",
            [](IdVerdict &v) {
                v.task = task(TaskState::Pending);
                v.task->retried = 1;
                v.task->lastFailed = at(-40);
                v.task->pendingSince = at(-2);
            },
            u"written?, last-try@-40 [not known], queued@-2 [38 s], now@0 [2.0 s ago]"_s);
        add(
            "active",
            [](IdVerdict &v) {
                v.task = task(TaskState::Active);
                v.task->leaseUntil = at(30);
            },
            u"written?, queued? [not known], running? [not known], now@0 [not known], "
            "lease-end@30+ [in 30 s]"_s);
        add(
            "scheduled",
            [](IdVerdict &v) {
                v.task = task(TaskState::Scheduled);
                v.task->nextRun = at(60);
            },
            u"written?, queued? [not known], now@0 [not known], due@60+ [in 60 s]"_s);
        add(
            "in a group", [](IdVerdict &v) { v.task = task(TaskState::Aggregating); },
            u"written?, queued? [not known], grouped? [not known], now@0 [not known]"_s);
        add(
            "in retry", [](IdVerdict &v) { v.task = retrying(); },
            u"written?, queued? [not known], last-try@-12 [not known], now@0 [12 s ago], "
            "next-try@40+ [in 40 s]"_s);
        add(
            "dead",
            [](IdVerdict &v) {
                v.task = task(TaskState::Archived);
                v.task->retried = 25;
                v.task->lastFailed = v.task->archivedAt = at(-30);
            },
            u"written?, queued? [not known], last-try@-30 [not known], dead@-30 [0 s], "
            "now@0 [30 s ago]"_s);
        add(
            "done, its window is over",
            [](IdVerdict &v) {
                v.task = done(-90'000);
                v.task->keptUntil = at(-3'600);
            },
            u"written?, queued? [not known], done@-90000 [not known], kept-until@-3600 [24 h], "
            "now@0 [60 min ago]"_s);
        add(
            "a tombstone",
            [](IdVerdict &v) {
                v.task = done(-60);
                v.task->type = QString::fromLatin1(tombstoneType);
            },
            u"written?, kept-out@-60 [not known], now@0 [60 s ago], "
            "kept-until@86340+ [in 23 h 59 min]"_s);
        add(
            "nothing is left", [](IdVerdict &) {},
            u"written?, queued? [not known], now@0 [not known]"_s);
        // Delivered rows stay: with a time, with a flag alone, and before their COMMIT is sure.
        add(
            "marked, then done",
            [](IdVerdict &v) {
                v.row = row(MessageState::Processed, -100);
                v.row->processed = at(-60);
                v.task = done(-58);
            },
            u"written@-100, queued? [not known], processed@-60 [40 s in the outbox], "
            "done@-58 [2.0 s], now@0 [58 s ago], kept-until@86342+ [in 23 h 59 min]"_s);
        add(
            "done, then marked",
            [](IdVerdict &v) {
                v.row = row(MessageState::Processed, -100);
                v.row->processed = at(-58);
                v.task = done(-60);
            },
            u"written@-100, queued? [not known], done@-60 [40 s], processed@-58 [2.0 s], "
            "now@0 [58 s ago], kept-until@86340+ [in 23 h 59 min]"_s);
        add(
            "marked by a flag", [](IdVerdict &v) { v.row = row(MessageState::Processed, -100); },
            u"written@-100, queued? [not known], processed? [not known], now@0 [100 s ago]"_s);
        add(
            "marked by its processed date",
            [](IdVerdict &v) {
                v.row = row(MessageState::Processed, -100);
                v.row->processed = at(-60);
            },
            u"written@-100, queued? [not known], processed@-60 [40 s in the outbox], "
            "now@0 [60 s ago]"_s);
        add(
            "the commit is in doubt",
            [](IdVerdict &v) {
                v.row = row(MessageState::Pending, -252);
                v.task = retrying();
            },
            u"written@-252, queued? [not known], last-try@-12 [2 tries in 4 min], "
            "now@0 [12 s ago], next-try@40+ [in 40 s]"_s);
        add(
            "another message's task",
            [](IdVerdict &v) {
                v.row = row(MessageState::Pending, -38);
                v.task = done(-3'600);
                v.task->payload = "[]";
            },
            u"written@-38, now@0 [38 s in the outbox]"_s);
        add(
            "a source does not answer",
            [](IdVerdict &v) {
                v.row = row(MessageState::Pending, -38);
                v.taskError = error();
            },
            u"written@-38, queued? [not known], now@0 [38 s in the outbox]"_s);
    }
    void tellsWhatIsKnownInOrder()
    {
        QFETCH(Facts, facts);
        QFETCH(QString, expected);
        IdVerdict verdict;
        facts(verdict);
        const auto line = timelineOf(verdict, now);
        QCOMPARE(drawn(line), expected);
        for (const TimelinePoint &point : line) {
            if (!point.at)
                QVERIFY(!point.gapSeconds);
        }
    }

    /// A point without a time says why, by who should have told it.
    void anUnknownTimeHasItsReason()
    {
        using Kind = TimelinePoint::Kind;
        IdVerdict gone;
        const auto nothing = timelineOf(gone, now);
        QCOMPARE(pointOf(nothing, Kind::Written).note, u"there is no row now"_s);
        QCOMPARE(pointOf(nothing, Kind::Queued).note, u"there is no task now"_s);
        gone.rowError = error();
        gone.taskError = error();
        const auto unread = timelineOf(gone, now);
        QCOMPARE(pointOf(unread, Kind::Written).note, u"the database was not read"_s);
        QVERIFY(pointOf(unread, Kind::Queued).note.contains(u"was not read"_s));
        IdVerdict damaged;
        damaged.task = task(TaskState::Stub);
        QCOMPARE(pointOf(timelineOf(damaged, now), Kind::Queued).note,
                 u"a damaged task stands under the id"_s);
        IdVerdict held;
        held.row = row(MessageState::Locked, -38);
        held.row->lockedBy = LockHolder{4711, u"relay-7"_s, 0.2, false, 0};
        const auto line = timelineOf(held, now);
        const TimelinePoint &claimed = pointOf(line, Kind::Claimed);
        QVERIFY(!claimed.at); // the age of the holder's transaction is not that of the claim
        QVERIFY(claimed.note.contains(u"relay-7"_s));
    }

    void operationsStandWhereTheirTimePutsThem()
    {
        IdVerdict verdict;
        verdict.traces = {{IdTrace::Place::Record, at(-600), u"Purge by ana@desk: done"_s, {}},
                          {IdTrace::Place::Export, at(-600), u"/tmp/export"_s, {}},
                          {IdTrace::Place::Database, at(-3'600), u"Replay by bo@desk: done"_s, {}}};
        auto line = timelineOf(verdict, now);
        QCOMPARE(drawn(line),
                 u"written?, queued? [not known], operation@-3600 [not known], "
                 "operation@-600 [50 min], now@0 [10 min ago]"_s);
        QCOMPARE(line.at(3).note, u"Purge by ana@desk: done"_s);
        verdict.row = row(MessageState::Pending, -38); // it was put back, or the key is used again
        line = timelineOf(verdict, now);
        QCOMPARE(drawn(line),
                 u"operation@-3600, operation@-600 [50 min], written@-38 [9 min], "
                 "now@0 [38 s in the outbox]"_s);
        for (int more = 0; more < 20; ++more)
            verdict.traces.prepend({IdTrace::Place::Record, at(-30 + more), u"Run"_s, {}});
        qsizetype operations = 0;
        for (const TimelinePoint &point : timelineOf(verdict, now))
            operations += point.kind == TimelinePoint::Kind::Operation ? 1 : 0;
        QCOMPARE(operations, 6);
    }

    void clocksThatContradictEachOtherAreTold()
    {
        IdVerdict ahead;
        ahead.row = row(MessageState::Pending, 240);
        const auto written = timelineOf(ahead, now);
        QCOMPARE(drawn(written), u"written@240, now@0 [clock differs: 4 min earlier]"_s);
        QVERIFY(!written.last().gapSeconds);

        IdVerdict queue;
        queue.row = row(MessageState::Pending, -10);
        queue.task = task(TaskState::Pending);
        queue.task->pendingSince = at(-15);
        QCOMPARE(drawn(timelineOf(queue, now)),
                 u"written@-10, queued@-15 [clock differs: 5.0 s earlier], now@0 [15 s ago]"_s);

        // The queue keeps whole seconds: that is no other clock.
        IdVerdict grain;
        grain.row = row(MessageState::Pending, -4.3);
        grain.task = done(-5);
        const auto line = timelineOf(grain, now);
        const TimelinePoint &end = pointOf(line, TimelinePoint::Kind::Done);
        QCOMPARE(end.gapSeconds.value_or(-1), 0.0);
        QCOMPARE(end.gap, u"0 s"_s);
    }

    void theDatabasesClockTellsHowLongARowWaits()
    {
        IdVerdict verdict;
        verdict.row = row(MessageState::Pending, -41);
        verdict.row->ageSeconds = 38;
        QCOMPARE(drawn(timelineOf(verdict, now)), u"written@-41, now@0 [38 s in the outbox]"_s);
    }

    void isReadAsOneText()
    {
        IdVerdict verdict;
        verdict.row = row(MessageState::Pending, -38);
        verdict.task = done(-20);
        const QString text = timelineText(timelineOf(verdict, now), now);
        const auto clock
            = [](double seconds) { return at(seconds).toLocalTime().toString(u"HH:mm:ss"_s); };
        QVERIFY2(text.startsWith(
                     u"Written %1, as the row tells; In the queue: time not known "
                     "(the queue keeps it only while the task is pending); 18 s; "
                     "Done %2, as the task tells; 20 s ago; Now "_s.arg(clock(-38), clock(-20))),
                 qPrintable(text));
        QVERIFY2(text.contains(u"; in 24 h; Refused until about "_s), qPrintable(text));
    }
};

} // namespace tst_timeline

OUTBOX_TEST(tst_timeline::TestTimeline)
#include "tst_timeline.moc"
