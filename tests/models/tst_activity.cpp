// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the lines of the record tell: running, done, in part, in doubt, checked, undone; and the
// filter over it.
#include "models/tables/auditmodel.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QTest>

namespace tst_activity {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;
using Kind = AuditEntry::Kind;
using State = Activity::State;

namespace {

const QDateTime noon(QDate(2026, 11, 21), QTime(12, 0));

AuditEntry line(Kind kind, const QString &operation, int chunk = 0)
{
    AuditEntry one;
    one.kind = kind;
    one.operation = operation;
    one.chunk = chunk;
    one.at = noon.toUTC();
    one.who = u"ana@desk"_s;
    one.profile = u"orders"_s;
    one.verb = Verb::Purge;
    return one;
}

AuditEntry begin(const QString &operation, qint64 count = 4)
{
    AuditEntry one = line(Kind::Begin, operation);
    one.what = u"rows that match age>30d"_s;
    one.note = u"INC-4711"_s;
    one.counts = {{u"done"_s, count}};
    return one;
}

AuditEntry intent(const QString &operation, int chunk, const QStringList &rows)
{
    AuditEntry one = line(Kind::Intent, operation, chunk);
    for (const QString &row : rows)
        one.items.append({row, {}, {}, u"processed 7"_s, {}});
    return one;
}

AuditEntry outcome(const QString &operation, int chunk, const QStringList &rows,
                   const QString &after, Kind kind = Kind::Outcome)
{
    AuditEntry one = line(kind, operation, chunk);
    for (const QString &row : rows)
        one.items.append({row, {}, {}, {}, after});
    one.counts = {{after.section(u' ', 0, 0), rows.size()}};
    return one;
}

AuditEntry end(const QString &operation, const QMap<QString, qint64> &counts)
{
    AuditEntry one = line(Kind::End, operation);
    one.counts = counts;
    one.undoable = true;
    return one;
}

Activity only(const QList<AuditEntry> &entries, const QStringList &running = {})
{
    const QList<Activity> told = activitiesOf(entries, running);
    return told.size() == 1 ? told.first() : Activity();
}

} // namespace

class TestActivity : public QObject
{
    Q_OBJECT

private slots:
    void theLastActOnAMessageCounts()
    {
        AuditEntry again = intent(u"a"_s, 2, {u"1"_s});
        again.items.first().before = u"task=archived stamp=8"_s;
        const auto told = activitiesOf({begin(u"a"_s, 2), intent(u"a"_s, 1, {u"1"_s}),
                                        outcome(u"a"_s, 1, {u"1"_s}, u"done archived 8"_s), again});
        QCOMPARE(told.first().state, State::InDoubt);
        QCOMPARE(told.first().doubtful, again.items);
        QCOMPARE(told.first().items, again.items);
    }

    void tellsOfADoneOperation()
    {
        AuditEntry last = end(u"a"_s, {{u"done"_s, 4}});
        last.exportFile = u"/tmp/a.jsonl"_s;
        const Activity told = only({begin(u"a"_s), intent(u"a"_s, 1, {u"1"_s, u"2"_s}),
                                    outcome(u"a"_s, 1, {u"1"_s, u"2"_s}, u"done 8"_s),
                                    intent(u"a"_s, 2, {u"3"_s, u"4"_s}),
                                    outcome(u"a"_s, 2, {u"3"_s, u"4"_s}, u"done 9"_s), last});
        QCOMPARE(told.state, State::Done);
        QCOMPARE(told.count, 4);
        QCOMPARE(told.counts, (QMap<QString, qint64>{{u"done"_s, 4}}));
        QCOMPARE(told.what, u"rows that match age>30d"_s);
        QCOMPARE(told.note, u"INC-4711"_s);
        QCOMPARE(told.exportFile, u"/tmp/a.jsonl"_s);
        QVERIFY(told.undoable);
        QVERIFY(undoObstacle(told).isEmpty());
        QVERIFY(told.doubtful.isEmpty());
        QCOMPARE(told.items.size(), 4);
        QCOMPARE(told.items.first(), (AuditedItem{u"1"_s, {}, {}, u"processed 7"_s, u"done 8"_s}));
    }

