// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A run of one or more relays on the command line: signals, one line a second, the totals at the
// end.
#pragma once

#include "app/cli/printer.h"
#include "app/relay/relaydriver.h"
#include "app/service/signals.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QSet>
#include <QTimer>

#include <memory>
#include <vector>

namespace outbox {

class RelayRun
{
public:
    struct Order
    {
        StoreSettings store;
        OutboxShape shape;
        RedisEndpoint redis;
        RelaySettings settings;
        bool drain = false;
    };

    RelayRun(const Printer &printer, Order order, int workers);
    ~RelayRun();
    /// Starts the relays and answers when all have ended.
    [[nodiscard]] ExitCode untilEnd();

private:
    void watch(RelayDriver &driver);
    void onSignal(int number);
    void tell();
    [[nodiscard]] RelayTotals totals() const;
    [[nodiscard]] QJsonObject totalsJson(bool last) const;

    const Printer &m_printer;
    Order m_order;
    std::vector<std::unique_ptr<RelayDriver>> m_drivers;
    Signals m_signals;
    QTimer m_everySecond;
    QEventLoop m_loop;
    QElapsedTimer m_clock;
    QSet<MessageId> m_parked;
    std::optional<Error> m_failure;
    QString m_how;
    size_t m_running = 0;
    int m_signalsSeen = 0;
    bool m_placeTold = false;
};

} // namespace outbox
