// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A table that a generator makes: columns and rows, and the statements that bring both into a
// database.
#pragma once

#include "connectors/sql/driver/databaseurl.h"
#include "tests/support/schemas/vocabulary.h"

#include <QDateTime>

namespace outbox {

/// How one schema writes times; a plain one is in UTC.
enum class TimeForm { WithZone, Plain, Seconds, Milliseconds };

enum class ColumnKind {
    Uuid,
    Counted, ///< the server counts it up
    Integer,
    Small,
    Big,
    Letter,
    Short, ///< text up to `length`
    Long,
    Json,
    Bytes,
    Flag,
    Time,
    Money,
};

/// What one database calls types and how it writes values.
struct SqlForm
{
    DatabaseUrl::Dialect dialect = DatabaseUrl::Dialect::Sqlite;
    TimeForm times = TimeForm::Plain;
    QDateTime now; ///< UTC

    [[nodiscard]] bool isPostgres() const { return dialect == DatabaseUrl::Dialect::PostgreSql; }
    [[nodiscard]] bool isMariadb() const { return dialect == DatabaseUrl::Dialect::MariaDb; }
    [[nodiscard]] QString type(ColumnKind kind, int length) const;
    [[nodiscard]] QString time(const QDateTime &at) const;
    [[nodiscard]] QString clock() const; ///< a default; empty where times are numbers
    [[nodiscard]] QString flag(bool is) const;
    [[nodiscard]] QString bytes(const QString &text) const;
    [[nodiscard]] static QString text(QString value);
};

struct ColumnDraft
{
    QString role; ///< what the generator fills it with
    QString name;
    ColumnKind kind = ColumnKind::Short;
    bool nullable = false;
    QString defaultSql;
    QStringList labels; ///< the only values it may have
    bool isEnum = false; ///< `labels` are a type, not a check
    QString comment; ///< what the catalog says of it
    bool isUnique = false;
    int length = 200;
};

struct TableDraft
{
    QString name;
    QList<ColumnDraft> columns;
    QStringList key;
    QList<QStringList> rows; ///< values as SQL, in the order of the columns

    /// False: there is a column of that name.
    bool add(const ColumnDraft &column);
    [[nodiscard]] const ColumnDraft *ofRole(const QString &role) const;
    [[nodiscard]] QStringList statements(const SqlForm &form) const;
};

} // namespace outbox
