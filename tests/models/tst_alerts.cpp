// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rules of alerts as text, what they say of a reading, and ten thousand series against an oracle
// that knows each series as a whole: nothing missed, nothing twice, nothing after the end.
#include "models/alerts/alert.h"
#include "models/alerts/watchedalert.h"
#include "models/filter/checks.h"
#include "tests/support/randomfilters.h"
#include "tests/support/resultmacros.h"
#include "tests/support/schemas/dice.h"
#include "tests/support/testprogram.h"

#include <QTest>
#include <QTimeZone>

#include <algorithm>

namespace tst_alerts {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

enum class Truth { Yes, No, Open };

struct GivenLook
{
    qint64 at = 0; ///< milliseconds
    AlertReading reading;
    Truth truth = Truth::Open; ///< what a person would say of the reading
};

bool compares(double value, const QString &op, double limit)
{
    const int order = value < limit ? -1 : value > limit ? 1 : 0;
    if (op == u"="_s)
        return order == 0;
    if (op == u"!="_s)
        return order != 0;
    return (op.startsWith(u'<') && order < 0) || (op.startsWith(u'>') && order > 0)
        || (op.endsWith(u'=') && order == 0);
}

/// Tries each number that the reading may stand for.
Truth truthOf(const AlertReading &reading, const QString &op, double limit)
{
    if (!reading.value)
        return Truth::Open;
    bool someYes = false;
    bool someNo = false;
    for (int more = 0; more <= (reading.isLeast ? 30 : 0); ++more)
        (compares(*reading.value + more, op, limit) ? someYes : someNo) = true;
    return someYes && someNo ? Truth::Open : someYes ? Truth::Yes : Truth::No;
}

/// For each look: "", "raised" or "over", from the series as a whole.
QStringList expectedEvents(const QList<GivenLook> &looks, qint64 forMs)
{
    QStringList events;
    bool isRaised = false;
    qsizetype start = 0; // behind the last look that said no
    for (qsizetype i = 0; i < looks.size(); ++i) {
        QString event = u""_s;
        if (looks.at(i).truth == Truth::No) {
            event = isRaised ? u"over"_s : u""_s;
            isRaised = false;
            start = i + 1;
        } else if (looks.at(i).truth == Truth::Yes && !isRaised) {
            qint64 held = 0;
            for (qsizetype j = start + 1; j <= i; ++j) {
                if (looks.at(j - 1).truth == Truth::Yes && looks.at(j).truth == Truth::Yes)
                    held += std::max<qint64>(looks.at(j).at - looks.at(j - 1).at, 0);
            }
            isRaised = held >= forMs;
            event = isRaised ? u"raised"_s : u""_s;
        }
        events += event;
    }
    return events;
}

QList<GivenLook> someLooks(Dice &dice, const QString &op, double limit)
{
    QList<GivenLook> looks;
    const int gaps = dice.of(QList<int>{0, 5, 40});
    const int steps = dice.of(QList<int>{0, 0, 10}); // clocks that are set back
    qint64 at = 1'700'000'000'000;
    for (int left = dice.from(3, 60); left > 0; --left) {
        at += dice.chance(steps) ? -dice.from(1, 20'000) : dice.from(0, 4'000);
        GivenLook look{at, {}, Truth::Open};
        if (!dice.chance(gaps))
            look.reading = {static_cast<double>(dice.from(0, 6)), dice.chance(gaps / 2)};
        look.truth = truthOf(look.reading, op, limit);
        looks += look;
    }
    return looks;
}

QDateTime utc(const QString &text)
{
    return QDateTime::fromString(text, Qt::ISODate).toUTC();
}

AlertEvent eventOf(AlertEvent::Kind kind)
{
    const QDateTime at = utc(u"2026-01-02T03:04:05Z"_s);
    return {kind, at, at, 1, false};
}

} // namespace

