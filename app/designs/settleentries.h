// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The verb that finishes what handlers left behind in their documents: dispatches, or takes a
// leftover away.
#pragma once

#include "app/designs/documentreader.h"
#include "app/designs/documentstores.h"
#include "app/operations/core/operation.h"

#include <optional>

namespace outbox {

/// A plan names entries: the document as the row, the incoming message as the task. Each is looked
/// at again where it is carried out, and its document written only as it was read; an entry that
/// changed its nature meanwhile is left alone.
/// Errors: those of `Operation`.
class SettleEntries : public Operation
{
public:
    struct Terms
    {
        bool leftovers = false; ///< removes leftovers (K15) too, beside dispatching (K29)
        std::optional<double> olderThanSeconds; ///< only entries that are known to be so old
    };

    SettleEntries(DesignPlace place, Terms terms);

    [[nodiscard]] Verb verb() const override { return Verb::Reconcile; }
    /// `selection` as in models/operations/designselection.h.
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override;

protected:
    [[nodiscard]] Result<void> ready(OperatorSession &session, const Plan &plan) const override;
    [[nodiscard]] Result<QList<ReceiptItem>> act(OperatorSession &session, const Plan &plan,
                                                 const Items &chunk,
                                                 const OperationControl &control) const override;

private:
    [[nodiscard]] Result<void> look(const OperatorSession &session, const Selection &selection,
                                    Plan &plan) const;
    [[nodiscard]] PlanItem itemOf(const SeenEntry &seen, bool isNamed) const;

    DesignPlace m_place;
    Terms m_terms;
};

} // namespace outbox
