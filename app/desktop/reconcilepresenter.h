// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins the Reconcile tab to the one who looks; repairs are operations like any other.
#pragma once

#include "app/operations/reconcile/reconcilescanner.h"

#include <QObject>

namespace outbox {

class OperationPresenter;
class System;
struct Pages;

/// Made anew for each opened profile. Lives in the GUI thread.
class ReconcilePresenter : public QObject
{
    Q_OBJECT

public:
    /// `operations` outlives this.
    ReconcilePresenter(System &system, const Pages &pages, OperationPresenter &operations,
                       QObject *parent = nullptr);

private:
    ReconcileScanner m_driver;
};

} // namespace outbox
