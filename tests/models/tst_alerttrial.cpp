// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rules tried on kept points: ten thousand series against an oracle that knows each look, minutes
// of a week, gaps, and figures that are not kept.
#include "models/alerts/alert.h"
#include "models/alerts/alerttrial.h"
#include "models/alerts/watchedalert.h"
#include "models/system/historybuffer.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QJsonObject>
#include <QRandomGenerator>
#include <QTest>

namespace tst_alerttrial {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

struct SeenValue
{
    qint64 at = 0; ///< seconds
    double value = 0;
};

constexpr qint64 longGap = 200; ///< seconds; shorter ones of the series have 60 at most

QDateTime utc(qint64 seconds)
{
    return QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC);
}

QList<HistoryPoint> pointsOf(const QList<SeenValue> &series, HistoryTier tier)
{
    HistoryBuffer buffer;
    for (const SeenValue &one : series)
        buffer.add(utc(one.at), Measure::Pending, one.value);
    return buffer.take().of(tier);
}

/// `pending > limit for seconds`, from the series as a whole.
QList<AlertTrial::Raising> expected(const QList<SeenValue> &series, double limit, qint64 seconds)
{
    QList<AlertTrial::Raising> raisings;
    qsizetype at = 0;
    while (at < series.size()) {
        if (series.at(at).value <= limit) {
            ++at;
            continue;
        }
        qint64 held = 0;
        bool isRaised = false;
        for (qsizetype begin = at; at < series.size() && series.at(at).value > limit; ++at) {
            const qint64 step = at == begin ? 0 : series.at(at).at - series.at(at - 1).at;
            held += step < longGap ? step : 0;
            if (!isRaised && held >= seconds) {
                isRaised = true;
                raisings += AlertTrial::Raising{utc(series.at(at).at)};
            }
        }
        if (isRaised && at < series.size())
            raisings.last().over = utc(series.at(at).at);
    }
    return raisings;
}

AlertRule ruleOf(const QString &text)
{
    return AlertRule::fromText(text).value_or(AlertRule());
}

} // namespace

class TestAlertTrial : public QObject
{
    Q_OBJECT

    static constexpr qint64 m_from = 1'700'000'040; ///< where a minute begins

private slots:
    void randomSeriesAreRaisedAsTheOracleSays()
    {
        QRandomGenerator random(4711);
        for (int run = 0; run < 10'000; ++run) {
            const int looks = run < 1'000 ? 400 : 100;
            QList<SeenValue> series;
            qint64 at = m_from;
            while (series.size() < looks) {
                const double value = random.bounded(12);
                const int length = random.bounded(1, 40);
                for (int step = 0; step < length; ++step, at += random.bounded(1, 6))
                    series += SeenValue{at, value};
                at += random.bounded(5) == 0 ? longGap + random.bounded(500) : random.bounded(50);
            }
            const int limit = random.bounded(12);
            const int held = random.bounded(1, 120);
            const AlertRule rule = ruleOf(u"pending > %1 for %2s"_s.arg(limit).arg(held));
            const AlertTrial trial = tryAlert(rule, {}, pointsOf(series, HistoryTier::Second),
                                              m_from, series.last().at + 1);
            QCOMPARE(trial.raisings, expected(series, limit, held));
        }
    }

    /// Minutes of a week in which nothing moves within one are judged to the minute.
    void minutesAreJudgedToTheMinute()
    {
        QRandomGenerator random(815);
        QList<SeenValue> series;
        for (int minute = 0; minute < 7 * 24 * 60; ++minute)
            series += SeenValue{m_from + 60 * minute, double(random.bounded(3))};
        const AlertTrial trial
            = tryAlert(ruleOf(u"pending > 1 for 2m"_s), pointsOf(series, HistoryTier::Minute), {},
                       m_from, m_from + AlertTrial::span);
        QVERIFY(trial.raisings.size() > 10);
        QCOMPARE(trial.raisings, expected(series, 1, 120));
        QVERIFY(trial.gaps.isEmpty());
    }

