// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/system/timeseries.h"

#include <cmath>
#include <limits>

namespace outbox {

std::optional<QPointF> pointAt(const QList<LineSegment> &segments, double at, double reach)
{
    std::optional<QPointF> found;
    double nearest = reach;
    for (const LineSegment &segment : segments) {
        for (const QPointF &point : segment) {
            const double distance = std::abs(point.x() - at);
            if (distance <= nearest) {
                nearest = distance;
                found = point;
            }
        }
    }
    return found;
}

TimeSeries::TimeSeries(int capacity, qint64 foldMs)
    : m_capacity(std::max(2, capacity)), m_foldMs(foldMs)
{ }

const QPointF &TimeSeries::sample(qsizetype index) const
{
    return m_samples.at(placeOf(index));
}

void TimeSeries::add(const QDateTime &at, std::optional<double> value)
{
    const auto when = static_cast<double>(at.toMSecsSinceEpoch());
    const QPointF added(when, value.value_or(std::numeric_limits<double>::quiet_NaN()));
    if (!m_samples.isEmpty() && when <= sample(m_samples.size() - 1).x()) {
        m_samples[(m_oldest + m_samples.size() - 1) % m_samples.size()].setY(added.y());
        return;
    }
    if (m_foldMs > 0 && fold(added))
        return;
    if (m_samples.size() < m_capacity) {
        m_samples.append(added);
        return;
    }
    m_samples[m_oldest] = added;
    m_oldest = (m_oldest + 1) % m_capacity;
}

bool TimeSeries::fold(const QPointF &added)
{
    const auto isOfItsTime = [this, &added](const QPointF &one) {
        return static_cast<qint64>(one.x()) / m_foldMs == static_cast<qint64>(added.x()) / m_foldMs;
    };
    const qsizetype count = m_samples.size();
    if (count == 0 || !isOfItsTime(sample(count - 1)))
        return false;
    if (std::isnan(added.y()))
        return true;
    QPointF &newest = m_samples[placeOf(count - 1)];
    if (std::isnan(newest.y())) {
        newest = added;
        return true;
    }
    if (count < 2 || !isOfItsTime(sample(count - 2)) || std::isnan(sample(count - 2).y()))
        return added.y() == newest.y();
    QPointF &before = m_samples[placeOf(count - 2)];
    const double low = std::min(before.y(), newest.y());
    const double high = std::max(before.y(), newest.y());
    if (added.y() >= low && added.y() <= high)
        return true;
    const double staying = added.y() < low ? high : low;
    if (before.y() != staying)
        before = newest;
    newest = added;
    return true;
}

void TimeSeries::fillBefore(const QList<QPointF> &earlier)
{
    QList<QPointF> samples;
    samples.reserve(earlier.size() + m_samples.size() + 1);
    const double end
        = isEmpty() ? std::numeric_limits<double>::infinity() : sample(0).x(); // of what is taken
    for (const QPointF &one : earlier) {
        if (one.x() < end)
            samples.append(one);
    }
    if (isEmpty() && !samples.isEmpty())
        samples.append({samples.last().x() + 1, std::numeric_limits<double>::quiet_NaN()});
    for (qsizetype i = 0; i < m_samples.size(); ++i)
        samples.append(sample(i));
    if (samples.size() > m_capacity)
        samples.remove(0, samples.size() - m_capacity);
    m_samples = samples;
    m_oldest = 0;
}

void TimeSeries::clear()
{
    m_samples.clear();
    m_oldest = 0;
}

std::optional<double> TimeSeries::latest() const
{
    if (m_samples.isEmpty())
        return std::nullopt;
    const double value = sample(m_samples.size() - 1).y();
    return std::isnan(value) ? std::nullopt : std::optional(value);
}

qsizetype TimeSeries::firstAtOrAfter(qint64 at) const
{
    qsizetype low = 0;
    qsizetype high = m_samples.size();
    while (low < high) {
        const qsizetype middle = low + (high - low) / 2;
        if (sample(middle).x() < static_cast<double>(at))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

std::optional<double> TimeSeries::largest(const QDateTime &from, const QDateTime &to) const
{
    std::optional<double> found;
    const auto end = static_cast<double>(to.toMSecsSinceEpoch());
    for (qsizetype i = firstAtOrAfter(from.toMSecsSinceEpoch()); i < m_samples.size(); ++i) {
        const QPointF &one = sample(i);
        if (one.x() > end)
            break;
        if (!std::isnan(one.y()))
            found = std::max(found.value_or(one.y()), one.y());
    }
    return found;
}

QList<LineSegment> TimeSeries::segments(const QDateTime &from, const QDateTime &to, int mostPoints,
                                        qint64 gapMs) const
{
    const qint64 begin = from.toMSecsSinceEpoch();
    const qint64 end = to.toMSecsSinceEpoch();
    // Two points a column, and one column is cut at each end.
    const qint64 columns = std::max(1, mostPoints / 2 - 2);
    const qint64 width = std::max<qint64>(1, (end - begin + columns - 1) / columns);
    const qint64 split = std::max(gapMs, width);

    QList<LineSegment> lines;
    LineSegment line;
    QPointF low;
    QPointF high;
    qint64 column = -1;
    qint64 lastKnown = 0;
    const auto finishColumn = [&] {
        if (column < 0)
            return;
        const bool isLowFirst = low.x() <= high.x();
        line.append(isLowFirst ? low : high);
        if (high.x() != low.x())
            line.append(isLowFirst ? high : low);
        column = -1;
    };
    const auto finishLine = [&] {
        finishColumn();
        if (!line.isEmpty())
            lines.append(line);
        line.clear();
    };
    bool missing = false;
    for (qsizetype i = firstAtOrAfter(begin); i < m_samples.size(); ++i) {
        const QPointF &one = sample(i);
        const auto at = static_cast<qint64>(one.x());
        if (at > end)
            break;
        if (std::isnan(one.y())) {
            missing = true;
            continue;
        }
        const bool seen = column >= 0 || !line.isEmpty();
        const qint64 quiet = at - lastKnown;
        if (seen && (quiet > split || (missing && quiet >= width)))
            finishLine();
        missing = false;
        lastKnown = at;
        const qint64 own = at / width;
        if (own != column) {
            finishColumn();
            column = own;
            low = one;
            high = one;
            continue;
        }
        if (one.y() < low.y())
            low = one;
        if (one.y() >= high.y())
            high = one;
    }
    finishLine();
    return lines;
}

CounterRate::CounterRate(qint64 windowMs) : m_windowMs(windowMs)
{ }

std::optional<double> CounterRate::add(const QDateTime &at, std::optional<double> total)
{
    if (!total) {
        m_seen.clear();
        return std::nullopt;
    }
    const auto when = static_cast<double>(at.toMSecsSinceEpoch());
    if (!m_seen.isEmpty() && when <= m_seen.last().x())
        return std::nullopt;
    // One look older than the window stays, so that the window is never shorter than asked for.
    while (m_seen.size() > 2 && when - m_seen.at(1).x() >= static_cast<double>(m_windowMs))
        m_seen.removeFirst();
    m_seen.append({when, *total});
    const auto changed = change();
    return changed ? std::optional(std::max(0.0, *changed)) : std::nullopt;
}

std::optional<double> CounterRate::change() const
{
    if (m_seen.size() < 2)
        return std::nullopt;
    const double seconds = (m_seen.last().x() - m_seen.first().x()) / 1000;
    return (m_seen.last().y() - m_seen.first().y()) / seconds;
}

} // namespace outbox
