// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shape and catalog to statements: pure text, no connection. What differs between databases is
// here; what the columns of an answer mean is the same for all.
#pragma once

#include "connectors/sql/dialect/filtersql.h"
#include "connectors/sql/driver/databaseurl.h"
#include "connectors/sql/session/sqlsession.h"
#include "models/filter/pagerequest.h"
#include "models/localtime.h"
#include "models/message/message.h"
#include "models/shape/catalog.h"
#include "models/shape/outboxshape.h"
#include "models/system/snapshots.h"

#include <memory>
#include <optional>

namespace outbox {

/// Columns of the answer to a claim; those of `placeOrder` besides the key follow the last one.
namespace ClaimColumn {
enum {
    Key,
    Type,
    Payload,
    Queue,
    RefTable,
    RefId,
    BytesTooMany, ///< how long a payload is that was left out for it; NULL where it was not
    BornUs, ///< created, `asWrittenDown`; NULL where the shape's task ids do not ask for it
    BirthUs, ///< when the row was created; NULL where the shape does not compare births
    FirstOfPlace
};
}

/// Which rows a claim is to give, in texts that fit the table.
struct ClaimScope
{
    int rows = 0;
    QStringList parked; ///< left out
    /// The texts of a place in `placeOrder`; where it has not as many, rows are taken from the
    /// start.
    QStringList after;
    qint64 mostPayloadBytes = 0; ///< longer payloads stay on the server; 0 = none does
    QStringList queues{}; ///< left out; an empty one stands for NULL, too
    QStringList upTo{}; ///< beside a place in the file: rows behind this one are left out
};

/// Columns of a page; the cursor's parts follow the last one.
namespace PageColumn {
enum {
    Key,
    Type,
    Payload,
    PayloadBytes,
    CreatedUs,
    ProcessedUs,
    Attempts,
    ErrorText,
    Queue,
    RefTable,
    RefId,
    NowUs,
    LockKind,
    LockPid,
    LockApplication,
    LockSeconds,
    Version,
    Lease, ///< "live", "over" or NULL
    LeaseOwner,
    LeaseEndUs,
    ProcessedText, ///< `Message::processedText`
    State, ///< the word of RowStates::state, row locks aside
    BornUs, ///< created, `asWrittenDown`
    FirstOfCursor
};
}

/// Columns of a snapshot: for each state one line for each holder, and one for the rows that no one
/// holds. The holder of a lease is of the kind "lease"; those beyond the first `mostLeaseOwners`
/// are one line.
namespace SnapshotColumn {
enum {
    LockKind,
    LockPid,
    LockApplication,
    LockSeconds,
    Rows,
    OldestUs,
    NowUs,
    Processed, ///< NULL where no row can be; -1 where they were too many to be counted
    Size, ///< of the table in rows, an estimate; NULL where the server has none
    State, ///< as in a page; never "processed"
    FailedApart, ///< rows of a table of failed ones, NULL where there is none
    Xmax ///< in the answer to `Dialect::versions` alone
};
}

constexpr int mostLeaseOwners = 50;

/// Columns of referenced rows.
namespace ReferenceColumn {
enum { Key, Json, Bytes };
}

/// One column of the order in which rows are listed.
struct SortColumn
{
    QString name;
    bool descending = false;
};

/// Rows of a table that follow one another in an order of columns that are never NULL.
struct RowSpan
{
    QList<SortColumn> order;
    QStringList after; ///< the texts of a place, which is not in it; empty = from the start
    QStringList upTo; ///< the last place in it; empty = to the end
};

/// Errors: Invalid for a column that is not there, Unsupported for what neither database nor
/// predicate can tell.
class Dialect
{
public:
    /// `table` is the catalog's entry for the shape's table; every name of `shape` is in it.
    Dialect(OutboxShape shape, CatalogTable table);
    virtual ~Dialect() = default;
    Dialect(const Dialect &) = delete;
    Dialect &operator=(const Dialect &) = delete;

