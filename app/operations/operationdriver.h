// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The operator of one system for a program with an event loop: plans, acts and reads the record in
// rooms of its own, and says so by signals.
#pragma once

#include "app/operations/core/operatorsession.h"
#include "models/operations/arming.h"
#include "models/operations/auditentry.h"
#include "models/operations/commandline.h"
#include "models/operations/consent.h"
#include "models/operations/receipt.h"
#include "models/operations/scanreport.h"

#include <QObject>

#include <functional>
#include <memory>

namespace outbox {

class Operation;

/// Lives in the thread of the one who made it and never waits but in its destructor, which stops
/// a plan that is being made, cancels what runs and waits for the batch in hand. One operation at a
/// time.
class OperationDriver : public QObject
{
    Q_OBJECT

public:
    /// `settings.shape` may come later, by `open`; `settings.act` is filled in here: a profile that
    /// is not read-only and names no acting roles acts with the passwords it looks with.
    explicit OperationDriver(OperatorSessionSettings settings, QObject *parent = nullptr);
    ~OperationDriver() override;

    /// Asked first what a request means; where it answers nullptr the verb's own class serves.
    /// Called in the operator's room.
    using OperationMaker = std::function<Result<std::unique_ptr<Operation>>(
        const OperationRequest &request, const OperatorSessionSettings &settings)>;
    void setOperations(OperationMaker maker);

    /// Nothing can be planned before this.
    void open(const OutboxShape &shape);
    [[nodiscard]] bool isOpen() const;
    [[nodiscard]] const Arming &arming() const;
    /// The plan that is being carried out; nullptr: none.
    [[nodiscard]] const Plan *running() const;

    /// Tries the roles, records it and arms for `armedMinutes`; then it locks itself.
    void unlock(const Unlocking &unlocking);
    /// At once for whatever comes; an operation under way is finished.
    void lock();

    /// What a look found: repairs planned from now on need not watch again what it has watched.
    void setLook(const ScanReport &report);
    /// Reads a row whole, for an editor.
    void readContent(const MessageId &row);
    /// The same of a task.
    void readContent(const QueueName &queue, const TaskId &task);
    /// Looks and freezes; an older question is dropped.
    void plan(const OperationRequest &request);
    /// No answer comes any more; what is being looked at for it is given up.
    void dropPlan();
    void carryOut(const Plan &plan, const Consent &consent);
    /// Both take effect between two chunks.
    void pause(bool paused);
    void cancel();
    [[nodiscard]] bool isPaused() const;

    /// Looks at what is in doubt of an operation; the record says afterwards what was found.
    void check(const QString &operation);
    void readRecord();
    void verifyRecord();

signals:
    void armingChanged(const outbox::Arming &arming);
    void unlockFailed(const outbox::Error &error);
    void contentRead(const outbox::RowContent &content);
    void contentFailed(const outbox::Error &error);
    void planned(const outbox::Plan &plan);
    void planFailed(const outbox::Error &error);
    void progressed(const outbox::OperationProgress &progress);
    void pausedChanged(bool paused);
    /// An operation began or ended.
    void runningChanged();
    void carriedOut(const outbox::Plan &plan, const outbox::Receipt &receipt);
    /// It was not begun; nothing was done.
    void refused(const outbox::Plan &plan, const outbox::Error &error);
    void checked(const outbox::Activity &activity);
    void checkFailed(const outbox::Error &error);
    /// Newest first.
    void recordTaken(const QList<outbox::Activity> &activities);
    void recordFailed(const outbox::Error &error);
    void recordVerified(const outbox::AuditTrail::Chain &chain);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace outbox