    /// Both sides of the limit in one minute: it was raised, and once.
    void aPeakWithinAMinuteIsNotLost()
    {
        QList<SeenValue> series;
        for (int second = 0; second < 600; ++second)
            series += SeenValue{m_from + second, second == 250 ? 9.0 : 0.0};
        const QList<HistoryPoint> minutes = pointsOf(series, HistoryTier::Minute);
        const AlertTrial trial
            = tryAlert(ruleOf(u"pending > 5"_s), minutes, {}, m_from, m_from + 600);
        QCOMPARE(trial.raisings.size(), 1);
        QVERIFY(trial.raisings.constFirst().over.has_value());
        QVERIFY(tryAlert(ruleOf(u"pending > 5 for 2m"_s), minutes, {}, m_from, m_from + 600)
                    .raisings.isEmpty());
    }

    void gapsAreToldAndCountNothing()
    {
        QList<SeenValue> series;
        for (const qint64 begin : {m_from, m_from + 3660}) {
            for (int second = 0; second < 60; ++second)
                series += SeenValue{begin + second, 9};
        }
        const QList<HistoryPoint> points = pointsOf(series, HistoryTier::Second);
        const AlertTrial trial
            = tryAlert(ruleOf(u"pending > 5 for 30m"_s), {}, points, m_from, m_from + 3720);
        QVERIFY(trial.raisings.isEmpty());
        const AlertTrial::Gap gap{utc(m_from + 60), utc(m_from + 3660)};
        QCOMPARE(trial.gaps, QList<AlertTrial::Gap>{gap});
        QCOMPARE(trial.unknownSeconds(), 3600);
        QVERIFY2(trialText(trial).contains(u"Nothing is known of 60 min"_s),
                 qPrintable(trialText(trial)));
        QCOMPARE(
            tryAlert(ruleOf(u"pending > 5 for 1m"_s), {}, points, m_from, m_from + 3720).raisings,
            expected(series, 5, 60));
    }

