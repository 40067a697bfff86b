// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long a message is on its way when nothing else is: from the answer to the writer's COMMIT
// until a worker that waits in Redis gets its id.
#pragma once

#include "tests/bench/benchdesk.h"

#include <QList>

namespace outbox {

enum class WakeUp { Notify, Poll };

/// Milliseconds, sorted. The relay runs as the command line runs it: with NOTIFY sent inside the
/// writer's transaction, or looking every 10 ms.
[[nodiscard]] Result<QList<double>> measureLatency(BenchDesk &desk, WakeUp how, int samples);

} // namespace outbox
