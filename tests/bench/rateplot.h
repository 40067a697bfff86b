// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The figures of a benchmark as a picture.
#pragma once

#include <QByteArray>
#include <QJsonArray>

namespace outbox {

/// An SVG with a bar for each leg of each of the `drains` that bench_relay and bench_scaling write
/// to their JSON (`title`; of a leg `leg`, `batch` where it has one, `isOurs`, `perSecond`,
/// `cpuSum`): the median rate, a line from the least to the most, and what a message cost. Empty
/// without legs.
[[nodiscard]] QByteArray ratePlot(const QJsonArray &drains);

} // namespace outbox
