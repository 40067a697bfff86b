// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the documents of a design are, as the options say, and one look at them.
#pragma once

#include "app/cli/run/await.h"
#include "app/designs/documentstores.h"
#include "app/system/sources/target.h"
#include "models/result.h"

class QCommandLineParser;

namespace outbox {

void addDesignOptions(QCommandLineParser &parser);

/// What the options say, over what the profile says; `design` over both, where the command has one
/// of its own. `acting` are the passwords of the acting roles. Fails with Invalid.
[[nodiscard]] Result<DesignPlace> designPlaceOf(const QCommandLineParser &parser,
                                                const Target &target,
                                                const ProfilePasswords &acting,
                                                std::optional<Design> design = std::nullopt);

/// The target as operations on documents see it: its table is that of the documents, and no outbox
/// is looked for.
[[nodiscard]] Target documentTargetOf(const QCommandLineParser &parser, const Target &target);

/// Opens the stores for looking and answers what `job` makes of it.
template <typename Job> auto lookAtDesign(const DesignPlace &place, Job job)
{
    constexpr int deadlineMs = 120'000;
    Room<DocumentStores> room(QStringLiteral("reader"));
    return await(
        room,
        [&place, &job](DocumentStores &stores) -> std::invoke_result_t<Job, DocumentStores &> {
            TRY(stores.open(place, StoreAccess::ReadOnly));
            return job(stores);
        },
        deadlineMs);
}

} // namespace outbox
