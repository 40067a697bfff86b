// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Statements for SQLite 3.38 and later.
#pragma once

#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/dialect/rowstates.h"
#include "connectors/sql/sqlite/sqlitetexts.h"
#include "models/filter/pagerequest.h"

namespace outbox {

/// Errors: those of `Dialect`.
class SqliteDialect : public Dialect
{
public:
    using Dialect::Dialect;

    [[nodiscard]] std::optional<SqlText> anyDue() const override;
    [[nodiscard]] std::optional<SqlText> anyWithoutKey() const override;
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
    [[nodiscard]] SqlText rowsIn(const RowSpan &span, const PageRequest &request,
                                 const CheckNode &checks, PayloadTexts texts) const override;
    [[nodiscard]] SqlText find(const QString &key, qint64 payloadLimit) const override;
    [[nodiscard]] SqlText payloadSlice(const QString &key, qint64 from,
                                       qint64 bytes) const override;
    [[nodiscard]] SqlText references(const CatalogTable &target, const QStringList &keys,
                                     qint64 payloadLimit) const override;

private:
    [[nodiscard]] const SqlFlavor &flavor() const override { return sqliteFlavor(); }
    [[nodiscard]] SqlFragment isAmong(const QStringList &keys) const override;
    [[nodiscard]] QList<SqlFragment> within(const RowSpan &span) const override;
    [[nodiscard]] QString placeText(const QString &name) const override;

    /// The condition besides that a row is none of the parked ones.
    [[nodiscard]] SqlFragment butParked(const QStringList &parked) const;
    [[nodiscard]] SqlFragment butQueues(const QStringList &queues) const;
    /// What a claim reads of a row.
    [[nodiscard]] SqlFragment claimCells(qint64 mostPayloadBytes) const;
    /// DELETE or UPDATE, up to its WHERE.
    [[nodiscard]] QString takingStart() const;
    /// FROM and WHERE of the rows that are due and not parked.
    [[nodiscard]] SqlFragment wanted(const ClaimScope &scope) const;
    /// FROM, WHERE, ORDER and LIMIT of the rows a claim takes.
    [[nodiscard]] SqlFragment claimed(const ClaimScope &scope) const;
    [[nodiscard]] SqlFragment select(qint64 payloadLimit, const QList<SortColumn> &order,
                                     bool withVersion) const;
    [[nodiscard]] QList<SqlFragment> filters(const PageRequest &request) const;
    /// The condition that the key is this one, to be put behind another one.
    [[nodiscard]] SqlFragment andHasKey(const QString &key) const;
    [[nodiscard]] static SqlFragment afterCursor(const QList<SortColumn> &order,
                                                 const QStringList &after);
};

} // namespace outbox
