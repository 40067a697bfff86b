// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A throwaway system that lives: database, Redis, an application that writes and a worker that
// works.
#pragma once

#include "app/demo/breakage.h"
#include "app/demo/demodesign.h"
#include "app/relay/relaydriver.h"
#include "connectors/redis/endpoint.h"
#include "connectors/sql/outbox/outboxstore.h"
#include "models/profile/profile.h"
#include "models/result.h"

#include <QObject>

#include <memory>

namespace outbox {

/// Everything is in temporary folders and child processes of ours; both are gone when this is gone.
/// The relay of rows is not part of it: whoever shows the demo starts one with `relaySettings`.
/// What is left in documents is sent by the demo itself. Lives in one thread with an event loop,
/// which ends after it (children die with the thread that started them).
class Demo : public QObject
{
    Q_OBJECT

public:
    enum class Kind { Sqlite, Postgres };

    explicit Demo(QObject *parent = nullptr);
    ~Demo() override;

    /// Starts the servers, makes the tables, and begins to write and to work. Waits until all of
    /// this stands (SQLite some 100 ms, PostgreSQL 1 to 3 s). Fails with Unsupported and the
    /// package to install when a server is missing.
    [[nodiscard]] Result<void> start(Kind kind, DemoDesign design = DemoDesign::RedisRelay);
    [[nodiscard]] Kind kind() const;
    [[nodiscard]] DemoDesign design() const;

    /// The system as a saved one would be: confirmed shape or design, environment Demo, not
    /// read-only.
    [[nodiscard]] Profile profile() const;
    [[nodiscard]] StoreSettings relayStore() const;
    [[nodiscard]] RedisEndpoint redis() const;
    [[nodiscard]] RelaySettings relaySettings() const;
    /// For what is recorded and exported while it runs; gone with it.
    [[nodiscard]] QString stateFolder() const;

    /// Does one entry of breakages(). No-op while the same one is still going on.
    void breakThing(const QString &id);
    /// Ends what does not end by itself, and what would, at once.
    void healThing(const QString &id);
    /// Whoever shows the demo tells how its relay is doing: that ends what a new start heals.
    void noteRelay(bool isRunning, qint64 retentionSeconds);
    /// A batch was delivered after one was lost.
    void noteDelivery();
    [[nodiscard]] bool isBroken(const QString &id) const;
    /// Nobody writes, works or dispatches any more, once the step that is under way has ended:
    /// what is looked at then changes by the looker's acts alone. The servers stay.
    void rest();

    [[nodiscard]] qint64 written() const; ///< messages since the start
    [[nodiscard]] qint64 workedOff() const; ///< tasks the worker ended since the start

signals:
    void relayStopAsked();
    void relayStartAsked();
    void relayKillAsked();
    void loseAnswerAsked();
    void retentionAsked(qint64 seconds); ///< the relay is to start again with it
    void brokenChanged(const QString &id, bool broken);
    /// The writer or the worker could not do its step; it tries again by itself.
    void troubled(const outbox::Error &error);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace outbox
