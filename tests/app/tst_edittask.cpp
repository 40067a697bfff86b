// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// EditTask as an operator's verb: what is foreseen is done, whoever changed the task meanwhile is
// not overwritten, and the old task comes back byte for byte.
#include "app/operations/core/traces.h"
#include "tests/app/queueground.h"
#include "tests/support/everybyte.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QTest>

namespace tst_edittask {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

/// Behind a message: fields of an asynq to come.
const QByteArray unknownFields = QByteArray::fromHex("98060a9a0603616263");

/// One task with a long history.
asynq::TaskMessage worn(const QString &id)
{
    asynq::TaskMessage message = messageOf(sampleRequest(id));
    message.payload = everyByte();
    message.retried = 7;
    message.error = u"smtp down"_s;
    message.lastFailedAt = 1'763'719'200;
    message.headers = {{u"traceparent"_s, u"00-ab"_s}};
    return message;
}

enum class Part { Payload, Type, Both, Later, Now, PayloadAndLater };

QDateTime inTwoHours()
{
    return QDateTime::fromSecsSinceEpoch(QDateTime::currentSecsSinceEpoch() + 7200, Qt::UTC);
}

RowEdit editOf(Part part)
{
    RowEdit edit;
    if (part == Part::Payload || part == Part::Both || part == Part::PayloadAndLater)
        edit.payload = QByteArray("new\0\xff", 5);
    if (part == Part::Type || part == Part::Both)
        edit.type = u"mail:new"_s;
    if (part == Part::Later || part == Part::PayloadAndLater)
        edit.due = inTwoHours();
    if (part == Part::Now)
        edit.due = QDateTime::currentDateTimeUtc();
    return edit;
}

QList<std::pair<QString, Part>> allParts()
{
    return {{u"payload"_s, Part::Payload}, {u"type"_s, Part::Type},
            {u"both"_s, Part::Both},       {u"later"_s, Part::Later},
            {u"now"_s, Part::Now},         {u"payload and later"_s, Part::PayloadAndLater}};
}

/// Where an edited task is to stand.
TaskState placeBehind(TaskState state, const RowEdit &edit)
{
    if (edit.due && *edit.due > QDateTime::currentDateTimeUtc())
        return state == TaskState::Retry ? TaskState::Retry : TaskState::Scheduled;
    return edit.due || state == TaskState::Archived ? TaskState::Pending : state;
}

} // namespace

class TestEditTask : public QObject, protected QueueGround
{
    Q_OBJECT

    static Selection wanted(const RowEdit &edit, const QString &id = u"one"_s)
    {
        Selection selection = TestOperator::tasks({id});
        selection.edit = edit;
        return selection;
    }

    QByteArray whole(const QByteArray &id = "one") { return redisByTask(m_plain, {id}).value(id); }

    /// A task whose message has a history and fields that nobody here knows.
    void placeWorn(TaskState state, const QString &id = u"one"_s)
    {
        const auto bytes = asynq::encode(worn(id));
        QVERIFY_RESULT(bytes);
        QVERIFY_RESULT(
            placeBytes(m_plain, sampleRequest(id), state, QByteArray(*bytes + unknownFields)));
    }

    QByteArray message(const QByteArray &id = "one")
    {
        return ask({"HGET", m_keys.task(id), "msg"}).bytes;
    }

    /// The name of a lock of the task, as its message and its hash have it.
    QByteArray placeUnique(TaskState state)
    {
        const QByteArray lock = m_keys.lockPrefix() + "mail:deliver:fa3f";
        asynq::TaskMessage unique = worn(u"one"_s);
        unique.uniqueKey = QString::fromUtf8(lock);
        const auto placed = placeMessage(m_plain, sampleRequest(u"one"_s), state, unique);
        const bool isNamed
            = placed && !ask({"HSET", m_keys.task("one"), "unique_key", lock}).isError();
        return isNamed ? lock : QByteArray();
    }

    Result<Receipt> undoLast()
    {
        const auto plan = planUndo(m_person->session(), m_person->activities().first());
        return plan ? m_person->carryOut(*plan) : Result<Receipt>(passOn(plan));
    }

private slots:
    void initTestCase() { OUTBOX_START_SERVER(QueueStart{m_redis}); }
    void init() { beginAnew(); }
    void cleanup() { m_person.reset(); }

