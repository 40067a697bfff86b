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

/// Texts are compared without regard to case.
class ActivityFilter
{
public:
    /// Reads `when:today verb:purge,run who:ana* profile:orders outcome:partly
    /// record:database note~INC id:7e57` and bare words, which are part of what an operation says
    /// of itself; `now` is what `-15m` counts from. Fails with Invalid and the position of the
    /// fault.
    [[nodiscard]] static Result<ActivityFilter> fromText(const QString &text, const QDateTime &now);
    [[nodiscard]] bool matches(const Activity &activity) const;

private:
    CheckNode m_checks; ///< its texts are folded
};

} // namespace outbox
