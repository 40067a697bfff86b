// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One message from every side: row, task, what each verb would do to it now, what the audit knows.
#pragma once

#include "app/operations/core/operatorsession.h"
#include "models/operations/auditentry.h"
#include "models/operations/outcome.h"
#include "models/result.h"
#include "models/system/systemview.h"

#include <QList>

namespace outbox {

/// What a verb would do to the message at this moment.
struct VerbForecast
{
    Verb verb{};
    Outcome expected = Outcome::Unknown;
    QString reason;
};

/// The message in one operation of the audit.
struct AuditTrace
{
    Activity activity; ///< without its messages
    AuditedItem item;
};

struct Journey
{
    IdVerdict verdict; ///< judged
    QList<VerbForecast> verbs;
    QList<AuditTrace> traces; ///< newest first
};

/// Looks only; in the operator's room. What cannot be read is told in the verdict. Fails when the
/// audit cannot be read.
[[nodiscard]] Result<Journey> journeyOf(OperatorSession &session, const MessageId &id);

} // namespace outbox