    void whatIsForeseenIsDone_data()
    {
        QTest::addColumn<TaskState>("state");
        QTest::addColumn<Part>("part");
        for (const TaskState state : soundTaskStates()) {
            for (const auto &[name, part] : allParts())
                QTest::addRow("%s, %s", qPrintable(word(state)), qPrintable(name)) << state << part;
        }
    }
    void whatIsForeseenIsDone()
    {
        QFETCH(TaskState, state);
        QFETCH(Part, part);
        placeWorn(state);
        const QByteArray before = whole();
        const RowEdit edit = editOf(part);
        const auto plan = m_person->plan(Verb::EditTask, wanted(edit));
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.size(), 1);
        QCOMPARE(whole(), before); // a plan changes nothing
        const bool isTaken = state == TaskState::Archived || state == TaskState::Scheduled
            || state == TaskState::Retry;
        const PlanItem &item = plan->items.first();
        if (!isTaken) {
            QCOMPARE(item.expected,
                     state == TaskState::Active ? Outcome::InFlight : Outcome::NotOffered);
            QVERIFY(!item.reason.isEmpty());
            return;
        }
        QVERIFY2(item.expected == Outcome::Done, qPrintable(item.reason));
        QVERIFY(!plan->difference.isEmpty() && plan->exportsFirst);
        QVERIFY(!plan->undo.isEmpty() && !plan->commands.isEmpty());

        const auto done = m_person->carryOut(*plan);
        QVERIFY_RESULT(done);
        QVERIFY2(done->items.first().outcome == Outcome::Done,
                 qPrintable(done->items.first().reason));
        QVERIFY(done->undoable && QFile::exists(done->exportFile));
        asynq::TaskMessage expected = worn(u"one"_s);
        expected.payload = edit.payload.value_or(expected.payload);
        expected.type = edit.type.value_or(expected.type);
        QCOMPARE(message(), QByteArray(*asynq::encode(expected) + unknownFields));
        const TaskState behind = placeBehind(state, edit);
        QCOMPARE(stateOf(u"one"_s), word(behind).toUtf8());
        QCOMPARE(containersOf(m_plain, "one").size(), 1);
        const QByteArray score = ask({"ZSCORE", m_keys.container(behind), "one"}).bytes;
        if (behind != TaskState::Pending && edit.due)
            QCOMPARE(score.toLongLong(), edit.due->toSecsSinceEpoch());

