// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/exitcode.h"

#include "app/system/sources/target.h"
#include "models/filter/filter.h"

namespace outbox {

ExitCode exitCodeOf(const Error &error)
{
    if (isFilterFault(error) || isDurationFault(error))
        return ExitCode::Usage;
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

ExitCode exitCodeOf(const Plan &plan)
{
    if (plan.unread)
        return plan.items.isEmpty() ? exitCodeOf(*plan.unread) : ExitCode::Partly;
    return plan.counts().value(Outcome::Gone) == plan.items.size() ? ExitCode::NothingMatched
                                                                   : ExitCode::Ok;
}

ExitCode exitCodeOf(const Receipt &receipt)
{
    const qsizetype well = receipt.count(Outcome::Done) + receipt.count(Outcome::NothingToDo);
    if (receipt.isInDoubt())
        return ExitCode::Temporary;
    if (receipt.count(Outcome::Done) > 0)
        return well < receipt.items.size() || receipt.error ? ExitCode::Partly : ExitCode::Ok;
    if (receipt.error)
        return exitCodeOf(*receipt.error);
    if (well == receipt.items.size())
        return ExitCode::Ok;
    if (receipt.count(Outcome::Gone) == receipt.items.size())
        return ExitCode::NothingMatched;
    return receipt.count(Outcome::Failed) > 0 ? ExitCode::Failed : ExitCode::Refused;
}

ExitCode exitCodeOf(HealthLevel level)
{
    switch (level) {
    case HealthLevel::Ok:
        return ExitCode::Ok;
    case HealthLevel::Unknown:
        return ExitCode::NoConnection;
    case HealthLevel::Watch:
    case HealthLevel::Stalled:
    case HealthLevel::Broken:
        break;
    }
    return ExitCode::Failed;
}

ExitCode exitCodeOfSignal(int number)
{
    return static_cast<ExitCode>(static_cast<int>(ExitCode::Signal) + number);
}

} // namespace outbox
