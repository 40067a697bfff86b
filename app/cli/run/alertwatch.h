// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The alerts of `watch --alerts`: judged at every look, told on stderr and stdout, handed to
// commands and webhooks.
#pragma once

#include "app/cli/output/printer.h"
#include "app/service/alertdelivery.h"
#include "app/system/filtercounts.h"
#include "app/system/fleet/systemreading.h"
#include "models/alerts/watchedalert.h"

#include <QList>

#include <memory>
#include <optional>

namespace outbox {

/// For the main thread with its event loop.
class AlertWatch
{
public:
    AlertWatch(const QList<Alert> &alerts, const Printer &printer);

    /// Rules on filters are counted in this system, between the looks; without this call they are
    /// not judged.
    void countIn(const Target &target);
    /// What the looks have to ask for: the rate of rows that come costs statements of its own.
    [[nodiscard]] Arrivals arrivals() const;
    /// Waits for nobody. `shape` is that by which the outbox was seen.
    void take(const SystemReading &look, const std::optional<OutboxShape> &shape = {});

private:
    void takeCount(const AlertRule &rule, const FilterCount &count);
    void judge(WatchedAlert &watched, const AlertSources &sources, const QDateTime &at);
    void tell(const Alert &alert, const AlertEvent &event) const;

    Printer m_printer;
    QList<WatchedAlert> m_watched;
    AlertDelivery m_delivery;
    std::unique_ptr<FilterCounts> m_counts; ///< nullptr: no rule is on a filter
};

} // namespace outbox
