// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A run of one or more relays on the command line: signals, log lines, the service manager, the
// totals at the end.
#pragma once

#include "app/audit/recordwriter.h"
#include "app/cli/output/printer.h"
#include "app/cli/output/relaylog.h"
#include "app/relay/relaydriver.h"
#include "app/relay/relayrecord.h"
#include "app/service/metricssampler.h"
#include "app/service/metricsserver.h"
#include "app/service/relaymetrics.h"
#include "app/service/signals.h"
#include "app/service/systemdnotifier.h"
#include "models/health/promise.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QHash>
#include <QTimer>

#include <memory>
#include <vector>

namespace outbox {

/// Errors: that of the server of the metrics, for an address that cannot be listened on.
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
        std::optional<MetricsAddress> metrics; ///< nullopt: nobody collects
        StoreSettings look; ///< with ReadOnly access, for the metrics
        RelayPlace place; ///< as it goes on record
    };

    RelayRun(const Printer &printer, Order order, int workers);
    ~RelayRun();
    /// Starts the relays and answers when all have ended. SIGTERM and SIGINT stop, a second one
    /// rolls back at once; SIGUSR1 pauses and resumes; SIGUSR2 drains and ends.
    [[nodiscard]] ExitCode untilEnd();

private:
    struct Worker
    {
        RelayDriver driver;
        int number = 0;
        int tries = 0; ///< since it began to back off
        QElapsedTimer since;
    };

    void watch(Worker &worker);
    void took(const QList<RelayStep> &steps);
    void answered(Worker &worker, bool isWell);
    void tellPromise(const RedisFacts &facts);
    [[nodiscard]] Result<void> openMetrics();
    void onSignal(int number);
    void stop();
    void togglePause();
    void drain();
    void tell();
    void keepRecord();
    [[nodiscard]] RelayState state() const;
    [[nodiscard]] QString standing() const;
    [[nodiscard]] RelayTotals totals() const;
    [[nodiscard]] QJsonObject totalsJson(bool last) const;
    [[nodiscard]] QByteArray metricsPage();

    const Printer &m_printer;
    RelayLog m_log;
    Order m_order;
    SystemdNotifier m_voice;
    std::vector<std::unique_ptr<Worker>> m_workers;
    Signals m_signals;
    QTimer m_everySecond;
    QEventLoop m_loop;
    QElapsedTimer m_clock;
    QHash<MessageId, QElapsedTimer> m_parked; ///< since when that was last told
    QString m_promise;
    std::optional<Error> m_failure;
    std::optional<Error> m_trouble; ///< why it backs off; nullopt again after a good batch
    QString m_how;
    QString m_why; ///< the signal that asked for its end
    std::unique_ptr<RecordWriter> m_record;
    size_t m_running = 0;
    int m_stopsAsked = 0;
    bool m_paused = false;
    Histogram m_batchSeconds = batchSecondsHistogram();
    std::unique_ptr<MetricsSampler> m_look;
    std::unique_ptr<MetricsServer> m_metrics;
};

} // namespace outbox
