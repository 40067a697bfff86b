// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The metrics of a relay by name: what collectors and alert rules hang on.
#pragma once

#include "app/service/metricssampler.h"
#include "app/service/openmetrics.h"
#include "models/relay/relaystep.h"

namespace outbox {

/// Everything the page is made of.
struct RelayFigures
{
    RelayTotals totals;
    RelayState state = RelayState::Starting;
    Histogram batchSeconds; ///< of batches that were committed: claim, enqueue and COMMIT
    SourceFigures sources;
};

/// Upper bounds that tell a batch of ten from one of a thousand, and both from a server in trouble.
[[nodiscard]] Histogram batchSecondsHistogram();

/// The OpenMetrics page. No id, no payload and no error text stands in a label.
[[nodiscard]] QByteArray relayMetrics(const RelayFigures &figures);

} // namespace outbox
