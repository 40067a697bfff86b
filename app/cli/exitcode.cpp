// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/exitcode.h"

namespace outbox {

ExitCode exitCodeOf(const Error &error)
{
    switch (error.kind) {
    case Error::Kind::Unreachable:
        return ExitCode::NoConnection;
    case Error::Kind::Refused:
        return ExitCode::Refused;
    case Error::Kind::Timeout:
        return ExitCode::Temporary;
    case Error::Kind::Unsupported:
    case Error::Kind::Invalid:
        return ExitCode::BadConfiguration;
    case Error::Kind::Conflict:
    case Error::Kind::Constraint:
    case Error::Kind::Protocol:
    case Error::Kind::Cancelled:
        break;
    }
    return ExitCode::Failed;
}

} // namespace outbox
