// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An operator's statements for SQLite 3.38 and later: they name rows by key alone, since what was
// seen of a row is compared outside.
#pragma once

#include "connectors/sql/dialect/editdialect.h"

namespace outbox {

class SqliteEditDialect : public EditDialect
{
public:
    using EditDialect::EditDialect;

    [[nodiscard]] QString begin() const override;
    [[nodiscard]] bool comparesVersions() const override { return false; }
    [[nodiscard]] SqlText rights() const override;
    [[nodiscard]] SqlText whole(const QStringList &keys) const override;
    [[nodiscard]] SqlText hold(const QList<RowGuard> &rows, bool lock) const override;
    [[nodiscard]] bool isProcessedText(const QString &text) const override;
    [[nodiscard]] SqlText reopen(const QList<RowGuard> &rows) const override;
    [[nodiscard]] SqlText markProcessed(const QList<RowGuard> &rows,
                                        const QStringList &processed) const override;
    [[nodiscard]] SqlText release(const QList<RowGuard> &rows) const override;
    [[nodiscard]] SqlText remove(const QList<RowGuard> &rows) const override;
    [[nodiscard]] SqlText insert(const QList<WholeRow> &rows) const override;
    [[nodiscard]] SqlText record(const TableName &audit,
                                 const QList<AuditRow> &rows) const override;

private:
    [[nodiscard]] const SqlFlavor &flavor() const override { return sqliteFlavor(); }
    /// WHERE of these rows.
    [[nodiscard]] SqlFragment among(const QList<RowGuard> &rows) const;
    [[nodiscard]] QString key() const;
};

} // namespace outbox