    void tellsHowItEnded_data()
    {
        using Counts = QMap<QString, qint64>;
        QTest::addColumn<Counts>("counts");
        QTest::addColumn<QString>("error");
        QTest::addColumn<State>("state");
        QTest::newRow("all") << Counts{{u"done"_s, 4}} << QString() << State::Done;
        QTest::newRow("as asked already")
            << Counts{{u"nothing-to-do"_s, 4}} << QString() << State::Done;
        QTest::newRow("some changed")
            << Counts{{u"done"_s, 3}, {u"changed"_s, 1}} << QString() << State::Partly;
        QTest::newRow("some failed")
            << Counts{{u"done"_s, 3}, {u"failed"_s, 1}} << QString() << State::Partly;
        QTest::newRow("cancelled")
            << Counts{{u"done"_s, 3}, {u"cancelled"_s, 1}} << QString() << State::Cancelled;
        QTest::newRow("ended by an error")
            << Counts{{u"done"_s, 3}, {u"cancelled"_s, 1}} << u"connection lost"_s << State::Partly;
        QTest::newRow("nothing but an error")
            << Counts{{u"cancelled"_s, 4}} << u"connection lost"_s << State::Failed;
        QTest::newRow("before the first chunk") << Counts() << u"no room"_s << State::Failed;
        QTest::newRow("all failed") << Counts{{u"failed"_s, 4}} << QString() << State::Failed;
        QTest::newRow("others were quicker")
            << Counts{{u"changed"_s, 4}} << QString() << State::Refused;
        QTest::newRow("an answer is missing")
            << Counts{{u"done"_s, 3}, {u"in-doubt"_s, 1}} << QString() << State::InDoubt;
    }

    void tellsHowItEnded()
    {
        using Counts = QMap<QString, qint64>;
        QFETCH(Counts, counts);
        QFETCH(QString, error);
        QFETCH(State, state);
        AuditEntry last = end(u"a"_s, counts);
        last.error = error;
        QCOMPARE(only({begin(u"a"_s), last}).state, state);
    }

    void anUnansweredIntentIsInDoubtUnlessItRuns()
    {
        const QList<AuditEntry> entries{begin(u"a"_s), intent(u"a"_s, 1, {u"1"_s, u"2"_s}),
                                        outcome(u"a"_s, 1, {u"1"_s, u"2"_s}, u"done"_s),
                                        intent(u"a"_s, 2, {u"3"_s})};
        QCOMPARE(only(entries, {u"a"_s}).state, State::Running);
        const Activity dead = only(entries);
        QCOMPARE(dead.state, State::InDoubt);
        QCOMPARE(dead.doubtful.size(), 1);
        QCOMPARE(dead.doubtful.first().row, u"3"_s);
        QCOMPARE(dead.counts,
                 (QMap<QString, qint64>{{u"done"_s, 2}, {u"in-doubt"_s, 1}, {u"cancelled"_s, 1}}));
        QVERIFY(undoObstacle(dead).contains(u"check"_s));
        QCOMPARE(outcomeSentence(dead), u"IN DOUBT: 1 message"_s);
    }

    void aCheckSettlesTheDoubt()
    {
        QList<AuditEntry> entries{begin(u"a"_s, 3), intent(u"a"_s, 1, {u"1"_s, u"2"_s, u"3"_s})};
        AuditEntry check = outcome(u"a"_s, 1, {u"1"_s, u"2"_s}, u"done 8"_s, Kind::Check);
        check.items.append({u"3"_s, {}, {}, {}, u"changed"_s});
        check.undoable = true;
        entries += check;
        const Activity settled = only(entries);
        QCOMPARE(settled.state, State::Partly);
        QVERIFY(settled.doubtful.isEmpty());
        QVERIFY(settled.undoable);
        QCOMPARE(settled.counts, (QMap<QString, qint64>{{u"done"_s, 2}, {u"changed"_s, 1}}));
        QCOMPARE(settled.items.last().after, u"changed"_s);
    }

