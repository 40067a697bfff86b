// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How long anybody waits for one answer of a server before its socket is shut.
#pragma once

namespace outbox {

/// Of a command line, and of a look at one of many systems.
inline constexpr int answerDeadlineMs = 20'000;

} // namespace outbox
