// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/reconcilepresenter.h"

#include "app/desktop/operationpresenter.h"
#include "app/desktop/pages.h"
#include "views/dedup/dedupview.h"
#include "views/reconcile/reconcilepane.h"

namespace outbox {

ReconcilePresenter::ReconcilePresenter(System &system, const Pages &pages,
                                       OperationPresenter &operations, QObject *parent)
    : QObject(parent), m_driver(operations.settings())
{
    ReconcilePane *pane = pages.dedup->reconcile();
    connect(&system.messages(), &MessageSource::shapeKnown, &m_driver, &ReconcileScanner::open);
    connect(pane, &ReconcilePane::lookAsked, &m_driver, &ReconcileScanner::look);
    connect(pane, &ReconcilePane::stopAsked, &m_driver, &ReconcileScanner::stop);
    connect(&m_driver, &ReconcileScanner::progressed, pane, &ReconcilePane::setProgress);
    connect(&m_driver, &ReconcileScanner::failed, pane, &ReconcilePane::setError);
    connect(&m_driver, &ReconcileScanner::ended, this,
            [pane, &operations](const ScanReport &report) {
                operations.driver().setLook(report);
                pane->setReport(report);
            });
}

} // namespace outbox
