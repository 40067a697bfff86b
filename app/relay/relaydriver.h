// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs a relay: pace, NOTIFY wake-up, back-off, pause, drain, graceful stop.
#pragma once

#include "models/relaystep.h"
#include "models/result.h"

#include <QObject>
#include <QString>

#include <memory>
#include <optional>

namespace outbox {

struct OutboxShape;
struct RedisEndpoint;
struct StoreSettings;

struct RelaySettings
{
    int batch = 100;
    int pollMs = 500; ///< how long an idle relay waits without a NOTIFY
    double ratePerSecond = 0; ///< 0 = no limit
    qint64 retentionSeconds = 24 * 3600;
    bool allowDuplicates = false; ///< permits a retention below one second
    QString queue = QStringLiteral("default");
    QString notifyChannel; ///< empty = polling only
    int graceMs = 5000;

    bool operator==(const RelaySettings &) const = default;
};

/// One running relay in a room of its own, with its own pair of connections. Lives in the thread of the
/// one who made it; needs an event loop. Every stop is at a clean border: a step is one transaction.
class RelayDriver : public QObject
{
    Q_OBJECT

public:
    explicit RelayDriver(QObject *parent = nullptr);
    ~RelayDriver() override;

    [[nodiscard]] RelayState state() const;
    [[nodiscard]] const RelayTotals &totals() const;
    [[nodiscard]] const RelaySettings &settings() const;

    /// Opens both connections and begins. Refusals (retention, eviction policy, shape, read-only server)
    /// are told by `failed` before a row is touched.
    void start(const StoreSettings &store, const OutboxShape &shape, const RedisEndpoint &redis,
               const RelaySettings &settings);
    void pause();
    void resume();
    /// Goes on until the outbox holds nothing that can be claimed, then stops.
    void drain();
    /// No new claim; the batch in hand is finished within the grace time, else rolled back.
    void stop();
    /// Rolls the batch in hand back at once by closing the database session.
    void abandon();

signals:
    void stateChanged(outbox::RelayState state);
    void stepsTaken(const QList<outbox::RelayStep> &steps);
    /// Why it did not start, or why it gave up. Not sent for errors that back-off will cure.
    void failed(const outbox::Error &error);
    /// After the last step: "drained", "stopped", "abandoned" or "failed".
    void finished(const QString &how);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace outbox
