// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A walk over everything that one queue holds, page by page, to find what is inconsistent in it.
#pragma once

#include "connectors/asynq/observe/factsread.h"
#include "connectors/asynq/wire/keys.h"
#include "models/operations/finding.h"

#include <QSet>

#include <optional>

namespace outbox::asynq {

/// What one page showed. A task is sound unless its id is among the suspects.
struct SurveyPage
{
    QList<Task> tasks; ///< of a container, in its state; without payloads
    qint64 keys = 0; ///< of Redis, scanned
    QList<Finding> findings; ///< about keys, not about single tasks; looked at twice already
    QStringList notes; ///< what was not read
};

/// Look only: plain reads, pages of about a hundred ids and scans of a thousand keys at a time. The
/// caller decides when the next page is read, and thereby how fast, how long and whether at all.
/// Ids whose facts do not fit become suspects; the walk does not judge them, for in a queue at work
/// a single look proves nothing. Memory: eight bytes (and the set around them) for each id of the
/// two lists, and the suspects themselves.
/// Errors: those of `RedisConnection`.
class QueueSurvey
{
public:
    /// `connection` is open and outlives the survey. `patienceSeconds`: see `diagnose`. Without
    /// `scansKeys` containers only are walked through, neither stray hashes nor locks.
    QueueSurvey(RedisConnection &connection, const QueueName &queue, qint64 patienceSeconds = 120,
                bool scansKeys = true);

    /// asynq's list of queues is at another node of a Cluster, and whoever knows says whether the
    /// queue is on it; else this connection is asked.
    void setListed(bool isListed) { m_isListed = isListed; }
    /// Goes on where another survey of this queue stopped.
    void resumeAt(int phase, const QByteArray &cursor, const Suspects &suspects);
    /// Reads one page more. After an error the same page is read again.
    [[nodiscard]] Result<SurveyPage> next();
    [[nodiscard]] bool isDone() const;

    [[nodiscard]] int phase() const { return static_cast<int>(m_phase); }
    [[nodiscard]] const QByteArray &cursor() const { return m_cursor; }
    [[nodiscard]] QString phaseText() const; ///< "retry of default"
    [[nodiscard]] const Suspects &suspects() const { return m_suspects; }
    /// Workers before 0.22 serve the queue: active tasks have no lease there.
    [[nodiscard]] bool hasLeases() const { return m_hasLeases; }

private:
    enum class Phase;
    struct Member; ///< an id and where it stands

    void leavePhase();
    [[nodiscard]] Result<SurveyPage> pageOfPhase();
    [[nodiscard]] Result<SurveyPage> lookAtKeys();
    [[nodiscard]] Result<SurveyPage> pageOfList(TaskState state);
    [[nodiscard]] Result<SurveyPage> pageOfSet(TaskState state, const QByteArray &key);
    [[nodiscard]] Result<SurveyPage> pageOfLeases();
    [[nodiscard]] Result<SurveyPage> pageOfGroups();
    [[nodiscard]] Result<SurveyPage> pageOfHashes();
    [[nodiscard]] Result<SurveyPage> pageOfLocks();
    [[nodiscard]] Result<SurveyPage> judged(const QList<Member> &members);
    /// One step of SCAN or ZSCAN from the cursor; the cursor is "0" after the last one.
    [[nodiscard]] Result<QList<RedisReply>> scan(const RedisCommand &command,
                                                 const QByteArray &cursor);
    [[nodiscard]] Result<QByteArrayList> scanKeys(const QByteArray &prefix);
    [[nodiscard]] Result<void> readTime();
    [[nodiscard]] QString doing() const;
    [[nodiscard]] Result<void> listGroups();
    [[nodiscard]] Result<void> rememberLists();
    /// Which of the locks no task holds, with the ids that they name.
    [[nodiscard]] Result<QHash<QByteArray, QByteArray>> strayLocks(const QByteArrayList &locks);
    [[nodiscard]] Finding aboutKey(FindingKind kind, const QByteArray &key,
                                   const QString &evidence) const;
    void suspect(const QByteArray &id, const QByteArray &groupKey = {});

    RedisConnection &m_connection;
    QueueName m_queue;
    QueueKeys m_keys;
    const qint64 m_patienceSeconds;
    const bool m_scansKeys;
    std::optional<bool> m_isListed; ///< as it was told; nullopt: it is looked up
    Phase m_phase{}; ///< the first one at first
    QByteArray m_cursor;
    Suspects m_suspects;
    QSet<quint64> m_listed; ///< hashes of the ids in the two lists
    bool m_knowsLists = true; ///< false after a resumption, until they are read again
    bool m_hasLeases = true;
    bool m_knowsGroups = false;
    QByteArrayList m_groups; ///< keys of groups and aggregation sets still to come, sorted
    qint64 m_now = 0; ///< Unix s, by Redis's clock, of the page in hand
};

} // namespace outbox::asynq
