// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The phrases that several rules of the judgement share.
#pragma once

#include "models/system/snapshots.h"
#include "models/translation.h"

#include <QString>

namespace outbox::healthwords {

inline constexpr Translation healthText("outbox::Health");
/// English needs no translation file: one form for one, another for many.
[[nodiscard]] QString counted(qint64 count, const char *one, const char *many);
/// "One row waits", "~20,000 rows wait", "No entry waits".
[[nodiscard]] QString waitingRows(const OutboxSnapshot &outbox, bool ofDocuments);
/// "412 rows wait, oldest 38 s"; says so where the number is not known.
[[nodiscard]] QString waiting(const OutboxSnapshot &outbox, bool ofDocuments);
/// The same inside of a sentence.
[[nodiscard]] QString inside(QString phrase);

} // namespace outbox::healthwords
