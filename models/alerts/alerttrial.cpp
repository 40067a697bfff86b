// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/alerttrial.h"

#include "models/alerts/alertstate.h"
#include "models/phrases.h"
#include "models/translation.h"

#include <QLocale>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation trialWords("outbox::AlertTrial");
constexpr qint64 longestPause = 120; ///< seconds between two looks that are no gap
constexpr qsizetype mostRaisingsTold = 8;
constexpr qsizetype mostGapsTold = 3;

QDateTime momentOf(qint64 seconds)
{
    return QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC);
}

/// Writes down what a look changed.
void addRaising(QList<AlertTrial::Raising> &raisings, const std::optional<AlertEvent> &event)
{
    if (!event)
        return;
    if (event->kind == AlertEvent::Kind::Raised)
        raisings += AlertTrial::Raising{event->at};
    else if (!raisings.isEmpty())
        raisings.last().over = event->at;
}

/// Feeds the judge with points and writes down what comes of it.
class TrialRun
{
public:
    TrialRun(const AlertRule &rule, Measure measure, qint64 from)
        : m_measure(measure), m_state(rule), m_rule(rule), m_known(from)
    { }

    void take(const QList<HistoryPoint> &points, qint64 width);
    void endAt(qint64 to);

    QList<AlertTrial::Raising> raisings;
    QList<AlertTrial::Gap> gaps;

private:
    void takePoint(const HistoryPoint &point, qint64 width, const ValueRange *next);
    void look(qint64 atMs, const AlertReading &reading);
    void addGap(qint64 until);
    [[nodiscard]] bool holds(double value) const
    {
        return m_rule.holds(AlertReading{value}).value_or(false);
    }

    Measure m_measure;
    AlertState m_state;
    AlertRule m_rule;
    qint64 m_known; ///< seconds; up to here the number was known, or a gap was written down
};

void TrialRun::take(const QList<HistoryPoint> &points, qint64 width)
{
    QList<const HistoryPoint *> told;
    for (const HistoryPoint &point : points) {
        if (point.of(m_measure).isKnown()) // what was only missed is a gap, as if nobody had looked
            told += &point;
    }
    for (qsizetype at = 0; at < told.size(); ++at) {
        const bool isLast = at + 1 == told.size();
        takePoint(*told.at(at), width, isLast ? nullptr : &told.at(at + 1)->of(m_measure));
    }
}

/// The order of the values in a point is not kept. One that the rule holds for and one that it does
/// not hold for are taken in the order in which the state changes least: as the time ends, the next
/// point goes on.
void TrialRun::takePoint(const HistoryPoint &point, qint64 width, const ValueRange *next)
{
    addGap(point.at);
    m_known = point.at + width;
    const ValueRange &range = point.of(m_measure);
    const qint64 begin = point.at * 1000;
    const bool lowHolds = holds(range.low);
    if (lowHolds == holds(range.high))
        return look(begin, {range.high});
    const double held = lowHolds ? range.low : range.high;
    const double other = lowHolds ? range.high : range.low;
    const bool isSame = next && holds(next->low) == holds(next->high);
    const bool endsHeld = isSame ? holds(next->low) : !m_state.heldSince();
    look(begin, {endsHeld ? other : held});
    look(begin + width * 500, {endsHeld ? held : other});
}

void TrialRun::look(qint64 atMs, const AlertReading &reading)
{
    addRaising(raisings, m_state.take(QDateTime::fromMSecsSinceEpoch(atMs, Qt::UTC), reading));
}

void TrialRun::addGap(qint64 until)
{
    if (until - m_known <= longestPause)
        return;
    gaps += AlertTrial::Gap{momentOf(m_known), momentOf(until)};
    look(m_known * 1000, {}); // the judge counts no time that nobody saw
}

void TrialRun::endAt(qint64 to)
{
    addGap(to);
}

/// "Mon 14:02", by the clock on the wall.
QString weekdayTime(const QDateTime &moment)
{
    return QLocale().toString(moment.toLocalTime(), u"ddd HH:mm"_s);
}

QString raisingText(const AlertTrial::Raising &raising, const QDateTime &end)
{
    const double seconds
        = static_cast<double>(raising.at.msecsTo(raising.over.value_or(end))) / 1000;
    const QString text
        = trialWords("%1 for %2").arg(weekdayTime(raising.at), spanText(std::max(seconds, 0.0)));
    return raising.over ? text : trialWords("%1 and still").arg(text);
}

/// The time that was looked at, at the beginning of a sentence.
QString triedTime(const AlertTrial &trial)
{
    if (trial.rule.isOnFilter())
        return trialWords("Since %1").arg(weekdayTime(trial.from));
    return trialWords("In the last %1 days").arg(countText(trial.from.daysTo(trial.to)));
}

QString raisingsSentence(const AlertTrial &trial)
{
    const qsizetype count = trial.raisings.size();
    const QString time = triedTime(trial);
    if (count == 0)
        return trialWords("%1 this would not have been raised.").arg(time);
    QStringList told;
    for (const AlertTrial::Raising &one : trial.raisings.mid(0, mostRaisingsTold))
        told += raisingText(one, trial.to);
    if (count > mostRaisingsTold)
        told += trialWords("and %1 more").arg(countText(count - mostRaisingsTold));
    return (
        count == 1
            ? trialWords("%1 this would have been raised once: %2.").arg(time, told.join(u", "_s))
            : trialWords("%1 this would have been raised %2 times: %3.")
                  .arg(time, countText(count), told.join(u", "_s)));
}

