// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Statements for SQLite 3.38 and later. Its placeholders are bound in the order of the text.
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
    [[nodiscard]] QString openCondition() const override { return states().open({}); }
    [[nodiscard]] SqlText snapshot(const CountCaps &caps, const QStringList &parked) const override;
    [[nodiscard]] Result<FilterPush> push(const CheckNode &checks, SqlText &sql,
                                          PayloadTexts texts) const override;
    [[nodiscard]] SqlText rowsIn(const RowSpan &span, const PageRequest &request,
                                 const CheckNode &checks, PayloadTexts texts) const override;
    [[nodiscard]] SqlText find(const QString &key, qint64 payloadLimit) const override;
    [[nodiscard]] SqlText payloadSlice(const QString &key, qint64 from,
                                       qint64 bytes) const override;
    [[nodiscard]] SqlText references(const CatalogTable &target, const QStringList &keys,
                                     qint64 payloadLimit) const override;

private:
    [[nodiscard]] RowStates states() const override { return {m_shape, m_table, m_texts}; }
    [[nodiscard]] QString isAmong(const QStringList &keys, SqlText &sql) const override;
    [[nodiscard]] QStringList within(const RowSpan &span, SqlText &sql) const override;
    [[nodiscard]] QString placeText(const QString &name) const override;
    [[nodiscard]] QString timeUs(const QString &name, Reading reading) const override;
    [[nodiscard]] QString numberText(const QString &number) const override
    {
        return QStringLiteral("CAST(%1 AS TEXT)").arg(number);
    }

    /// The condition besides that a row is none of the parked ones.
    [[nodiscard]] QString butParked(const QStringList &parked, SqlText &sql) const;
    [[nodiscard]] QString butQueues(const QStringList &queues, SqlText &sql) const;
    /// What a claim reads of a row.
    [[nodiscard]] QString claimCells(qint64 mostPayloadBytes, SqlText &sql) const;
    /// DELETE or UPDATE, up to its WHERE.
    [[nodiscard]] QString takingStart() const;
    /// FROM and WHERE of the rows that are due and not parked.
    [[nodiscard]] QString wanted(const ClaimScope &scope, SqlText &sql) const;
    /// FROM, WHERE, ORDER and LIMIT of the rows a claim takes.
    [[nodiscard]] QString claimed(const ClaimScope &scope, SqlText &sql) const;
    [[nodiscard]] QString select(const QString &payloadLimit, const QList<SortColumn> &order,
                                 bool withVersion) const;
    [[nodiscard]] QStringList filters(const PageRequest &request, SqlText &sql) const;
    [[nodiscard]] static QString afterCursor(const QList<SortColumn> &order,
                                             const QStringList &after, SqlText &sql);

    const sqlite::Texts m_texts{m_shape};
};

} // namespace outbox