    [[nodiscard]] const OutboxShape &shape() const { return m_shape; }
    [[nodiscard]] const CatalogTable &table() const { return m_table; }
    /// Key columns of paging: the shape's order without nullable columns, closed by the key.
    [[nodiscard]] QList<SortColumn> pageOrder(bool newestFirst) const;
    /// Whether that is the order in which rows were written, or its reverse.
    [[nodiscard]] bool pagesGoByTime() const;
    /// What holds for the rows that are not processed, by bare column names.
    [[nodiscard]] QString openCondition() const { return states().open({}); }
    /// The order of claims, where a claim can go on behind a row's place in it: no column is ever
    /// NULL and all go the same way. Empty elsewhere.
    [[nodiscard]] QList<SortColumn> placeOrder() const;
    /// Claims may begin here and go on in the order in which the rows lie in the file: then a
    /// claim's place is one text that `isFilePlace` knows, and claims from such a place give the
    /// row's behind the last of `ClaimColumn`. Empty where they may not.
    [[nodiscard]] virtual QString startOfFile() const { return {}; }
    /// True where they had better, when the keys of a batch are of no order; claims from the start
    /// give the row's place in the file then.
    [[nodiscard]] virtual bool prefersFile() const { return false; }
    /// Answers a line where the table's rows stand in partitions or heirs by now, and none while
    /// they stand in one file as they did; empty where claims do not depend on that.
    [[nodiscard]] virtual SqlText isPartitionedNow() const { return {}; }
    [[nodiscard]] virtual bool isFilePlace(const QStringList &place) const
    {
        Q_UNUSED(place)
        return false;
    }
    /// The columns of a unique index of which none is ever NULL, in its order: the whole table can
    /// be walked along them. Empty where there is none.
    [[nodiscard]] QList<SortColumn> countOrder() const;
    /// True where equal keys stand side by side in the answer to a claim.
    [[nodiscard]] bool keyComesFirst() const;
    /// The values of the key's columns in a key's text; empty where it cannot be one.
    [[nodiscard]] QStringList keyPartsOf(const QString &text) const;
    /// False where the text cannot be a key of this table, so that no row can have it.
    [[nodiscard]] bool isKeyText(const QString &text) const;
    /// The id of the row that this text means, as rows have it.
    [[nodiscard]] MessageId idOf(const MessageId &typed) const;
    /// Texts of those ids that can be a key of the table at all.
    [[nodiscard]] QStringList keyTexts(const QList<MessageId> &ids) const;

