// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of a database catalog that a probe needs, as a value: no connection, no SQL.
#pragma once

#include "models/shape/outboxshape.h"

#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>

namespace outbox {

/// Classes of column types that are alike across dialects (shapes.md 5.1).
enum class TypeClass { Integer, Flag, Uuid, Time, Json, Bytes, Named, List, Text, Other };

struct CatalogColumn
{
    QString name; ///< exact spelling
    QString type; ///< as the server writes it, e.g. "timestamp with time zone"
    TypeClass typeClass = TypeClass::Other;
    /// Of the class Uuid: a type of its own, 16 bytes, or a text.
    OutboxShape::KeyForm uuidForm = OutboxShape::KeyForm::UuidText;
    bool saysZone = false; ///< a time in it is a moment, whatever the zone
    bool nullable = true;
    bool hasDefault = false;
    bool identity = false; ///< serial, identity or rowid alias: the server counts it up
    bool generated = false; ///< computed from other columns; cannot be written
    QString defaultText; ///< the value of a default that is a plain one
    QStringList labels; ///< all values it may hold, where an enum or a check says so
    QMap<QString, QString> meanings; ///< what its comment calls its values: "1" is "sent"
    bool isUtcByDefault = false; ///< a time without zone whose default is the time of UTC
    bool isUpdatedByItself = false; ///< MariaDB: set anew whenever the row is written to
    QString plainType; ///< PostgreSQL: `type` without its length or precision, fit for a cast

    bool operator==(const CatalogColumn &) const = default;
};

/// Another table that the shape of a table reads.
struct CatalogNeighbour
{
    TableName name; ///< as the catalog has it
    QList<CatalogColumn> columns;

    bool operator==(const CatalogNeighbour &) const = default;
};

struct CatalogTable
{
    TableName name;
    QList<CatalogColumn> columns;
    QStringList primaryKey;
    double estimatedRows = -1; ///< -1 = not known
    bool rowSecurity = false;
    QStringList uniqueColumns; ///< each alone tells the rows apart and is never NULL
    /// By the name the shape uses; filled when the shape is checked.
    QMap<QString, CatalogNeighbour> neighbours;
    bool hasRowId = false; ///< SQLite: rows have a number of their own that no column hides
    bool givesKeysAgain = false; ///< SQLite: the key of the last row, once deleted, is given again
    bool isOneHeap = false; ///< PostgreSQL: a row's ctid names it, there are no partitions or heirs
    bool transactional = true; ///< false: MariaDB keeps it in an engine that cannot roll back

    [[nodiscard]] const CatalogColumn *column(const QString &columnName) const
    {
        for (const CatalogColumn &one : columns) {
            if (one.name == columnName)
                return &one;
        }
        return nullptr;
    }
    bool operator==(const CatalogTable &) const = default;
};

struct Catalog
{
    QString defaultSchema; ///< "public" on PostgreSQL, "main" on SQLite
    QList<CatalogTable> tables;

    /// Finds a table; a name without a schema is looked up in the default schema first.
    [[nodiscard]] const CatalogTable *find(const TableName &name) const;
    bool operator==(const Catalog &) const = default;
};

/// What a probe says about one table.
struct ProbeFinding
{
    OutboxShape shape;
    int score = 0; ///< points of shapes.md 5.2
    double confidence = 0; ///< 0..1, the lowest of table, key, payload, processed
    QMap<QString, QStringList> reasons; ///< by member, sentences for a person
    QStringList questions;

    bool operator==(const ProbeFinding &) const = default;
};

} // namespace outbox
