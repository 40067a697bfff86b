// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a person has to say before an operation may act, and what they said.
#pragma once

#include "models/operations/plan.h"
#include "models/result.h"

#include <optional>

namespace outbox {

/// What was said, beside "yes".
struct Consent
{
    bool secondExecution = false; ///< messages that ran before may run again
    bool trim = false; ///< Archive: the oldest archived tasks may go
    QString typed; ///< the text asked for by `textToType`
    QString note; ///< why; kept in the audit

    bool operator==(const Consent &) const = default;
};

/// How strongly a plan must be confirmed (console.md 8.1, rule 4).
enum class Confirmation { Click, Dialog, Typed };

[[nodiscard]] Confirmation confirmationFor(const Plan &plan);
/// "297 orders": the number of messages acted on, and the profile's name ("demo" and the like where
/// it has none: the environment's word).
[[nodiscard]] QString textToType(const Plan &plan);
/// Why `plan` may not be carried out with this consent (Refused, with a hint); nullopt when it may.
/// Items that need a consent that was not given do not object: they are left alone, see
/// `withConsent`.
[[nodiscard]] std::optional<Error> objection(const Plan &plan, const Consent &consent);
/// The plan as it will be carried out: what lacks its consent is left alone with a reason.
[[nodiscard]] Plan withConsent(Plan plan, const Consent &consent);

} // namespace outbox
