// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An operator's statements for PostgreSQL 13 and later.
#pragma once

#include "connectors/sql/dialect/editdialect.h"

namespace outbox {

class PostgresEditDialect : public EditDialect
{
public:
    using EditDialect::EditDialect;

    [[nodiscard]] QString begin() const override;
    [[nodiscard]] SqlText rights() const override;
    [[nodiscard]] SqlText whole(const QStringList &keys) const override;
    [[nodiscard]] SqlText hold(const QList<RowGuard> &rows, bool lock) const override;
    [[nodiscard]] std::optional<SqlText> holderOf(const QStringList &keys) const override;
    [[nodiscard]] SqlText reopen(const QList<RowGuard> &rows) const override;
    [[nodiscard]] SqlText markProcessed(const QList<RowGuard> &rows,
                                        const QStringList &processed) const override;
    [[nodiscard]] SqlText release(const QList<RowGuard> &rows) const override;
    [[nodiscard]] SqlText remove(const QList<RowGuard> &rows) const override;
    [[nodiscard]] SqlText insert(const QList<WholeRow> &rows) const override;
    [[nodiscard]] SqlText record(const TableName &audit,
                                 const QList<AuditRow> &rows) const override;

private:
    [[nodiscard]] const SqlFlavor &flavor() const override { return postgresFlavor(); }
    /// The rows as seen, as a table named g.
    [[nodiscard]] static SqlFragment guards(const QList<RowGuard> &rows);
    [[nodiscard]] QString asSeen() const;
    [[nodiscard]] QString written() const;
};

} // namespace outbox
