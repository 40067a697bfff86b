// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A table beside the documents: its session, its names as the catalog knows them, and whether the
// server can be relied on.
#pragma once

#include "connectors/sql/outboxstore.h"
#include "connectors/sql/sqlsession.h"
#include "models/catalog.h"
#include "models/designs/donestore.h"

#include <QSet>

#include <memory>

namespace outbox {

/// Blocking; one session, in one thread. Every statement is its own transaction.
class SideTable
{
public:
    /// Fails with Invalid for a name that the catalog does not know.
    [[nodiscard]] Result<void> open(const StoreSettings &settings, const DoneTable &table);

    [[nodiscard]] const StoreTrust &trust() const { return m_trust; }
    [[nodiscard]] const DoneTable &names() const { return m_names; }
    [[nodiscard]] bool isSqlite() const;
    [[nodiscard]] const CatalogColumn &column(const QString &name) const;
    /// False where the text can be no id of this table.
    [[nodiscard]] bool isId(const QString &text) const;
    /// As it stands in a statement.
    [[nodiscard]] QString tableName() const;
    [[nodiscard]] Result<SqlRows> query(const SqlText &sql, const QString &doing);
    /// Refused in a session that only looks.
    [[nodiscard]] Result<SqlRows> write(const SqlText &sql, const QString &doing);
    /// Those of `ids` that are in the table.
    [[nodiscard]] Result<QSet<QString>> have(const QStringList &ids, const QString &doing);
    /// Appends a value of the column's type; answers its placeholder.
    [[nodiscard]] QString bind(SqlText &sql, const QVariant &value, const QString &column) const;
    /// A condition: the id is one of these.
    [[nodiscard]] QString isOneOf(SqlText &sql, const QStringList &ids) const;
    /// A column as text.
    [[nodiscard]] QString textOf(const QString &column) const;
    /// Now, as the time column holds it.
    [[nodiscard]] QString now() const;

private:
    [[nodiscard]] Result<void> learnTrust();

    SocketBreaker m_breaker;
    std::unique_ptr<SqlSession> m_session;
    StoreSettings m_settings;
    DoneTable m_names;
    CatalogTable m_table;
    StoreTrust m_trust;
};

} // namespace outbox
