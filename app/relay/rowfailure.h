// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whose fault a failure is: a row's, or the server's.
#pragma once

#include "models/relay/relaystep.h"
#include "models/result.h"

#include <QString>

namespace outbox {

/// True where the error may be a row's own: a trigger or a constraint refused it, a value cannot be
/// read. What the server cannot do for any row (lost, slow, no right, a changed table) is not.
[[nodiscard]] bool mayBeOfRow(const Error &error);
/// What is kept as the reason.
[[nodiscard]] QString reasonOf(const Error &error);
/// A step that got nowhere.
[[nodiscard]] RelayStep failedStep(const Error &error);

} // namespace outbox