class TestAlerts : public QObject
{
    Q_OBJECT

private slots:
    void rulesAreRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("figure");
        QTest::addColumn<double>("limit");
        QTest::addColumn<qint64>("forMs");
        QTest::newRow("plain") << u"failed > 5"_s << u"failed"_s << 5.0 << qint64(0);
        QTest::newRow("lag") << u"lag > 2m for 1m"_s << u"lag"_s << 120.0 << qint64(60'000);
        QTest::newRow("no blanks")
            << u"lag>=1.5h for 90s"_s << u"lag"_s << 5400.0 << qint64(90'000);
        QTest::newRow("letters") << u"  LEVEL >= Stalled  FOR 30s "_s << u"level"_s << 2.0
                                 << qint64(30'000);
        QTest::newRow("rate") << u"in > 0.5"_s << u"in"_s << 0.5 << qint64(0);
        QTest::newRow("below") << u"servers < 1 for 1d"_s << u"servers"_s << 1.0
                               << qint64(86'400'000);
    }
    void rulesAreRead()
    {
        QFETCH(QString, text);
        const auto rule = AlertRule::fromText(text);
        QVERIFY_RESULT(rule);
        QTEST(word(rule->figure), "figure");
        QTEST(rule->limit, "limit");
        QTEST(rule->forMs, "forMs");
        QCOMPARE(rule->text, text.simplified());
    }

    void faultsSayWhereAndWhatToDo_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("position");
        QTest::addColumn<QString>("part"); ///< of text and hint
        QTest::newRow("empty") << u"  "_s << 0 << u"FIGURE OP VALUE"_s;
        QTest::newRow("figure") << u" pendin > 3"_s << 1 << u"did you mean `pending`?"_s;
        QTest::newRow("strange figure") << u"speed > 3"_s << 0 << u"the figures are lag, "_s;
        QTest::newRow("no comparison") << u"lag"_s << 3 << u"the comparison is missing"_s;
        QTest::newRow("comparison") << u"lag ~ 3s"_s << 4 << u"> >= < <= = !="_s;
        QTest::newRow("no value") << u"lag >"_s << 5 << u"the value is missing"_s;
        QTest::newRow("no unit") << u"lag > 120"_s << 6 << u"write `90s`"_s;
        QTest::newRow("no number") << u"failed > 2m"_s << 9 << u"`2m` is no number"_s;
        QTest::newRow("level") << u"level > bad"_s << 8 << u"write ok, watch"_s;
        QTest::newRow("for") << u"lag > 2m during 1m"_s << 9 << u"`during` is not expected"_s;
        QTest::newRow("no duration") << u"lag > 2m for"_s << 12 << u"the duration is missing"_s;
        QTest::newRow("duration") << u"lag > 2m for 1"_s << 13 << u"has no unit"_s;
        QTest::newRow("more") << u"lag > 2m for 1m now"_s << 16 << u"`now` is not expected"_s;
    }
    void faultsSayWhereAndWhatToDo()
    {
        QFETCH(QString, text);
        const auto rule = AlertRule::fromText(text);
        QVERIFY(!rule);
        QVERIFY(rule.error().kind == Error::Kind::Invalid);
        QTEST(rule.error().position, "position");
        QFETCH(QString, part);
        const QString whole = rule.error().text + u' ' + rule.error().hint;
        QVERIFY2(whole.contains(part), qPrintable(whole));
    }

    void filtersOfRulesAreRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("filter");
        QTest::addColumn<qint64>("inMs");
        QTest::addColumn<qint64>("forMs");
        QTest::addColumn<qint64>("most");
        QTest::newRow("plain") << u"rows \"state:failed\" > 5"_s << u"state:failed"_s << qint64(0)
                               << qint64(0) << qint64(5);
        QTest::newRow("all") << u"ROWS 'type:a' >= 2.5 IN 10m FOR 1m"_s << u"type:a"_s
                             << qint64(600'000) << qint64(60'000) << qint64(2);
        QTest::newRow("no blanks")
            << u"rows\"id=7\"=0"_s << u"id=7"_s << qint64(0) << qint64(0) << qint64(0);
        QTest::newRow("marks of its own")
            << u"rows 'error~\"it''s  late\"' > 0"_s << u"error~\"it's  late\""_s << qint64(0)
            << qint64(0) << qint64(0);
        QTest::newRow("signs") << u"rows \"age>5m (type:a or attempts>=3)\" < 1 for 30s"_s
                               << u"age>5m (type:a or attempts>=3)"_s << qint64(0) << qint64(30'000)
                               << qint64(1);
        QTest::newRow("everything")
            << u"rows \"\" > -1"_s << u""_s << qint64(0) << qint64(0) << qint64(0);
    }
    void filtersOfRulesAreRead()
    {
        QFETCH(QString, text);
        QFETCH(QString, filter);
        const auto rule = AlertRule::fromText(text);
        QVERIFY_RESULT(rule);
        const auto asked = Filter::fromText(filter);
        QVERIFY_RESULT(asked);
        QVERIFY(rule->filter == *asked);
        QTEST(rule->inMs, "inMs");
        QTEST(rule->forMs, "forMs");
        QTEST(rule->countAt(utc(u"2026-01-02T03:04:05Z"_s)).most, "most");
        QVERIFY(rule->isOnFilter());
        const auto again = AlertRule::fromText(rule->text);
        QVERIFY_RESULT(again);
        QVERIFY(*again == *rule);
    }

    void faultsOfFiltersStandUnderTheirCharacter_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("position");
        QTest::addColumn<QString>("part");
        QTest::newRow("no filter") << u"rows"_s << 4 << u"the filter is missing"_s;
        QTest::newRow("no marks") << u"rows > 5"_s << 5 << u"needs quotation marks"_s;
        QTest::newRow("open") << u"rows \"type:a > 5"_s << 5 << u"is not closed"_s;
        QTest::newRow("line") << u"rows \"type:a\ntype:b\" > 5"_s << 12 << u"one line"_s;
        QTest::newRow("field") << u"rows \"state:failed tipe:a\" > 5"_s << 19 << u"type"_s;
        QTest::newRow("doubled mark") << u"rows 'error~\"a''b\" tipe:a' > 5"_s << 19 << u"type"_s;
        QTest::newRow("word") << u"rows \"state:lost\" > 5"_s << 12 << u"lost"_s;
        QTest::newRow("queue") << u"rows \"type:a task:archived\" > 5"_s << 13
                               << u"told by the queue"_s;
        QTest::newRow("no comparison")
            << u"rows \"type:a\""_s << 13 << u"the comparison is missing"_s;
        QTest::newRow("no value") << u"rows \"type:a\" >"_s << 15 << u"the value is missing"_s;
        QTest::newRow("too many") << u"rows \"type:a\" > 10000000000"_s << 16
                                  << u"are not counted"_s;
        QTest::newRow("no time") << u"rows \"type:a\" > 5 in 0s"_s << 21 << u"no time"_s;
        QTest::newRow("no unit") << u"rows \"type:a\" > 5 in 10"_s << 21 << u"has no unit"_s;
        QTest::newRow("in is missing")
            << u"rows \"type:a\" > 5 in"_s << 20 << u"the duration is missing"_s;
        QTest::newRow("order") << u"rows \"type:a\" > 5 for 1m in 10m"_s << 25
                               << u"`in` is not expected"_s;
        QTest::newRow("in of a figure")
            << u"failed > 5 in 10m"_s << 11 << u"`in` is not expected"_s;
    }
    void faultsOfFiltersStandUnderTheirCharacter() { faultsSayWhereAndWhatToDo(); }

