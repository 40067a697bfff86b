// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The verb that lets a consumed message run once more: it makes its token again, on record.
#pragma once

#include "app/designs/documentstores.h"
#include "app/operations/core/operation.h"

namespace outbox {

/// A token that is gone says that its message was executed. To make it again is a second execution,
/// which must be asked for as such. The message itself is not sent by this.
/// Errors: those of `Operation`.
class ForceExecution : public Operation
{
public:
    explicit ForceExecution(DesignPlace place);

    [[nodiscard]] Verb verb() const override { return Verb::Replay; }
    /// `selection.tasks` are tokens.
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override;

protected:
    [[nodiscard]] Result<void> ready(OperatorSession &session, const Plan &plan) const override;
    [[nodiscard]] Result<QList<ReceiptItem>> act(OperatorSession &session, const Plan &plan,
                                                 const Items &chunk,
                                                 const OperationControl &control) const override;

private:
    DesignPlace m_place;
};

} // namespace outbox
