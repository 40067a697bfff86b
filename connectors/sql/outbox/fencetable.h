// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The side table in which a database keeps how far relays have delivered into which queues, so that
// it is not forgotten with a relay's host.
#pragma once

#include "connectors/sql/driver/databaseurl.h"
#include "connectors/sql/session/sqlsession.h"
#include "models/result.h"
#include "models/shape/catalog.h"
#include "models/system/queuelife.h"

#include <QDeadlineTimer>
#include <QList>
#include <QString>

namespace outbox {

[[nodiscard]] QString fenceTableName();

/// The statements over a session that somebody else holds. The table stands in the schema of the
/// outbox; one table serves all outboxes there. It has one line for each relay and queue, which the
/// relay overwrites in the transaction by which rows leave the outbox: so it never says more than
/// was committed. Nobody but an owner makes it.
/// Errors: those of `SqlSession`.
class FenceTableAccess
{
public:
    /// Looks for the table beside `outbox`, and asks what this session may do with it.
    [[nodiscard]] Result<void> find(SqlSession &session, DatabaseUrl::Dialect dialect,
                                    const Catalog &catalog, const TableName &outbox);
    /// True where the table is there, has our columns, and may be read and written to.
    [[nodiscard]] bool isUsed() const { return m_isUsed; }
    /// Why a table of that name is not used; empty where there is none, or where it is used.
    [[nodiscard]] const QString &obstacle() const { return m_obstacle; }
    [[nodiscard]] QString tableText() const { return m_table.text(); }
    /// It is not used from now on, until it is looked for again.
    void giveUp(const QString &why);
    /// It was given up a minute ago: what was wrong may be over.
    [[nodiscard]] bool isDueAgain() const { return m_isGivenUp && m_rest.hasExpired(); }

    /// Of this outbox, the newest first, at most 10,000.
    [[nodiscard]] Result<QList<RelayLife>> lives(SqlSession &session) const;
    /// Writes these lines, one relay's and of different queues; a line that says more stays. Empty
    /// where there is nothing to be written. A queue whose name has more than 400 letters, or a
    /// NUL, is left out: it would not fit everywhere. So is a life that is no word of ours.
    [[nodiscard]] SqlText put(const QList<RelayLife> &lives) const;
    /// Takes exactly these lines away, up to 200 by one statement; one that says something else by
    /// now stays.
    [[nodiscard]] Result<void> remove(SqlSession &session, const QList<RelayLife> &lives) const;

    /// CREATE TABLE and its grants, to be run by an owner.
    [[nodiscard]] static QString sql(DatabaseUrl::Dialect dialect);

private:
    [[nodiscard]] SqlText isExactly(const RelayLife &line) const;

    DatabaseUrl::Dialect m_dialect{};
    TableName m_table;
    QString m_outbox;
    QString m_obstacle;
    bool m_isUsed = false;
    bool m_isGivenUp = false;
    QDeadlineTimer m_rest{0}; ///< behind `giveUp`
};

} // namespace outbox
