// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Statements for MariaDB 10.6 and later.
#pragma once

#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/dialect/rowstates.h"
#include "connectors/sql/mariadb/mariadbtexts.h"
#include "models/filter/pagerequest.h"

namespace outbox {

/// A claim locks rows as it reads them, and takes those that it read: no statement of this database
/// does both. Nothing tells which rows others hold.
/// Errors: those of `Dialect`.
class MariadbDialect : public Dialect
{
public:
    using Dialect::Dialect;

    [[nodiscard]] std::optional<SqlText> anyDue() const override;
    [[nodiscard]] SqlText anyLeft(const QStringList &parked) const override;
    [[nodiscard]] SqlText claim(const ClaimScope &scope) const override;
    [[nodiscard]] SqlText hold(const ClaimScope &scope) const override;
    [[nodiscard]] SqlText consumeLocked(const QStringList &keys) const override;
    [[nodiscard]] std::optional<SqlText> consumeRead(const QStringList &keys) const override;
    [[nodiscard]] SqlText firstDue(const ClaimScope &scope) const override;
    [[nodiscard]] SqlText claimOnly(const QString &key, qint64 mostPayloadBytes) const override;
    [[nodiscard]] std::optional<SqlText> noteFailure(const QString &key,
                                                     const QString &reason) const override;
    [[nodiscard]] SqlText snapshot(const CountCaps &caps, const QStringList &parked) const override;
    [[nodiscard]] Result<FilterPush> push(const CheckNode &checks,
                                          PayloadTexts texts) const override;
    [[nodiscard]] bool keysAreUuids() const override;
    [[nodiscard]] SqlText rowsIn(const RowSpan &span, const PageRequest &request,
                                 const CheckNode &checks, PayloadTexts texts) const override;
    [[nodiscard]] SqlText find(const QString &key, qint64 payloadLimit) const override;
    [[nodiscard]] SqlText payloadSlice(const QString &key, qint64 from,
                                       qint64 bytes) const override;
    [[nodiscard]] SqlText references(const CatalogTable &target, const QStringList &keys,
                                     qint64 payloadLimit) const override;

private:
    [[nodiscard]] const SqlFlavor &flavor() const override { return mariadbFlavor(); }
    [[nodiscard]] SqlFragment isAmong(const QStringList &keys) const override;
    [[nodiscard]] QList<SqlFragment> within(const RowSpan &span) const override;
    [[nodiscard]] QString placeText(const QString &name) const override;

    [[nodiscard]] QString textOfColumn(const QString &name) const;
    /// The key as people and task ids write it, of one column or of several.
    [[nodiscard]] QString keyText() const;
    /// The type of a row, its own or its neighbour's; empty where it has none.
    [[nodiscard]] QString typeText() const;
    [[nodiscard]] SqlFragment hasKey(const QString &key) const;
    [[nodiscard]] QString due() const;
    /// The condition besides that a row is none of the parked ones.
    [[nodiscard]] SqlFragment butParked(const QStringList &parked) const;
    [[nodiscard]] SqlFragment butQueues(const QStringList &queues) const;
    /// What a claim reads of a row.
    [[nodiscard]] QStringList claimCells(qint64 mostPayloadBytes) const;
    /// Locks the first rows that nobody holds and reads `cells` of them.
    [[nodiscard]] SqlText claimed(const QStringList &cells, const ClaimScope &scope) const;
    /// FROM and WHERE of the rows that are due and not parked.
    [[nodiscard]] SqlFragment wanted(const ClaimScope &scope) const;
    /// A plan reads versions, and needs `freeOnes` beside it; what is only looked at locks nothing.
    enum class For { List, Find, Plan };
    [[nodiscard]] SqlFragment select(qint64 payloadLimit, const QList<SortColumn> &order,
                                     For what) const;
    /// The rows of `chosen`, a WHERE with all that follows, that nobody holds; to be joined as f.
    [[nodiscard]] SqlFragment freeOnes(const SqlFragment &chosen) const;
    [[nodiscard]] QList<SqlFragment> filters(const PageRequest &request) const;
    [[nodiscard]] SqlFragment afterCursor(const QList<SortColumn> &order,
                                          const QStringList &after) const;
};

} // namespace outbox
