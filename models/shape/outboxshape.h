// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the columns of one table mean: the only way the console, the relay and the command line know
// an outbox. Names, kinds and values only, never SQL (shapes.md 1).
#pragma once

#include "models/ids.h"
#include "models/result.h"
#include "models/shape/queueshards.h"
#include "models/shape/shaperules.h"

#include <QJsonObject>
#include <QList>
#include <QMap>
#include <QString>
#include <QStringList>

#include <optional>

namespace outbox {

struct CatalogTable;

/// What helps where a time is in a zone that nobody said.
inline const QString timeZoneHint = QStringLiteral(
    "Say it: --time-zone Europe/Berlin, or UTC; in the console under Connections, Outbox, "
    "Probe and map");

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
    /// Template of task ids: {id} is the key's text, {source} `source`, {born} the created time in
    /// microseconds since 1970 in base 36.
    QString taskId = QStringLiteral("{id}");
    QString source; ///< tells this table from all others; empty = made from the server's names
    /// Templates under which another relay of this table writes: asked for before a task is stored.
    QStringList alsoTaskIds;

    QString typeColumn; ///< may be empty when fixedType is set
    QString fixedType;
    RelatedTable typeIn; ///< the type is looked up by a number of the row
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
    QString queueColumn; ///< names the queue of a row, and counts before the shards
    QueueShards queueShards; ///< queues that rows are shared out among

    ProcessedHow processedHow = ProcessedHow::Deleted;
    QString processedColumn; ///< Time, Flag, Status
    QString processedTimeColumn; ///< Flag, Status: says when; may be empty
    QStringList processedValues; ///< Status; what we mark with comes first
    QList<ShapeTest> processedAnd; ///< must hold besides
    RelatedTable processedIn; ///< Archive, Member
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
    RelatedTable lockedIn; ///< LockRow, Member
    NodeTable node; ///< Node, Member

    FailedHow failedHow = FailedHow::None;
    QString failedColumn; ///< Time, Flag, Status, Error, Queue
    QStringList failedValues; ///< Status, Queue
    RelatedTable failedIn; ///< Table, Member

    QString dueColumn;
    QList<ShapeTest> dueOnlyIn; ///< `dueColumn` is a due time only where these hold
    QString waitingColumn; ///< a status
    QStringList waitingValues;
    RelatedTable waitingIn;
    QString pendingColumn; ///< a status; empty: what is in no other state is pending
    QStringList pendingValues; ///< what we mark with when a row is opened again comes first
    RelatedTable pendingIn;

    /// How columns hold their times, "*": all that are not named. "utc" and "local:ZONE" are of
    /// columns without a zone, "timestamptz" and "epoch-s", "-ms", "-us", "-ns" of those that need
    /// none; "unknown", as no word: nobody said the zone.
    QMap<QString, QString> times;

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
    /// The zone in which a column without one holds its times, as `timeZoneNamed` gives it; empty
    /// where nobody said it. "UTC" for a column that needs none.
    [[nodiscard]] QString zoneOf(const QString &column) const;
    /// The zone of all columns that have none; empty: nobody says it.
    void setTimeZone(const QString &zone);
    /// Why a relay cannot tell what it may take: a time it goes by is in a zone that nobody said.
    /// Empty: it can. Of a shape as a store has taken it, which knows what needs no zone.
    [[nodiscard]] QString whyTimesUntold() const;
    /// The columns of the table itself that hold times.
    [[nodiscard]] QStringList timeColumns() const;
    /// True where the last error of a row can be read, from the table or from one beside it.
    [[nodiscard]] bool tellsErrors() const
    {
        return !errorColumn.isEmpty()
            || (!failedIn.errorColumn.isEmpty() && !failedIn.on.isEmpty());
    }
    /// True where a row can be marked as processed, and as pending again, in its own columns.
    [[nodiscard]] bool canMark() const;
    /// False where the table does not tell what was delivered.
    [[nodiscard]] bool tellsProcessed() const { return processedHow != ProcessedHow::Log; }
    /// The other tables that the shape reads besides the referenced ones, with the columns of each.
    [[nodiscard]] QList<std::pair<TableName, QStringList>> neighbours() const;
    static constexpr int mostOtherIds = 4;
    /// The task id of a row that was created at `bornUs` (microseconds since 1970); empty where the
    /// template needs that time and it is not known.
    [[nodiscard]] TaskId taskIdFor(const QString &keyText, std::optional<qint64> bornUs) const;
    [[nodiscard]] QStringList alsoTaskIdsFor(const QString &keyText,
                                             std::optional<qint64> bornUs) const;
    /// The key that somebody means who typed it, as rows have it: "007" is 7 where keys are
    /// numbers, a uuid is written in small letters where the server writes it.
    [[nodiscard]] MessageId keyOf(const QString &typed) const;
    /// The parts of the id of a task of a row with this key, between which something stands that
    /// the key alone does not tell; one part where nothing does.
    [[nodiscard]] QStringList taskIdParts(const QString &keyText) const;
    /// The key of the row whose task has this id; nullopt where no row of this table can have it.
    [[nodiscard]] std::optional<MessageId> keyIn(const TaskId &task) const;
    /// Of the row that `keyIn` names, whose own task is `ofRow`: false where `task` is that of an
    /// earlier row with the same key.
    [[nodiscard]] bool isTaskOf(const TaskId &task, const TaskId &ofRow) const;
    /// The task id has the row's created time in it.
    [[nodiscard]] bool needsBirth() const;
    /// A template names the source, and `source` is empty.
    [[nodiscard]] bool lacksSource() const;
    /// Rows leave the table when they are delivered.
    [[nodiscard]] bool goWhenSent() const;
    /// The task id of a row may be that of an earlier one, whose time can be compared.
    [[nodiscard]] bool mayReturn() const;
    /// The times of rows and tasks are compared: a task under one of the ids may be another row's.
    [[nodiscard]] bool comparesBirths() const;
    /// What is wrong with the templates; empty: nothing.
    [[nodiscard]] QString whyNoTaskIds() const;
    /// Why a later row of `rows`, the shape's table, may have the task id of an earlier one; empty:
    /// none can.
    [[nodiscard]] QString whyIdsReturn(const CatalogTable &rows) const;
    /// Rows are shared out among queues.
    [[nodiscard]] bool hasShards() const { return queueColumn.isEmpty() && !queueShards.isEmpty(); }
    /// The column that says which queue a row goes to; empty where none does.
    [[nodiscard]] QString queueTextColumn() const
    {
        return hasShards() ? queueShards.byColumn : queueColumn;
    }
    /// The queue of a row whose task has the id `task`; `text` is what `queueTextColumn` holds.
    /// Empty: the row names none, and goes to the usual one.
    [[nodiscard]] QString queueFor(const TaskId &task, const QString &text) const;
    /// The queue of a task whose row is not known; empty where the id does not tell.
    [[nodiscard]] QString queueOfTask(const TaskId &task) const;
    /// Every column the shape names, for the check against the catalog.
    [[nodiscard]] QStringList columns() const;

    [[nodiscard]] QJsonObject toJson() const;
    /// Reads the JSON of shapes.md 3. Fails with Invalid for a missing or unknown member value and
    /// with Unsupported for a `how` this version does not know.
    [[nodiscard]] static Result<OutboxShape> fromJson(const QJsonObject &json);
    bool operator==(const OutboxShape &) const = default;
};

} // namespace outbox