    /// Asks whether anything is due without taking a lock; nullopt where claiming costs no more.
    [[nodiscard]] virtual std::optional<SqlText> anyDue() const { return std::nullopt; }
    /// Asks for a row that is due and has no key, so that no claim gives it; nullopt where every
    /// row has one.
    [[nodiscard]] virtual std::optional<SqlText> anyWithoutKey() const { return std::nullopt; }
    /// Asks, without locks, for one row that is not processed, held by others or not; an answer
    /// with no row means that none but the parked ones is left.
    [[nodiscard]] virtual SqlText anyLeft(const QStringList &parked) const = 0;
    /// Gives the rows in the shape's order.
    [[nodiscard]] virtual SqlText claim(const ClaimScope &scope) const = 0;
    /// Gives the same rows and keeps others from them, but takes none.
    [[nodiscard]] virtual SqlText hold(const ClaimScope &scope) const = 0;
    /// Takes the rows of `keys`, which are held, and answers with the keys of those that it took,
    /// or with how many they were where it cannot name them.
    [[nodiscard]] virtual SqlText consumeLocked(const QStringList &keys) const = 0;
    /// Takes the rows of `keys`, which are held, and fails unless exactly one goes for each key;
    /// nullopt where no statement can tell that.
    [[nodiscard]] virtual std::optional<SqlText> consumeExactly(const QStringList &keys) const
    {
        Q_UNUSED(keys)
        return std::nullopt;
    }
    /// Takes the rows of these keys, which the claim read and the open transaction holds; nullopt
    /// where `claim` took them.
    [[nodiscard]] virtual std::optional<SqlText> consumeRead(const QStringList &keys) const
    {
        Q_UNUSED(keys)
        return std::nullopt;
    }
    /// The key of the row that a claim from the start would give first, held by the open
    /// transaction.
    [[nodiscard]] virtual SqlText firstDue(const ClaimScope &scope) const = 0;
    /// As `claim`, for the row of `key` alone.
    [[nodiscard]] virtual SqlText claimOnly(const QString &key, qint64 mostPayloadBytes) const = 0;
    /// Counts a failed try of the row and notes why, where the shape has columns for either and
    /// nobody holds the row; nullopt where it has none.
    [[nodiscard]] virtual std::optional<SqlText> noteFailure(const QString &key,
                                                             const QString &reason) const = 0;
    /// Rows of the keys `parked` are in the state "parked".
    [[nodiscard]] virtual SqlText snapshot(const CountCaps &caps,
                                           const QStringList &parked) const = 0;
    /// The same as if nobody held a row by a session, one line for each version that may be held;
    /// more than `mostLeaseOwners` are not all told. Asking who holds rows costs a new session of
    /// PostgreSQL more than counting them. Empty where `snapshot` is to be asked at once.
    [[nodiscard]] virtual SqlText versions(const CountCaps &caps, const QStringList &parked) const
    {
        Q_UNUSED(caps)
        Q_UNUSED(parked)
        return {};
    }
    /// Makes a snapshot of the answer to `versions`; empty where nobody can hold one of them, so
    /// that it is one. nullopt where they are too many: `snapshot` is to be asked.
    [[nodiscard]] virtual std::optional<SqlText> holdersOf(const SqlRows &versions) const
    {
        Q_UNUSED(versions)
        return std::nullopt;
    }
    /// When the row that was marked last was marked, and, where rows are due at once, the longest
    /// time from a row's making to its mark among the `rows` newest ones; both in microseconds.
    /// Empty where no column tells when.
    [[nodiscard]] SqlText lastMarked(int rows) const;
    /// The process, name and age in seconds of the session whose snapshot or transaction is the
    /// oldest, but for our own; empty where snapshots keep nobody from cleaning up.
    [[nodiscard]] virtual SqlText oldestSnapshot() const { return {}; }
    /// A filter as far as this database can tell; see `FilterSql::push`.
    [[nodiscard]] virtual Result<FilterPush> push(const CheckNode &checks,
                                                  PayloadTexts texts) const = 0;
    /// True where keys are uuids, in whatever way somebody writes them.
    [[nodiscard]] bool keysAreUuids() const
    {
        const CatalogColumn *key = m_table.column(m_shape.keyColumn);
        return key && flavor().holdsUuids(*key);
    }
    /// One row more than `request.limit`, so that the last page is known, within a span and in its
    /// order, whose columns follow the last one of the answer. `condition` is what `push` made of
    /// the request's filter.
    [[nodiscard]] virtual SqlText rowsIn(const RowSpan &span, const PageRequest &request,
                                         const SqlFragment &condition) const = 0;
    /// The place of the row that stands `rows` behind the beginning of the span; no row where there
    /// are fewer. `span.upTo` is not minded.
    [[nodiscard]] SqlText placeBehind(const RowSpan &span, qint64 rows) const;
    /// How many rows of the table stand in the span.
    [[nodiscard]] SqlText countIn(const RowSpan &span) const;
    /// How many of our rows do; more than `most` are not counted.
    [[nodiscard]] SqlText countIn(const RowSpan &span, qint64 most) const;
    /// How many of our rows fulfil `condition`, which is what `push` made of a filter, but for
    /// those with the keys `without`; more than `most` are not counted.
    [[nodiscard]] SqlText countOf(const SqlFragment &condition, const QStringList &without,
                                  qint64 most) const;
    /// The place in the order of `column` of the row that comes last in it, and where it is the
    /// created column its time in microseconds.
    [[nodiscard]] SqlText newestBy(const QString &column) const;
    [[nodiscard]] virtual SqlText find(const QString &key, qint64 payloadLimit) const;
    /// Words of states, with how many rows of the span are in each; NULL for the rows that are not
    /// ours.
    [[nodiscard]] virtual SqlText countSlice(const RowSpan &span, const QStringList &parked) const;
    /// Bytes of the row's payload from `from` (0: the first) on, `bytes` at most, and how many
    /// there are in all; no row where there is none. The shape has a payload column.
    [[nodiscard]] virtual SqlText payloadSlice(const QString &key, qint64 from,
                                               qint64 bytes) const = 0;
    /// Rows of `target`, a table of the catalog with one key column, by keys that fit its type.
    [[nodiscard]] virtual SqlText references(const CatalogTable &target, const QStringList &keys,
                                             qint64 payloadLimit) const = 0;

protected:
    [[nodiscard]] const CatalogColumn &column(const QString &name) const;
    [[nodiscard]] QString tableName() const;
    /// Another table that the shape reads, as the catalog has it.
    [[nodiscard]] TableName neighbour(const TableName &name) const;
    /// The created column where a claim reads it; empty elsewhere.
    [[nodiscard]] QString bornColumn() const
    {
        return m_shape.needsBirth() || m_shape.comparesBirths() ? m_shape.createdColumn : QString();
    }
    /// The same where births are compared.
    [[nodiscard]] QString comparedBirth() const
    {
        return m_shape.comparesBirths() ? m_shape.createdColumn : QString();
    }
    /// A time without zone as a number that names its row: no zone that somebody says later, nor
    /// a night when clocks change, may change the id of a task.
    static constexpr QLatin1StringView asWrittenDown{"UTC"};
    /// The order of claims: the shape's, closed by the key so that it is total.
    [[nodiscard]] QList<SortColumn> claimOrder() const;
    /// The columns of `placeOrder` besides the key, whose text a claim gives anyway.
    [[nodiscard]] QStringList placeColumns() const;
    /// True where `after` is a place behind which rows can be claimed.
    [[nodiscard]] bool isPlace(const QStringList &after) const;
    /// The state of an open row, `state`, where `isParked` is the condition that it is parked.
    [[nodiscard]] static SqlFragment stateBeside(const SqlFragment &isParked, const QString &state);
    /// The state of any row of the table, NULL where it is not ours; the table is named t.
    [[nodiscard]] static SqlFragment stateOfAny(const RowStates &states,
                                                const SqlFragment &isParked);
    /// `prefix."a" DESC, prefix."b"`.
    [[nodiscard]] static QString orderBy(const QList<SortColumn> &order, const QString &prefix);

