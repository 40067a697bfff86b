// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The stores of one design, opened together.
#pragma once

#include "app/designs/dispatch.h"
#include "connectors/asynq/asynqqueue.h"
#include "connectors/redis/documents/dedupkeys.h"
#include "connectors/redis/documents/tokenset.h"
#include "connectors/redis/sentinel/masterwatch.h"
#include "connectors/sql/documents/deduptable.h"
#include "connectors/sql/documents/documentstore.h"
#include "connectors/sql/documents/tokentable.h"
#include "models/designs/donestore.h"
#include "models/designs/nextstep.h"
#include "models/profile/profile.h"
#include "models/profile/profilepasswords.h"

#include <QHash>

#include <memory>
#include <optional>

namespace outbox {

/// Whether the incoming messages of these entries are done; those of which nothing is known are
/// left out. One store, or none. Ask after their document was read (correctness.md 6).
[[nodiscard]] Result<QHash<QString, bool>> areDone(const QList<const OutboxEntry *> &entries,
                                                   DedupStore *done, TokenStore *tokens);

/// Where a design is, for sessions that look and for those that act.
struct DesignPlace
{
    Design design = Design::EntityState;
    DocumentShape shape;
    DispatchRules rules;
    StoreSettings look;
    StoreSettings act;
    std::optional<RedisEndpoint> lookRedis; ///< nullopt: the profile names no queue
    std::optional<RedisEndpoint> actRedis;
    QString sessionName;
    // The other store: one of the two.
    std::optional<DoneTable> doneTable; ///< in the database of the documents
    std::optional<DoneKeys> doneKeys;
};

/// From a profile of a document design and its passwords. `acting` are those of the acting roles,
/// `program` is ours. Fails with Invalid where the profile names no database or no design, or
/// something about them is wrong.
[[nodiscard]] Result<DesignPlace> designPlaceOf(const Profile &profile,
                                                const ProfilePasswords &looking,
                                                const ProfilePasswords &acting,
                                                const QString &program);
/// What operations take for the outbox of such a profile: its documents.
[[nodiscard]] OutboxShape documentsAsShape(const DesignProfile &design);

/// Blocking; made, used and dropped in one thread, but for `interrupt`.
/// Errors: those of the stores; Unsupported where acting needs a queue and there is none.
class DocumentStores
{
public:
    /// `StoreAccess::ReadOnly` opens no queue. The queue's servers are judged as for a relay of
    /// rows, and again whenever they are connected to anew. Fails with Unsupported where acting
    /// needs a queue and there is none, with Invalid where it needs the design's other store and
    /// none was named, with Refused where that store, or the queue, cannot be relied on, with
    /// Unreachable while sentinels make another Redis the master.
    [[nodiscard]] Result<void> open(const DesignPlace &place, StoreAccess access);
    /// The store beside the documents alone; as `open` in what it refuses.
    [[nodiscard]] Result<void> openOther(const DesignPlace &place, StoreAccess access);

    [[nodiscard]] DocumentStore &documents() { return m_documents; }
    [[nodiscard]] TaskQueue &queue() { return m_queue; }
    /// nullptr where the design has none, or none was named for looking.
    [[nodiscard]] DedupStore *done() { return m_done; }
    /// Whether the incoming messages of these entries are done, as the design's other store has it;
    /// those of which it knows nothing are left out. Ask after their document was read.
    [[nodiscard]] Result<QHash<QString, bool>> areDone(const QList<OutboxEntry> &entries);

    [[nodiscard]] TokenStore *tokens() { return m_tokens; }
    /// Of the other store; nullopt where there is none.
    [[nodiscard]] std::optional<StoreDurability> trust() const;
    /// Behind what was written to Redis, and before anything is given up for it. Fails with
    /// Unreachable where sentinels have begun to name another master since the stores were opened
    /// for acting: what the old one took may be lost.
    [[nodiscard]] Result<void> mayCommit() const;
    /// From any thread: shuts the database sockets, also those that are being opened.
    void interrupt() noexcept;

private:
    [[nodiscard]] Result<void> openQueue(const DesignPlace &place);
    /// Before a connection is made: it notices what happens to that.
    void watchMaster(const DesignPlace &place);

    DocumentStore m_documents;
    AsynqQueue m_queue;
    // All of them stay, so that `interrupt` never meets one that comes or goes.
    DedupTable m_dedupTable;
    TokenTable m_tokenTable;
    DedupKeys m_dedupKeys;
    TokenSet m_tokenSet;
    DedupStore *m_done = nullptr;
    TokenStore *m_tokens = nullptr;
    std::unique_ptr<MasterWatch> m_watch; ///< where sentinels know the master
};

} // namespace outbox
