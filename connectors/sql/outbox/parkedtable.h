// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The side table in which a database keeps the rows that were set aside, for all relays of an
// outbox together.
#pragma once

#include "connectors/sql/outbox/outboxstore.h"
#include "connectors/sql/session/databasesession.h"
#include "models/relay/relaystep.h"
#include "models/result.h"
#include "models/shape/catalog.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <memory>
#include <optional>
#include <utility>

namespace outbox {

[[nodiscard]] QString parkedTableName();

/// The statements over a session that somebody else holds, inside or outside a transaction. The
/// table stands in the schema of the outbox; one table serves all outboxes there.
/// Errors: those of `SqlSession`.
class ParkedTableAccess
{
public:
    /// Of an outbox, by its whole name, beside which no such table stands.
    [[nodiscard]] static ParkedTableAccess without(const TableName &outbox);
    /// Looks for the table, and asks what this session may do with it.
    [[nodiscard]] Result<void> find(SqlSession &session, DatabaseUrl::Dialect dialect,
                                    const Catalog &catalog, const OutboxShape &shape);

    /// The outbox as the catalog spells it: its name inside the table.
    [[nodiscard]] const QString &outbox() const { return m_outbox; }
    /// True where the table is there, has our columns and may be read.
    [[nodiscard]] bool isReadable() const { return m_readable; }
    [[nodiscard]] bool isWritable() const { return m_readable && m_writable; }
    /// Why a table of that name is not used; empty where there is none, or where it is used.
    [[nodiscard]] const QString &obstacle() const { return m_obstacle; }
    [[nodiscard]] QString tableText() const { return m_table.text(); }

    /// Oldest first, at most `most`.
    [[nodiscard]] Result<QList<ParkedRow>> rows(SqlSession &session, int most) const;
    /// A row that is there already gets the newer reason. The time is the database's own.
    [[nodiscard]] Result<void> put(SqlSession &session, const QList<ParkedRow> &rows,
                                   const QString &by) const;
    /// Rows that are not there are no error.
    [[nodiscard]] Result<void> release(SqlSession &session, const QList<MessageId> &ids) const;

    /// What `put` and `release` run, for a plan.
    [[nodiscard]] QString putText() const;
    [[nodiscard]] QString releaseText() const;

    /// CREATE TABLE and its grants, to be run by an owner.
    [[nodiscard]] static QString sql(DatabaseUrl::Dialect dialect);

private:
    [[nodiscard]] SqlText rowsSql(int most) const;
    [[nodiscard]] SqlText putSql(const QList<ParkedRow> &rows, const QString &by) const;
    [[nodiscard]] SqlText releaseSql(const QList<MessageId> &ids) const;

    DatabaseUrl::Dialect m_dialect{};
    TableName m_table;
    QString m_outbox;
    QString m_obstacle;
    bool m_readable = false;
    bool m_writable = false;
};

/// The same over a session of its own. Blocking; made and used in one thread, but for `interrupt`.
/// Errors: those of `SqlSession`; Unsupported where there is no such table.
class ParkedTable
{
public:
    ParkedTable() = default;
    /// Over a session that others use in turn.
    explicit ParkedTable(std::shared_ptr<SharedSession> shared) : m_session(std::move(shared)) { }

    /// Connects and looks for the table. With ReadOnly access it only reads. Where there is no
    /// table to be read, the session ends again. `alone` is the whole name of an outbox beside
    /// which somebody saw no such table a moment ago: nothing is asked then.
    [[nodiscard]] Result<void> open(const StoreSettings &settings, const OutboxShape &shape,
                                    const std::optional<TableName> &alone = {});
    /// Connects anew where the session was lost.
    [[nodiscard]] Result<void> ensureOpen();
    void close() { m_session.close(); }

    [[nodiscard]] const ParkedTableAccess &access() const { return m_access; }
    [[nodiscard]] Result<QList<ParkedRow>> rows(int most);
    [[nodiscard]] Result<void> put(const QList<ParkedRow> &rows);
    [[nodiscard]] Result<void> release(const QList<MessageId> &ids);

    /// As `DatabaseSession::interrupt`.
    void interrupt() noexcept { m_session.interrupt(); }

private:
    [[nodiscard]] Result<void> find();

    DatabaseSession m_session;
    OutboxShape m_shape;
    ParkedTableAccess m_access;
};

} // namespace outbox