        const auto back = undoLast();
        QVERIFY_RESULT(back);
        QVERIFY2(back->items.first().outcome == Outcome::Done,
                 qPrintable(back->items.first().reason));
        QCOMPARE(whole(), before);
        QCOMPARE(m_person->activities().at(1).state, Activity::State::Undone);
    }

    /// Leftovers of a place before are part of the hash, too.
    void anUndoLeavesNoFieldOut()
    {
        placeWorn(TaskState::Archived);
        QVERIFY(!ask({"HSET", m_keys.task("one"), "pending_since", "1763719200000000001", "result",
                      "half \xff"})
                     .isError());
        const QByteArray before = whole();
        QVERIFY_RESULT(m_person->act(Verb::EditTask, wanted(editOf(Part::Both))));
        QVERIFY(whole() != before);
        QVERIFY_RESULT(undoLast());
        QCOMPARE(whole(), before);
        // The undo can be undone as well: the edited message waits again.
        QVERIFY_RESULT(undoLast());
        QCOMPARE(stateOf(u"one"_s), QByteArray("pending"));
        QCOMPARE(asynq::decode(message())->type, u"mail:new"_s);
    }

    void whoeverElseChangesTheTaskWins_data()
    {
        QTest::addColumn<TaskState>("state");
        QTest::addColumn<Part>("part");
        QTest::addColumn<QString>("other");
        for (const TaskState state :
             {TaskState::Archived, TaskState::Scheduled, TaskState::Retry}) {
            for (const auto &[name, part] : allParts()) {
                for (const QString &other : {u"message"_s, u"score"_s, u"run"_s, u"taken"_s,
                                             u"deleted"_s, u"out of its set"_s, u"no hash"_s})
                    QTest::addRow("%s, %s, %s", qPrintable(word(state)), qPrintable(name),
                                  qPrintable(other))
                        << state << part << other;
            }
        }
    }
    void whoeverElseChangesTheTaskWins()
    {
        QFETCH(TaskState, state);
        QFETCH(Part, part);
        QFETCH(QString, other);
        placeWorn(state);
        const auto plan = m_person->plan(Verb::EditTask, wanted(editOf(part)));
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.first().expected, Outcome::Done);
        // Once before the export, once between the export and the script.
        for (const char *point : {"begun", "intended"}) {
            QVERIFY(!ask({"FLUSHALL"}).isError());
            placeWorn(state);
            const QByteArray score = ask({"ZSCORE", m_keys.container(state), "one"}).bytes;
            Plan fresh = *m_person->plan(Verb::EditTask, wanted(editOf(part)));
            QByteArray changed;
            OperationControl control;
            control.passed = [&](const char *now) {
                if (qstrcmp(now, point) != 0)
                    return;
                if (other == u"message") {
                    ask({"HSET", m_keys.task("one"), "msg",
                         *asynq::encode(messageOf(sampleRequest(u"one"_s)))});
                } else if (other == u"score") {
                    ask({"ZADD", m_keys.container(state), "1795225841", "one"});
                } else if (other == u"deleted") {
                    ask({"ZREM", m_keys.container(state), "one"});
                    ask({"DEL", m_keys.task("one")});
                } else if (other == u"out of its set") {
                    ask({"ZREM", m_keys.container(state), "one"});
                } else if (other == u"no hash") {
                    ask({"DEL", m_keys.task("one")});
                    ask({"SET", m_keys.task("one"), "text"});
                } else {
                    const bool isTaken = other == u"taken";
                    ask({"ZREM", m_keys.container(state), "one"});
                    ask({"LPUSH", isTaken ? m_keys.active() : m_keys.pending(), "one"});
                    ask({"HSET", m_keys.task("one"), "state", isTaken ? "active" : "pending"});
                }
                changed = whole();
            };
            const auto late = m_person->carryOut(fresh, control);
            QVERIFY_RESULT(late);
            const Outcome outcome = late->items.first().outcome;
            QVERIFY2(outcome != Outcome::Done && outcome != Outcome::InDoubt,
                     qPrintable(other + u": "_s + word(outcome)));
            QVERIFY(!late->items.first().reason.isEmpty());
            QVERIFY(!late->undoable);
            QCOMPARE(whole(), changed);
            QVERIFY(!score.isEmpty());
        }
    }

    void anUndoBehindAnotherChangeIsRefused_data()
    {
        QTest::addColumn<bool>("isBehindThePlan");
        QTest::newRow("before the plan") << false;
        QTest::newRow("behind the plan") << true;
    }
    void anUndoBehindAnotherChangeIsRefused()
    {
        QFETCH(bool, isBehindThePlan);
        for (const bool isOfMessage : {false, true}) {
            QVERIFY(!ask({"FLUSHALL"}).isError());
            placeWorn(TaskState::Archived);
            QVERIFY_RESULT(m_person->act(Verb::EditTask, wanted(editOf(Part::PayloadAndLater))));
            const Activity edit = m_person->activities().first();
            const auto change = [&] {
                if (isOfMessage)
                    ask({"HSET", m_keys.task("one"), "msg", "other"});
                else
                    ask({"ZADD", m_keys.scheduled(), "1795225841", "one"});
            };
            if (!isBehindThePlan)
                change();
            const auto plan = planUndo(m_person->session(), edit);
            QVERIFY_RESULT(plan);
            QCOMPARE(plan->items.first().expected,
                     isBehindThePlan ? Outcome::Done : Outcome::NotOffered);
            if (!isBehindThePlan)
                continue;
            change();
            const QByteArray changed = whole();
            const auto late = m_person->carryOut(*plan);
            QVERIFY_RESULT(late);
            QCOMPARE(late->items.first().outcome, Outcome::Changed);
            QCOMPARE(whole(), changed);
        }
    }

    void aUniqueLockMustStayTrue()
    {
        const QByteArray lock = placeUnique(TaskState::Archived);
        QVERIFY(!lock.isEmpty());
        QVERIFY(!ask({"SET", lock, "one", "EX", "1000"}).isError());
        const auto held = m_person->plan(Verb::EditTask, wanted(editOf(Part::Payload)));
        QVERIFY_RESULT(held);
        QCOMPARE(held->items.first().expected, Outcome::NotOffered);
        QVERIFY2(held->items.first().reason.contains(u"unique lock"_s),
                 qPrintable(held->items.first().reason));
        const auto due = m_person->plan(Verb::EditTask, wanted(editOf(Part::Later)));
        QVERIFY_RESULT(due);
        QVERIFY(due->items.first().reason.contains(u"keeps its unique lock"_s));
        const auto moved = m_person->carryOut(*due);
        QVERIFY_RESULT(moved);
        QCOMPARE(moved->items.first().outcome, Outcome::Done);
        QCOMPARE(ask({"GET", lock}).bytes, QByteArray("one"));
        QVERIFY_RESULT(undoLast());

        // Over, or another task's: it is nobody's any more. It comes back behind the plan.
        for (const QByteArray &owner : {QByteArray(), QByteArray("two")}) {
            QVERIFY(!ask({"DEL", lock}).isError());
            if (!owner.isEmpty())
                QVERIFY(!ask({"SET", lock, owner, "EX", "1000"}).isError());
            const auto over = m_person->plan(Verb::EditTask, wanted(editOf(Part::Payload)));
            QVERIFY_RESULT(over);
            QCOMPARE(over->items.first().expected, Outcome::Done);
            QVERIFY(over->items.first().reason.contains(u"is over"_s));
            QVERIFY(!ask({"SET", lock, "one", "EX", "1000"}).isError());
            const QByteArray before = whole();
            const auto late = m_person->carryOut(*over);
            QVERIFY_RESULT(late);
            QCOMPARE(late->items.first().outcome, Outcome::Changed);
            QCOMPARE(whole(), before);
            QVERIFY(!ask({"DEL", lock}).isError());
            const auto free = m_person->act(Verb::EditTask, wanted(editOf(Part::Payload)));
            QVERIFY_RESULT(free);
            QCOMPARE(free->items.first().outcome, Outcome::Done);
            QVERIFY_RESULT(undoLast());
            QCOMPARE(whole(), before);
        }
        // The hash names another lock than the message, or none.
        QVERIFY(!ask({"HDEL", m_keys.task("one"), "unique_key"}).isError());
        const auto torn = m_person->plan(Verb::EditTask, wanted(editOf(Part::Type)));
        QVERIFY_RESULT(torn);
        QCOMPARE(torn->items.first().expected, Outcome::Blocked);
    }

    void whatCannotBeIsRefused()
    {
        placeWorn(TaskState::Archived);
        RowEdit edit;
        edit.queue = u"low"_s;
        const auto other = m_person->plan(Verb::EditTask, wanted(edit));
        QVERIFY(!other);
        QVERIFY2(other.error().text.contains(u"Cluster"_s), qPrintable(oneLine(other.error())));
        edit.queue = u"default"_s; // where it is: nothing is asked for
        const auto same = m_person->plan(Verb::EditTask, wanted(edit));
        QVERIFY_RESULT(same);
        QCOMPARE(same->items.first().expected, Outcome::NothingToDo);
        for (const QString &type : {u" "_s, QString(QChar(0xdc00)), u"outboxdeck:purged"_s}) {
            RowEdit typed;
            typed.type = type;
            const auto plan = m_person->plan(Verb::EditTask, wanted(typed));
            QVERIFY(!plan);
            QCOMPARE(plan.error().kind, Error::Kind::Invalid);
        }
        RowEdit early;
        early.due = QDateTime::fromSecsSinceEpoch(-5, Qt::UTC);
        QVERIFY(!m_person->plan(Verb::EditTask, wanted(early)));
        QVERIFY(!m_person->plan(Verb::EditTask, TestOperator::tasks({u"one"_s})));
        Selection two = wanted(editOf(Part::Type));
        two.tasks += TaskId{u"two"_s};
        QVERIFY(!m_person->plan(Verb::EditTask, two));
        RowEdit nothing;
        nothing.payload = everyByte();
        nothing.type = worn(u"one"_s).type;
        const auto held = m_person->plan(Verb::EditTask, wanted(nothing));
        QVERIFY_RESULT(held);
        QCOMPARE(held->items.first().expected, Outcome::NothingToDo);
        const auto gone = m_person->plan(Verb::EditTask, wanted(editOf(Part::Type), u"none"_s));
        QVERIFY_RESULT(gone);
        QCOMPARE(gone->items.first().expected, Outcome::Gone);
        QVERIFY_RESULT(
            placeBytes(m_plain, sampleRequest(u"bad"_s), TaskState::Archived, "\xff\xff"));
        const auto bad = m_person->plan(Verb::EditTask, wanted(editOf(Part::Type), u"bad"_s));
        QVERIFY_RESULT(bad);
        QCOMPARE(bad->items.first().expected, Outcome::Blocked);
    }

    /// A deadline that is over, retries that are used up, an id that is free at once: said before.
    void thePlanSaysWhatComesOfIt()
    {
        asynq::TaskMessage late = worn(u"one"_s);
        late.deadline = QDateTime::currentSecsSinceEpoch() + 60;
        late.retried = late.retry;
        late.retentionSeconds = 0;
        late.payload = R"({"n":1})";
        QVERIFY_RESULT(placeMessage(m_plain, sampleRequest(u"one"_s), TaskState::Archived, late));
        const auto soon = m_person->plan(Verb::EditTask, wanted(editOf(Part::Payload)));
        QVERIFY_RESULT(soon);
        const QString warnings = soon->warnings.join(u' ');
        QVERIFY(!warnings.contains(u"deadline"_s));
        for (const QString &said : {u"retention"_s, u"JSON"_s, u"Nobody serves"_s})
            QVERIFY2(warnings.contains(said), qPrintable(warnings));
        QVERIFY(soon->items.first().reason.contains(u"One attempt left"_s));
        const auto later = m_person->plan(Verb::EditTask, wanted(editOf(Part::Later)));
        QVERIFY_RESULT(later);
        QVERIFY(later->warnings.join(u' ').contains(u"deadline"_s));
    }

    void theRowBehindItIsSpokenOf_data()
    {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<Part>("part");
        QTest::addColumn<QString>("said");
        const QString deliver = u"update outbox set completed_at = '2026-01-02 03:04:05'"_s;
        QTest::newRow("waits, other content") << QString() << Part::Payload << u"parks the row"_s;
        QTest::newRow("waits, another time") << QString() << Part::Later << u"takes it as sent"_s;
        QTest::newRow("delivered, other content")
            << deliver << Part::Both << u"keeps the old content"_s;
        QTest::newRow("delivered, another time") << deliver << Part::Later << QString();
        QTest::newRow("no row") << u"delete from outbox"_s << Part::Both << QString();
    }
    void theRowBehindItIsSpokenOf()
    {
        QFETCH(QString, sql);
        QFETCH(Part, part);
        QFETCH(QString, said);
        TestOutbox fixture(TestOutbox::Kind::Sqlite, BenchShape::CompletedAt, nullptr, m_redis);
        QVERIFY(fixture.setUp());
        QVERIFY(fixture.insertRows(1));
        const QString row = fixture.insertedIds().first();
        const auto shape = fixture.takenShape(u"UTC"_s);
        QVERIFY_RESULT(shape);
        EnqueueRequest request = sampleRequest(fixture.taskId(*shape, row));
        request.type = fixture.expectedType(row);
        request.payload = fixture.expectedPayload(row);
        QVERIFY_RESULT(placeTask(fixture.plainRedis(), request, TaskState::Archived));
        QVERIFY(sql.isEmpty() || fixture.exec(sql));
        TestOperator person;
        QVERIFY_RESULT(person.open(fixture));
        const auto plan = person.plan(Verb::EditTask, wanted(editOf(part), request.id.text));
        QVERIFY_RESULT(plan);
        const QString reason = plan->items.first().reason;
        QVERIFY2(plan->items.first().expected == Outcome::Done, qPrintable(reason));
        QVERIFY2(said.isEmpty() ? !reason.contains(u"outbox row"_s) : reason.contains(said),
                 qPrintable(reason));
        const auto done = person.carryOut(*plan);
        QVERIFY_RESULT(done);
        QCOMPARE(done->items.first().outcome, Outcome::Done);
        if (!sql.isEmpty() || part != Part::Payload)
            return;
        FixtureRelay relay; // and so it comes
        QVERIFY_RESULT(relay.open(fixture));
        const RelayStep step = relay.relay().step(5);
        QCOMPARE(step.parked.size(), 1);
        QCOMPARE(step.parked.first().id.text, row);
        QCOMPARE(
            fixture.scalar(u"select count(*) from outbox where completed_at is null"_s).toInt(), 1);
    }

    void whatTheEditorShowedMustStillStand()
    {
        placeWorn(TaskState::Retry);
        Selection selection = wanted(editOf(Part::Payload));
        selection.edit->seen = RowContent();
        selection.edit->seen->version = u"another"_s;
        const auto plan = m_person->plan(Verb::EditTask, selection);
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.first().expected, Outcome::NotOffered);
        QVERIFY(plan->items.first().reason.contains(u"look again"_s));
    }

    void aFullArchiveTakesNothingBack()
    {
        placeWorn(TaskState::Archived);
        QVERIFY_RESULT(m_person->act(Verb::EditTask, wanted(editOf(Part::Payload))));
        RedisCommand fill{"ZADD", m_keys.archived()};
        for (int number = 0; number < 9'999; ++number)
            fill << QByteArray("1763719200") << QByteArray("other-" + QByteArray::number(number));
        const auto early = planUndo(m_person->session(), m_person->activities().first());
        QVERIFY_RESULT(early);
        QCOMPARE(early->acting(), 1);
        QVERIFY(!ask(fill).isError());
        const QByteArray before = whole();
        const auto late = m_person->carryOut(*early);
        QVERIFY_RESULT(late);
        QCOMPARE(late->items.first().outcome, Outcome::NotOffered);
        QCOMPARE(whole(), before);
        const auto told = planUndo(m_person->session(), m_person->activities().at(1));
        QVERIFY_RESULT(told);
        QCOMPARE(told->items.first().expected, Outcome::NotOffered);
    }

    /// A script is not rolled back: what would stop it half way must stop it before its first
    /// write.
    void aRefusedWriteLeavesTheTask_data()
    {
        QTest::addColumn<QByteArrayList>("spoil");
        QTest::addColumn<QByteArrayList>("mend");
        QTest::newRow("no memory") << QByteArrayList{"CONFIG", "SET", "maxmemory", "1"}
                                   << QByteArrayList{"CONFIG", "SET", "maxmemory", "0"};
        QTest::newRow("no right") << QByteArrayList{"ACL", "SETUSER", "default", "-lpush"}
                                  << QByteArrayList{"ACL", "SETUSER", "default", "+@all"};
        QTest::newRow("no list") << QByteArrayList{"SET", m_keys.pending(), "text"}
                                 << QByteArrayList{"DEL", m_keys.pending()};
    }
    void aRefusedWriteLeavesTheTask()
    {
        QFETCH(QByteArrayList, spoil);
        QFETCH(QByteArrayList, mend);
        placeWorn(TaskState::Archived);
        const QByteArray before = whole();
        const auto plan = m_person->plan(Verb::EditTask, wanted(editOf(Part::Both)));
        QVERIFY_RESULT(plan);
        bool isSpoilt = false;
        OperationControl control;
        control.passed = [&](const char *point) {
            if (qstrcmp(point, "intended") == 0)
                isSpoilt = !ask(spoil).isError();
        };
        const auto refused = m_person->carryOut(*plan, control);
        const bool isMended = !ask(mend).isError();
        QVERIFY(isSpoilt && isMended);
        QVERIFY_RESULT(refused);
        QVERIFY2(refused->items.first().outcome == Outcome::Failed,
                 qPrintable(refused->items.first().reason));
        QVERIFY(!refused->undoable);
        QCOMPARE(whole(), before);
        const auto done = m_person->act(Verb::EditTask, wanted(editOf(Part::Both)));
        QVERIFY_RESULT(done);
        QCOMPARE(done->items.first().outcome, Outcome::Done);
    }

    /// A key of another type under the name of a lock is nobody's lock.
    void aLockOfAnotherTypeIsNobodys()
    {
        const QByteArray lock = placeUnique(TaskState::Archived);
        QVERIFY(!lock.isEmpty());
        QVERIFY(!ask({"RPUSH", lock, "one"}).isError());
        const auto done = m_person->act(Verb::EditTask, wanted(editOf(Part::Payload)));
        QVERIFY_RESULT(done);
        QVERIFY2(done->items.first().outcome == Outcome::Done,
                 qPrintable(done->items.first().reason));
        QCOMPARE(ask({"TYPE", lock}).bytes, QByteArray("list"));
    }

    /// The message tells whether it was this act: state and time may be anybody's doing.
    void anAnswerThatWasLostIsFoundOut_data()
    {
        QTest::addColumn<TaskState>("state");
        QTest::addColumn<Part>("part");
        QTest::addColumn<QString>("happened");
        QTest::addColumn<Outcome>("outcome");
        for (const TaskState state : {TaskState::Archived, TaskState::Retry}) {
            const QString name = word(state);
            for (const Part part : {Part::Payload, Part::PayloadAndLater}) {
                const int number = static_cast<int>(part);
                QTest::addRow("%s %d nothing", qPrintable(name), number)
                    << state << part << u"nothing"_s << Outcome::Cancelled;
                QTest::addRow("%s %d the edit", qPrintable(name), number)
                    << state << part << u"edit"_s << Outcome::Done;
                QTest::addRow("%s %d edited and taken", qPrintable(name), number)
                    << state << part << u"taken"_s << Outcome::Done;
                QTest::addRow("%s %d run by another", qPrintable(name), number)
                    << state << part << u"run"_s << Outcome::Changed;
                QTest::addRow("%s %d gone", qPrintable(name), number)
                    << state << part << u"gone"_s << Outcome::Changed;
            }
        }
    }
    void anAnswerThatWasLostIsFoundOut()
    {
        QFETCH(TaskState, state);
        QFETCH(Part, part);
        QFETCH(QString, happened);
        QFETCH(Outcome, outcome);
        placeWorn(state);
        const auto plan = m_person->plan(Verb::EditTask, wanted(editOf(part)));
        QVERIFY_RESULT(plan);
        const PlanItem item = plan->items.first();
        if (happened == u"edit" || happened == u"taken")
            QVERIFY_RESULT(m_person->carryOut(*plan));
        if (happened == u"run")
            QVERIFY_RESULT(m_person->act(Verb::Run, TestOperator::tasks({u"one"_s})));
        if (happened == u"gone")
            QVERIFY_RESULT(m_person->act(Verb::Delete, TestOperator::tasks({u"one"_s})));
        if (happened == u"taken") {
            for (const TaskState set :
                 {TaskState::Scheduled, TaskState::Retry, TaskState::Archived})
                ask({"ZREM", m_keys.container(set), "one"});
            ask({"LREM", m_keys.pending(), "0", "one"});
            ask({"LPUSH", m_keys.active(), "one"});
            ask({"ZADD", m_keys.lease(), "1795225841", "one"});
            ask({"HSET", m_keys.task("one"), "state", "active"});
        }
        const auto inspector = m_person->session().tasks();
        QVERIFY_RESULT(inspector);
        const auto seen = (*inspector)->observe({u"default"_s}, {item.task});
        QVERIFY_RESULT(seen);
        const auto found
            = operationFor(Verb::EditTask)
                  ->foundNamedTask(m_person->session(), auditedBefore(item), seen->first());
        QVERIFY_RESULT(found);
        QCOMPARE(found->outcome, outcome);
        QCOMPARE(!found->after.isEmpty(), happened == u"edit");
    }
};

} // namespace tst_edittask

OUTBOX_TEST(tst_edittask::TestEditTask)
#include "tst_edittask.moc"
