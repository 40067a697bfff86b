// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Verbs on tasks beyond single states: the way back of each, filters, and a system without a
// database.
#include "app/designs/documentstores.h"
#include "tests/app/queueground.h"
#include "tests/support/testprogram.h"

#include <QFile>
#include <QTest>

namespace tst_taskverbs {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestTaskVerbs : public QObject, protected QueueGround
{
    Q_OBJECT

    QHash<QByteArray, QByteArray> everything(const QByteArrayList &ids)
    {
        return redisByTask(m_plain, ids);
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

    void deletedTasksComeBackByteForByte()
    {
        QByteArrayList ids;
        QStringList names;
        for (const TaskState state : soundTaskStates()) {
            names += word(state);
            ids += names.last().toUtf8();
            QVERIFY(place(names.last(), state));
        }
        const auto before = everything(ids);
        const auto plan = m_person->plan(Verb::Delete, TestOperator::tasks(names));
        QVERIFY_RESULT(plan);
        QVERIFY(plan->reopensWindow && plan->exportsFirst);
        QCOMPARE(plan->counts().value(Outcome::InFlight), 1);
        const auto receipt = m_person->carryOut(*plan);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Done), 6);
        QVERIFY(QFile::exists(receipt->exportFile));
        QCOMPARE(hashes(), 1);
        const auto back = undoLast();
        QVERIFY_RESULT(back);
        QCOMPARE(back->count(Outcome::Done), 6);
        QCOMPARE(everything(ids), before);
        const auto again = planUndo(m_person->session(), m_person->activities().at(1));
        QVERIFY(!again); // it was undone already
    }

    /// Whoever enqueues the same work meets the lock after a replace, and after the undo of a
    /// delete.
    void aUniqueTaskKeepsItsLock()
    {
        const QByteArray lock = m_keys.lockPrefix() + "mail:deliver:fa3f";
        asynq::TaskMessage unique = messageOf(sampleRequest(u"one"_s));
        unique.uniqueKey = QString::fromUtf8(lock);
        QVERIFY_RESULT(placeMessage(m_plain, sampleRequest(u"one"_s), TaskState::Pending, unique));
        QVERIFY(!ask({"HSET", m_keys.task("one"), "unique_key", lock}).isError());
        QVERIFY(!ask({"SET", lock, "one", "EX", "1000"}).isError());
        QVERIFY(place(u"two"_s, TaskState::Pending));
        const auto isHeld = [&] {
            return ask({"GET", lock}).bytes == "one" && ask({"TTL", lock}).integer > 900;
        };
        const Selection one = TestOperator::tasks({u"one"_s});

        const auto replaced = m_person->act(Verb::Replace, one);
        QVERIFY_RESULT(replaced);
        QCOMPARE(replaced->count(Outcome::Done), 1);
        QVERIFY(isHeld());
        QVERIFY_RESULT(undoLast());
        QVERIFY(isHeld());

        const auto plan = m_person->plan(Verb::Delete, one);
        QVERIFY_RESULT(plan);
        QVERIFY2(plan->undo.contains(u"pending wait behind all others"_s), qPrintable(plan->undo));
        QVERIFY_RESULT(m_person->carryOut(*plan));
        QCOMPARE(ask({"EXISTS", lock}).integer, 0);
        const auto back = undoLast();
        QVERIFY_RESULT(back);
        QCOMPARE(back->count(Outcome::Done), 1);
        QVERIFY(back->items.first().reason.isEmpty());
        QVERIFY(isHeld());
        QCOMPARE(ask({"LINDEX", m_keys.pending(), "0"}).bytes, "one"); // last in line

        // A lock that ended before the export is told before anything comes back.
        QVERIFY(!ask({"DEL", lock}).isError());
        QVERIFY_RESULT(m_person->act(Verb::Delete, one));
        const auto late = planUndo(m_person->session(), m_person->activities().first());
        QVERIFY_RESULT(late);
        QVERIFY2(late->warnings.join(u' ').contains(u"1 of the tasks in the file are unique"_s),
                 qPrintable(late->warnings.join(u' ')));
    }

