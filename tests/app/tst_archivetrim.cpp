// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A full archive: what must leave is exported, recorded before it goes, guarded as it was exported,
// and comes back.
#include "tests/app/queueground.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_archivetrim {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

class TestArchiveTrim : public QObject, protected QueueGround
{
    Q_OBJECT

    QStringList placePending(int count)
    {
        QStringList names;
        for (int number = 0; number < count; ++number) {
            if (place(u"new-%1"_s.arg(number), TaskState::Pending))
                names += u"new-%1"_s.arg(number);
        }
        return names;
    }

    bool archive(const QByteArray &id, int score)
    {
        const auto message = asynq::encode(messageOf(sampleRequest(QString::fromLatin1(id))));
        return message
            && m_plain
                   .pipeline({{"HSET", m_keys.task(id), "msg", *message, "state", "archived"},
                              {"ZADD", m_keys.archived(), QByteArray::number(score), id}})
                   .has_value();
    }

    /// `count` archived tasks, the first the oldest.
    bool fillArchive(int count)
    {
        QList<RedisCommand> commands{{"SADD", asynq::allQueues, "default"}};
        for (int number = 0; number < count; ++number) {
            const QByteArray id = "old-" + QByteArray::number(number);
            const auto message = asynq::encode(messageOf(sampleRequest(QString::fromLatin1(id))));
            commands += {"HSET", m_keys.task(id), "msg", *message, "state", "archived"};
            commands += {"ZADD", m_keys.archived(), QByteArray::number(1'760'000'000 + number), id};
        }
        return m_plain.pipeline(commands).has_value();
    }

private slots:
    void initTestCase() { OUTBOX_START_SERVER(QueueStart{m_redis}); }
    void init() { beginAnew(); }
    void cleanup() { m_person.reset(); }

    void aFullArchiveIsTrimmedOnlyWithConsentAndExport()
    {
        QVERIFY(fillArchive(9'990));
        QStringList names;
        for (int number = 0; number < 20; ++number) {
            names += u"new-%1"_s.arg(number);
            QVERIFY(place(names.last(), TaskState::Pending));
        }
        const auto plan = m_person->plan(Verb::Archive, TestOperator::tasks(names));
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->trimmed, 11);
        Consent consent = fullConsent(*plan);
        consent.trim = false;
        const auto refused
            = operationFor(Verb::Archive)->carryOut(m_person->session(), *plan, consent, {});
        QVERIFY(!refused);
        QCOMPARE(stateOf(u"new-0"_s), QByteArray("pending"));

        OperationControl control;
        control.chunk = 7;
        const auto receipt = m_person->carryOut(*plan, control);
        QVERIFY_RESULT(receipt);
        QCOMPARE(receipt->count(Outcome::Done), 20);
        QCOMPARE(receipt->trimmed.size(), 11);
        QCOMPARE(receipt->trimmedCounts().value(Outcome::Done), 11);
        QVERIFY2(receipt->sentence().contains(u"11 done"_s), qPrintable(receipt->sentence()));
        QCOMPARE(ask({"ZCARD", m_keys.archived()}).integer, 9'999);
        QCOMPARE(hashes(), 9'999); // what left took its hash along
        QVERIFY(stateOf(u"old-10"_s).isEmpty());
        QCOMPARE(stateOf(u"old-11"_s), QByteArray("archived"));

        // What had to go can be put back, once there is room.
        const Activity archive = m_person->activities().first();
        QCOMPARE(archive.state, Activity::State::Done);
        QCOMPARE(archive.count, 31);
        QVERIFY(archive.undoable && receipt->undoable);
        const auto undo = planUndo(m_person->session(), archive);
        QVERIFY_RESULT(undo);
        QCOMPARE(undo->acting(), 11);
        const auto full = m_person->carryOut(*undo);
        QVERIFY_RESULT(full);
        QCOMPARE(full->count(Outcome::Done), 0);
        QVERIFY(full->items.first().reason.contains(u"9,999"_s));
        QVERIFY_RESULT(m_person->act(Verb::Delete, TestOperator::tasks(names)));
        const auto again = planUndo(m_person->session(), archive);
        QVERIFY_RESULT(again);
        const auto room = m_person->carryOut(*again);
        QVERIFY_RESULT(room);
        QCOMPARE(room->count(Outcome::Done), 11);
        QCOMPARE(stateOf(u"old-0"_s), QByteArray("archived"));
    }

    void moreThanAnArchiveHoldsLeavesItFullAndNothingOrphaned()
    {
        constexpr int coming = 10'400;
        QList<RedisCommand> commands{{"SADD", asynq::allQueues, "default"}};
        for (int number = 0; number < coming; ++number) {
            const QByteArray id = "many-" + QByteArray::number(number);
            const auto message = asynq::encode(messageOf(sampleRequest(QString::fromLatin1(id))));
            commands += {"HSET",  m_keys.task(id), "msg",           *message,
                         "state", "pending",       "pending_since", "1763719200000000000"};
            commands += {"LPUSH", m_keys.pending(), id};
        }
        QVERIFY(m_plain.pipeline(commands).has_value());
        Selection all;
        all.filter = u"state:pending"_s;
        const auto plan = m_person->plan(Verb::Archive, all);
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->acting(), coming);
        QCOMPARE(plan->trimmed, coming - 9'999);
        const auto receipt = m_person->carryOut(*plan);
        QVERIFY_RESULT(receipt);
        QVERIFY2(!receipt->error, receipt->error ? qPrintable(oneLine(*receipt->error)) : "");
        QCOMPARE(receipt->count(Outcome::Done), coming);
        QCOMPARE(receipt->trimmedCounts().value(Outcome::Done), coming - 9'999);
        QCOMPARE(ask({"ZCARD", m_keys.archived()}).integer, 9'999);
        QCOMPARE(ask({"LLEN", m_keys.pending()}).integer, 0);
        QCOMPARE(hashes(), 9'999);
        const auto undo = planUndo(m_person->session(), m_person->activities().first());
        QVERIFY_RESULT(undo); // also of those that came only to leave again
        QCOMPARE(undo->acting(), coming - 9'999);
    }

    void onlyWhatWasExportedLeavesAndOnlyAsItWasExported()
    {
        QVERIFY(fillArchive(9'990));
        const auto plan = m_person->plan(Verb::Archive, TestOperator::tasks(placePending(20)));
        QVERIFY_RESULT(plan);
        QCOMPARE(plan->trimmed, 11);
        OperationControl control;
        control.passed = [&](const char *point) {
            if (qstrcmp(point, "prepared") != 0)
                return;
            QVERIFY(archive("older", 1'750'000'000)); // than all that the export holds
            QVERIFY(archive("old-3", 1'750'000'001)); // run, and dead again
            QVERIFY(!ask({"ZREM", m_keys.archived(), "old-4"}).isError());
            QVERIFY(place(u"old-4"_s, TaskState::Pending));
        };
        const auto receipt = m_person->carryOut(*plan, control);
        QVERIFY_RESULT(receipt);
        QCOMPARE(stateOf(u"older"_s), QByteArray("archived"));
        QCOMPARE(stateOf(u"old-3"_s), QByteArray("archived"));
        QCOMPARE(stateOf(u"old-4"_s), QByteArray("pending"));
        QCOMPARE(receipt->trimmedCounts().value(Outcome::Done), 9);
        QCOMPARE(receipt->trimmedCounts().value(Outcome::Changed), 2);
        QCOMPARE(receipt->count(Outcome::Done), 18); // for which there was room
        QCOMPARE(receipt->count(Outcome::NotOffered), 2);
        QCOMPARE(ask({"ZCARD", m_keys.archived()}).integer, 9'999);
        for (const ReceiptItem &item : receipt->trimmed)
            QVERIFY(!item.reason.isEmpty());
    }

    void aCrashWhileRoomIsMadeLeavesNothingOffTheRecord()
    {
        struct Crash
        {
        };
        QVERIFY(fillArchive(9'999));
        const auto plan = m_person->plan(Verb::Archive, TestOperator::tasks(placePending(20)));
        QVERIFY_RESULT(plan);
        OperationControl control;
        control.chunk = 7;
        control.passed = [](const char *point) {
            if (qstrcmp(point, "trimmed") == 0)
                throw Crash();
        };
        QVERIFY_THROWS_EXCEPTION(Crash, static_cast<void>(m_person->carryOut(*plan, control)));
        QCOMPARE(ask({"ZCARD", m_keys.archived()}).integer, 9'992);

        Activity activity = m_person->activities().first();
        QCOMPARE(activity.state, Activity::State::InDoubt);
        QCOMPARE(activity.doubtful.size(), 7);
        for (const AuditedItem &item : std::as_const(activity.doubtful))
            QVERIFY2(stateOf(item.task).isEmpty(), qPrintable(item.task));
        const auto checked = checkDoubt(m_person->session(), activity);
        QVERIFY_RESULT(checked);
        QCOMPARE(checked->state, Activity::State::Partly);
        QVERIFY(checked->undoable);
        const auto undo = planUndo(m_person->session(), *checked);
        QVERIFY_RESULT(undo);
        QCOMPARE(undo->acting(), 7);
        const auto back = m_person->carryOut(*undo);
        QVERIFY_RESULT(back);
        QCOMPARE(back->count(Outcome::Done), 7);
        QCOMPARE(ask({"ZCARD", m_keys.archived()}).integer, 9'999);
        QCOMPARE(m_person->activities().at(1).state, Activity::State::Undone);
    }

    void goingBackToTheArchiveMakesRoomOnlyForWhatGoesBack()
    {
        QVERIFY(fillArchive(9'997));
        QVERIFY(place(u"dead"_s, TaskState::Archived));
        QVERIFY(place(u"worn"_s, TaskState::Archived));
        QVERIFY_RESULT(m_person->act(Verb::Run, TestOperator::tasks({u"dead"_s, u"worn"_s})));
        QVERIFY(!ask({"HSET", m_keys.task("worn"), "pending_since", "1"}).isError()); // ran anew
        QVERIFY(archive("late", 1'770'000'000));
        const auto undo = planUndo(m_person->session(), m_person->activities().first());
        QVERIFY_RESULT(undo);
        QCOMPARE(undo->acting(), 1);
        QCOMPARE(undo->trimmed, 0);
        QVERIFY(!undo->exportsFirst);
        const auto back = m_person->carryOut(*undo);
        QVERIFY_RESULT(back);
        QCOMPARE(stateOf(u"dead"_s), QByteArray("archived"));
        QCOMPARE(stateOf(u"old-0"_s), QByteArray("archived"));
    }
};

} // namespace tst_archivetrim

OUTBOX_TEST(tst_archivetrim::TestArchiveTrim)
#include "tst_archivetrim.moc"