    void aCheckOfAnAnswerThatDidNotComeSettlesItToo()
    {
        // The operation ended by itself: its end says how many are in doubt.
        QList<AuditEntry> entries{begin(u"a"_s, 2), intent(u"a"_s, 1, {u"1"_s, u"2"_s}),
                                  outcome(u"a"_s, 1, {u"1"_s, u"2"_s}, u"in-doubt"_s),
                                  end(u"a"_s, {{u"in-doubt"_s, 2}})};
        QCOMPARE(only(entries).doubtful.size(), 2);
        entries += outcome(u"a"_s, 1, {u"1"_s}, u"done"_s, Kind::Check);
        QCOMPARE(only(entries).state, State::InDoubt);
        QCOMPARE(only(entries).doubtful.size(), 1);
        entries += outcome(u"a"_s, 1, {u"2"_s}, u"done"_s, Kind::Check);
        QCOMPARE(only(entries).state, State::Done);
        QCOMPARE(only(entries).counts, (QMap<QString, qint64>{{u"done"_s, 2}}));
        // Looking again finds the same.
        entries += outcome(u"a"_s, 0, {u"1"_s, u"2"_s}, u"done"_s, Kind::Check);
        QCOMPARE(only(entries).counts, (QMap<QString, qint64>{{u"done"_s, 2}}));
    }

    void aProgramThatDiedBetweenChunksIsNotInDoubt()
    {
        const QList<AuditEntry> entries{begin(u"a"_s), intent(u"a"_s, 1, {u"1"_s}),
                                        outcome(u"a"_s, 1, {u"1"_s}, u"done"_s)};
        const Activity told = only(entries);
        QCOMPARE(told.state, State::Partly);
        QVERIFY(!told.error.isEmpty());
        QCOMPARE(told.counts.value(u"cancelled"_s), 3);
        QCOMPARE(only({begin(u"a"_s)}).state, State::Failed);
    }

    void whatWasTakenBackIsUndone()
    {
        AuditEntry back = begin(u"b"_s);
        back.undoOf = u"a"_s;
        back.verb = Verb::Import;
        QList<AuditEntry> entries{begin(u"a"_s), end(u"a"_s, {{u"done"_s, 4}}), back};
        QCOMPARE(activitiesOf(entries, {u"b"_s}).last().state, State::Done);
        entries += end(u"b"_s, {{u"done"_s, 4}});
        const QList<Activity> told = activitiesOf(entries);
        QCOMPARE(told.first().operation, u"b"_s); // newest first
        QCOMPARE(told.first().undoOf, u"a"_s);
        QCOMPARE(told.last().state, State::Undone);
        QVERIFY(!undoObstacle(told.last()).isEmpty());
        // The undo was undone in turn.
        AuditEntry again = begin(u"c"_s);
        again.undoOf = u"b"_s;
        entries += {again, end(u"c"_s, {{u"done"_s, 4}})};
        QCOMPARE(activitiesOf(entries).at(1).state, State::Undone);
        QCOMPARE(activitiesOf(entries).at(2).state, State::Done);
    }

    void anUndoInPartCanBeTriedAgain()
    {
        AuditEntry back = begin(u"b"_s);
        back.undoOf = u"a"_s;
        const QList<Activity> told
            = activitiesOf({begin(u"a"_s), end(u"a"_s, {{u"done"_s, 4}}), back,
                            end(u"b"_s, {{u"done"_s, 3}, {u"changed"_s, 1}})});
        QCOMPARE(told.last().state, State::Done);
        QVERIFY(undoObstacle(told.last()).isEmpty());
    }

    void refusalsAndUnlocksAreActivitiesToo()
    {
        AuditEntry unlock = line(Kind::Unlock, {});
        unlock.verb.reset();
        unlock.what = u"Writing unlocked for 15 minutes"_s;
        AuditEntry refusal = line(Kind::Refusal, u"r"_s);
        refusal.counts = {{u"done"_s, 297}};
        refusal.error = u"purging: not confirmed"_s;
        const QList<Activity> told = activitiesOf({unlock, unlock, refusal});
        QCOMPARE(told.size(), 3);
        QCOMPARE(told.first().state, State::Refused);
        QCOMPARE(told.first().count, 297);
        QCOMPARE(outcomeSentence(told.first()), u"refused: purging: not confirmed"_s);
        QCOMPARE(told.last().state, State::Noted);
        QVERIFY(!told.last().verb);
        QVERIFY(!undoObstacle(told.last()).isEmpty());
    }

    void aRefusalThatWasAnsweredIsForgotten()
    {
        AuditEntry refusal = line(Kind::Refusal, u"a"_s);
        refusal.error = u"purging: not confirmed"_s;
        const Activity told
            = only({refusal, begin(u"a"_s), end(u"a"_s, {{u"done"_s, 3}, {u"cancelled"_s, 1}})});
        QCOMPARE(told.state, State::Cancelled);
        QVERIFY(told.error.isEmpty());
    }

