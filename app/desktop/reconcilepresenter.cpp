// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/reconcilepresenter.h"

#include "app/desktop/operationpresenter.h"
#include "app/desktop/pages.h"
#include "app/system/system.h"
#include "views/overview/overviewview.h"
#include "views/reconcile/reconcileview.h"

namespace outbox {

ReconcilePresenter::ReconcilePresenter(System &system, const Pages &pages,
                                       OperationPresenter &operations, QObject *parent)
    : QObject(parent), m_driver(operations.settings())
{
    ReconcileView *view = pages.reconcile;
    connect(&system.messages(), &MessageSource::shapeKnown, &m_driver, &ReconcileScanner::open);
    connect(view, &ReconcileView::lookAsked, &m_driver, &ReconcileScanner::look);
    connect(view, &ReconcileView::stopAsked, &m_driver, &ReconcileScanner::stop);
    connect(&m_driver, &ReconcileScanner::progressed, view, &ReconcileView::setProgress);
    connect(&m_driver, &ReconcileScanner::failed, view, &ReconcileView::setError);
    connect(&operations.driver(), &OperationDriver::carriedOut, view, &ReconcileView::setRepaired);
    connect(&m_driver, &ReconcileScanner::ended, this,
            [view, &operations](const ScanReport &report) {
                operations.driver().setLook(report);
                view->setReport(report);
            });
    connect(view, &ReconcileView::reportChanged, this,
            [view, overview = pages.overview] { overview->setLastCheck(view->summary()); });
}

} // namespace outbox
