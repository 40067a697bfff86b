// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Release: takes a lease that is over off its row, so that relays see it as free again.
#pragma once

#include "app/operations/core/rowoperation.h"

namespace outbox {

/// Lease columns only: a row lock ends with its session, and ending a session is not ours to do.
/// Errors: those of `Operation`.
class Release : public RowOperation
{
public:
    [[nodiscard]] Verb verb() const override { return Verb::Release; }
    [[nodiscard]] Result<Plan> plan(OperatorSession &session,
                                    const Selection &selection) const override;

protected:
    [[nodiscard]] QString missingRight(const RowRights &rights) const override;
    [[nodiscard]] Result<QList<ReceiptItem>> write(OperatorSession &session, OutboxEditor &editor,
                                                   const Plan &plan, const Items &held,
                                                   const OperationControl &control) const override;
};

} // namespace outbox
