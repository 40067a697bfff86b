// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An operator's statements for SQLite 3.38 and later. Its placeholders are bound in the order of
// the text.
#pragma once

#include "connectors/sql/editdialect.h"

namespace outbox {

class SqliteEditDialect : public EditDialect
{
public:
    using EditDialect::EditDialect;

    [[nodiscard]] QString begin() const override;
    [[nodiscard]] SqlText rights() const override;
    [[nodiscard]] SqlText whole(const QStringList &keys) const override;
    [[nodiscard]] SqlText hold(const QList<RowGuard> &rows, bool lock) const override;
    [[nodiscard]] SqlText reopen(const QList<RowGuard> &rows) const override;
    [[nodiscard]] SqlText markProcessed(const QList<RowGuard> &rows,
                                        const QList<QDateTime> &processed) const override;
    [[nodiscard]] SqlText release(const QList<RowGuard> &rows) const override;
    [[nodiscard]] SqlText remove(const QList<RowGuard> &rows) const override;
    [[nodiscard]] SqlText insert(const QList<WholeRow> &rows) const override;
    [[nodiscard]] SqlText record(const TableName &audit,
                                 const QList<AuditRow> &rows) const override;

private:
    /// WHERE of the rows that are as they were seen; takes the JSON of the guards as its value.
    [[nodiscard]] QString asSeen(const QString &condition) const;
    [[nodiscard]] QString key() const;
    [[nodiscard]] QString written() const;
};

} // namespace outbox
