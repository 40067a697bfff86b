// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the sessions of a room have sent and read, counted where the answers come in.
#pragma once

#include "models/system/pollcost.h"

namespace outbox {

/// That of the calling thread since it began: a session lives in one thread, that of its room, so a
/// job sees by the difference what it cost itself.
inline Traffic &trafficOfThread()
{
    thread_local Traffic traffic;
    return traffic;
}

} // namespace outbox
