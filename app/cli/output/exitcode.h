// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The exit codes of cli.md.
#pragma once

#include "models/operations/plan.h"
#include "models/operations/receipt.h"
#include "models/result.h"
#include "models/system/healthreport.h"

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
/// Of a plan that was printed: NothingMatched where it is empty or speaks of what is not there;
/// where a source was not read, its error's, or Partly where the other one showed something.
[[nodiscard]] ExitCode exitCodeOf(const Plan &plan);
/// Ok when everything is done or was so before; what is in doubt outweighs what was done, and what
/// was done makes the rest a part.
[[nodiscard]] ExitCode exitCodeOf(const Receipt &receipt);
/// Of `check`.
[[nodiscard]] ExitCode exitCodeOf(HealthLevel level);
[[nodiscard]] ExitCode exitCodeOfSignal(int number);

} // namespace outbox
