// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What lives in the operator's room: a pair of connections that only look, a pair that may act, and
// the audit.
#pragma once

#include "app/audit/audittrail.h"
#include "app/relay/parking/outboxparking.h"
#include "connectors/asynq/edit/taskeditor.h"
#include "connectors/asynq/observe/inspector.h"
#include "connectors/redis/sentinel/masterwatch.h"
#include "connectors/sql/edit/outboxeditor.h"
#include "connectors/sql/outbox/outboxstore.h"
#include "models/profile/profile.h"
#include "models/profile/profilepasswords.h"
#include "models/result.h"

#include <QString>

#include <memory>
#include <optional>
#include <stop_token>

namespace outbox {

struct OperatorSessionSettings
{
    Profile profile;
    OutboxShape shape;
    ProfilePasswords look; ///< of the viewing roles
    std::optional<ProfilePasswords>
        act; ///< of the acting roles, once writing is armed; nullopt: plans only
    QString stateFolder; ///< audit and exports
    QString face; ///< "outboxdeck" or "outboxctl"
};

/// "public.outbox @ db-1/shop -> redis-1/0": which system an entry of the record is about; for
/// people, without secrets.
[[nodiscard]] QString recordTarget(const Profile &profile, const OutboxShape &shape);

/// Blocking; used in its room only, but for `interrupt` and `interruptLooks`. Plans use the looking
/// pair, whose sessions the servers keep read-only; the acting pair is opened by the first act and
/// closed by `disarm`.
/// Errors: those of the source that is opened; Invalid where no system was opened, Unsupported for
/// a part that the profile does not name.
class OperatorSession
{
public:
    [[nodiscard]] Result<void> open(const OperatorSessionSettings &settings);
    void close();
    /// What ends a plan that is being made, also in the sessions that it opens beside those here.
    /// In its room; outlives `close`.
    void setStop(std::stop_token stop) { m_stop = std::move(stop); }
    [[nodiscard]] const std::stop_token &stop() const { return m_stop; }
    /// Takes the acting roles' passwords; opens nothing yet.
    void arm(const ProfilePasswords &act);
    void disarm();
    [[nodiscard]] bool isArmed() const { return m_settings && m_settings->act; }

    /// As it was opened, with what it is armed with.
    [[nodiscard]] const OperatorSessionSettings &settings() const { return *m_settings; }
    [[nodiscard]] const Profile &profile() const { return m_settings->profile; }
    [[nodiscard]] const OutboxShape &shape() const { return m_settings->shape; }
    [[nodiscard]] const QString &face() const { return m_settings->face; }
    [[nodiscard]] QString who() const; ///< "ana@desk"
    /// For people, without secrets.
    [[nodiscard]] QString target() const { return recordTarget(profile(), shape()); }
    [[nodiscard]] QString exportFile(const QString &operation) const;

    /// Connected, or the reason why not. A profile without a Redis URL has no queue: Unsupported.
    [[nodiscard]] Result<OutboxStore *> rows();
    [[nodiscard]] Result<AsynqInspector *> tasks();
    /// Where parked rows are, to be looked at; rows in its file may be changed by who acts.
    [[nodiscard]] Result<OutboxParking *> parking();
    /// Refused while not armed.
    [[nodiscard]] Result<OutboxEditor *> rowEditor();
    /// Where sentinels know the master of Redis they are listened to from the first call on:
    /// Unreachable while it fails over, but for what follows in a chunk that has begun; connected
    /// anew behind that.
    [[nodiscard]] Result<TaskEditor *> taskEditor();
    /// What is told as one begins: a chunk of an operation.
    void beginChunk() { m_isQueueUsed = m_isQueueDoubted = false; }
    /// The master has begun to fail over since a task editor was asked for in this chunk: what was
    /// written by it may be lost, whatever was answered.
    [[nodiscard]] bool isQueueInDoubt() const;
    [[nodiscard]] AuditTrail &audit() { return *m_audit; }

    /// From any thread: shuts the database sockets.
    void interrupt() noexcept;
    /// The same of the sessions that only look, for a plan: nothing comes into doubt by it.
    void interruptLooks() noexcept;

private:
    /// Lets go of the master that the queue was on, where it may be another one by now.
    [[nodiscard]] Result<void> followMaster();

    std::stop_token m_stop;
    std::optional<OperatorSessionSettings> m_settings;
    std::optional<AuditTrail> m_audit;
    OutboxStore m_rows;
    AsynqInspector m_tasks;
    OutboxParking m_parking;
    OutboxEditor m_rowEditor;
    TaskEditor m_taskEditor;
    std::unique_ptr<MasterWatch> m_watch; ///< behind a task editor, where there are sentinels
    bool m_isQueueUsed = false; ///< in this chunk
    bool m_isQueueDoubted = false; ///< by what `followMaster` has taken note of
};

} // namespace outbox
