// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An operator's statements for MariaDB 10.6 and later: the rows are locked first, and compared
// outside with what was seen; the open transaction keeps them so.
#pragma once

#include "connectors/sql/dialect/editdialect.h"
#include "connectors/sql/mariadb/mariadbtexts.h"

namespace outbox {

class MariadbEditDialect : public EditDialect
{
public:
    using EditDialect::EditDialect;

    [[nodiscard]] QString begin() const override;
    [[nodiscard]] bool comparesVersions() const override { return false; }
    [[nodiscard]] SqlText rights() const override;
    [[nodiscard]] std::optional<SqlText> tryRemove() const override;
    [[nodiscard]] SqlText whole(const QStringList &keys) const override;
    /// Waits for rows that others hold, but where `lock` is asked for.
    [[nodiscard]] SqlText hold(const QList<RowGuard> &rows, bool lock) const override;
    [[nodiscard]] std::optional<SqlText> toBeWritten(RowWrite write,
                                                     const QList<RowGuard> &rows) const override;
    [[nodiscard]] SqlText reopen(const QList<RowGuard> &rows) const override;
    [[nodiscard]] SqlText markProcessed(const QList<RowGuard> &rows,
                                        const QStringList &processed) const override;
    [[nodiscard]] SqlText release(const QList<RowGuard> &rows) const override;
    [[nodiscard]] SqlText remove(const QList<RowGuard> &rows) const override;
    [[nodiscard]] SqlText insert(const QList<WholeRow> &rows) const override;
    [[nodiscard]] QString repeatedKeyCode() const override { return QStringLiteral("1062"); }
    [[nodiscard]] SqlText record(const TableName &audit,
                                 const QList<AuditRow> &rows) const override;

private:
    [[nodiscard]] const SqlFlavor &flavor() const override { return mariadbFlavor(); }
    /// What a row must be, beside being meant, to be written.
    [[nodiscard]] QString condition(RowWrite write) const;
    [[nodiscard]] SqlText update(RowWrite write, const SqlFragment &sets,
                                 const QList<RowGuard> &rows) const;
    [[nodiscard]] QString key() const;
};

} // namespace outbox
