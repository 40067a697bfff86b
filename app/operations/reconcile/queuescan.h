// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of a look that walks through one queue, and judges what it suspects by two more looks.
#pragma once

#include "app/operations/reconcile/scancontext.h"
#include "connectors/asynq/observe/queuesurvey.h"

namespace outbox {

/// What servers and workers say of themselves at the beginning of a look.
struct LiveWorkers
{
    QSet<QString> servedQueues;
    QSet<std::pair<QString, QString>> running; ///< queue and task
};

[[nodiscard]] Result<LiveWorkers> liveWorkers(AsynqInspector &inspector);

/// Errors: those of the inspector and of the store.
class QueueScan
{
public:
    /// `inspector` is open; `rows` is null where rows are not read. All outlive the look.
    QueueScan(ScanContext &run, AsynqInspector &inspector, OutboxStore *rows,
              const QueueName &queue, const LiveWorkers &live);

    enum class Keys { All, Lists };
    /// Walks through the queue, from `from` where a look stopped, then judges. When it has to end
    /// before, `run.report.position` says where it is. Keys::All walks through all of Redis for
    /// hashes and locks that no list names.
    [[nodiscard]] Result<void> walk(const std::optional<ScanPosition> &from, Keys keys);
    /// Judges these ids alone. False: it had to end before, nothing was judged.
    [[nodiscard]] Result<bool> judge(const asynq::Suspects &suspects);
    /// Judges the watched tasks of the report again; as `judge`.
    [[nodiscard]] Result<bool> judgeWatched();

private:
    struct Seen;
    struct Walk; ///< its terms, and where it stands
    /// From where it stands; true at the end, false where it has to end before.
    [[nodiscard]] Result<bool> walkAt(RedisConnection &node, Walk &course);
    [[nodiscard]] Result<Seen> look(const asynq::Suspects &suspects);
    [[nodiscard]] Result<Seen> lookAt(RedisConnection &node, const asynq::Suspects &suspects);
    [[nodiscard]] Result<void> join(const QList<Task> &tasks, asynq::Suspects &suspects);
    [[nodiscard]] std::optional<Message> rowIn(const Seen &seen, const QByteArray &id) const;
    [[nodiscard]] Result<void> consider(const asynq::TaskFacts &facts,
                                        const std::optional<Message> &row, const QDateTime &now);
    void considerSound(const asynq::TaskFacts &facts, const std::optional<Message> &row);
    [[nodiscard]] std::optional<QDateTime> ripeSince(Finding mine, const QDateTime &now);
    [[nodiscard]] Result<bool> isSameMessage(const Message &row, const asynq::TaskFacts &facts);
    [[nodiscard]] Finding findingOf(FindingKind kind, const asynq::TaskFacts &facts,
                                    const std::optional<Message> &row) const;
    void addAboutKeys(QList<Finding> findings);
    [[nodiscard]] bool keepsRows() const
    {
        return m_rows && m_run.session().shape().processedHow != OutboxShape::ProcessedHow::Deleted;
    }

    ScanContext &m_run;
    AsynqInspector &m_inspector;
    OutboxStore *m_rows;
    QueueName m_queue;
    const LiveWorkers &m_live;
    bool m_hasLeases = true;
    qint64 m_archived = 0; ///< tasks in the archive
    qint64 m_reattached = 0; ///< findings that would put a task there
};

} // namespace outbox
