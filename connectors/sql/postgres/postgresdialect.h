// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Statements for PostgreSQL 13 and later.
#pragma once

#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/dialect/rowstates.h"
#include "connectors/sql/postgres/postgrestexts.h"
#include "models/filter/pagerequest.h"

namespace outbox {

/// Errors: those of `Dialect`.
class PostgresDialect : public Dialect
{
public:
    using Dialect::Dialect;

    [[nodiscard]] SqlText anyLeft(const QStringList &parked) const override;
    [[nodiscard]] SqlText claim(const ClaimScope &scope) const override;
    [[nodiscard]] SqlText hold(const ClaimScope &scope) const override;
    [[nodiscard]] SqlText consumeLocked(const QStringList &keys) const override;
    [[nodiscard]] std::optional<SqlText> consumeExactly(const QStringList &keys) const override;
    [[nodiscard]] QString startOfFile() const override;
    [[nodiscard]] bool prefersFile() const override;
    [[nodiscard]] SqlText isPartitionedNow() const override;
    [[nodiscard]] bool isFilePlace(const QStringList &place) const override;
    [[nodiscard]] SqlText firstDue(const ClaimScope &scope) const override;
    [[nodiscard]] SqlText claimOnly(const QString &key, qint64 mostPayloadBytes) const override;
    [[nodiscard]] std::optional<SqlText> noteFailure(const QString &key,
                                                     const QString &reason) const override;
    [[nodiscard]] SqlText snapshot(const CountCaps &caps, const QStringList &parked) const override;
    [[nodiscard]] SqlText versions(const CountCaps &caps, const QStringList &parked) const override;
    [[nodiscard]] std::optional<SqlText> holdersOf(const SqlRows &versions) const override;
    [[nodiscard]] SqlText oldestSnapshot() const override;
    [[nodiscard]] Result<FilterPush> push(const CheckNode &checks,
                                          PayloadTexts texts) const override;
    [[nodiscard]] SqlText rowsIn(const RowSpan &span, const PageRequest &request,
                                 const SqlFragment &condition) const override;
    [[nodiscard]] SqlText find(const QString &key, qint64 payloadLimit) const override;
    [[nodiscard]] SqlText countSlice(const RowSpan &span, const QStringList &parked) const override;
    [[nodiscard]] SqlText payloadSlice(const QString &key, qint64 from,
                                       qint64 bytes) const override;
    [[nodiscard]] SqlText references(const CatalogTable &target, const QStringList &keys,
                                     qint64 payloadLimit) const override;

private:
    [[nodiscard]] const SqlFlavor &flavor() const override { return postgresFlavor(); }
    [[nodiscard]] SqlFragment isAmong(const QStringList &keys) const override;
    [[nodiscard]] SqlFragment butParked(const QStringList &parked) const override;
    [[nodiscard]] QString isRowHeld() const override;
    [[nodiscard]] QString tablesOfLocks() const override;
    [[nodiscard]] SqlFragment processedWithin(double seconds) const override;
    [[nodiscard]] SqlFragment afterCursor(const QList<SortColumn> &order, const QString &prefix,
                                          const QStringList &after) const override;
    [[nodiscard]] QList<SqlFragment> within(const RowSpan &span) const override;

    /// Compares the key with a list of them, by "= ANY" or "<> ALL".
    [[nodiscard]] SqlFragment keyAmong(const QString &prefix, const QString &compared,
                                       const QStringList &keys) const;
    /// The condition besides on a row's queue; the table is named c.
    [[nodiscard]] SqlFragment butQueues(const QStringList &queues) const;
    /// The number of the table, for a table that is one heap.
    [[nodiscard]] QString tableOid() const;
    /// Whether columns tell for sure that somebody holds a row.
    [[nodiscard]] bool hasLeases() const;
    struct OpenVersions;
    [[nodiscard]] OpenVersions openVersions(const CountCaps &caps, const QStringList &parked) const;
    struct TableCounts;
    [[nodiscard]] TableCounts tableCounts(const CountCaps &caps) const;
    /// How the row is held, NULL where it is not; the table is named t.
    [[nodiscard]] QString rowLock() const;
    /// The condition of a claim on its table, named c.
    [[nodiscard]] SqlFragment wanted(const ClaimScope &scope) const;
    [[nodiscard]] QString fromTable() const;
    /// From FROM on: the rows that `wantedRows` chooses, a condition and what may follow it,
    /// locked. The table is named c.
    [[nodiscard]] SqlFragment locked(const SqlFragment &wantedRows) const;
    [[nodiscard]] SqlFragment wantedRows(const ClaimScope &scope) const;
    /// DELETE or UPDATE, up to its WHERE; the table is named t.
    [[nodiscard]] QString taking() const;
    /// Takes the rows of `keys`, up to its RETURNING.
    [[nodiscard]] SqlFragment takingHeld(const QStringList &keys) const;
    /// How the rows of a claim are given.
    struct ClaimOptions;
    [[nodiscard]] ClaimOptions claimOptionsOf(const ClaimScope &scope) const;
    /// Locks, takes and gives the rows of `wantedRows`.
    [[nodiscard]] SqlFragment takingOf(const SqlFragment &wantedRows, ClaimOptions options) const;
    /// What a claim gives, in its order, of the rows that a common table `taken` has as `columns`.
    struct ClaimColumns;
    [[nodiscard]] ClaimColumns claimColumns(const QString &prefix, ClaimOptions options) const;
    /// A page of the rows that `chosen`, see `firstOf`, gives.
    [[nodiscard]] SqlText pageOf(const SqlFragment &chosen, const QList<SortColumn> &order,
                                 qint64 payloadLimit) const;
};

} // namespace outbox
