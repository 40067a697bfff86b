// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The lines that one operation writes into the audit, and the way back from them.
#pragma once

#include "app/operations/core/operatorsession.h"
#include "models/operations/auditentry.h"
#include "models/operations/consent.h"
#include "models/operations/plan.h"
#include "models/operations/receipt.h"
#include "models/result.h"

#include <QList>

namespace outbox {

/// Each call answers when its line is on disk. Every line names the operation in full, so that one
/// line alone says what it belongs to.
/// Errors: those of the record: Refused, Timeout. Nothing is done then.
class OperationLog
{
public:
    OperationLog(OperatorSession &session, const Plan &plan, const Consent &consent);

    [[nodiscard]] Result<void> refusal(const Error &why);
    [[nodiscard]] Result<void> begin();
    [[nodiscard]] Result<void> intent(int chunk, const QList<PlanItem> &items);
    [[nodiscard]] Result<void> outcome(int chunk, const QList<ReceiptItem> &items,
                                       const std::optional<Error> &error);
    [[nodiscard]] Result<void> end(const Receipt &receipt);

    /// From now on every line names it: after a crash undo must find it.
    void setExport(const QString &file, const QByteArray &checksum)
    {
        m_entry.exportFile = file;
        m_entry.exportChecksum = checksum;
    }
    void setUndoable(bool undoable) { m_entry.undoable = undoable; }

private:
    [[nodiscard]] AuditEntry line(AuditEntry::Kind kind, int chunk = 0) const;
    [[nodiscard]] Result<void> append(const AuditEntry &entry);

    AuditTrail &m_audit;
    const Plan &m_plan;
    AuditEntry m_entry; ///< what all lines have in common
};

/// Refused for an operation whose record is not as it was written.
[[nodiscard]] Result<void> checkRecord(const Activity &activity, const QString &doing);
/// What the record tells of one operation, also that it was undone. Fails with Invalid when the
/// record does not know it.
[[nodiscard]] Result<Activity> activityOf(const AuditTrail &audit, const QString &operation);

} // namespace outbox
