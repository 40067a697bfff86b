// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What filters mean: values with their types, rows and tasks that match, and what cannot be known.
#include "models/filter/pattern.h"
#include "models/filter/rowfilter.h"
#include "models/filter/taskfilter.h"
#include "models/filter/values.h"
#include "models/message/taskwalk.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QTest>
#include <QTimeZone>

namespace tst_filterchecks {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

const QDateTime noon(QDate(2026, 11, 21), QTime(12, 0), QTimeZone("Europe/Berlin"));

Message sampleRow()
{
    Message row;
    row.id.text = u"7e57d004-2b97-4e7a-8000-00000000002a"_s;
    row.type = u"email:deliver"_s;
    row.payload = R"({"user":{"id":42,"name":"Ana Größe"},"tags":["a","b"],"none":null,"n":1.5})";
    row.payloadBytes = row.payload.size();
    row.state = MessageState::Failed;
    row.created = noon.addSecs(-3600);
    row.ageSeconds = 3600;
    row.attempts = 3;
    row.error = u"Connection TIMEOUT after 100%"_s;
    return row;
}

Truth rowTruth(const QString &text, const Message &row, const std::optional<TaskState> &task = {})
{
    const auto filter = Filter::fromText(text);
    const auto checks = filter ? checksOf(*filter, FilterSubject::Rows, noon) : passOn(filter);
    if (!checks) {
        QTest::qFail(qPrintable(oneLine(checks.error())), __FILE__, __LINE__);
        return Truth::Unknown;
    }
    return truthOf(*checks, row, true, task);
}

} // namespace

