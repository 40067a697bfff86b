// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/operations/reconcile/reconcilescanner.h"

#include <QObject>

namespace outbox {

class OperationPresenter;
struct Pages;
class System;

/// Joins the Reconcile page to the one who looks, and Overview to what was found; repairs are
/// operations like any other. Made anew for each opened profile. Lives in the GUI thread.
class ReconcilePresenter : public QObject
{
public:
    /// `operations` outlives this.
    ReconcilePresenter(System &system, const Pages &pages, OperationPresenter &operations,
                       QObject *parent = nullptr);

private:
    ReconcileScanner m_driver;
};

} // namespace outbox
