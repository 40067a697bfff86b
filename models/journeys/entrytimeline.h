// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The line of time of an entry in a document, and of a token: what is known, and the gaps named.
#pragma once

#include "models/designs/designview.h"
#include "models/system/timeline.h"

namespace outbox {

/// As that of a message, oldest first, with one point Now. `now` is by our clock, UTC.
[[nodiscard]] QList<TimelinePoint> timelineOf(const SeenEntry &seen, Design design,
                                              const QDateTime &now);
[[nodiscard]] QList<TimelinePoint> timelineOf(const JudgedToken &judged, const QDateTime &now);

} // namespace outbox
