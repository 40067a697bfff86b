// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The metrics of a relay by name: what collectors and alert rules hang on.
#pragma once

#include "app/service/metricssampler.h"
#include "models/relay/relaystep.h"

#include <QByteArray>

#include <utility>
#include <vector>

namespace outbox {

/// The content type of the text of OpenMetrics 1.0.
constexpr auto openMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8";

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

/// Upper bounds that tell a batch of ten from one of a thousand, and both from a server in trouble.
[[nodiscard]] Histogram batchSecondsHistogram();

/// The OpenMetrics page. `batchSeconds` are of batches that were committed: claim, enqueue and
/// COMMIT. No id, no payload and no error text stands in a label.
[[nodiscard]] QByteArray relayMetrics(const RelayTotals &totals, RelayState state,
                                      const Histogram &batchSeconds, const SourceFigures &sources);

} // namespace outbox