    [[nodiscard]] virtual const SqlFlavor &flavor() const = 0;
    /// What tells the states of rows, in the words of this database.
    [[nodiscard]] RowStates states() const { return {m_shape, m_table, flavor()}; }
    /// A time of a cell of t in microseconds since 1970; NULL where there is no such column, or its
    /// zone is not known.
    [[nodiscard]] QString timeUs(const QString &name, Reading reading) const
    {
        return flavor().microseconds(m_table, name, m_shape.zoneOf(name), reading);
    }
    /// A time as a number that names its row.
    [[nodiscard]] QString writtenUs(const QString &name) const
    {
        return flavor().microseconds(m_table, name, asWrittenDown);
    }
    /// A cell as people and task ids write it; NULL where the shape has no such column.
    [[nodiscard]] QString textOf(const QString &name) const
    {
        return flavor().textOf(m_table, name);
    }
    /// The key as `textOf`, of one column or of several.
    [[nodiscard]] virtual QString keyText() const { return states().key(QStringLiteral("t.")); }
    /// The cells of a page up to `PageColumn::RefId`.
    [[nodiscard]] QList<SqlFragment> shownCells(qint64 payloadLimit) const;
    /// Those of `PageColumn::Lease` and of `PageColumn::LeaseOwner`.
    [[nodiscard]] QStringList leaseCells() const;
    [[nodiscard]] virtual QString processedText() const; ///< as `Message::processedText`
    /// SELECT and FROM of a page, the table named t, where nobody sees which session holds a row;
    /// `version` and `lockKind` are cells, NULL where they are empty.
    [[nodiscard]] SqlFragment select(qint64 payloadLimit, const QList<SortColumn> &order,
                                     const QString &version, const QString &lockKind = {}) const;
    /// The cells of a claim; `tooMany` is that of `ClaimColumn::BytesTooMany`.
    [[nodiscard]] QList<SqlFragment> cellsOfClaim(const SqlFragment &payload,
                                                  const SqlFragment &tooMany) const;
    /// A SELECT of open rows, `most` and one more: when they were made as c, who holds them by a
    /// live lease, `owner`, as w, and their states as s.
    [[nodiscard]] SqlFragment openRows(const QString &owner, const QStringList &parked,
                                       qint64 most) const;
    /// A text of a column in its place beside it; `name` may be the row's own number.
    [[nodiscard]] SqlFragment placed(const QString &text, const QString &name) const;
    /// The condition that the key is this one, "false" where it cannot be one.
    [[nodiscard]] virtual SqlFragment hasKey(const QString &key) const;
    /// The condition that a row stands behind a place; `prefix` is that of the table.
    [[nodiscard]] virtual SqlFragment afterCursor(const QList<SortColumn> &order,
                                                  const QString &prefix,
                                                  const QStringList &after) const;
    /// The condition that the key is one of these; the table is named t.
    [[nodiscard]] virtual SqlFragment isAmong(const QStringList &keys) const;
    /// The same of parked rows, empty where there are none.
    [[nodiscard]] virtual SqlFragment isParked(const QStringList &parked) const
    {
        return parked.isEmpty() ? SqlFragment() : isAmong(parked);
    }
    /// ` AND ` that a row that is claimed is none of them.
    [[nodiscard]] virtual SqlFragment butParked(const QStringList &parked) const;
    /// The condition that another session holds the row; "false" where that is not seen.
    [[nodiscard]] virtual QString isRowHeld() const { return QStringLiteral("false"); }
    /// What stands before a statement so that it may ask whether rows are held; empty: nothing.
    [[nodiscard]] virtual QString tablesOfLocks() const { return {}; }
    /// The condition that the row was processed within so many seconds; a column tells when.
    [[nodiscard]] virtual SqlFragment processedWithin(double seconds) const = 0;
    /// The conditions of a page; the table is named t.
    [[nodiscard]] QList<SqlFragment> chosenIn(const RowSpan &span, const PageRequest &request,
                                              const SqlFragment &condition) const;
    /// ` WHERE … ORDER BY … LIMIT …`; the table is named t.
    [[nodiscard]] SqlFragment firstOf(const QList<SqlFragment> &conditions,
                                      const QList<SortColumn> &order, qint64 rows) const;
    /// ` WHERE ` all of them; nothing where all are true.
    [[nodiscard]] static SqlFragment where(QList<SqlFragment> conditions);
    /// The conditions of a span; the table is named t.
    [[nodiscard]] virtual QList<SqlFragment> within(const RowSpan &span) const;