class TestFilterChecks : public QObject
{
    Q_OBJECT

private slots:
    void rowsMatch_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("matches");
        const QList<std::pair<QString, bool>> cases{
            {u""_s, true},
            {u"state:failed"_s, true},
            {u"state:pending,FAILED"_s, true},
            {u"state!=failed"_s, false},
            {u"-state:pending"_s, true},
            {u"type:email:*"_s, true},
            {u"type:email:deliver"_s, true},
            {u"type:Email:*"_s, false},
            {u"type=email:*"_s, false},
            {u"type:\"email:*\""_s, true},
            {u"type~MAIL"_s, true},
            {u"type!~mail"_s, false},
            {u"type:sms,email:?eliver"_s, true},
            {u"type:*"_s, true},
            {u"type:none"_s, false},
            {u"deliver"_s, true},
            {u"7e57d004"_s, true},
            {u"7E57D0042B97"_s, true},
            {u"dead"_s, false},
            {u"id:7e57*"_s, true},
            {u"id:*2a"_s, true},
            {u"id=7E57D004-2B97-4E7A-8000-00000000002A"_s, true},
            {u"id=7e57"_s, false},
            {u"error~timeout"_s, true},
            {u"error~\"after 100%\""_s, true},
            {u"error~\"after 10_%\""_s, false},
            {u"error:any"_s, true},
            {u"error:none"_s, false},
            {u"error:\"any\""_s, false},
            {u"queue:none"_s, true},
            {u"age>5m age<2h"_s, true},
            {u"age:30m..1h"_s, true},
            {u"age>1h"_s, false},
            {u"age>=1h"_s, true},
            {u"created:today"_s, true},
            {u"created:11:00"_s, true},
            {u"created:yesterday"_s, false},
            {u"created>2026-11-21T10:59:59"_s, true},
            {u"created>2026-11-21T09:59:59Z"_s, true},
            {u"created>-30m"_s, false},
            {u"created:-2h"_s, true},
            {u"created:2026-11-20..2026-11-21"_s, true},
            {u"created<2026-11-21"_s, false},
            {u"created<=2026-11-21"_s, true},
            {u"created>2026-11-21"_s, false},
            {u"created>=2026-11-21"_s, true},
            {u"processed:none"_s, true},
            {u"processed<today"_s, false},
            {u"-processed<today"_s, true},
            {u"wait>30m"_s, true},
            {u"attempts>=3"_s, true},
            {u"attempts:1,3"_s, true},
            {u"attempts:1..2"_s, false},
            {u"attempts!=3"_s, false},
            {u"size>10 size<10k"_s, true},
            {u"locked:none"_s, true},
            {u"locked:any"_s, false},
            {u"owner:none"_s, true},
            {u"payload.user.id:42"_s, true},
            {u"payload.user.id:4"_s, false},
            {u"payload.user.id>41"_s, true},
            {u"payload.n:1..2"_s, true},
            {u"payload.user.name~größE"_s, true},
            {u"payload.tags[1]:b"_s, true},
            {u"payload.tags[2]:any"_s, false},
            {u"payload.none:none"_s, true},
            {u"payload.user:any"_s, true},
            {u"payload~ANA"_s, true},
            {u"payload!~ana"_s, false},
            {u"(state:pending or attempts>2) -type~sms"_s, true},
            {u"state:pending or attempts<2 error:any"_s, false}};
        for (const auto &[text, matches] : cases)
            QTest::newRow(text.isEmpty() ? "everything" : qPrintable(text)) << text << matches;
    }

    void rowsMatch()
    {
        QFETCH(QString, text);
        QFETCH(bool, matches);
        QCOMPARE(rowTruth(text, sampleRow()), matches ? Truth::Yes : Truth::No);
    }

    void whatIsNotAtHandIsNotKnown()
    {
        Message row = sampleRow();
        row.payload.truncate(20);
        QCOMPARE(rowTruth(u"payload.user.id:42"_s, row), Truth::Unknown);
        QCOMPARE(rowTruth(u"payload~größe"_s, row), Truth::Unknown);
        QCOMPARE(rowTruth(u"payload~user"_s, row), Truth::Yes); // the beginning tells
        QCOMPARE(rowTruth(u"state:failed or payload~größe"_s, row), Truth::Yes);
        QCOMPARE(rowTruth(u"state:pending payload~größe"_s, row), Truth::No);
        QCOMPARE(rowTruth(u"-payload~größe"_s, row), Truth::Unknown);
        QCOMPARE(rowTruth(u"task:none"_s, row), Truth::Unknown);
        QCOMPARE(rowTruth(u"task:none"_s, row, TaskState::None), Truth::Yes);
        QCOMPARE(rowTruth(u"task:any -task:done"_s, row, TaskState::Archived), Truth::Yes);
        QCOMPARE(rowTruth(u"task:dead dedup:held"_s, row, TaskState::Archived), Truth::Yes);
        QCOMPARE(rowTruth(u"col.tenant:7"_s, row), Truth::Unknown);
        row.payload = "not json";
        row.payloadBytes = row.payload.size();
        QCOMPARE(rowTruth(u"payload.user.id:42"_s, row), Truth::No);
    }

    void itSaysWhatItNeeds()
    {
        const auto needs = [](const QString &text) {
            return needsOf(*checksOf(*Filter::fromText(text), FilterSubject::Rows, noon));
        };
        QCOMPARE(needs(u"state:failed type:x age>5m error~x"_s), FilterNeeds());
        QCOMPARE(needs(u"a or -payload~x"_s), (FilterNeeds{true, false, false}));
        QCOMPARE(needs(u"task:none col.x:1"_s), (FilterNeeds{false, true, true}));
    }

    void statesAreNarrowedAsFarAsTheyCanBe()
    {
        const auto within
            = [](const QString &text) { return statesWithin(*Filter::fromText(text)); };
        QCOMPARE(within(u"age>5m"_s), allMessageStates());
        QCOMPARE(within(u"state:failed age>5m"_s), QList{MessageState::Failed});
        QCOMPARE(within(u"state:failed or age>5m"_s), allMessageStates());
        QCOMPARE(within(u"-(state:failed,parked or x)"_s).size(), 5);
        QVERIFY(isOfStatesAlone(*Filter::fromText(u"state:failed"_s)));
        QVERIFY(!isOfStatesAlone(*Filter::fromText(u"state:failed a"_s)));
        QVERIFY(!isOfStatesAlone(Filter()));
    }

    void tasksMatch_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<bool>("matches");
        const QList<std::pair<QString, bool>> cases{{u"state:dead"_s, true},
                                                    {u"state:archived"_s, true},
                                                    {u"state:retry"_s, false},
                                                    {u"type:a.c?[x]*"_s, true},
                                                    {u"type:abc*"_s, false},
                                                    {u"retried>=3 max:25"_s, true},
                                                    {u"attempts<3"_s, false},
                                                    {u"error~timeout"_s, true},
                                                    {u"age>5m"_s, true},
                                                    {u"age>5d"_s, false},
                                                    {u"next:none"_s, true},
                                                    {u"payload.user:7"_s, true},
                                                    {u"id:7e"_s, true},
                                                    {u"queue:default"_s, true},
                                                    {u"completed<today"_s, false},
                                                    {u"7e57 -state:done"_s, true}};
        for (const auto &[text, matches] : cases)
            QTest::newRow(qPrintable(text)) << text << matches;
    }

    void tasksMatch()
    {
        QFETCH(QString, text);
        QFETCH(bool, matches);
        Task task;
        task.id.text = u"7e57"_s;
        task.queue.text = u"default"_s;
        task.type = u"a.cd[x]yz"_s;
        task.state = TaskState::Archived;
        task.retried = 3;
        task.maxRetry = 25;
        task.lastError = u"Timeout"_s;
        task.archivedAt = noon.addSecs(-7200);
        task.payload = R"({"user":7})";
        task.payloadBytes = task.payload.size();
        const auto filter = TaskFilter::fromText(text, noon);
        QVERIFY_RESULT(filter);
        QCOMPARE(filter->of(task), matches ? Truth::Yes : Truth::No);
    }

    void taskStatesToReadAreKnown()
    {
        const auto states
            = [](const QString &text) { return TaskFilter::fromText(text, noon)->states(); };
        QCOMPARE(states(u"state:dead,retry type:x"_s),
                 (QList{TaskState::Retry, TaskState::Archived}));
        QCOMPARE(states(u"type:x"_s), QList<TaskState>());
        QCOMPARE(states(u"-state:done"_s).size(), 6);
        const auto toRead
            = [](const QString &text) { return TaskFilter::fromText(text, noon)->statesToRead(); };
        QCOMPARE(toRead({}), soundTaskStates());
        QCOMPARE(toRead(u"state:done type:x"_s), QList{TaskState::Completed});
        QVERIFY(toRead(u"state:done state:retry"_s).isEmpty()); // not all of them
        const auto wrong = TaskFilter::fromText(u"state:processed"_s, noon);
        QVERIFY(!wrong.has_value());
        QCOMPARE(wrong.error().position, 6);
    }

    void tasksAreListedByTheirStateAloneAndElseSearched()
    {
        const auto reach
            = [](const QString &text) { return TaskFilter::fromText(text, noon)->reach(); };
        QCOMPARE(reach({}), FilterReach::Queue);
        QCOMPARE(reach(u"state:dead or -(state:done state:retry)"_s), FilterReach::Queue);
        QCOMPARE(reach(u"state:dead type:x"_s), FilterReach::Scan);
        QCOMPARE(reach(u"mail"_s), FilterReach::Scan);
        QCOMPARE(reach(u"-(state:done or error:any)"_s), FilterReach::Scan);
    }

    void aSearchTakesEachTaskOnceAndTheBeginningOfItsPayload()
    {
        TaskPage page;
        for (const char *id : {"a", "b", "a"}) {
            Task task;
            task.id = {QString::fromLatin1(id)};
            task.payload = QByteArray(100, 'x');
            task.payloadBytes = id[0] == 'b' ? 200 : 100;
            page.tasks += task;
        }
        TaskSearchView found;
        const auto filter = TaskFilter::fromText(u"payload~xxx"_s, noon);
        QVERIFY_RESULT(filter);
        found.take(*filter, page, 10);
        QCOMPARE(found.tasks.size(), 2);
        QCOMPARE(found.searched, 3);
        QCOMPARE(found.tasks.first().payload.size(), 10);
        QCOMPARE(found.tasks.first().payloadBytes, 100);
        const auto other = TaskFilter::fromText(u"payload~y"_s, noon);
        QVERIFY_RESULT(other);
        found.take(*other, page, 10);
        QCOMPARE(found.tasks.size(), 2);
        QCOMPARE(found.undecided, 1); // the rest of b may have it
    }

    void aWalkGoesThroughStatesByTheirCursors()
    {
        const QList states{TaskState::Retry, TaskState::Archived};
        TaskWalk walk(states);
        QCOMPARE(walk.cursor(), u"retry "_s);
        TaskPage page;
        page.next = u"500"_s;
        walk.passed(page);
        QCOMPARE(walk.cursor(), u"retry 500"_s);
        walk = TaskWalk(states, walk.cursor());
        QCOMPARE(walk.after(), u"500"_s);
        walk.passed({});
        QCOMPARE(walk.state(), TaskState::Archived);
        QVERIFY(walk.after().isEmpty());
        walk.passed({});
        QVERIFY(walk.isOver());
        QVERIFY(walk.cursor().isEmpty());
        QVERIFY(TaskWalk(states, u"pending 500"_s).isOver()); // of another walk
        QVERIFY(TaskWalk(states, u"nonsense"_s).isOver());
    }

    void wildcardsFitWholeCharactersAndCostLittle()
    {
        QVERIFY(fitsWildcards(u"a?c", u"a\U0001F600c"));
        QVERIFY(!fitsWildcards(u"a??c", u"a\U0001F600c"));
        QVERIFY(fitsWildcards(u"*b*", u"abc"));
        QVERIFY(fitsWildcards(u"**", u""));
        QVERIFY(!fitsWildcards(u"?", u""));
        QVERIFY(fitsWildcards(u"a*b*c", u"aXbYbZc"));
        // An engine that goes back at each star would not come to an end here.
        const QString many = QString(u"a*"_s).repeated(200) + u'b';
        QVERIFY(!fitsWildcards(many, QString(4000, u'a')));
    }

    void noLetterBecomesOneOfAsciiByFolding()
    {
        for (char32_t c = 128; c < 0x110000; ++c) {
            if (c >= 0xd800 && c < 0xe000)
                continue;
            const QString folded = foldedText(QChar::fromUcs4(c));
            QVERIFY2(folded.at(0).unicode() >= 128, qPrintable(QString::number(c, 16)));
            QCOMPARE(folded.toUcs4().size(), 1);
        }
        QCOMPARE(foldedText(u"GRÖSSE"), u"grösse"_s);
    }

    void timesCountFromTheGivenMomentInItsZone()
    {
        const auto exact = momentsOf(u"2026-11-21T14:02:11Z"_s, noon);
        QVERIFY_RESULT(exact);
        QCOMPARE(exact->begin, QDateTime(QDate(2026, 11, 21), QTime(14, 2, 11), Qt::UTC));
        const auto day = momentsOf(u"today"_s, noon);
        QVERIFY_RESULT(day);
        QCOMPARE(day->begin.toUTC(), QDateTime(QDate(2026, 11, 20), QTime(23, 0), Qt::UTC));
        const auto local = momentsOf(u"2026-11-21T14:02:11"_s, noon);
        QCOMPARE(local->begin.toUTC(), QDateTime(QDate(2026, 11, 21), QTime(13, 2, 11), Qt::UTC));
    }
};

} // namespace tst_filterchecks

OUTBOX_TEST(tst_filterchecks::TestFilterChecks)
#include "tst_filterchecks.moc"