    void aReplacedTaskComesBackWhileTheFreshOneWaits()
    {
        asynq::TaskMessage worn = messageOf(sampleRequest(u"worn"_s));
        worn.retried = worn.retry;
        worn.error = u"smtp down"_s;
        QVERIFY_RESULT(placeMessage(m_plain, sampleRequest(u"worn"_s), TaskState::Archived, worn));
        QVERIFY(place(u"run"_s, TaskState::Archived));
        const auto before = everything({"worn"});
        const auto receipt
            = m_person->act(Verb::Replace, TestOperator::tasks({u"worn"_s, u"run"_s}));
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Done), 2);
        const auto fresh = asynq::decode(ask({"HGET", m_keys.task("worn"), "msg"}).bytes);
        QVERIFY_RESULT(fresh);
        QCOMPARE(fresh->retried, 0);
        QVERIFY(fresh->error.isEmpty());
        // One of them is taken by a worker.
        QVERIFY(!ask({"LREM", m_keys.pending(), "0", "run"}).isError());
        QVERIFY(!ask({"DEL", m_keys.task("run")}).isError());
        QVERIFY(place(u"run"_s, TaskState::Active));
        const auto plan = planUndo(m_person->session(), m_person->activities().first());
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->acting(), 1);
        const auto back = m_person->carryOut(*plan);
        QVERIFY_RESULT(back);
        QCOMPARE(back->count(Outcome::Done), 1);
        QCOMPARE(everything({"worn"}), before);
        QCOMPARE(stateOf(u"run"_s), QByteArray("active"));
    }

    void theOldTaskTakesThePlaceOfTheFreshOneOrNothingHappens()
    {
        QVERIFY(place(u"worn"_s, TaskState::Archived));
        QVERIFY(place(u"ran"_s, TaskState::Archived));
        const auto before = everything({"worn"});
        QVERIFY_RESULT(m_person->act(Verb::Replace, TestOperator::tasks({u"worn"_s, u"ran"_s})));
        const auto fresh = everything({"worn", "ran"});
        const Activity replace = m_person->activities().first();
        const auto plan = planUndo(m_person->session(), replace);
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->acting(), 2);

        OperationControl control;
        control.passed = [&](const char *point) {
            if (qstrcmp(point, "intended") == 0)
                ask({"CONFIG", "SET", "maxmemory", "1"});
        };
        const auto refused = m_person->carryOut(*plan, control);
        ask({"CONFIG", "SET", "maxmemory", "0"});
        QVERIFY_RESULT(refused);
        QCOMPARE(refused->count(Outcome::Failed), 2);
        QCOMPARE(everything({"worn", "ran"}), fresh);

        // With room again, and one of them ran to its end behind the plan.
        const auto retried = planUndo(m_person->session(), replace);
        QVERIFY_RESULT(retried);
        control.passed = [&](const char *point) {
            if (qstrcmp(point, "intended") == 0) {
                ask({"LREM", m_keys.pending(), "0", "ran"});
                ask({"DEL", m_keys.task("ran")});
            }
        };
        const auto back = m_person->carryOut(*retried, control);
        QVERIFY_RESULT(back);
        QCOMPARE(back->count(Outcome::Done), 1);
        QCOMPARE(back->count(Outcome::Gone), 1);
        QCOMPARE(everything({"worn"}), before);
        QVERIFY(stateOf(u"ran"_s).isEmpty());
    }

    void runFromTheArchiveGoesBackToIt()
    {
        QVERIFY(place(u"dead"_s, TaskState::Archived));
        QVERIFY(place(u"later"_s, TaskState::Scheduled));
        asynq::TaskMessage worn = messageOf(sampleRequest(u"worn"_s));
        worn.retried = worn.retry;
        QVERIFY_RESULT(placeMessage(m_plain, sampleRequest(u"worn"_s), TaskState::Archived, worn));
        const Selection all = TestOperator::tasks({u"dead"_s, u"later"_s, u"worn"_s});
        const auto plan = m_person->plan(Verb::Run, all);
        QVERIFY_RESULT(plan);
        QVERIFY(plan->items.at(2).reason.contains(u"One attempt left"_s));
        QVERIFY(plan->warnings.join(u' ').contains(u"Nobody serves"_s));
        QVERIFY_RESULT(m_person->carryOut(*plan));
        // A worker takes one of them before the undo.
        QVERIFY(!ask({"LREM", m_keys.pending(), "0", "worn"}).isError());
        QVERIFY(!ask({"DEL", m_keys.task("worn")}).isError());
        QVERIFY(place(u"worn"_s, TaskState::Active));
        const auto undo = planUndo(m_person->session(), m_person->activities().first());
        QVERIFY_RESULT(undo);
        QCOMPARE(undo->verb, Verb::Archive);
        const auto back = m_person->carryOut(*undo);
        QVERIFY_RESULT(back);
        QCOMPARE(back->count(Outcome::Done), 1);
        QCOMPARE(back->count(Outcome::NotOffered), 1);
        QCOMPARE(stateOf(u"dead"_s), QByteArray("archived"));
        QCOMPARE(stateOf(u"later"_s), QByteArray("pending"));
        QCOMPARE(stateOf(u"worn"_s), QByteArray("active"));
        const auto noWay = planUndo(m_person->session(), m_person->activities().first());
        QVERIFY(!noWay);
        QVERIFY(noWay.error().hint.contains(u"Run"_s));
    }

    void aFilterTakesWhatMatches()
    {
        for (int number = 0; number < 7; ++number)
            QVERIFY(place(u"dead-%1"_s.arg(number), TaskState::Archived));
        QVERIFY(place(u"fine"_s, TaskState::Retry));
        Selection dead;
        dead.filter = u"state:dead"_s;
        const auto plan = m_person->plan(Verb::Run, dead);
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->acting(), 7);
        QCOMPARE(plan->selection, u"tasks that match state:dead"_s);
        QVERIFY(place(u"dead-8"_s, TaskState::Archived)); // came after the plan: not part of it
        const auto receipt = m_person->carryOut(*plan);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Done), 7);
        QCOMPARE(stateOf(u"dead-8"_s), QByteArray("archived"));
        QCOMPARE(stateOf(u"fine"_s), QByteArray("retry"));
        dead.filter = u"colour:red"_s;
        QVERIFY(!m_person->plan(Verb::Run, dead));
        dead.filter.clear();
        QVERIFY(!m_person->plan(Verb::Delete, dead)); // nothing selected is not everything
    }

    void aTaskThatMovedMeanwhileIsLeftAlone()
    {
        for (const QString &id : {u"a"_s, u"b"_s, u"c"_s})
            QVERIFY(place(id, TaskState::Retry));
        const auto plan
            = m_person->plan(Verb::Delete, TestOperator::tasks({u"a"_s, u"b"_s, u"c"_s}));
        QVERIFY_RESULT(plan);
        QVERIFY(!ask({"ZADD", m_keys.retry(), "1763719999", "a"}).isError()); // failed once more
        QVERIFY(!ask({"ZREM", m_keys.retry(), "b"}).isError());
        QVERIFY(!ask({"DEL", m_keys.task("b")}).isError());
        const auto receipt = m_person->carryOut(*plan);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->items.at(0).outcome, Outcome::Changed);
        QCOMPARE(receipt->items.at(1).outcome, Outcome::Gone);
        QCOMPARE(receipt->items.at(2).outcome, Outcome::Done);
        QCOMPARE(stateOf(u"a"_s), QByteArray("retry"));
    }

    /// No row can be asked there; the sentence tells of documents, and no server is blamed.
    void aCompletedTaskIsKeptWhereMessagesWaitInDocuments()
    {
        QVERIFY(place(u"done"_s, TaskState::Completed));
        QVERIFY(place(u"dead"_s, TaskState::Archived));
        OperatorSessionSettings settings = m_person->session().settings();
        settings.profile.databaseUrl
            = u"sqlite://"_s + m_person->stateFolder() + u"/documents.db"_s;
        settings.profile.design.emplace();
        settings.profile.design->documents.table.table = u"orders"_s;
        settings.shape = documentsAsShape(*settings.profile.design);
        QVERIFY_RESULT(m_person->session().open(settings));
        const auto plan = m_person->plan(Verb::Delete, TestOperator::tasks({u"done"_s, u"dead"_s}));
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->items.at(0).expected, Outcome::Unknown);
        const QString &reason = plan->items.at(0).reason;
        QVERIFY2(reason.contains(u"a document"_s) && !reason.contains(u"did not answer"_s),
                 qPrintable(reason));
        QCOMPARE(plan->items.at(1).expected, Outcome::Done);
    }

    void aQueueThatRefusesUnsaysNothingOfAnother()
    {
        EnqueueRequest other = sampleRequest(u"b"_s);
        other.queue.text = u"low"_s;
        QVERIFY(place(u"a"_s, TaskState::Retry));
        QVERIFY_RESULT(placeTask(m_plain, other, TaskState::Retry));
        auto plan = m_person->plan(Verb::Run, TestOperator::tasks({u"a"_s}));
        QVERIFY_RESULT(plan);
        Selection low = TestOperator::tasks({u"b"_s});
        low.queue = other.queue;
        const auto more = m_person->plan(Verb::Run, low);
        QVERIFY_RESULT(more);
        plan->items += more->items;
        const QByteArray pending = asynq::QueueKeys(other.queue).pending();
        QVERIFY(!ask({"SET", pending, "no list"}).isError());
        const auto receipt = m_person->carryOut(*plan);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->items.at(0).outcome, Outcome::Done);
        QCOMPARE(receipt->items.at(1).outcome, Outcome::Failed);
        QVERIFY(!receipt->items.at(1).reason.isEmpty());
        QCOMPARE(stateOf(u"a"_s), QByteArray("pending"));
    }

    void theSameIdInTwoQueuesIsTwoTasks()
    {
        const asynq::QueueKeys low{{u"low"_s}};
        EnqueueRequest other = sampleRequest(u"a"_s);
        other.queue.text = u"low"_s;
        QVERIFY(place(u"a"_s, TaskState::Archived));
        QVERIFY_RESULT(placeTask(m_plain, other, TaskState::Archived));
        auto plan = m_person->plan(Verb::Replace, TestOperator::tasks({u"a"_s}));
        QVERIFY_RESULT(plan);
        Selection there = TestOperator::tasks({u"a"_s});
        there.queue = other.queue;
        const auto more = m_person->plan(Verb::Replace, there);
        QVERIFY_RESULT(more);
        plan->items += more->items;
        const auto replaced = m_person->carryOut(*plan);
        QVERIFY_RESULT(replaced);
        QCOMPARE(replaced->count(Outcome::Done), 2);
        // Each fresh task has a stamp of its own, and a worker takes one of them.
        QVERIFY(!ask({"HSET", low.task("a"), "pending_since", "1763719200000000001"}).isError());
        const auto undo = planUndo(m_person->session(), m_person->activities().first());
        QVERIFY_RESULT(undo);
        QCOMPARE(undo->acting(), 1);
        const auto back = m_person->carryOut(*undo);
        QVERIFY_RESULT(back);
        for (const ReceiptItem &item : back->items) {
            QCOMPARE(item.outcome,
                     item.queue == other.queue ? Outcome::NothingToDo : Outcome::Done);
        }
        QCOMPARE(stateOf(u"a"_s), QByteArray("archived"));
        QCOMPARE(ask({"HGET", low.task("a"), "state"}).bytes, QByteArray("pending"));
    }

    void pauseIsTakenBack()
    {
        QVERIFY(place(u"a"_s, TaskState::Pending));
        QVERIFY_RESULT(m_person->act(Verb::Pause, {}));
        QCOMPARE(ask({"EXISTS", m_keys.paused()}).integer, 1);
        const auto undone = undoLast();
        QVERIFY_RESULT(undone);
        QCOMPARE(undone->verb, Verb::Unpause);
        QCOMPARE(ask({"EXISTS", m_keys.paused()}).integer, 0);
        QCOMPARE(m_person->activities().at(1).state, Activity::State::Undone);
    }

    void verbsOnRowsNeedADatabase()
    {
        const auto plan = m_person->plan(Verb::Purge, TestOperator::rows({u"1"_s}));
        QVERIFY(!plan);
        QCOMPARE(plan.error().kind, Error::Kind::Unsupported);
    }
};

} // namespace tst_taskverbs

OUTBOX_TEST(tst_taskverbs::TestTaskVerbs)
#include "tst_taskverbs.moc"
