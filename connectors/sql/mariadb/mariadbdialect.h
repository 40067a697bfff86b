// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Statements for MariaDB 10.6 and later. Its placeholders are bound in the order of the text.
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
    [[nodiscard]] QString openCondition() const override { return states().open({}); }
    [[nodiscard]] SqlText snapshot(const CountCaps &caps, const QStringList &parked) const override;
    [[nodiscard]] Result<FilterPush> push(const CheckNode &checks, SqlText &sql,
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
    [[nodiscard]] RowStates states() const override
    {
        return {m_shape, m_table, mariadb::stateTexts()};
    }
    [[nodiscard]] QString isAmong(const QStringList &keys, SqlText &sql) const override;
    [[nodiscard]] QStringList within(const RowSpan &span, SqlText &sql) const override;
    [[nodiscard]] QString placeText(const QString &name) const override;
    [[nodiscard]] QString timeUs(const QString &name, Reading reading) const override;
    [[nodiscard]] QString numberText(const QString &number) const override
    {
        return QStringLiteral("CAST(%1 AS CHAR)").arg(number);
    }

    [[nodiscard]] QString textOfColumn(const QString &name) const;
    /// The key as people and task ids write it, of one column or of several.
    [[nodiscard]] QString keyText() const;
    /// The type of a row, its own or its neighbour's; empty where it has none.
    [[nodiscard]] QString typeText() const;
    [[nodiscard]] QString hasKey(const QString &key, SqlText &sql) const;
    [[nodiscard]] QString due() const;
    /// The condition besides that a row is none of the parked ones.
    [[nodiscard]] QString butParked(const QStringList &parked, SqlText &sql) const;
    [[nodiscard]] QString butQueues(const QStringList &queues, SqlText &sql) const;
    /// What a claim reads of a row.
    [[nodiscard]] QStringList claimCells(qint64 mostPayloadBytes) const;
    /// Locks the first rows that nobody holds and reads `cells` of them.
    [[nodiscard]] SqlText claimed(const QStringList &cells, const ClaimScope &scope) const;
    /// FROM and WHERE of the rows that are due and not parked.
    [[nodiscard]] QString wanted(const ClaimScope &scope, SqlText &sql) const;
    /// A plan reads versions, and needs `freeOnes` beside it; what is only looked at locks nothing.
    enum class For { List, Find, Plan };
    [[nodiscard]] QString select(const QString &payloadLimit, const QList<SortColumn> &order,
                                 For what) const;
    /// The rows of `chosen`, a WHERE with all that follows, that nobody holds; to be joined as f.
    [[nodiscard]] QString freeOnes(const QString &chosen) const;
    [[nodiscard]] QStringList filters(const PageRequest &request, SqlText &sql) const;
    [[nodiscard]] QString afterCursor(const QList<SortColumn> &order, const QStringList &after,
                                      SqlText &sql) const;
};

} // namespace outbox
