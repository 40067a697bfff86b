// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The window with all its pages, dialogs and menus, and one text put wherever the engine brings
// texts to them.
#pragma once

#include "models/system/systemhistory.h"
#include "tests/support/hostilesystem.h"
#include "views/activity/activityview.h"
#include "views/alerts/alertsview.h"
#include "views/connections/profiledialog.h"
#include "views/dedup/dedupview.h"
#include "views/documents/documentsview.h"
#include "views/fleet/fleetview.h"
#include "views/frame/mainwindow.h"
#include "views/frame/welcomeview.h"
#include "views/mapping/mappingdialog.h"
#include "views/operation/plandialog.h"
#include "views/outbox/outboxview.h"
#include "views/overview/overviewview.h"
#include "views/queue/queueview.h"
#include "views/reconcile/reconcileview.h"
#include "views/relay/relayview.h"

#include <functional>
#include <memory>

namespace outbox {

class HostileWindow
{
public:
    /// What one part of the engine would bring to one part of the window.
    struct Filling
    {
        QString name;
        int page; ///< of the window, to be shown before; -1: it is on none
        std::function<QWidget *()> fill; ///< answers what was filled
    };

    HostileWindow();
    ~HostileWindow();
    Q_DISABLE_COPY_MOVE(HostileWindow)

    /// They hold until the next text.
    [[nodiscard]] QList<Filling> fillings(const QString &text);
    [[nodiscard]] MainWindow &window() { return m_window; }

private:
    [[nodiscard]] QWidget *fillFrame(const QString &text);
    [[nodiscard]] QWidget *fillOverview(const QString &text);
    [[nodiscard]] QWidget *fillOutbox(const QString &text);
    [[nodiscard]] QWidget *fillOutboxFailures(const QString &text);
    [[nodiscard]] QWidget *fillPanel(const QString &text);
    [[nodiscard]] QWidget *fillPayloads(const QString &text);
    [[nodiscard]] QWidget *fillFilter(const QString &text);
    [[nodiscard]] QWidget *fillQueues(const QString &text);
    [[nodiscard]] QWidget *fillSearch(const QString &text);
    [[nodiscard]] QWidget *fillGroups(FailuresPane *pane, const QString &text);
    [[nodiscard]] QWidget *fillDedup(const QString &text);
    [[nodiscard]] QWidget *fillReconcile(const QString &text);
    [[nodiscard]] QWidget *fillRelay(const QString &text);
    [[nodiscard]] QWidget *fillActivity(const QString &text);
    [[nodiscard]] QWidget *fillDocuments(const QString &text, DesignList list);
    [[nodiscard]] QWidget *fillFleet(const QString &text);
    [[nodiscard]] QWidget *fillAlerts(const QString &text);
    [[nodiscard]] QWidget *fillProfiles(const QString &text);
    [[nodiscard]] QWidget *fillMapping(const QString &text);
    [[nodiscard]] QWidget *fillPlan(const QString &text);
    [[nodiscard]] QWidget *fillReceipt(const QString &text);

    hostile::Everything m_values; ///< made beforehand: that is none of the window's doing
    SystemHistory m_history;
    MainWindow m_window;
    OverviewView m_overview{&m_history};
    OutboxView m_outbox;
    QueueView m_queues;
    DedupView m_dedup;
    ReconcileView m_reconcile;
    RelayView m_relay;
    ActivityView m_activity;
    DocumentsView m_documents;
    FleetView m_fleet;
    AlertsView m_alerts;
    WelcomeView m_welcome;
    ProfileDialog m_profiles;
    MappingDialog m_mapping;
    PlanDialog m_plan;
    std::unique_ptr<QWidget> m_made; ///< what is made anew for each text
};

} // namespace outbox
