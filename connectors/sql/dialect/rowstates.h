// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one place that says in which state a row is (shapes.md 2.1), as conditions in SQL: looking,
// claiming and marking ask here, so that they see a row alike. Pure text.
#pragma once

#include "connectors/sql/dialect/sqlflavor.h"
#include "models/message/messagestate.h"
#include "models/shape/catalog.h"
#include "models/shape/outboxshape.h"

#include <QString>

namespace outbox {

/// `prefix` is that of the outbox' table, "t.". Every condition is true or false, never NULL.
class RowStates
{
public:
    RowStates(const OutboxShape &shape, const CatalogTable &table, const SqlFlavor &flavor)
        : m_shape(shape), m_table(table), m_flavor(flavor)
    { }

    [[nodiscard]] QString scope(const QString &prefix) const; ///< "true": all rows are ours
    [[nodiscard]] QString processed(const QString &prefix) const;
    /// Within the scope and not processed, in a way that indexes serve.
    [[nodiscard]] QString open(const QString &prefix) const;
    [[nodiscard]] QString failed(const QString &prefix) const; ///< by an explicit mark
    [[nodiscard]] QString locked(const QString &prefix) const; ///< by a live mark in columns
    /// The same, where it is certain: no time of it is in a zone that nobody said.
    [[nodiscard]] QString surelyLocked(const QString &prefix) const;
    [[nodiscard]] QString lockIsOver(const QString &prefix) const; ///< the mark of a dead holder
    [[nodiscard]] QString spent(const QString &prefix) const; ///< failed by the count of attempts
    [[nodiscard]] QString waiting(const QString &prefix) const;
    [[nodiscard]] QString pending(const QString &prefix) const;
    /// What a relay may take: open, pending and none of the others.
    [[nodiscard]] QString due(const QString &prefix) const;
    /// What is due now or will be when those who hold it let go.
    [[nodiscard]] QString left(const QString &prefix) const;
    /// The word of the state, first match wins; row locks are not in it. For open rows alone where
    /// `ofOpen`.
    [[nodiscard]] QString state(const QString &prefix, bool ofOpen) const;

    /// Rows in one of `states`, "true" where there is none; `isHeld` is the condition of a row
    /// lock, "false" where rows cannot be locked.
    [[nodiscard]] QString filter(const QString &prefix, const QList<MessageState> &states,
                                 const QString &isHeld) const;

    /// Texts of the row that may stand in a neighbour; empty where the shape has none.
    [[nodiscard]] QString owner(const QString &prefix) const;
    [[nodiscard]] QString error(const QString &prefix) const;
    [[nodiscard]] QString type(const QString &prefix) const;
    [[nodiscard]] QString key(const QString &prefix) const;

    /// `"a" = now, "b" = true`: what makes a row a processed one, and an open one again. With
    /// `withTime` false the time of it is left to the caller.
    [[nodiscard]] QString markProcessed(bool withTime = true) const;
    [[nodiscard]] QString markPending() const;

private:
    [[nodiscard]] QString cell(const QString &prefix, const QString &column) const;
    [[nodiscard]] QString isTrue(const QString &cell, const CatalogColumn *column) const;
    [[nodiscard]] QString isAmong(const QString &prefix, const QString &column,
                                  const QStringList &values) const;
    [[nodiscard]] QString value(const QString &text, const CatalogColumn *column) const;
    /// A time of a zone that nobody said is after another one where it may be: a lease is not over,
    /// and a row is not due, before that is certain.
    [[nodiscard]] QString isAfter(const QString &prefix, const QString &column, double ago) const;
    /// It may be after it in one zone of the world, and not in another.
    [[nodiscard]] QString isUntold(const QString &prefix, const QString &column, double ago) const;
    [[nodiscard]] QString isLockUntold(const QString &prefix) const;
    [[nodiscard]] QString isDueUntold(const QString &prefix) const;
    /// The zone to compare in: the last of the world where nobody said it.
    [[nodiscard]] QString zoneOf(const QString &column) const;
    [[nodiscard]] QString test(const QString &prefix, const ShapeTest &test) const;
    [[nodiscard]] QString all(const QString &prefix, const QList<ShapeTest> &tests) const;
    /// A row of the neighbour that belongs to this one.
    [[nodiscard]] QString exists(const QString &prefix, const RelatedTable &in,
                                 const QString &besides = {}) const;
    [[nodiscard]] QString lookedUp(const QString &prefix, const RelatedTable &in,
                                   const QString &column) const;
    [[nodiscard]] QString passedByAll(const QString &prefix) const;
    [[nodiscard]] QString nodeLives(const QString &owner, const CatalogColumn *column) const;
    [[nodiscard]] QString ownerIsSet(const QString &cell, const CatalogColumn *column) const;
    /// The mark of a holder, dead or alive.
    [[nodiscard]] QString lockMark(const QString &prefix) const;
    [[nodiscard]] QString finished(const QString &prefix) const; ///< without `processedAnd`
    [[nodiscard]] const CatalogColumn *neighbourColumn(const TableName &table,
                                                       const QString &column) const;
    [[nodiscard]] QString neighbourName(const TableName &table) const;

    const OutboxShape &m_shape;
    const CatalogTable &m_table;
    const SqlFlavor &m_flavor;
};

} // namespace outbox
