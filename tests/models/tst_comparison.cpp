// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two messages compared: what is measured adds up, what is not known is never alike, and payloads
// are compared byte by byte. Worlds are generated.
#include "models/comparison/comparison.h"
#include "tests/support/testprogram.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>

namespace tst_comparison {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QDateTime now(QDate(2026, 11, 21), QTime(14, 3, 0), Qt::UTC);

QDateTime at(double seconds)
{
    return now.addMSecs(static_cast<qint64>(seconds * 1000));
}

Error noAnswer()
{
    return {Error::Kind::Timeout, u"looking"_s, u"no answer"_s, {}, {}, -1};
}

IdVerdict delivered(const QString &id, double written, double marked, double done)
{
    IdVerdict facts;
    facts.message = {id};
    facts.taskId = {id};
    facts.queue = {u"default"_s};
    Message row;
    row.id = {id};
    row.type = u"email:deliver"_s;
    row.payload = "{}";
    row.payloadBytes = 2;
    row.state = MessageState::Processed;
    row.created = at(written);
    row.processed = at(marked);
    facts.row = row;
    Task task;
    task.id = {id};
    task.queue = {u"default"_s};
    task.type = row.type;
    task.payload = row.payload;
    task.payloadBytes = 2;
    task.state = TaskState::Completed;
    task.completedAt = at(done);
    task.retentionSeconds = 86'400;
    facts.task = task;
    return facts;
}

/// A message in any state, with what may be missing missing, and clocks that may differ.
IdVerdict generated(QRandomGenerator &random)
{
    const auto chance = [&random](int percent) { return random.bounded(100) < percent; };
    const double written = -1 - random.bounded(100'000.0);
    const double marked = written + random.bounded(50.0) - (chance(10) ? 30 : 0);
    IdVerdict facts
        = delivered(QString::number(random.bounded(3)), written, marked,
                    std::min(marked + random.bounded(500.0) - (chance(10) ? 400 : 0), -0.5));
    if (chance(20))
        facts.row.reset();
    if (facts.row && chance(20))
        facts.row->created.reset();
    if (facts.row && chance(30)) {
        constexpr std::array states{MessageState::Pending, MessageState::Locked,
                                    MessageState::Parked, MessageState::Failed,
                                    MessageState::Waiting};
        facts.row->state = states.at(static_cast<size_t>(random.bounded(int(states.size()))));
        facts.row->parkedSince = at(written + 5);
        facts.row->attempts = int(random.bounded(3));
    }
    if (!facts.row && chance(30))
        facts.rowError = noAnswer();
    if (chance(40)) {
        constexpr std::array states{TaskState::Pending, TaskState::Active, TaskState::Retry,
                                    TaskState::Archived, TaskState::Scheduled};
        facts.task->state = states.at(static_cast<size_t>(random.bounded(int(states.size()))));
        facts.task->completedAt.reset();
        facts.task->pendingSince = at(written + 1);
        facts.task->archivedAt = at(-0.2);
        facts.task->nextRun = at(40);
        if (chance(50))
            facts.task->lastFailed = at(written + 3);
    }
    if (chance(20))
        facts.task.reset();
    if (!facts.task && chance(40))
        facts.taskError = noAnswer();
    for (int i = int(random.bounded(3)); i > 0; --i) {
        facts.traces += IdTrace{IdTrace::Place::Record, at(-random.bounded(200'000.0)),
                                u"Replay by ana: done"_s, u"op"_s};
    }
    return facts;
}

/// The points of one side, in the order of the steps.
QList<TimelinePoint> pointsOf(const ComparedJourneys &journeys,
                              std::optional<ComparedStep::Station> ComparedStep::*side)
{
    QList<TimelinePoint> points;
    for (const ComparedStep &step : journeys.steps) {
        if (step.*side)
            points += (step.*side)->point;
    }
    return points;
}

const ComparedStep *stepOf(const ComparedJourneys &journeys, TimelinePoint::Kind kind)
{
    for (const ComparedStep &step : journeys.steps) {
        if (step.kind == kind)
            return &step;
    }
    return nullptr;
}

const ComparedField *fieldOf(const QList<ComparedField> &fields, const QString &name)
{
    for (const ComparedField &field : fields) {
        if (field.name == name)
            return &field;
    }
    return nullptr;
}

IdVerdict withPayload(const QByteArray &bytes, qint64 stored)
{
    IdVerdict facts = delivered(u"7e57"_s, -100, -60, -58);
    facts.row->payload = bytes;
    facts.row->payloadBytes = stored;
    return facts;
}

} // namespace

class TestComparison : public QObject
{
    Q_OBJECT

private slots:
    /// Without the common beginning B's steps would be hours later than A's; without the step
    /// before, the second step would be told as long as both.
    void theStepThatTookLongerIsNamed()
    {
        const Comparison both
            = comparisonOf(delivered(u"1"_s, -9'000, -8'998, -8'990),
                           delivered(u"2"_s, -100, -98, -50), now, PayloadMasks::none());
        QCOMPARE(both.journeys.begin, std::optional(TimelinePoint::Kind::Written));
        const ComparedStep *done = stepOf(both.journeys, TimelinePoint::Kind::Done);
        QVERIFY(done);
        QCOMPARE(done->a->tookSeconds.value_or(-1), 8.0);
        QCOMPARE(done->b->tookSeconds.value_or(-1), 48.0);
        QCOMPARE(done->a->afterSeconds.value_or(-1), 10.0);
        QCOMPARE(done->difference().value_or(-1), 40.0);
        QVERIFY(both.journeys.widest.has_value());
        QCOMPARE(&both.journeys.steps.at(*both.journeys.widest), done);
        QVERIFY2(journeySentence(both.journeys).contains(u"B took 40 s longer"_s),
                 qPrintable(journeySentence(both.journeys)));
        const ComparedStep *marked = stepOf(both.journeys, TimelinePoint::Kind::Processed);
        QCOMPARE(stepDifferenceText(*marked), u"no difference"_s);
    }

    void generatedJourneysAreComparedRightly()
    {
        for (quint32 seed = 1; seed <= 4'000; ++seed) {
            QRandomGenerator random(seed);
            const IdVerdict a = generated(random);
            const IdVerdict b = generated(random);
            const auto lineOfA = timelineOf(a, now);
            const auto lineOfB = timelineOf(b, now);
            const ComparedJourneys journeys = compareJourneys(lineOfA, lineOfB);
            const QByteArray which = "seed " + QByteArray::number(seed);
            // No point is lost or made up, and A's stand in A's order.
            QVERIFY2(pointsOf(journeys, &ComparedStep::a) == lineOfA, which.constData());
            const auto pointsOfB = pointsOf(journeys, &ComparedStep::b);
            QVERIFY2(pointsOfB.size() == lineOfB.size()
                         && std::all_of(
                             lineOfB.cbegin(), lineOfB.cend(),
                             [&](const TimelinePoint &one) { return pointsOfB.contains(one); }),
                     which.constData());
            std::optional<double> widest;
            for (const ComparedStep &step : journeys.steps) {
                const auto differs = step.difference();
                const bool isKnown = step.a && step.b && step.a->point.at && step.b->point.at;
                QVERIFY2(!differs || isKnown, which.constData());
                QVERIFY2(step.kind != TimelinePoint::Kind::Operation || !step.since,
                         which.constData());
                for (const auto &station : {step.a, step.b}) {
                    if (!station || !station->tookSeconds)
                        continue;
                    QVERIFY2(*station->tookSeconds >= 0 && !station->point.isFuture,
                             which.constData());
                }
                if (differs)
                    widest = std::max(widest.value_or(0), std::abs(*differs));
            }
            if (journeys.widest) {
                QCOMPARE(std::abs(*journeys.steps.at(*journeys.widest).difference()), *widest);
            } else {
                QVERIFY2(widest.value_or(0) < 0.05, which.constData());
            }
            // The other way round each difference is the opposite, where the order is the same.
            const ComparedJourneys back = compareJourneys(lineOfB, lineOfA);
            QVERIFY2(back.begin.has_value() == journeys.begin.has_value(), which.constData());
            const bool isSameOrder = std::equal(
                back.steps.cbegin(), back.steps.cend(), journeys.steps.cbegin(),
                journeys.steps.cend(), [](const ComparedStep &one, const ComparedStep &other) {
                    return one.kind == other.kind && one.since == other.since
                        && one.a.has_value() == other.b.has_value();
                });
            for (qsizetype i = 0; isSameOrder && i < back.steps.size(); ++i) {
                const auto one = back.steps.at(i).difference();
                const auto other = journeys.steps.at(i).difference();
                QVERIFY2(one.has_value() == other.has_value() && (!one || *one == -*other),
                         which.constData());
            }
            // With itself nothing differs.
            const ComparedJourneys same = compareJourneys(lineOfA, lineOfA);
            QVERIFY2(!same.widest, which.constData());
        }
    }

    /// Where no clock is wrong the steps of a message make up its whole way.
    void stepsAddUp()
    {
        for (quint32 seed = 1; seed <= 500; ++seed) {
            QRandomGenerator random(seed);
            const auto one = [&random] {
                const double written = -1'000 - random.bounded(100'000);
                const double marked = written + random.bounded(100);
                return delivered(u"1"_s, written, marked, marked + random.bounded(100));
            };
            const ComparedJourneys journeys
                = compareJourneys(timelineOf(one(), now), timelineOf(one(), now));
            double sum = 0;
            for (const ComparedStep &step : journeys.steps) {
                if (step.b && step.b->tookSeconds)
                    sum += *step.b->tookSeconds;
            }
            const ComparedStep *done = stepOf(journeys, TimelinePoint::Kind::Done);
            QVERIFY(done && done->b->afterSeconds);
            QCOMPARE(sum, *done->b->afterSeconds);
        }
    }

    /// A beginning that is not known is not taken for that of the other one.
    void withoutABeginningTheNextStepIsTaken()
    {
        IdVerdict gone = delivered(u"1"_s, -100, -60, -58);
        gone.row.reset();
        const auto journeys
            = comparisonOf(gone, delivered(u"2"_s, -100, -60, -50), now, PayloadMasks::none())
                  .journeys;
        QCOMPARE(journeys.begin, std::optional(TimelinePoint::Kind::Done));
        QVERIFY(!journeys.widest);
        gone.task.reset();
        const auto none
            = comparisonOf(gone, delivered(u"2"_s, -100, -60, -50), now, PayloadMasks::none())
                  .journeys;
        QVERIFY(!none.begin);
        QVERIFY(journeySentence(none).contains(u"cannot be measured"_s));
    }

    /// Fails where an absent value counts as an equal one.
    void aSourceThatFailedIsNoSameness()
    {
        const IdVerdict sound = delivered(u"1"_s, -100, -60, -58);
        IdVerdict blind = delivered(u"2"_s, -100, -60, -58);
        blind.row.reset();
        blind.task.reset();
        blind.rowError = noAnswer();
        blind.taskError = noAnswer();
        for (const Comparison &both : {comparisonOf(sound, blind, now, PayloadMasks::none()),
                                       comparisonOf(blind, sound, now, PayloadMasks::none()),
                                       comparisonOf(blind, blind, now, PayloadMasks::none())}) {
            QCOMPARE(both.payload.is, Likeness::NotKnown);
            for (const ComparedField &field : both.fields)
                QVERIFY2(field.is == Likeness::NotKnown, qPrintable(field.name));
            QVERIFY(both.notes.join(u'\n').contains(u"the database was not read"_s));
            QVERIFY(both.notes.join(u'\n').contains(u"the queue was not read"_s));
            QVERIFY(fieldSentence(both.fields).contains(u"not known"_s));
            QVERIFY(payloadSentence(both.payload).contains(u"not known"_s));
        }
        // Its task may have another payload than the row that was not read.
        IdVerdict half = sound;
        half.row.reset();
        half.rowError = noAnswer();
        QCOMPARE(comparisonOf(sound, half, now, PayloadMasks::none()).payload.is,
                 Likeness::NotKnown);
    }

    void fieldsThatDifferAreNamed()
    {
        const IdVerdict a = delivered(u"1"_s, -100, -60, -58);
        IdVerdict b = delivered(u"2"_s, -100, -60, -58);
        b.row->type = u"email:bounce"_s;
        b.row->attempts = 3;
        b.task->headers.insert(u"trace"_s, u"\u202e<b>"_s);
        const auto fields = comparedFields(a, b);
        QCOMPARE(fieldOf(fields, u"row.type"_s)->is, Likeness::Different);
        QCOMPARE(fieldOf(fields, u"row.attempts"_s)->is, Likeness::NotKnown); // of A
        QCOMPARE(fieldOf(fields, u"task.header.trace"_s)->is, Likeness::Different);
        QCOMPARE(fieldOf(fields, u"task.queue"_s)->is, Likeness::Same);
        // A task too large to be read has no empty type.
        b.task->payload.clear();
        b.task->payloadBytes = 50'000'000;
        b.task->type.clear();
        const auto large = comparedFields(a, b);
        QVERIFY(!fieldOf(large, u"task.type"_s));
        QCOMPARE(fieldOf(large, u"task.message"_s)->is, Likeness::NotKnown);
        QCOMPARE(withoutSame(fields).size(), 3);
    }

    /// Fails where the texts of two values are compared in place of the values.
    void whatReadsAlikeIsNotAlike()
    {
        IdVerdict a = delivered(u"1"_s, -100, -60, -58);
        IdVerdict b = delivered(u"2"_s, -100, -60, -58);
        a.task->retentionSeconds = 86'400;
        b.task->retentionSeconds = 86'405;
        b.task->headers.insert(u"empty"_s, QString());
        a.row->state = b.row->state = MessageState::Locked;
        a.row->lockedBy = b.row->lockedBy = LockHolder(); // two sessions that nobody names
        const auto fields = comparedFields(a, b);
        QCOMPARE(fieldOf(fields, u"task.retention_s"_s)->is, Likeness::Different);
        QCOMPARE(fieldOf(fields, u"task.header.empty"_s)->is, Likeness::Different);
        QCOMPARE(fieldOf(fields, u"row.held_by"_s)->is, Likeness::NotKnown);
        QCOMPARE(fieldOf(fields, u"row.state"_s)->is, Likeness::Same);
        // The row was read, but not the list of what is parked: its state may be another one.
        a.rowError = noAnswer();
        const Comparison half = comparisonOf(a, b, now, PayloadMasks::none());
        QCOMPARE(fieldOf(half.fields, u"row.there"_s)->is, Likeness::Same);
        QCOMPARE(fieldOf(half.fields, u"row.state"_s)->is, Likeness::NotKnown);
        QCOMPARE(fieldOf(half.fields, u"row.note"_s)->is, Likeness::NotKnown);
        QVERIFY(
            half.notes.contains(u"A: whether it is parked is not known: "_s + oneLine(noAnswer())));
    }

    void payloadsAreComparedByteByByte_data()
    {
        QTest::addColumn<QByteArray>("a");
        QTest::addColumn<qint64>("storedOfA");
        QTest::addColumn<QByteArray>("b");
        QTest::addColumn<qint64>("storedOfB");
        QTest::addColumn<Likeness>("is");
        QTest::addColumn<qint64>("first"); // -1: none
        const auto add = [](const char *name, const QByteArray &a, qint64 storedOfA,
                            const QByteArray &b, qint64 storedOfB, Likeness is, qint64 first) {
            QTest::newRow(name) << a << storedOfA << b << storedOfB << is << first;
        };
        const auto whole
            = [&add](const char *name, const QByteArray &a, const QByteArray &b, Likeness is,
                     qint64 first) { add(name, a, a.size(), b, b.size(), is, first); };
        whole("alike", "{\"n\":9007199254740993}", "{\"n\":9007199254740993}", Likeness::Same, -1);
        whole("numbers that a double takes for one", "{\"n\":9007199254740993}",
              "{\"n\":9007199254740992}", Likeness::Different, 20);
        whole("a blank", "{\"a\":1}", "{\"a\": 1}", Likeness::Different, 5);
        whole("a byte behind a zero", QByteArray("a\0b", 3), QByteArray("a\0c", 3),
              Likeness::Different, 2);
        whole("one is longer", "abc", "abcd", Likeness::Different, 3);
        whole("empty", "", "", Likeness::Same, -1);
        add("beginnings alike", "abc", 9, "abc", 9, Likeness::NotKnown, -1);
        add("beginnings alike, other sizes", "abc", 9, "abc", 10, Likeness::Different, -1);
        add("beginnings that differ", "abc", 9, "axc", 9, Likeness::Different, 1);
        add("a whole one and a longer beginning", "abc", 3, "abcd", 9, Likeness::Different, 3);
        add("the row it refers to is gone", "", -1, "abc", 3, Likeness::NotKnown, -1);
    }
    void payloadsAreComparedByteByByte()
    {
        QFETCH(QByteArray, a);
        QFETCH(qint64, storedOfA);
        QFETCH(QByteArray, b);
        QFETCH(qint64, storedOfB);
        QFETCH(Likeness, is);
        QFETCH(qint64, first);
        const auto payload = comparedPayloads(withPayload(a, storedOfA), withPayload(b, storedOfB),
                                              PayloadMasks::none());
        QCOMPARE(payload.is, is);
        QCOMPARE(payload.firstOther.value_or(-1), first);
        const bool isWhole = a.size() == storedOfA && b.size() == storedOfB;
        QCOMPARE(!payload.difference.isEmpty(), isWhole && is == Likeness::Different);
        if (!isWhole)
            QVERIFY2(payloadSentence(payload).contains(u"A: "_s)
                         || payloadSentence(payload).contains(u"B: "_s),
                     qPrintable(payloadSentence(payload)));
    }

    /// Random bytes, and one of them changed: the place is exact.
    void theFirstByteThatDiffersIsExact()
    {
        QRandomGenerator random(7);
        for (int trial = 0; trial < 300; ++trial) {
            QByteArray a(1 + qsizetype(random.bounded(3'000)), Qt::Uninitialized);
            for (char &byte : a)
                byte = static_cast<char>(random.bounded(256));
            QByteArray b = a;
            const qsizetype place = random.bounded(int(a.size()));
            b[place] = static_cast<char>(b.at(place) ^ 1);
            const auto payload = comparedPayloads(withPayload(a, a.size()),
                                                  withPayload(b, b.size()), PayloadMasks::none());
            QCOMPARE(payload.firstOther.value_or(-1), qint64(place));
            QVERIFY(!payload.difference.isEmpty());
        }
    }

    void oneMessageUnderTwoIdsIsTold()
    {
        const IdVerdict one = delivered(u"1"_s, -100, -60, -58);
        IdVerdict byTask = one;
        byTask.message = {u"outbox:1"_s};
        const Comparison both = comparisonOf(one, byTask, now, PayloadMasks::none());
        QVERIFY(both.notes.contains(u"Both ids are of the same message."_s));
        IdVerdict nowhere;
        nowhere.message = {u"9"_s};
        QVERIFY(comparisonOf(one, nowhere, now, PayloadMasks::none())
                    .notes.contains(u"B: nothing is known of this id"_s));
        QVERIFY(both.a.row->payload.isEmpty()); // what crosses threads is small
    }
};

} // namespace tst_comparison

OUTBOX_TEST(tst_comparison::TestComparison)

#include "tst_comparison.moc"
