// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The hand that changes rows of one outbox table, for an operator: each write is guarded by the
// version of the row that was seen, and recorded in the same transaction where there is a table for
// it.
#pragma once

#include "connectors/sql/dialect/wholerow.h"
#include "connectors/sql/outbox/outboxstore.h"
#include "models/content/rowcontent.h"
#include "models/ids.h"
#include "models/operations/auditrow.h"
#include "models/operations/verb.h"
#include "models/profile/profile.h"
#include "models/relay/relaystep.h"
#include "models/result.h"
#include "models/shape/outboxshape.h"

#include <QByteArray>
#include <QDateTime>
#include <QList>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>

namespace outbox {

class ParkedTableAccess;
struct EditSession;

/// Blocking; one database session with `StoreAccess::Act`, made and used in one thread (the
/// operator's room). With ReadOnly it reads whole rows for an export, and the server refuses the
/// rest. Except for `whole` and `rights` everything needs an open transaction. Any error has been
/// rolled back; after Unreachable or Timeout in `commit` the outcome is unknown.
/// Errors: those of `SqlSession`; Conflict for a call outside its transaction, Unsupported for a
/// write that the shape has no columns for, Invalid for a row that can be none of the table.
class OutboxEditor
{
public:
    OutboxEditor();
    ~OutboxEditor();
    OutboxEditor(const OutboxEditor &) = delete;
    OutboxEditor &operator=(const OutboxEditor &) = delete;

    [[nodiscard]] Result<void> open(const StoreSettings &settings, const OutboxShape &shape);
    [[nodiscard]] Result<void> ensureOpen();
    void close();
    [[nodiscard]] bool isOpen() const;
    [[nodiscard]] const OutboxShape &shape() const;

    [[nodiscard]] Result<RowRights> rights();
    /// For a hint: the GRANT that gives this session's role what it lacks. Empty on SQLite.
    [[nodiscard]] QString grantFor(RowRight right) const;
    /// Whole rows for an export, in the order of `ids` as far as they exist. The caller keeps the
    /// sum of payloads bounded.
    [[nodiscard]] Result<QList<WholeRow>> whole(const QList<MessageId> &ids);

    /// PostgreSQL, MariaDB: BEGIN. SQLite: BEGIN IMMEDIATE, which holds the whole file; Timeout
    /// while another writes.
    [[nodiscard]] Result<void> begin();
    [[nodiscard]] Result<void> commit();
    [[nodiscard]] Result<void> rollback();

    /// Locks those rows that still have the version seen and that nobody holds, without waiting.
    /// Answers the ids it holds now; the others are claimed, changed or gone. Without the right to
    /// lock (a purge-only role) it answers those that look free, and the write itself waits at most
    /// the lock deadline.
    [[nodiscard]] Result<QList<MessageId>> hold(const QList<RowGuard> &rows);
    /// Sets the processed column back to NULL where the version is the one seen. Answers what was
    /// written.
    [[nodiscard]] Result<QList<RowWritten>> reopen(const QList<RowGuard> &rows);
    /// The undo of `reopen`: sets the processed column again, to what `Message::processedText` said
    /// of each row, where the version is the one seen.
    [[nodiscard]] Result<QList<RowWritten>> markProcessed(const QList<RowGuard> &rows,
                                                          const QStringList &processed);
    /// As `OutboxStore::childrenOf`. Of rows that are held it stays true until the transaction
    /// ends.
    [[nodiscard]] Result<QList<ChildRows>> childrenOf(const QList<MessageId> &ids);
    /// Deletes where the version is the one seen. Answers the ids deleted.
    [[nodiscard]] Result<QList<MessageId>> remove(const QList<RowGuard> &rows);
    /// Inserts rows with their own keys; a key that is there is left as it is. Answers the ids
    /// inserted.
    [[nodiscard]] Result<QList<MessageId>> insert(const QList<WholeRow> &rows);
    /// Empties the lease columns where the version is the one seen and the lease is over by the
    /// database's clock.
    [[nodiscard]] Result<QList<RowWritten>> release(const QList<RowGuard> &rows);
    /// Writes the cells of one row that are to hold something else, where the version is the one
    /// seen, each of `cells` holds what was seen of it, and the row is not processed.
    [[nodiscard]] Result<QList<RowWritten>> edit(const RowGuard &row,
                                                 const QList<EditedCell> &cells);
    /// Writes to outbox_audit. Only where `rights().audit`.
    [[nodiscard]] Result<void> record(const QList<AuditRow> &rows);
    /// What this session found of the table outbox_parked.
    [[nodiscard]] const ParkedTableAccess &parkedTable() const;
    /// Sets rows aside in the table outbox_parked, or lets them go. Only where
    /// `parkedTable().isWritable()`.
    [[nodiscard]] Result<void> park(const QList<ParkedRow> &rows);
    [[nodiscard]] Result<void> unpark(const QList<MessageId> &ids);
    /// True when the status of `id` was `expected` (null: NULL) and is `status` now; false when it
    /// was another, or the table has no row for the id.
    [[nodiscard]] Result<bool> setStatus(const StatusTable &table, const MessageId &id,
                                         const QString &expected, const QString &status);

    /// The statements that `verb` will run, from the builder that runs them; placeholders stay.
    /// `OutboxStore::statementsOf` says the same to a session that only looks.
    [[nodiscard]] QStringList statementsOf(Verb verb) const;
    /// CREATE TABLE outbox_audit, its indexes and grants, to be run by an owner.
    [[nodiscard]] static QString auditTableSql(DatabaseUrl::Dialect dialect);

    /// Callable from any thread: shuts the session's socket. No-op on SQLite.
    void interrupt() noexcept;

private:
    std::unique_ptr<EditSession> d;
};

} // namespace outbox
