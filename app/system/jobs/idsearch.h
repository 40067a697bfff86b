// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Looks for an id wherever it may stand beside its row and its task: records, exports, parked rows,
// and tasks of earlier rows with the same key.
#pragma once

#include "app/system/sources/target.h"
#include "connectors/asynq/observe/inspector.h"
#include "connectors/sql/edit/audittable.h"
#include "models/shape/outboxshape.h"
#include "models/system/systemview.h"

#include <stop_token>

namespace outbox {

/// Only looks, over sessions of its own. Blocking; made and used in one thread, but for
/// `interrupt`.
class IdSearch
{
public:
    /// A search through the names of keys ends after so many, or so long.
    static constexpr qint64 mostKeys = 5'000'000;
    static constexpr qint64 mostSeconds = 30;

    /// Names the system that is searched: the state folder of `target` holds record, exports and
    /// parked rows, and `face`, "outboxdeck" or "outboxctl", is who searches. Comes before
    /// `search`.
    void setSystem(const Target &target, const OutboxShape &shape, const QString &face)
    {
        m_target = target;
        m_shape = shape;
        m_face = face;
    }

    /// `facts` with what else is found. What has a row is looked for in the file alone; for what
    /// has none the database, the parked rows, and where its task cannot be named the keys of Redis
    /// are searched as well: paced, at most half of the time, until `stop` or the budget ends it.
    /// What could not be read is told in `gaps`.
    [[nodiscard]] IdVerdict search(IdVerdict facts, const std::stop_token &stop);
    /// From any thread: shuts the database's socket.
    void interrupt() noexcept { m_table.interrupt(); }

private:
    void lookInFile(IdVerdict &facts);
    void lookInTable(IdVerdict &facts);
    void lookInParking(IdVerdict &facts);
    void lookForLives(IdVerdict &facts, const std::stop_token &stop);

    Target m_target;
    OutboxShape m_shape;
    QString m_face;
    QStringList m_ids; ///< texts that mean the message
    QList<std::pair<QueueName, TaskId>> m_tasks; ///< that records say it had
    AuditTable m_table;
};

} // namespace outbox