    /// A rule is read again as it was written, whatever its filter is; and no text is taken for a
    /// rule that it is not, nor leads out of itself.
    void rulesOnFiltersByChance()
    {
        RandomFilters random(QTest::currentTestFunction());
        int right = 0;
        for (int run = 0; run < 5'000; ++run) {
            const bool isGarbage = random.below(3) == 0;
            const QString filter = isGarbage ? random.garbage() : random.tree().text();
            const QString mark = random.oneOf(QStringList{u"\""_s, u"'"_s});
            const QString quoted = mark + QString(filter).replace(mark, mark + mark) + mark;
            const QString tail = random.oneOf(
                QStringList{u" > 5"_s, u"<=3 in 10m"_s, u" = 0 for 90s"_s, u" > 1 in 1h for 1m"_s});
            const auto parsed = Filter::fromText(filter);
            const auto rule = AlertRule::fromText(u"rows "_s + quoted + tail);
            const bool isOfRows
                = parsed && checksOf(*parsed, FilterSubject::Rows, utc(u"2026-01-02T03:04:05Z"_s));
            if (!rule) {
                const bool isLine = std::none_of(filter.cbegin(), filter.cend(), [](QChar one) {
                    return one.category() == QChar::Other_Control;
                });
                QVERIFY2(!isOfRows || !isLine, qPrintable(filter)); // else it is a right one
                QVERIFY2(rule.error().position >= 5 // behind `rows `
                             && rule.error().position <= 6 + 2 * filter.size(),
                         qPrintable(quoted + u": "_s + oneLine(rule.error())
                                    + u" at %1"_s.arg(rule.error().position)));
                continue;
            }
            QVERIFY2(isOfRows, qPrintable(rule->text));
            QVERIFY2(rule->filter == *parsed, qPrintable(rule->text));
            const auto again = AlertRule::fromText(rule->text);
            QVERIFY_RESULT(again);
            QVERIFY2(*again == *rule, qPrintable(rule->text));
            ++right;
        }
        QVERIFY(right > 100);
    }

