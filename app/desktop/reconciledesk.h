// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Joins the Reconcile tab to the one who looks; repairs are operations like any other.
#pragma once

#include "app/operations/lookdriver.h"

#include <QObject>

namespace outbox {

class OperationDesk;
class System;
struct Pages;

/// Made anew for each opened profile. Lives in the GUI thread.
class ReconcileDesk : public QObject
{
    Q_OBJECT

public:
    /// `operations` outlives this.
    ReconcileDesk(System &system, const Pages &pages, OperationDesk &operations,
                  QObject *parent = nullptr);

private:
    LookDriver m_driver;
};

} // namespace outbox
