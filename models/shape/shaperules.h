// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parts of a shape that say when a row is in a state: tests on columns, and rows of other
// tables that speak of it. Names, kinds and values only (shapes.md 1).
#pragma once

#include "models/result.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

namespace outbox {

/// A table name in its exact spelling; `schema` may be empty (then the search path decides).
struct TableName
{
    QString schema;
    QString table;

    /// "schema.table" or "table".
    [[nodiscard]] QString text() const;
    /// Splits at the first dot; the rest is the table.
    [[nodiscard]] static TableName fromText(const QString &text);
    bool operator==(const TableName &) const = default;
};

/// A test on one column: the only kind of condition a shape has.
struct ShapeTest
{
    enum class Is { Null, Set, True, False, Equal, In, Past, Future };

    QString column;
    Is is = Is::Set;
    QStringList values; ///< Equal: one; In: any number

    bool operator==(const ShapeTest &) const = default;
};

/// Rows of a neighbour that speak of a row of the outbox: a state by membership, a lock row, a
/// lookup. Columns but those of `on` may be empty.
struct RelatedTable
{
    TableName table;
    QMap<QString, QString> on; ///< its column to the outbox' own
    QString column; ///< must be set, or is the text that is looked up
    QString ownerColumn;
    QString timeColumn; ///< since when
    QString dueColumn;
    QString errorColumn;

    [[nodiscard]] bool isEmpty() const { return table.table.isEmpty(); }
    bool operator==(const RelatedTable &) const = default;
};

/// The processes that owners of rows refer to.
struct NodeTable
{
    TableName table;
    QString keyColumn;
    QString heartbeatColumn;

    [[nodiscard]] bool isEmpty() const { return table.table.isEmpty(); }
    bool operator==(const NodeTable &) const = default;
};

/// How far each consumer has read.
struct Positions
{
    TableName table;
    QString consumerColumn;
    QStringList columns; ///< as many as the key of the outbox has
    QMap<QString, QString> on; ///< its column to the outbox' own, where consumers read a part
    QString guard; ///< "xid8": consumers wait for transactions that began before

    [[nodiscard]] bool isEmpty() const { return table.table.isEmpty(); }
    bool operator==(const Positions &) const = default;
};

[[nodiscard]] QJsonArray toJson(const QList<ShapeTest> &tests);
/// Fails with Unsupported for an `is` this version does not know.
[[nodiscard]] Result<QList<ShapeTest>> testsFromJson(const QJsonValue &json, const QString &member);
/// Adds its members to `json`.
void write(const RelatedTable &related, QJsonObject &json);
[[nodiscard]] RelatedTable relatedTableFromJson(const QJsonObject &json);
[[nodiscard]] QJsonObject toJson(const NodeTable &node);
[[nodiscard]] NodeTable nodeFromJson(const QJsonObject &json);
void write(const Positions &positions, QJsonObject &json);
[[nodiscard]] Positions positionsFromJson(const QJsonObject &json);
/// Strings, numbers and truth values as texts.
[[nodiscard]] QStringList textsOf(const QJsonValue &json);

} // namespace outbox
