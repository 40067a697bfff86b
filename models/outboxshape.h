// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the columns of one table mean: the only way the console, the relay and the command line know
// an outbox. Names, kinds and values only, never SQL (shapes.md 1).
#pragma once

#include "models/result.h"

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

/// A mapped outbox table. Members follow the JSON of shapes.md section 3.
struct OutboxShape
{
    enum class Use { Watch, Relay };
    /// UuidBytes: 16 bytes, the text of the key is the uuid they make in the order of RFC 4122.
    enum class KeyForm { Uuid, UuidText, UuidBytes, Integer, Text };
    enum class PayloadForm { Json, Text, Bytes, Reference };
    enum class ProcessedHow { Deleted, Time };
    /// Row: an open transaction holds it. Until: a column says when the lease of a row ends.
    enum class LockedHow { None, Row, Until };
    /// What the order of rows may be taken for: sequence (gaps, late commits), time (ties), none.
    enum class OrderIs { None, Sequence, Time };

    QString name;
    QString family; ///< empty: not one of the known families
    Use use = Use::Watch;
    TableName table;

    QString keyColumn;
    KeyForm keyForm = KeyForm::Text;
    QString taskId = QStringLiteral("{id}"); ///< template; {id} is the key's text

    QString typeColumn; ///< may be empty when fixedType is set
    QString fixedType;
    PayloadForm payloadForm = PayloadForm::Bytes;
    QString payloadColumn; ///< Json, Text, Bytes
    QString referenceTableColumn; ///< Reference: column that names the table
    QString referenceIdColumn; ///< Reference: column with that row's key
    QStringList
        referenceTables; ///< Reference: the only tables ever read, "schema.table" or "table"

    QString headersColumn;
    QString createdColumn;
    QString attemptsColumn;
    QString errorColumn;
    QString queueColumn;

    ProcessedHow processedHow = ProcessedHow::Deleted;
    QString processedColumn; ///< Time
    LockedHow lockedHow = LockedHow::Row;
    QString leaseColumn; ///< Until: end of the lease
    QString ownerColumn; ///< Until: who holds it; may be empty

    QStringList order; ///< columns; a leading '-' means descending
    OrderIs orderIs = OrderIs::None;

    QString confirmed; ///< who confirmed the mapping and when; empty = nobody yet
    QJsonObject others; ///< members this version does not know: kept, and warned about

    /// True where a relay of ours may deliver it (shapes.md 4); otherwise `whyNotRelay` says why.
    [[nodiscard]] bool canRelay() const { return whyNotRelay().isEmpty(); }
    [[nodiscard]] QString whyNotRelay() const;
    /// The task id of a row: the template with the key put in.
    [[nodiscard]] QString taskIdFor(const QString &keyText) const;
    /// Every column the shape names, for the check against the catalog.
    [[nodiscard]] QStringList columns() const;

    [[nodiscard]] QJsonObject toJson() const;
    /// Reads the JSON of shapes.md 3. Fails with Invalid for a missing or unknown member value and
    /// with Unsupported for a `how` this version does not know.
    [[nodiscard]] static Result<OutboxShape> fromJson(const QJsonObject &json);
    bool operator==(const OutboxShape &) const = default;
};

} // namespace outbox
