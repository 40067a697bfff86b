// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/reconciledesk.h"

#include "app/desktop/operationdesk.h"
#include "app/desktop/pages.h"
#include "views/dedupview.h"
#include "views/reconcilepane.h"

namespace outbox {

ReconcileDesk::ReconcileDesk(System &system, const Pages &pages, OperationDesk &operations,
                             QObject *parent)
    : QObject(parent), m_driver(operations.settings())
{
    ReconcilePane *pane = pages.dedup->reconcile();
    connect(&system.database(), &DatabaseFeed::shapeKnown, &m_driver, &LookDriver::open);
    connect(pane, &ReconcilePane::lookAsked, &m_driver, &LookDriver::look);
    connect(pane, &ReconcilePane::stopAsked, &m_driver, &LookDriver::stop);
    connect(&m_driver, &LookDriver::progressed, pane, &ReconcilePane::setProgress);
    connect(&m_driver, &LookDriver::failed, pane, &ReconcilePane::setError);
    connect(&m_driver, &LookDriver::ended, this, [pane, &operations](const LookReport &report) {
        operations.driver().setLook(report);
        pane->setReport(report);
    });
}

} // namespace outbox
