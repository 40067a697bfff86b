// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The claims of one session: each in two halves, and the next one sent behind the COMMIT of the
// last.
#pragma once

#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/dialect/references.h"
#include "connectors/sql/outbox/outboxstore.h"

namespace outbox {

/// What a claim works with; all of it outlives the call.
struct ClaimContext
{
    SqlSession &session;
    const Dialect &dialect;
    const ReferenceReader &references;
    QString doing;
};

/// Keeps count of what was sent and what is open on a session that is up. An error leaves nothing
/// open, but for that of a call out of its turn, which changes nothing, and that of
/// `consumeLocked`, behind which the claim waits for `rollback`.
/// Errors: those of `SqlSession`; Conflict for a call out of its turn.
class ClaimTransaction
{
public:
    [[nodiscard]] bool isOpen() const { return m_stage == Stage::Open; }
    /// What was asked for by the last `send`.
    [[nodiscard]] const ClaimRequest &asked() const { return m_asked; }
    /// What a COMMIT would let go of, in the order of the claim.
    [[nodiscard]] const QList<MessageId> &taken() const { return m_taken; }
    /// The session is another one now.
    void forget();

    [[nodiscard]] Result<void> send(const ClaimContext &tools, const ClaimRequest &request);
    [[nodiscard]] Result<Claim> take(const ClaimContext &tools);
    /// See `OutboxStore::claimSingle`; nothing may be under way.
    [[nodiscard]] Result<SingleClaim> takeAlone(const ClaimContext &tools, const MessageId &id,
                                                const ClaimRequest &request);
    /// See `OutboxStore::consumeLocked`.
    [[nodiscard]] Result<QList<RefusedRow>>
    consumeLocked(const ClaimContext &tools, const QList<MessageId> &ids, bool areSuspect);
    /// See `OutboxStore::sendCommit`.
    [[nodiscard]] Result<void> sendCommit(const ClaimContext &tools,
                                          const QList<DeliveryProof> &proofs);
    [[nodiscard]] Result<void> takeCommit(SqlSession &session, const QString &doing);
    /// Takes all answers that are to come, and gives the rows back.
    [[nodiscard]] Result<void> rollback(SqlSession &session, const QString &doing);

private:
    enum class Stage { None, Sent, Open };

    /// Each row that was taken has its proof.
    [[nodiscard]] bool areAllProven(const QList<DeliveryProof> &proofs) const;
    /// Of rows that were held: those that have no proof are given up.
    [[nodiscard]] Result<void> sendCommitOfSome(const ClaimContext &tools,
                                                const QList<DeliveryProof> &proofs);
    [[nodiscard]] Result<void> sendEnd(const ClaimContext &tools, const QList<SqlText> &end);
    [[nodiscard]] Result<void> ask(const ClaimContext &tools) const;
    [[nodiscard]] static Result<Claim> answered(const ClaimContext &tools,
                                                const ClaimRequest &asked);

    Stage m_stage = Stage::None;
    bool m_isCommitting = false;
    bool m_isTaken = false; ///< the rows, where they were only held before
    QList<MessageId> m_taken;
    ClaimRequest m_asked;
};

} // namespace outbox
