// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rows that a claim only holds, and how they are taken without one spoiling the others.
#pragma once

#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/outbox/outboxstore.h"
#include "connectors/sql/session/sqlsession.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <utility>

namespace outbox {

/// Works between savepoints: a statement that fails takes back itself and nothing else. The rows
/// are tried in parts, those of a part that fails in smaller ones, and a failing part of one row is
/// the row. All parts of a round are sent before the first answer is read, where that can be done.
/// Errors: those of `SqlSession`, where the transaction is not what it was.
class HeldRows
{
public:
    HeldRows(SqlSession &session, const Dialect &dialect, QString doing)
        : m_session(session), m_dialect(dialect), m_doing(std::move(doing))
    { }

    /// Takes the rows of `keys`; `areSuspect`: some of them will be refused.
    [[nodiscard]] Result<QList<RefusedRow>> take(const QStringList &keys, bool areSuspect);
    /// The same for a second time: those that were taken are given up first.
    [[nodiscard]] Result<QList<RefusedRow>> consumeAgain(const QStringList &keys);
    /// Gives up what was taken; the rows stay held.
    [[nodiscard]] static SqlText giveUp();

private:
    using Part = QStringList;
    using Outcome = Result<SqlRows>;

    /// What became of each part; an error of its own where the transaction is not what it was.
    [[nodiscard]] Result<QList<Outcome>> tryParts(const QList<Part> &parts);
    [[nodiscard]] Result<QList<Outcome>> tryAhead(const QList<Part> &parts);
    /// All parts, and smaller ones of those that fail, behind the savepoint that `first` sets.
    [[nodiscard]] Result<QList<RefusedRow>> takeParts(const SqlText &first, QList<Part> parts);

    SqlSession &m_session;
    const Dialect &m_dialect;
    QString m_doing;
    bool m_isMarking = false; ///< the answer about the first savepoints is to come
};

} // namespace outbox
