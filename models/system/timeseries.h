// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A bounded ring of samples that keeps its gaps, thinned for drawing without losing a peak.
#pragma once

#include <QDateTime>
#include <QList>
#include <QPointF>

#include <optional>

namespace outbox {

/// Points joined by a line: x = milliseconds since 1970, y = value.
using LineSegment = QList<QPointF>;

/// The point nearest to `at`, no farther than `reach` (both milliseconds).
[[nodiscard]] std::optional<QPointF> pointAt(const QList<LineSegment> &segments, double at,
                                             double reach);

class TimeSeries
{
public:
    /// 86,400 samples are a day of one a second. Of each `foldMs` of time no more than the smallest
    /// and the largest value are kept; 0: all samples are.
    explicit TimeSeries(int capacity = 86'400, qint64 foldMs = 0);

    /// `nullopt` says "asked and not known": the line ends here. Where the time does not grow (a
    /// clock was set back) the newest value is replaced, so that it always is the newest.
    void add(const QDateTime &at, std::optional<double> value);
    /// What was seen before the first sample, growing in time (x as in LineSegment, y = NaN: not
    /// known); what is not before it is left out. Where there is no sample yet the line ends behind
    /// it: the newest value is not known.
    void fillBefore(const QList<QPointF> &earlier);
    void clear();

    [[nodiscard]] qsizetype size() const { return m_samples.size(); }
    [[nodiscard]] bool isEmpty() const { return m_samples.isEmpty(); }
    /// The newest value; nullopt when the newest sample is a gap.
    [[nodiscard]] std::optional<double> latest() const;
    /// Largest value in the time given; nullopt when nothing is known there.
    [[nodiscard]] std::optional<double> largest(const QDateTime &from, const QDateTime &to) const;

    /// The lines to draw between two times: smallest and largest value of each column of time,
    /// columns anchored at 1970 so that a scrolling chart does not flicker. A gap is a missing
    /// value, or more than `gapMs` between samples; gaps narrower than a column cannot be seen and
    /// are not split. At most `mostPoints` points in all.
    [[nodiscard]] QList<LineSegment> segments(const QDateTime &from, const QDateTime &to,
                                              int mostPoints = 600, qint64 gapMs = 5'000) const;

private:
    [[nodiscard]] qsizetype placeOf(qsizetype index) const
    {
        return (m_oldest + index) % m_samples.size();
    }
    [[nodiscard]] const QPointF &sample(qsizetype index) const;
    /// Whether the sample is told by those of its time that are there now.
    [[nodiscard]] bool fold(const QPointF &added);
    [[nodiscard]] qsizetype firstAtOrAfter(qint64 at) const;

    QList<QPointF> m_samples; ///< y = NaN: not known
    qsizetype m_oldest = 0; ///< where the ring begins once it is full
    qsizetype m_capacity;
    qint64 m_foldMs;
};

/// Makes a rate from a growing count, over a sliding window so that uneven looks do not jitter it.
class CounterRate
{
public:
    explicit CounterRate(qint64 windowMs = 10'000);

    /// Rate in events a second, or nullopt until two looks are known. Counts that shrink (a purge,
    /// a restart) give 0, never a negative rate. `nullopt` forgets what was seen before.
    [[nodiscard]] std::optional<double> add(const QDateTime &at, std::optional<double> total);
    /// What was added last changed by so much a second, over the same window; below 0 where it
    /// shrank.
    [[nodiscard]] std::optional<double> change() const;

private:
    QList<QPointF> m_seen; ///< x = milliseconds, y = total
    qint64 m_windowMs;
};

} // namespace outbox