    OutboxShape m_shape;
    CatalogTable m_table;

private:
    /// FROM and WHERE of the rows of a span; the table is named t.
    [[nodiscard]] SqlFragment fromSpan(const RowSpan &span) const;
};

[[nodiscard]] std::unique_ptr<Dialect>
makeDialect(DatabaseUrl::Dialect dialect, const OutboxShape &shape, const CatalogTable &table);

/// Whether `text` can be a value of `column`: a cast to it will not fail.
[[nodiscard]] bool fitsType(const QString &text, const CatalogColumn &column);
/// The same where a value is written as the column shows it: of numbers, no "007".
[[nodiscard]] bool fitsExactly(const QString &text, const CatalogColumn &column);
/// A text that fits the column, as the server writes its value back: uuids in small letters, no
/// "007". What somebody typed is compared with answers by it.
[[nodiscard]] QString asWritten(const QString &text, const CatalogColumn &column);
/// Decimal ranges whose members begin with `digits`, e.g. 12: 12–12, 120–129 … For prefix search.
[[nodiscard]] QList<std::pair<qint64, qint64>> integerRanges(const QString &digits);
/// First and last uuid that begins with `prefix`; nullopt when none can.
[[nodiscard]] std::optional<std::pair<QString, QString>> uuidRange(const QString &prefix);

} // namespace outbox
