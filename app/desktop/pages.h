// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pages of the console, as the presenters know them.
#pragma once

namespace outbox {

class ActivityView;
class AlertsView;
class DedupView;
class DocumentsView;
class FleetView;
class Locator;
class MainWindow;
class OutboxView;
class OverviewView;
class QueueView;
class ReconcileView;
class RelayView;
class WelcomeView;

/// Owned by the window. The numbers are those of MainWindow::addPage.
struct Pages
{
    MainWindow *window = nullptr;
    OverviewView *overview = nullptr;
    OutboxView *outbox = nullptr;
    DocumentsView *documents = nullptr; ///< in the place of `outbox` where messages wait in them
    QueueView *queue = nullptr;
    DedupView *dedup = nullptr;
    ReconcileView *reconcile = nullptr;
    RelayView *relay = nullptr;
    ActivityView *activity = nullptr;
    FleetView *fleet = nullptr; ///< of all saved systems, whichever is open
    AlertsView *alerts = nullptr;
    WelcomeView *welcome = nullptr;
    Locator *locator = nullptr; ///< over whichever page is shown

    enum Number { Overview, Outbox, Queue, Dedup, Reconcile, Relay, Activity, Fleet, Alerts };
};

} // namespace outbox
