// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An operator for one test: an operator session over a real outbox and queue, with a state folder
// of its own, who consents to everything.
#pragma once

#include "app/operations/core/operation.h"
#include "connectors/asynq/asynqqueue.h"
#include "tests/support/onelanerelay.h"
#include "tests/support/testoutbox.h"

#include <QHash>
#include <QTemporaryDir>

namespace outbox {

/// All that a plan may ask for.
[[nodiscard]] Consent fullConsent(const Plan &plan);

class TestOperator
{
public:
    /// A person with a folder of its own, or with the one that is given, e.g. to come back after a
    /// crash.
    explicit TestOperator(const QString &stateFolder = {});

    [[nodiscard]] Result<void> open(const TestOutbox &outbox);
    [[nodiscard]] Result<void> open(const QString &databaseUrl, const QString &table,
                                    const QString &redisUrl);
    /// With a mapping of the test's own.
    [[nodiscard]] Result<void> open(const TestOutbox &outbox, const OutboxShape &shape);
    [[nodiscard]] OperatorSession &session() { return m_session; }
    [[nodiscard]] QString stateFolder() const { return m_stateFolder; }

    [[nodiscard]] Result<Plan> plan(Verb verb, const Selection &selection);
    [[nodiscard]] Result<Receipt> carryOut(const Plan &plan, const OperationControl &control = {});
    /// Plan and act; the plan is thrown away.
    [[nodiscard]] Result<Receipt> act(Verb verb, const Selection &selection,
                                      const OperationControl &control = {});
    /// Newest first.
    [[nodiscard]] QList<Activity> activities();

    static Selection rows(const QStringList &ids);
    static Selection tasks(const QStringList &ids);

private:
    QTemporaryDir m_folder;
    QString m_stateFolder;
    OperatorSession m_session;
};

/// A relay over the same outbox and queue.
class FixtureRelay
{
public:
    [[nodiscard]] Result<void> open(const TestOutbox &outbox);
    /// Steps until nothing can be claimed.
    [[nodiscard]] RelayTotals drain(int batch = 200);
    [[nodiscard]] OneLaneRelay &relay() { return *m_relay; }

private:
    OutboxStore m_store;
    AsynqQueue m_queue;
    std::unique_ptr<OneLaneRelay> m_relay;
};

/// What Redis holds of each of these tasks: its hash, and where its id stands. A change of one task
/// shows in that task alone.
[[nodiscard]] QHash<QByteArray, QByteArray> redisByTask(RedisConnection &redis,
                                                        const QByteArrayList &ids);

} // namespace outbox
