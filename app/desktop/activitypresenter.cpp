// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/activitypresenter.h"

#include "app/desktop/operationpresenter.h"
#include "app/desktop/pages.h"
#include "app/desktop/savefile.h"
#include "app/settings/opening.h"
#include "app/system/system.h"
#include "models/operations/auditjoin.h"
#include "models/operations/receiptfile.h"
#include "models/phrases.h"
#include "views/activity/activityview.h"
#include "views/frame/mainwindow.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

ActivityPresenter::ActivityPresenter(System &system, const Pages &pages,
                                     OperationPresenter &operations, QObject *parent)
    : QObject(parent), m_system(system), m_pages(pages), m_operations(operations),
      m_table(system.profile(), system.secrets())
{
    joinDriver();
    joinTable();
    tellBadge();
    operations.driver().readRecord();
}

void ActivityPresenter::joinDriver()
{
    ActivityView *view = m_pages.activity;
    OperationDriver *driver = &m_operations.driver();
    connect(view, &ActivityView::undoAsked, this, &ActivityPresenter::undo);
    connect(m_pages.window, &MainWindow::undoLastAsked, this, [this] {
        if (const QString operation = lastUndoable(); !operation.isEmpty())
            undo(operation);
    });
    connect(view, &ActivityView::checkAsked, driver, &OperationDriver::check);
    connect(view, &ActivityView::verifyAsked, driver, &OperationDriver::verifyRecord);
    connect(view, &ActivityView::exportAsked, this, &ActivityPresenter::write);
    connect(driver, &OperationDriver::recordTaken, this, [this](const QList<Activity> &activities) {
        m_here = activities;
        show();
        tellUndo();
    });
    connect(driver, &OperationDriver::recordFailed, view, &ActivityView::setError);
    connect(driver, &OperationDriver::checkFailed, view, &ActivityView::setError);
    connect(driver, &OperationDriver::recordVerified, view, [view](const AuditTrail::Chain &chain) {
        view->setChain(chain.text, !chain.brokenAt.has_value());
    });
    connect(driver, &OperationDriver::runningChanged, this, [this] {
        tellBadge();
        if (!m_operations.driver().running())
            readShown(); // what it did stands there, too
    });
}

void ActivityPresenter::undo(const QString &operation)
{
    OperationRequest request{Verb::Import, {}, operation};
    const QList<Activity> here = m_here.value_or(QList<Activity>());
    for (const Activity &one : here) {
        if (one.operation == operation)
            request.verb = one.verb.value_or(request.verb); // which the dialog names
    }
    m_operations.ask(request);
}

/// The file tells of other systems, too. What was an undo itself is passed over: twice the same key
/// is no way back to what was taken back.
QString ActivityPresenter::lastUndoable() const
{
    const QList<Activity> here = m_here.value_or(QList<Activity>());
    const auto last = std::find_if(here.begin(), here.end(), [this](const Activity &one) {
        return one.target == m_target && !one.operation.isEmpty() && one.undoOf.isEmpty()
            && undoObstacle(one).isEmpty();
    });
    return last == here.end() ? QString() : last->operation;
}

void ActivityPresenter::tellUndo()
{
    m_pages.window->setUndoOffered(!lastUndoable().isEmpty());
}

void ActivityPresenter::joinTable()
{
    connect(&m_table, &AuditFeed::taken, this, [this](const AuditPage &page) {
        m_page = page;
        m_tableError.reset();
        m_isTableRead = true;
        show();
    });
    connect(&m_table, &AuditFeed::failed, this, [this](const Error &error) {
        m_tableError = error;
        show();
    });
    connect(m_pages.activity, &ActivityView::moreAsked, this,
            [this] { m_table.readMore(outbox()); });
    connect(&m_system.messages(), &MessageSource::shapeKnown, this, &ActivityPresenter::readShown);
    connect(&m_system.messages(), &MessageSource::shapeKnown, this,
            [this](const OutboxShape &shape) { // of documents, too
                m_target = recordTarget(m_system.profile(), shape);
                tellUndo();
            });
    connect(m_pages.window, &MainWindow::pageShown, this, [this](int page) {
        if (page != Pages::Activity)
            return;
        m_operations.driver().readRecord(); // outboxctl writes there, too
        readShown();
    });
}

void ActivityPresenter::readShown()
{
    if (m_pages.window->currentPage() == Pages::Activity)
        m_table.read(outbox());
}

TableName ActivityPresenter::outbox() const
{
    const auto &shape = m_system.database().shape();
    return shape ? shape->table : TableName::fromText(m_system.profile().table);
}

void ActivityPresenter::show()
{
    if (!m_here)
        return;
    const auto &shape = m_system.database().shape();
    m_pages.activity->setActivities(
        joined(*m_here, m_page, operatorName(),
               recordTarget(m_system.profile(), shape.value_or(OutboxShape()))));
    m_pages.activity->setSources(sourcesText(),
                                 m_tableError && m_tableError->kind != Error::Kind::Unsupported,
                                 m_isTableRead && !m_page.isWhole && m_table.mayReadMore());
}

QString ActivityPresenter::sourcesText() const
{
    if (!m_table.isOffered())
        return {};
    if (m_tableError && m_isTableRead)
        return tr("The table outbox_audit was not read again: %1.").arg(oneLine(*m_tableError));
    if (m_tableError)
        return tr("From the file of this machine alone; what was done elsewhere is not known: %1.")
            .arg(oneLine(*m_tableError));
    if (!m_isTableRead)
        return tr("From the file of this machine; the database was not asked yet.");
    if (m_page.isWhole)
        return tr("From the file of this machine and the table outbox_audit of the database.");
    return tr("From the file of this machine and the newest %1 entries of the table outbox_audit.")
        .arg(countText(m_page.rows.size()));
}

ActivityPresenter::~ActivityPresenter()
{
    m_pages.window->setBadge(Pages::Activity, {}, false);
    m_pages.window->setUndoOffered(false);
}

void ActivityPresenter::tellBadge()
{
    m_pages.window->setBadge(Pages::Activity,
                             m_operations.driver().running() ? countText(1) : QString(), false);
}

void ActivityPresenter::write(const QList<Activity> &activities)
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