    void aStoryWithoutItsBeginningIsTold()
    {
        const Activity told
            = only({outcome(u"a"_s, 7, {u"1"_s}, u"done"_s), end(u"a"_s, {{u"done"_s, 3'001}})});
        QCOMPARE(told.state, State::Done);
        QCOMPARE(told.count, 3'001);
    }

    void jsonReadsBack()
    {
        for (const Kind kind : {Kind::Begin, Kind::Intent, Kind::Outcome, Kind::End, Kind::Refusal,
                                Kind::Unlock, Kind::Lock, Kind::Check}) {
            AuditEntry one = outcome(u"a"_s, 3, {u"1"_s}, u"done 7"_s, kind);
            one.sequence = 12;
            one.environment = Environment::Staging;
            const auto read = AuditEntry::fromJson(one.toJson());
            QVERIFY_RESULT(read);
            QCOMPARE(*read, one);
        }
    }

    void refusesWhatItDoesNotKnow_data()
    {
        QTest::addColumn<QString>("member");
        QTest::addColumn<QJsonValue>("value");
        QTest::newRow("kind") << u"kind"_s << QJsonValue(u"dance"_s);
        QTest::newRow("verb") << u"verb"_s << QJsonValue(u"dance"_s);
        QTest::newRow("time") << u"at"_s << QJsonValue(u"noon"_s);
        QTest::newRow("sequence") << u"sequence"_s << QJsonValue(0);
        QTest::newRow("environment") << u"environment"_s << QJsonValue(u"moon"_s);
    }

    void refusesWhatItDoesNotKnow()
    {
        QFETCH(QString, member);
        QFETCH(QJsonValue, value);
        AuditEntry one = begin(u"a"_s);
        one.sequence = 1;
        QJsonObject json = one.toJson();
        json.insert(member, value);
        const auto read = AuditEntry::fromJson(json);
        QVERIFY(!read.has_value());
        QCOMPARE(read.error().kind, Error::Kind::Invalid);
    }

    void theTableSaysItInWords()
    {
        AuditModel model;
        AuditEntry hostile = begin(u"a"_s, 297);
        hostile.what = u"rows that match\ntype:<b>\u202e"_s;
        model.merge(activitiesOf(
            {hostile, end(u"a"_s, {{u"done"_s, 290}, {u"changed"_s, 7}, {u"later-word"_s, 1}})}));
        QCOMPARE(model.rowCount(), 1);
        const auto cell = [&](int column) { return model.index(0, column).data().toString(); };
        QCOMPARE(cell(AuditModel::What), u"Purge, rows that match\\ntype:<b>\\u202e"_s);
        QCOMPARE(cell(AuditModel::Where), u"orders"_s);
        QCOMPARE(cell(AuditModel::Count), u"298"_s);
        QCOMPARE(cell(AuditModel::State), u"290 done, 7 changed meanwhile, 1 later-word"_s);
        QCOMPARE(model.index(0, AuditModel::State).data(StateRole).value<State>(), State::Partly);
        QVERIFY(
            !model.index(0, AuditModel::What).data(Qt::ToolTipRole).toString().contains(u"<b>"_s));
    }

    void aChangedLineMakesAllOfItsOperationDoubtful()
    {
        AuditEntry undo = line(Kind::Begin, u"b"_s);
        undo.undoOf = u"a"_s;
        QList<AuditEntry> entries{line(Kind::Begin, u"a"_s), end(u"a"_s, {{u"done"_s, 1}}), undo,
                                  end(u"b"_s, {{u"done"_s, 1}})};
        entries.first().intact = false;
        auto told = activitiesOf(entries);
        QCOMPARE(told.last().state, Activity::State::RecordChanged);
        QVERIFY(!told.last().undoable && !undoObstacle(told.last()).isEmpty());
        QCOMPARE(told.first().state, Activity::State::Done);

        // Whether it was undone is told by a record that nobody can trust.
        entries.first().intact = true;
        entries.last().intact = false;
        told = activitiesOf(entries);
        QCOMPARE(told.first().state, Activity::State::RecordChanged);
        QCOMPARE(told.last().state, Activity::State::RecordChanged);
    }
};

} // namespace tst_activity

OUTBOX_TEST(tst_activity::TestActivity)
#include "tst_activity.moc"