    void aReasonThatLastsIsToldAtOnce()
    {
        const auto rule = AlertRule::fromText(u"rows \"type:a\" > 5"_s);
        QVERIFY_RESULT(rule);
        const QDateTime at = utc(u"2026-01-02T03:04:05Z"_s);
        AlertSources sources;
        FilterCount count{{}, u"too slow"_s, true};
        sources.count = &count;
        WatchedAlert watched(Alert{u"late"_s, *rule});
        QVERIFY(watched.take(at, sources).isLost);
        QVERIFY(!watched.take(at.addSecs(1), sources).isLost); // once
        const AlertLine line = watched.line(at.addSecs(1));
        QVERIFY(line.state == AlertLine::State::Unknown); // and not quiet
        QCOMPARE(unjudgedText({line}), u"late cannot be judged: too slow"_s);
        QCOMPARE(unknownAlertSentence(line.alert, watched.state(), at, watched.why()),
                 u"late cannot be judged: too slow; what was said stays"_s);
        count = {{6.0, true}, {}, false};
        const AlertChange raised = watched.take(at.addSecs(2), sources);
        QVERIFY(raised.event.has_value());
        QCOMPARE(alertSentence(line.alert, *raised.event),
                 u"late is raised: rows is at least 6 (rows \"type:a\" > 5)"_s);
        QCOMPARE(unjudgedText({watched.line(at.addSecs(2))}), QString());
        count = {{}, u"away"_s, false};
        QVERIFY(!watched.take(at.addSecs(3), sources).isLost); // it may come back
        QVERIFY(!watched.take(at.addSecs(4), sources).isLost);
        QVERIFY(watched.take(at.addSecs(5), sources).isLost);
        QVERIFY(watched.state().isRaised());
    }