QString gapsSentence(const AlertTrial &trial)
{
    if (trial.gaps.isEmpty())
        return {};
    QList<AlertTrial::Gap> longest = trial.gaps;
    std::stable_sort(longest.begin(), longest.end(),
                     [](const AlertTrial::Gap &one, const AlertTrial::Gap &other) {
                         return one.from.secsTo(one.to) > other.from.secsTo(other.to);
                     });
    longest = longest.mid(0, mostGapsTold);
    std::sort(longest.begin(), longest.end(),
              [](const AlertTrial::Gap &one, const AlertTrial::Gap &other) {
                  return one.from < other.from;
              });
    QStringList told;
    for (const AlertTrial::Gap &gap : std::as_const(longest))
        told += trialWords("%1 to %2").arg(weekdayTime(gap.from), weekdayTime(gap.to));
    if (trial.gaps.size() > mostGapsTold)
        told += trialWords("and %1 shorter").arg(countText(trial.gaps.size() - mostGapsTold));
    return trialWords("Nothing is known of %1 of it: %2.")
        .arg(spanText(static_cast<double>(trial.unknownSeconds())), told.join(u", "_s));
}

/// What the history says otherwise than a look.
QString historyNote(AlertFigure figure)
{
    switch (figure) {
    case AlertFigure::Lag:
    case AlertFigure::Pending:
        return trialWords("Where counting had stopped, or the mapping was a guess, the history has "
                          "the number all the same; a look would not know it.");
    case AlertFigure::In:
        return {};
    case AlertFigure::Rows:
        return trialWords(
            "Of a filter nothing else is known: its counts are held while this window "
            "has the system open.");
    default:
        return trialWords("The history has all queues of the Redis together; the rule is judged by "
                          "the profile's alone.");
    }
}

} // namespace

std::optional<Measure> measureOf(AlertFigure figure)
{
    switch (figure) {
    case AlertFigure::Lag:
        return Measure::Lag;
    case AlertFigure::Pending:
        return Measure::Pending;
    case AlertFigure::In:
        return Measure::In;
    case AlertFigure::Out:
        return Measure::Out;
    case AlertFigure::QueuePending:
        return Measure::QueuePending;
    case AlertFigure::Active:
        return Measure::QueueActive;
    case AlertFigure::Scheduled:
        return Measure::QueueScheduled;
    case AlertFigure::Retry:
        return Measure::QueueRetry;
    case AlertFigure::Dead:
        return Measure::QueueDead;
    case AlertFigure::Depth:
        return Measure::QueueDepth;
    default:
        return std::nullopt;
    }
}

qint64 AlertTrial::unknownSeconds() const
{
    qint64 sum = 0;
    for (const Gap &gap : gaps)
        sum += gap.from.secsTo(gap.to);
    return sum;
}

AlertTrial tryAlert(const AlertRule &rule, const QList<HistoryPoint> &minutes,
                    const QList<HistoryPoint> &seconds, qint64 from, qint64 to)
{
    AlertTrial trial{rule, momentOf(from), momentOf(to)};
    const auto measure = measureOf(rule.figure);
    if (!measure)
        return trial;
    TrialRun run(rule, *measure, from);
    run.take(minutes, factsOf(HistoryTier::Minute).width);
    run.take(seconds, factsOf(HistoryTier::Second).width);
    run.endAt(to);
    trial.raisings = run.raisings;
    trial.gaps = run.gaps;
    return trial;
}

AlertTrial tryAlert(const AlertRule &rule, const QList<CountedRows> &looks, const QDateTime &to)
{
    AlertTrial trial{rule, looks.isEmpty() ? to : looks.constFirst().at, to};
    AlertState state(rule);
    const auto addGap = [&trial](const std::optional<QDateTime> &since, const QDateTime &until) {
        if (since && since->secsTo(until) > longestPause)
            trial.gaps += AlertTrial::Gap{*since, until};
    };
    for (const CountedRows &look : looks) {
        const std::optional<QDateTime> unknownSince = state.unknownSince();
        addRaising(trial.raisings, state.take(look.at, look.reading));
        if (!state.unknownSince())
            addGap(unknownSince, look.at);
    }
    addGap(state.unknownSince(), to);
    if (state.unknownLooks() == looks.size()) // none knew it
        trial.gaps = {AlertTrial::Gap{trial.from, to}};
    return trial;
}

QString trialText(const AlertTrial &trial)
{
    const QString figure = word(trial.rule.figure);
    const bool isOnFilter = trial.rule.isOnFilter();
    if (isOnFilter && trial.from >= trial.to) {
        return trialWords("There is no history of this filter yet: it is counted from the moment "
                          "an alert on it is saved.");
    }
    if (!isOnFilter && !trial.isKept())
        return trialWords("The history does not keep %1: this cannot be tried.").arg(figure);
    const qint64 span = trial.from.secsTo(trial.to);
    if (isOnFilter && trial.gaps.contains(AlertTrial::Gap{trial.from, trial.to}))
        return trialWords("What was counted of this filter until now does not tell it.");
    if (!isOnFilter && trial.unknownSeconds() >= span) {
        return trialWords("The history knows nothing of %1 in the last %2 days.")
            .arg(figure, countText(trial.from.daysTo(trial.to)));
    }
    QStringList lines{raisingsSentence(trial), gapsSentence(trial), historyNote(trial.rule.figure)};
    lines.removeAll(QString());
    return lines.join(u'\n');
}

} // namespace outbox
