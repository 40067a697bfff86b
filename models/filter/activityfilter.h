// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A filter over what was done from here.
#pragma once

#include "models/filter/checks.h"
#include "models/operations/auditentry.h"
#include "models/result.h"

#include <QDateTime>
#include <QString>

namespace outbox {

/// Reads `when:today verb:purge,run who:ana* profile:orders outcome:partly record:database note~INC
/// id:7e57` and bare words, which are part of what an operation says of itself; `now` is what
/// `-15m` counts from. Texts are folded, as they are compared without regard to case. Fails with
/// Invalid and the position of the fault.
[[nodiscard]] Result<CheckNode> activityChecksOf(const QString &text, const QDateTime &now);
/// `checks` are those of a filter of activities.
[[nodiscard]] bool matches(const CheckNode &checks, const Activity &activity);

} // namespace outbox
