// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What an outbox store is made of; for its sources only.
#pragma once

#include "connectors/sql/catalog/indexadvice.h"
#include "connectors/sql/catalog/oldsnapshots.h"
#include "connectors/sql/catalog/rowflow.h"
#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/dialect/references.h"
#include "connectors/sql/outbox/claimrows.h"
#include "connectors/sql/outbox/fencetable.h"
#include "connectors/sql/outbox/outboxstore.h"
#include "connectors/sql/outbox/statustable.h"
#include "connectors/sql/session/databasesession.h"
#include "connectors/sql/session/joblock.h"
#include "models/filter/pagerequest.h"

#include <QDeadlineTimer>

#include <memory>
#include <utility>

namespace outbox {

// A search reads rows in steps, so that a payload of each costs no more memory than this.
inline constexpr int rowsOfStep = 500;
inline constexpr int payloadBytesOfStep = 65'536;

struct ReadRows; ///< as one statement gave them

/// Whether a lock is anything else than a row that a transaction holds.
[[nodiscard]] bool isLockInColumns(const OutboxShape &shape);

/// The claim of a session: what was sent of it, and what is open. An error leaves nothing open, but
/// for a call out of its turn, which changes nothing, and for `consumeLocked`, behind which the
/// claim waits for its rollback.
struct OpenClaim
{
    enum class Stage { None, Sent, Open };
    Stage stage = Stage::None;
    bool isCommitting = false; ///< the COMMIT of the last one was sent
    bool isTaken = false; ///< the rows, where they were only held before
    QList<MessageId> taken; ///< what a COMMIT would let go of, in the order of the claim
    ClaimRequest asked; ///< by the last one that was sent
    QList<RelayLife> lives; ///< for the table outbox_fence, by the COMMIT of this claim
    int parts = 1; ///< of its end that were sent, each with an answer; the COMMIT is the last one

    [[nodiscard]] bool isOpen() const { return stage == Stage::Open; }
    /// The session is another one now.
    void forget()
    {
        stage = Stage::None;
        isCommitting = false;
        parts = 1;
        taken.clear();
    }
};

/// Errors: those of `SqlSession`; Conflict for a call out of its turn.
struct OutboxStore::Private
{
    Private() = default;
    explicit Private(std::shared_ptr<SharedSession> shared) : session(std::move(shared)) { }

    DatabaseSession session;
    OutboxShape shape;
    std::optional<TableName> audit; ///< where operators leave their record
    bool mayHaveParked = true; ///< the catalog has a table for rows that were set aside
    FenceTableAccess fence; ///< of a relay's session
    std::unique_ptr<Dialect> dialect;
    /// What a probe of one table has read, for the shape that is taken by it at once: reading the
    /// catalog costs the server more than all counts of a look.
    std::optional<Catalog> probed;
    QDeadlineTimer probedUntil{0};
    std::optional<ReferenceReader> references;
    StatusTableAccess status;
    QString channel;
    OpenClaim claim;
    JobLock job;
    IndexAdviser indexes;
    OldSnapshots oldSnapshots;
    RowFlow flow;
    Filter tooSlow; ///< what it asks of payloads took the database longer than it may
    bool isShapeDoubted = false; ///< an answer said that the table is not what it was
    QDeadlineTimer partitionsUnknown{0}; ///< an empty claim asks for partitions when this is over

    [[nodiscard]] QString claiming(const ClaimRequest &request) const
    {
        return QStringLiteral("claiming %1 messages from %2")
            .arg(request.rows)
            .arg(shape.table.text());
    }
    [[nodiscard]] QString committing() const
    {
        return QStringLiteral("committing the claim on ") + shape.table.text();
    }
    [[nodiscard]] ClaimContext toolsFor(const QString &doing)
    {
        return {*session, *dialect, *references, doing};
    }
    [[nodiscard]] Result<void> ready(const QString &doing) const;
    [[nodiscard]] Result<void> readyToClaim(const QString &doing) const;
    /// The answer that `SnapshotColumn` describes.
    [[nodiscard]] Result<SqlRows> countedRows(const CountCaps &caps, const QStringList &parked,
                                              const QString &doing);
    /// Sends the claim that is asked for, where that goes without waiting for its answer.
    [[nodiscard]] Result<void> askForClaim(const QString &doing) const;
    [[nodiscard]] Result<Claim> answeredClaim(const QString &doing);
    /// The answer to a claim that was sent. An error leaves nothing open.
    [[nodiscard]] Result<Claim> takeSent(const QString &doing);
    /// Each row that was taken has its proof.
    [[nodiscard]] bool areAllProven(const QList<DeliveryProof> &proofs) const;
    /// Of rows that were held: those that have no proof are given up.
    [[nodiscard]] Result<void> sendCommitOfSome(const QList<DeliveryProof> &proofs,
                                                const QString &doing);
    /// `end`: what stands before the COMMIT.
    [[nodiscard]] Result<void> sendEnd(const QList<SqlText> &end, const QString &doing);
    /// The answers to its parts.
    [[nodiscard]] Result<void> takeEnd(const QString &doing);
    /// Without sending ahead: all of it.
    [[nodiscard]] Result<void> endAtOnce(const QString &doing);
    /// What to say where the lines of the table outbox_fence were refused, and so the whole
    /// transaction.
    [[nodiscard]] Failure unkept(const Error &error, const QString &doing);
    /// Takes all answers that are to come, and gives the rows back.
    [[nodiscard]] Result<void> giveBack(const QString &doing);
    /// A claim by the file finds nothing in a table that was partitioned under it, and no error.
    void doubtIfPartitioned();
    /// Why a question by this filter failed, with what to do where it took too long.
    [[nodiscard]] Error errorBy(const Filter &filter, const Error &error);
    /// Up to `request.limit` rows of the span that fulfil the condition.
    [[nodiscard]] Result<ReadRows> readRows(const PageRequest &request, const RowSpan &span,
                                            const SqlFragment &condition, const QString &doing);
    /// The order that a search goes along: that of the pages where an index has it, else a key's.
    [[nodiscard]] QList<SortColumn> searchOrder(bool newestFirst, bool byPages) const;
    [[nodiscard]] bool pagesHaveIndex();
    /// A page of those among them that match `rest` too.
    [[nodiscard]] Result<MessagePage> search(PageRequest request, RowSpan span,
                                             const SqlFragment &condition, const CheckNode &rest,
                                             const QString &doing);
    [[nodiscard]] Result<void> fillReferences(const SqlRows &rows, QList<Message> &messages,
                                              qint64 payloadLimit);
};

} // namespace outbox