    /// Counts of a filter, each a look of its own, some of which stopped at their bound.
    void countsOfAFilterAreJudgedAsTheyCame()
    {
        QRandomGenerator random(2303);
        qsizetype raised = 0;
        for (int run = 0; run < 10'000; ++run) {
            const int limit = random.bounded(6);
            const int held = random.bounded(0, 60);
            const AlertRule rule = ruleOf(u"rows \"type:a\" > %1 for %2s"_s.arg(limit).arg(held));
            QVERIFY(rule.isOnFilter());
            QList<SeenValue> series;
            QList<CountedRows> counts;
            qint64 at = m_from;
            while (series.size() < 40) {
                const int value = random.bounded(10);
                series += SeenValue{at, double(value)};
                const bool isCapped = value > limit;
                const double told = isCapped ? limit + 1 : value;
                counts += CountedRows{utc(at), {told, isCapped}};
                at += random.bounded(10, 40);
            }
            const AlertTrial trial = tryAlert(rule, counts, utc(at));
            QCOMPARE(trial.raisings, expected(series, limit, held));
            QVERIFY(trial.gaps.isEmpty());
            raised += trial.raisings.size();
        }
        QVERIFY(raised > 10'000);
    }

    void aFilterWithoutHistoryIsSaid()
    {
        const AlertRule rule = ruleOf(u"rows \"type:a\" > 5"_s);
        QVERIFY2(trialText(tryAlert(rule, {}, utc(m_from)))
                     .startsWith(u"There is no history of this filter yet"_s),
                 "a filter that nobody counted");
        const QList<CountedRows> counts{
            {utc(m_from), {3.0, false}}, {utc(m_from + 10), {}}, {utc(m_from + 700), {9.0, false}}};
        const AlertTrial trial = tryAlert(rule, counts, utc(m_from + 710));
        QCOMPARE(trial.raisings.size(), 1);
        QCOMPARE(trial.unknownSeconds(), 690);
        QVERIFY(trialText(trial).startsWith(u"Since "_s));
        // What stopped at 3 does not tell of 5.
        const QList<CountedRows> stopped{CountedRows{utc(m_from), {3.0, true}}};
        const QString text = trialText(tryAlert(rule, stopped, utc(m_from + 60)));
        QCOMPARE(text, u"What was counted of this filter until now does not tell it."_s);
    }

    void whatIsNotKeptIsSaid()
    {
        const AlertTrial trial
            = tryAlert(ruleOf(u"failed > 0"_s), {}, {}, m_from, m_from + AlertTrial::span);
        QVERIFY(!trial.isKept());
        QCOMPARE(trialText(trial), u"The history does not keep failed: this cannot be tried."_s);
        const AlertTrial unseen
            = tryAlert(ruleOf(u"lag > 1m"_s), {}, {}, m_from, m_from + AlertTrial::span);
        QCOMPARE(trialText(unseen), u"The history knows nothing of lag in the last 7 days."_s);
    }

    /// While it is muted it is judged, and nobody is told; then what is still so.
    void aMutedAlertTellsNobodyUntilThen()
    {
        Alert alert;
        alert.name = u"waits"_s;
        alert.rule = ruleOf(u"pending > 0"_s);
        alert.mutedUntil = utc(m_from + 60);
        WatchedAlert watched(alert);
        QCOMPARE(watched.line(utc(m_from)).state, AlertLine::State::Unseen);
        OutboxSnapshot outbox;
        outbox.pending = 1;
        AlertSources sources;
        sources.outbox = &outbox;
        const AlertChange raised = watched.take(utc(m_from), sources);
        QVERIFY(raised.event.has_value());
        QVERIFY(!raised.notice.has_value());
        QVERIFY(watched.line(utc(m_from)).isMuted);
        const AlertChange later = watched.take(utc(m_from + 60), sources);
        QVERIFY(!later.event.has_value());
        QVERIFY(later.notice.has_value());
        // What is not known ends nothing, and is called so.
        QVERIFY(!watched.take(utc(m_from + 61), {}).event.has_value());
        const AlertLine line = watched.line(utc(m_from + 61));
        QCOMPARE(line.state, AlertLine::State::Raised);
        QCOMPARE(alertValueText(line), u"not counted"_s);
        QCOMPARE(line.since, utc(m_from));
        QVERIFY(raisedSentence({line}, utc(m_from + 61)).startsWith(u"waits is raised"_s));
        QCOMPARE(raisedSentence({}, utc(m_from + 61)), QString());
    }

    /// Who heard that it is raised hears of its end when nobody looks any more; nobody else does.
    void anAlertThatIsRemovedIsOverForWhoWasTold()
    {
        Alert alert;
        alert.name = u"waits"_s;
        alert.rule = ruleOf(u"pending > 0"_s);
        OutboxSnapshot outbox;
        outbox.pending = 1;
        AlertSources sources;
        sources.outbox = &outbox;
        WatchedAlert told(alert);
        QVERIFY(!told.end(utc(m_from)).has_value());
        QVERIFY(told.take(utc(m_from), sources).notice.has_value());
        const auto over = told.end(utc(m_from + 9));
        QVERIFY(over.has_value());
        QCOMPARE(over->kind, AlertEvent::Kind::Over);
        QCOMPARE(over->since, utc(m_from));
        QVERIFY(toJson(alert, *over).value("value"_L1).isNull());
        QVERIFY(!told.end(utc(m_from + 10)).has_value());
        alert.mutedUntil = utc(m_from + 60);
        WatchedAlert muted(alert);
        QVERIFY(muted.take(utc(m_from), sources).event.has_value());
        QVERIFY(!muted.end(utc(m_from + 9)).has_value());
    }

    /// What the window writes is what `watch --alerts` reads.
    void aWrittenListIsReadAsItWas()
    {
        Alert alert;
        alert.name = u"late"_s;
        alert.rule = ruleOf(u"lag > 2m for 1m"_s);
        alert.command = {u"notify"_s, u"a b"_s};
        alert.webhook = QUrl(u"https://host/a%20b?key=%2F"_s);
        alert.quiet = QuietTimes{QTime(22, 0), QTime(7, 0)};
        alert.mutedUntil = utc(m_from);
        alert.isShown = false;
        Alert plain;
        plain.name = u"plain"_s;
        plain.rule = ruleOf(u"dead > 0"_s);
        const QList<Alert> alerts{alert, plain};
        const auto read = alertsFrom(toJson(alerts));
        QVERIFY_RESULT(read);
        QCOMPARE(*read, alerts);
        QVERIFY(alert.isHeldBack(utc(m_from - 1)));
        alert.quiet.reset();
        QVERIFY(!alert.isHeldBack(utc(m_from)));
    }
};

} // namespace tst_alerttrial

OUTBOX_TEST(tst_alerttrial::TestAlertTrial)
#include "tst_alerttrial.moc"
