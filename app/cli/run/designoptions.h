// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The options that say where the documents of a design are, and what their parts are called.
#pragma once

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

} // namespace outbox
