// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The alerts of `watch --alerts`: judged at every look, told on stderr and stdout, handed to
// commands and webhooks.
#pragma once

#include "app/cli/output/printer.h"
#include "app/service/alertdelivery.h"
#include "app/system/fleet/systemreading.h"
#include "models/alerts/watchedalert.h"

#include <QList>

namespace outbox {

/// For the main thread with its event loop.
class AlertWatch
{
public:
    AlertWatch(const QList<Alert> &alerts, const Printer &printer);

    /// What the looks have to ask for: the rate of rows that come costs statements of its own.
    [[nodiscard]] Arrivals arrivals() const;
    /// Waits for nobody.
    void take(const SystemReading &look);

private:
    void judge(WatchedAlert &watched, const AlertSources &sources, const QDateTime &at);
    void tell(const Alert &alert, const AlertEvent &event) const;

    Printer m_printer;
    QList<WatchedAlert> m_watched;
    AlertDelivery m_delivery;
};

} // namespace outbox
