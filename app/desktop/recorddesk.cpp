// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/recorddesk.h"

#include "app/desktop/operationdesk.h"
#include "app/desktop/pages.h"
#include "app/desktop/savefile.h"
#include "models/operations/receiptfile.h"
#include "models/phrases.h"
#include "views/activityview.h"
#include "views/mainwindow.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

RecordDesk::RecordDesk(const Pages &pages, OperationDesk &operations, QObject *parent)
    : QObject(parent), m_pages(pages), m_operations(operations)
{
    ActivityView *view = pages.activity;
    OperationDriver *driver = &operations.driver();
    connect(view, &ActivityView::undoAsked, this, [this](const QString &operation) {
        m_operations.ask({Verb::Import, {}, operation});
    });
    connect(view, &ActivityView::checkAsked, driver, &OperationDriver::check);
    connect(view, &ActivityView::verifyAsked, driver, &OperationDriver::verifyRecord);
    connect(view, &ActivityView::exportAsked, this, &RecordDesk::write);
    connect(driver, &OperationDriver::recordTaken, view, &ActivityView::setActivities);
    connect(driver, &OperationDriver::recordFailed, view, &ActivityView::setError);
    connect(driver, &OperationDriver::checkFailed, view, &ActivityView::setError);
    connect(driver, &OperationDriver::recordVerified, view, [view](const AuditTrail::Chain &chain) {
        view->setChain(chain.text, !chain.brokenAt.has_value());
    });
    connect(driver, &OperationDriver::runningChanged, this, &RecordDesk::tellBadge);
    connect(pages.window, &MainWindow::pageShown, this, [driver](int page) {
        if (page == Pages::Activity)
            driver->readRecord(); // outboxctl writes there, too
    });
    tellBadge();
    driver->readRecord();
}

RecordDesk::~RecordDesk()
{
    m_pages.window->setBadge(Pages::Activity, {}, false);
}

void RecordDesk::tellBadge()
{
    m_pages.window->setBadge(Pages::Activity,
                             m_operations.driver().running() ? countText(1) : QString(), false);
}

void RecordDesk::write(const QList<Activity> &activities)
{
    askAndSave(m_pages.window, tr("Export the record"), u"activity"_s,
               {{tr("JSON lines (*.jsonl)"), activitiesJsonLines(activities)}},
               [this](const Result<QString> &saved) {
                   m_pages.window->messages()->add(
                       {u"record"_s,
                        saved ? HealthLevel::Ok : HealthLevel::Watch,
                        saved ? tr("The record is in %1.").arg(*saved) : oneLine(saved.error()),
                        {}});
               });
}

} // namespace outbox
