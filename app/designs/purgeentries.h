// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The verb that takes old null entries out of documents, which would grow without bound.
#pragma once

#include "app/designs/documentreader.h"
#include "app/designs/documentstores.h"
#include "app/operations/core/operation.h"

namespace outbox {

/// An entry that is gone is a message that may run again: only those go that are known to be older
/// than the retention. One with messages inside never goes, since that would be loss.
/// Errors: those of `Operation`.
class PurgeEntries : public Operation
{
public:
    explicit PurgeEntries(DesignPlace place);

    [[nodiscard]] Verb verb() const override { return Verb::Purge; }
    /// `selection` as in models/operations/designselection.h.
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override;

protected:
    [[nodiscard]] Result<void> ready(OperatorSession &session, const Plan &plan) const override;
    [[nodiscard]] Result<QList<ReceiptItem>> act(OperatorSession &session, const Plan &plan,
                                                 const Items &chunk,
                                                 const OperationControl &control) const override;

private:
    [[nodiscard]] PlanItem itemOf(const SeenEntry &seen) const;

    DesignPlace m_place;
};

} // namespace outbox
