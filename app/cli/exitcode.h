// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The exit codes of cli.md.
#pragma once

#include "models/result.h"

namespace outbox {

enum class ExitCode {
    Ok = 0,
    Failed = 1,
    Usage = 2,
    NothingMatched = 3,
    NoConnection = 4,
    Refused = 5,
    Partly = 6,
    Temporary = 75,
    BadConfiguration = 78,
    Signal = 128, ///< plus the signal's number
};

/// The code an error ends a command with.
[[nodiscard]] ExitCode exitCodeOf(const Error &error);

} // namespace outbox
