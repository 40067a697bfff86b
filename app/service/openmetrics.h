// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The text of OpenMetrics 1.0: families, samples, a histogram, the end mark.
#pragma once

#include <QByteArray>
#include <QList>
#include <QString>

#include <optional>
#include <utility>
#include <vector>

namespace outbox {

/// Counts values by upper bounds.
class Histogram
{
public:
    /// `bounds` ascend; the one that holds everything is added.
    explicit Histogram(std::vector<double> bounds)
        : m_bounds(std::move(bounds)), m_counts(m_bounds.size() + 1)
    { }
    void add(double value);
    [[nodiscard]] const std::vector<double> &bounds() const { return m_bounds; }
    /// Of the values up to the bound at `index`, and not of more; the last one counts all.
    [[nodiscard]] qint64 countUpTo(size_t index) const;
    [[nodiscard]] double sum() const { return m_sum; }

private:
    std::vector<double> m_bounds;
    std::vector<qint64> m_counts;
    double m_sum = 0;
};

/// Builds one page. A family is begun, then its samples follow; a name appears once.
class MetricsPage
{
public:
    using Labels = QList<std::pair<QByteArray, QString>>;

    static constexpr auto contentType
        = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    /// `name` without suffix; `unit` is its last word, or empty.
    void gauge(const QByteArray &name, const QByteArray &help, const QByteArray &unit = {});
    void counter(const QByteArray &name, const QByteArray &help);
    /// One of `states` is true at a time.
    void stateSet(const QByteArray &name, const QByteArray &help, const QStringList &states,
                  const QString &current);
    void histogram(const QByteArray &name, const QByteArray &help, const QByteArray &unit,
                   const Histogram &values);
    /// Of the family begun last. What is not known has no sample: never a 0 in its place.
    void sample(const Labels &labels, std::optional<double> value);
    /// The whole page; nothing may be added after it.
    [[nodiscard]] QByteArray finish();

private:
    void begin(const QByteArray &name, const QByteArray &type, const QByteArray &help,
               const QByteArray &unit);
    void line(const QByteArray &name, const Labels &labels, double value);

    QByteArray m_text;
    QByteArray m_sampleName;
};

} // namespace outbox
