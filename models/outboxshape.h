// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the columns of one table mean: the only way the console, the relay and the command line know
// an outbox. Names, kinds and values only, never SQL (shapes.md 1).
#pragma once

#include "models/result.h"
#include "models/shaperules.h"

#include <QJsonObject>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

namespace outbox {

/// A mapped outbox table. Members follow the JSON of shapes.md section 3.
struct OutboxShape
{
    enum class Use { Watch, Relay };
    /// UuidBytes: 16 bytes, the text of the key is the uuid they make in the order of RFC 4122.
    enum class KeyForm { Uuid, UuidText, UuidBytes, Integer, Text };
    /// Many: a list of messages in one row. Opaque: bytes of a serializer we do not know.
    enum class PayloadForm { Json, Text, Bytes, Reference, Many, Opaque, None };
    /// Member: a row of another table says it. Offset: each consumer has a position. Log: not in
    /// the table at all.
    enum class ProcessedHow { Deleted, Time, Flag, Status, Archive, Member, Offset, Log };
    /// Row: an open transaction holds it. Until: a column says when the lease of a row ends. Owner:
    /// a column says who holds it. Node: that owner is a row of a table of processes. LockRow: one
    /// row of another table for a group of rows.
    enum class LockedHow { None, Row, Until, Owner, Node, LockRow, Status, Member };
    /// Attempts: there were as many as may be. Error: processed, but with an error. Table: the row
    /// was moved away.
    enum class FailedHow { None, Time, Flag, Status, Attempts, Error, Table, Member, Queue };
    /// What the order of rows may be taken for: commits, sequence (gaps, late commits), time
    /// (ties), none.
    enum class OrderIs { None, Sequence, Time, Commit };

    struct KeyPart
    {
        QString column;
        KeyForm form = KeyForm::Text;
        bool operator==(const KeyPart &) const = default;
    };

    QString name;
    QString family; ///< empty: not one of the known families
    Use use = Use::Watch;
    TableName table;
    QList<ShapeTest> where; ///< rows outside do not exist for us

    QString keyColumn; ///< empty where the key has several columns or none
    KeyForm keyForm = KeyForm::Text;
    QList<KeyPart> keyParts; ///< of a key of several columns
    QString taskId = QStringLiteral("{id}"); ///< template; {id} is the key's text

    QString typeColumn; ///< may be empty when fixedType is set
    QString fixedType;
    Satellite typeIn; ///< the type is looked up by a number of the row
    PayloadForm payloadForm = PayloadForm::Bytes;
    QString payloadColumn; ///< Json, Text, Bytes
    QString referenceTableColumn; ///< Reference: column that names the table
    QString referenceIdColumn; ///< Reference: column with that row's key
    QStringList
        referenceTables; ///< Reference: the only tables ever read, "schema.table" or "table"

    QString headersColumn;
    QString createdColumn;
    QString attemptsColumn; ///< finished ones, where both are counted
    QString startedColumn; ///< attempts that began
    QString maxAttemptsColumn;
    int maxAttempts = 0; ///< 0: not known
    QString errorColumn;
    QString queueColumn;

    ProcessedHow processedHow = ProcessedHow::Deleted;
    QString processedColumn; ///< Time, Flag, Status
    QString processedTimeColumn; ///< Flag, Status: says when; may be empty
    QStringList processedValues; ///< Status; what we mark with comes first
    QList<ShapeTest> processedAnd; ///< must hold besides
    Satellite processedIn; ///< Archive, Member
    Positions positions; ///< Offset

    LockedHow lockedHow = LockedHow::Row;
    QString leaseColumn; ///< Until: end of the lease
    QString
        ownerColumn; ///< Until, Status: who holds it; may be empty. Owner, Node: the mark itself
    QString lockTimeColumn; ///< Owner, Status: since when; alone it is the mark of an Owner
    double leaseSeconds = 0; ///< Owner: a lock that is older is over; 0: age only
    QStringList freeOwners; ///< Node, Owner: values that mean nobody
    QString lockedColumn; ///< Status
    QStringList lockedValues; ///< Status
    Satellite lockedIn; ///< LockRow, Member
    NodeTable node; ///< Node, Member

    FailedHow failedHow = FailedHow::None;
    QString failedColumn; ///< Time, Flag, Status, Error, Queue
    QStringList failedValues; ///< Status, Queue
    Satellite failedIn; ///< Table, Member

    QString dueColumn;
    QList<ShapeTest> dueOnlyIn; ///< `dueColumn` is a due time only where these hold
    QString waitingColumn; ///< a status
    QStringList waitingValues;
    Satellite waitingIn;
    QString pendingColumn; ///< a status; empty: what is in no other state is pending
    QStringList pendingValues; ///< what we mark with when a row is opened again comes first
    Satellite pendingIn;

    QStringList order; ///< columns; a leading '-' means descending
    OrderIs orderIs = OrderIs::None;

    QString confirmed; ///< who confirmed the mapping and when; empty = nobody yet
    QJsonObject others; ///< members this version does not know: kept, and warned about

    /// True where a relay of ours may deliver it (shapes.md 4); otherwise `whyNotRelay` says why.
    [[nodiscard]] bool canRelay() const { return whyNotRelay().isEmpty(); }
    [[nodiscard]] QString whyNotRelay() const;
    /// True where the key is a uuid, in whatever way somebody writes it.
    [[nodiscard]] bool hasUuidKeys() const
    {
        return keyForm == KeyForm::Uuid || keyForm == KeyForm::UuidBytes;
    }
    /// The columns of the key; none where there is none.
    [[nodiscard]] QStringList keyColumns() const;
    /// The column that says when a row was processed; empty where none does.
    [[nodiscard]] QString processedWhenColumn() const;
    /// True where a row can be marked as processed, and as pending again, in its own columns.
    [[nodiscard]] bool canMark() const;
    /// False where the table does not tell what was delivered.
    [[nodiscard]] bool tellsProcessed() const { return processedHow != ProcessedHow::Log; }
    /// The other tables that the shape reads besides the referenced ones, with the columns of each.
    [[nodiscard]] QList<std::pair<TableName, QStringList>> neighbours() const;
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
