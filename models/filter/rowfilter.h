// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A filter as the question for a page of outbox rows.
#pragma once

#include "models/message.h"
#include "models/result.h"

#include <QString>

namespace outbox {

/// `base` with its states, type, id and age replaced by what `text` asks for; limit, order and
/// payload stay, the cursor is dropped. A bare word asks for ids that start with it when it looks
/// like an id (hexadecimal with a digit in it), else for types that contain it. Fails with the
/// fault and its position; a field of the language that rows cannot be asked by yet is Unsupported.
[[nodiscard]] Result<PageRequest> pageRequestFromFilter(const QString &text,
                                                        const PageRequest &base);

} // namespace outbox