    void figuresAreThoseOfALook()
    {
        OutboxSnapshot outbox;
        outbox.pending = 0;
        outbox.failed = 7;
        QueueSnapshot queue;
        queue.pending = 2;
        queue.retry = 3;
        queue.archived = 4;
        const AlertSources sources{&outbox, &queue, nullptr, HealthLevel::Unknown};
        QCOMPARE(readingOf(AlertFigure::Lag, sources).value, std::optional(0.0));
        QCOMPARE(readingOf(AlertFigure::Failed, sources).value, std::optional(7.0));
        QCOMPARE(readingOf(AlertFigure::Dead, sources).value, std::optional(4.0));
        QCOMPARE(readingOf(AlertFigure::Level, sources).value, std::optional(3.0));
        outbox.inPerSecond = 0.5;
        QCOMPARE(readingOf(AlertFigure::In, sources).value, std::optional(0.5));
        QCOMPARE(figureText(AlertFigure::In, 0.5), u"0.5/s"_s);
        // Not told by the look is not 0.
        for (const AlertFigure figure :
             {AlertFigure::Parked, AlertFigure::QueueLag, AlertFigure::Servers,
              AlertFigure::Retained, AlertFigure::Out})
            QVERIFY(!readingOf(figure, sources).value);
        // Groups were not counted.
        QCOMPARE(readingOf(AlertFigure::Depth, sources), (AlertReading{5.0, true}));
        queue.aggregating = 1;
        QCOMPARE(readingOf(AlertFigure::Depth, sources), (AlertReading{6.0, false}));

        outbox.pending = 10'001;
        outbox.exact = false;
        outbox.counted = OutboxSnapshot::Counted::Estimated;
        QCOMPARE(readingOf(AlertFigure::Pending, sources), (AlertReading{10'001.0, false}));
        QVERIFY(readingOf(AlertFigure::Failed, sources).isLeast);
        outbox.counted = OutboxSnapshot::Counted::Cut;
        QCOMPARE(readingOf(AlertFigure::Pending, sources), (AlertReading{10'001.0, true}));
        QVERIFY(readingOf(AlertFigure::Failed, sources).isLeast);
        outbox.pending = 0; // none of those that were counted
        QCOMPARE(readingOf(AlertFigure::Lag, sources), (AlertReading{0.0, true}));
        outbox.guess = MappingGuess();
        QVERIFY(!readingOf(AlertFigure::Failed, sources).value);
        QVERIFY(!readingOf(AlertFigure::Lag, sources).value);
        for (const QString &one : alertFigureWords()) {
            QVERIFY(alertFigureFrom(one).has_value());
            QCOMPARE(word(*alertFigureFrom(one)), one);
            QVERIFY(!readingOf(*alertFigureFrom(one), AlertSources()).value);
        }
    }

    /// It fails for one that is missed, told twice, told after the end, or told a look too late.
    void tenThousandSeriesAreToldOnce()
    {
        qsizetype raised = 0;
        qsizetype over = 0;
        for (quint64 seed = 1; seed <= 10'000; ++seed) {
            Dice dice(seed);
            const QString op
                = dice.of(QStringList{u">"_s, u">="_s, u"<"_s, u"<="_s, u"="_s, u"!="_s});
            const int limit = dice.from(0, 6);
            const int seconds = dice.of(QList<int>{0, 0, 1, 5, 15});
            const QString text = u"pending %1 %2 for %3s"_s.arg(op).arg(limit).arg(seconds);
            const auto rule = AlertRule::fromText(text);
            QVERIFY_RESULT(rule);
            const QList<GivenLook> looks = someLooks(dice, op, limit);
            QStringList told;
            AlertState state(*rule);
            for (const GivenLook &look : looks) {
                const bool before = state.isRaised();
                const auto event
                    = state.take(QDateTime::fromMSecsSinceEpoch(look.at, Qt::UTC), look.reading);
                told += event ? word(event->kind) : u""_s;
                if (!event && before != state.isRaised())
                    QFAIL("it changed and did not say so");
            }
            if (told != expectedEvents(looks, seconds * 1000))
                QFAIL(qPrintable(u"seed %1: %2"_s.arg(seed).arg(text)));
            raised += told.count(u"raised"_s);
            over += told.count(u"over"_s);
        }
        QVERIFY(raised > 5'000);
        QVERIFY(over > 5'000);
    }

    void aGapIsToldWithTheEvent()
    {
        const auto rule = AlertRule::fromText(u"lag > 2m"_s);
        QVERIFY_RESULT(rule);
        const Alert alert{u"late"_s, *rule};
        AlertState state(*rule);
        const QDateTime at = utc(u"2026-01-02T03:04:05Z"_s);
        const auto raised = state.take(at, {180.0});
        QVERIFY(raised && !raised->hadGaps);
        QCOMPARE(alertSentence(alert, *raised), u"late is raised: lag is 3 min (lag > 2m)"_s);
        QVERIFY(!state.take(at.addSecs(1), {}));
        QVERIFY(state.isRaised());
        QCOMPARE(state.unknownSince(), std::optional(at.addSecs(1)));
        QVERIFY(!state.take(at.addSecs(2), {}));
        QCOMPARE(state.unknownLooks(), 2);
        const auto over = state.take(at.addSecs(3), {0.0});
        QVERIFY(over && over->hadGaps);
        QCOMPARE(over->since, at);
        QVERIFY(alertSentence(alert, *over).endsWith(u"; not every look between knew it"_s));
        QVERIFY(!state.unknownSince());
        QCOMPARE(toJson(alert, *over).value("event"_L1).toString(), u"over"_s);
    }

    void quietTimesGoByTheClockOnTheWall_data()
    {
        QTest::addColumn<QString>("zone");
        QTest::addColumn<QString>("from"); ///< UTC, two days before
        for (const char *name : {"Europe/Berlin", "America/New_York", "Australia/Lord_Howe"}) {
            for (const char *day : {"2024-03-08", "2024-03-29", "2024-04-05", "2024-10-04",
                                    "2024-10-25", "2024-11-01"}) {
                QTest::addRow("%s %s", name, day)
                    << QString::fromLatin1(name) << QString::fromLatin1(day) + u"T00:00:00Z"_s;
            }
        }
    }
    void quietTimesGoByTheClockOnTheWall()
    {
        QFETCH(QString, zone);
        QFETCH(QString, from);
        const QTimeZone there(zone.toLatin1());
        if (!there.isValid())
            QSKIP("the zones of the world are not installed");
        const auto night = QuietTimes::fromText(u"22:00-07:00"_s);
        const auto noon = QuietTimes::fromText(u"12:00 - 13:30"_s);
        QVERIFY_RESULT(night);
        QVERIFY_RESULT(noon);
        const QDateTime begin = utc(from);
        for (int minute = 0; minute < 4 * 24 * 60; ++minute) {
            const QDateTime at = begin.addSecs(60 * minute);
            const qint64 shown = (at.toSecsSinceEpoch() + there.offsetFromUtc(at)) / 60 % (24 * 60);
            QCOMPARE(night->has(at.toTimeZone(there)), shown >= 22 * 60 || shown < 7 * 60);
            QCOMPARE(noon->has(at.toTimeZone(there)), shown >= 12 * 60 && shown < 13 * 60 + 30);
        }
    }

    void quietTimesWithAFaultAreRefused()
    {
        for (const auto &[text, position] :
             {std::pair(u"22:00"_s, 5), std::pair(u"25:00-07:00"_s, 0), std::pair(u"22:00-7"_s, 6),
              std::pair(u"07:00-07:00"_s, 6)}) {
            const auto times = QuietTimes::fromText(text);
            QVERIFY(!times);
            QCOMPARE(times.error().position, position);
        }
    }

    void whatCameAndWentInQuietTimesIsNotTold()
    {
        const AlertEvent raised = eventOf(AlertEvent::Kind::Raised);
        const AlertEvent over = eventOf(AlertEvent::Kind::Over);
        AlertNotice notice;
        QVERIFY(!notice.take(raised, true));
        QVERIFY(!notice.take(over, true));
        QVERIFY(!notice.take({}, false));
        // What is still so is told at the end, once.
        QVERIFY(!notice.take(raised, true));
        QCOMPARE(notice.take({}, false), std::optional(raised));
        QVERIFY(!notice.take({}, false));
        // Who heard of it hears that it is over, after the night.
        QVERIFY(!notice.take(over, true));
        QVERIFY(!notice.take({}, true));
        QCOMPARE(notice.take({}, false), std::optional(over));
        QCOMPARE(notice.take(raised, false), std::optional(raised));
        // Over and raised again within one night is what they know already.
        QVERIFY(!notice.take(over, true));
        QVERIFY(!notice.take(raised, true));
        QVERIFY(!notice.take({}, false));
        QCOMPARE(notice.take(over, false), std::optional(over));
    }

    void aListIsReadOrRefusedAsAWhole()
    {
        const auto read = [](const char *json) { // with ' in the place of "
            return alertsFrom(QJsonDocument::fromJson(QByteArray(json).replace('\'', '"')));
        };
        const auto alerts = read("[{'name':'late','rule':'lag > 2m','command':['a','b c'],"
                                 "'webhook':'https://host/secret','quiet':'22:00-07:00'},"
                                 "{'name':'bad','rule':'dead>0'}]");
        QVERIFY_RESULT(alerts);
        QCOMPARE(alerts->size(), 2);
        QCOMPARE(alerts->first().command, (QStringList{u"a"_s, u"b c"_s}));
        QVERIFY(alerts->first().quiet.has_value());
        for (const auto &[json, part] :
             {std::pair("{}", "reading alerts"), std::pair("[]", "reading alerts"),
              std::pair("[7]", "reading alert 1"),
              std::pair("[{'name':'a','rule':'dead > 0','comand':['x']}]",
                        "did you mean \"command\"?"),
              std::pair("[{'rule':'dead > 0'}]", "alert 1, name"),
              std::pair("[{'name':'a','rule':'dead > 0'},{'name':'a','rule':'dead > 0'}]",
                        "alert 2, name"),
              std::pair("[{'name':'a','rule':'dead > 0'},{'name':'b','rule':'dead > x'}]",
                        "alert 2, rule: `x` is no number (at character 8)"),
              std::pair("[{'name':'a','rule':'dead > 0','command':'rm -r x'}]", "alert 1, command"),
              std::pair("[{'name':'a','rule':'dead > 0','webhook':'file:///etc'}]",
                        "alert 1, webhook"),
              std::pair("[{'name':'a','rule':'dead > 0','quiet':'late'}]", "alert 1, quiet")}) {
            const auto refused = read(json);
            QVERIFY2(!refused, json);
            QVERIFY2(oneLine(refused.error()).contains(QString::fromLatin1(part)),
                     qPrintable(oneLine(refused.error())));
        }
    }
};

} // namespace tst_alerts

OUTBOX_TEST(tst_alerts::TestAlerts)
#include "tst_alerts.moc"
