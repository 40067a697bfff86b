// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What each database is sent, for a handful of shapes: the texts stand in
// tests/connectors/statements, each value in its place between « and ». OUTBOX_WRITE_STATEMENTS=1
// writes the files anew.
#include "connectors/sql/dialect/dialect.h"
#include "connectors/sql/dialect/documentdialect.h"
#include "connectors/sql/dialect/editdialect.h"
#include "connectors/sql/dialect/sqlflavor.h"
#include "connectors/sql/edit/outboxeditor.h"
#include "connectors/sql/outbox/fencetable.h"
#include "connectors/sql/outbox/parkedtable.h"
#include "models/filter/checks.h"
#include "tests/support/resultmacros.h"
#include "tests/support/testprogram.h"

#include <QDateTime>
#include <QFile>
#include <QObject>
#include <QSet>
#include <QTest>

#include <algorithm>

namespace tst_statementtexts {

using namespace outbox;
using namespace Qt::Literals::StringLiterals;

namespace {

using Database = DatabaseUrl::Dialect;

/// A value as one reads it in the files.
QString shown(const QVariant &value)
{
    if (value.isNull() && value.typeId() != QMetaType::QStringList)
        return u"NULL"_s;
    if (value.canConvert<TextBytes>())
        return u"text "_s + QString::fromLatin1(value.value<TextBytes>().bytes);
    switch (value.typeId()) {
    case QMetaType::QStringList:
        return u'[' + value.toStringList().join(u", "_s) + u']';
    case QMetaType::QByteArray:
        return u"bytes "_s + QString::fromLatin1(value.toByteArray().toHex());
    case QMetaType::QString:
        return u'\'' + value.toString() + u'\'';
    default:
        return value.toString();
    }
}

/// The text with the values in the places of their placeholders: however these are numbered, the
/// database reads the same.
QString withValues(const SqlText &sql, Database database)
{
    const bool isNumbered = database == Database::PostgreSql;
    QString text;
    QSet<qsizetype> used;
    qsizetype next = 0;
    QChar quote;
    for (qsizetype i = 0; i < sql.text.size(); ++i) {
        const QChar sign = sql.text.at(i);
        if (!quote.isNull()) {
            text += sign;
            if (sign == u'\\' && quote == u'\'' && database == Database::MariaDb
                && i + 1 < sql.text.size())
                text += sql.text.at(++i);
            else if (sign == quote)
                quote = {};
            continue;
        }
        qsizetype place = -1;
        if (isNumbered && sign == u'$') {
            qsizetype end = i + 1;
            while (end < sql.text.size() && sql.text.at(end).isDigit())
                ++end;
            place = sql.text.mid(i + 1, end - i - 1).toLongLong() - 1;
            if (place >= 0)
                i = end - 1;
        } else if (!isNumbered && sign == u'?') {
            place = next++;
        }
        if (place >= 0) {
            used += place;
            text += u'«' + (place < sql.values.size() ? shown(sql.values.at(place)) : u"nothing"_s)
                + u'»';
            continue;
        }
        if (sign == u'\'' || sign == u'"' || sign == u'`')
            quote = sign;
        text += sign;
    }
    if (used.size() != sql.values.size())
        text += u" -- values %1, places %2"_s.arg(sql.values.size()).arg(used.size());
    return text.replace(u'\n', u"\\n"_s);
}

CatalogColumn columnOf(const QString &name, const QString &type, TypeClass typeClass,
                       bool nullable = true)
{
    CatalogColumn column;
    column.name = name;
    column.type = type;
    column.plainType = type.section(u'(', 0, 0);
    column.typeClass = typeClass;
    column.nullable = nullable;
    return column;
}

/// The columns that a shape may have, as each database writes their types.
struct Types
{
    explicit Types(Database database) : of(database) { }

    [[nodiscard]] QString one(const QString &postgres, const QString &mariadb,
                              const QString &sqlite) const
    {
        return of == Database::PostgreSql ? postgres : of == Database::MariaDb ? mariadb : sqlite;
    }
    [[nodiscard]] CatalogColumn uuid(const QString &name) const
    {
        if (of == Database::MariaDb)
            return columnOf(name, u"binary(16)"_s, TypeClass::Bytes, false);
        CatalogColumn id = columnOf(name, one(u"uuid"_s, {}, u"text"_s), TypeClass::Uuid, false);
        if (of == Database::PostgreSql)
            id.uuidForm = OutboxShape::KeyForm::Uuid;
        return id;
    }
    [[nodiscard]] CatalogColumn integer(const QString &name, bool nullable = true) const
    {
        return columnOf(name, one(u"bigint"_s, u"bigint(20)"_s, u"integer"_s), TypeClass::Integer,
                        nullable);
    }
    [[nodiscard]] CatalogColumn text(const QString &name, bool nullable = true) const
    {
        return columnOf(name, one(u"text"_s, u"varchar(200)"_s, u"text"_s), TypeClass::Text,
                        nullable);
    }
    [[nodiscard]] CatalogColumn moment(const QString &name, bool nullable = true) const
    {
        CatalogColumn time
            = columnOf(name, one(u"timestamp with time zone"_s, u"timestamp(6)"_s, u"timestamp"_s),
                       TypeClass::Time, nullable);
        time.saysZone = of != Database::Sqlite;
        return time;
    }
    [[nodiscard]] CatalogColumn local(const QString &name, bool nullable = true) const
    {
        return columnOf(name,
                        one(u"timestamp without time zone"_s, u"datetime(6)"_s, u"timestamp"_s),
                        TypeClass::Time, nullable);
    }
    [[nodiscard]] CatalogColumn json(const QString &name) const
    {
        return columnOf(name, one(u"jsonb"_s, u"longtext"_s, u"text"_s), TypeClass::Json, false);
    }
    [[nodiscard]] CatalogColumn bytes(const QString &name) const
    {
        return columnOf(name, one(u"bytea"_s, u"longblob"_s, u"blob"_s), TypeClass::Bytes, false);
    }
    [[nodiscard]] CatalogColumn flag(const QString &name) const
    {
        return columnOf(name, one(u"boolean"_s, u"tinyint(1)"_s, u"boolean"_s), TypeClass::Flag,
                        false);
    }
    const Database of;
};

struct Sample
{
    QString name;
    OutboxShape shape;
    CatalogTable table;
    QStringList keys; ///< texts of two keys
    QStringList place; ///< behind which a claim goes on
};

OutboxShape shapeOf(const QString &key, OutboxShape::KeyForm form)
{
    OutboxShape shape;
    shape.use = OutboxShape::Use::Relay;
    shape.table = {u"app"_s, u"outbox"_s};
    shape.keyColumn = key;
    shape.keyForm = form;
    shape.typeColumn = u"type"_s;
    shape.payloadColumn = u"payload"_s;
    shape.payloadForm = OutboxShape::PayloadForm::Json;
    shape.setTimeZone(u"UTC"_s);
    return shape;
}

CatalogTable tableOf(const OutboxShape &shape, Database database,
                     const QList<CatalogColumn> &columns)
{
    CatalogTable table;
    table.name = database == Database::PostgreSql ? shape.table : TableName{{}, shape.table.table};
    table.columns = columns;
    table.primaryKey = shape.keyColumns();
    if (!shape.keyColumn.isEmpty())
        table.uniqueColumns = QStringList{shape.keyColumn};
    table.isOneHeap = database == Database::PostgreSql;
    table.hasRowId = database == Database::Sqlite;
    return table;
}

const QStringList uuids{u"7e57d004-2b97-4e7a-8000-00000000002a"_s,
                        u"8e57d004-2b97-4e7a-8000-00000000002b"_s};

/// A uuid, a created time, and rows that go when they are sent.
Sample classicSample(const Types &types)
{
    OutboxShape shape = shapeOf(u"id"_s,
                                types.of == Database::MariaDb ? OutboxShape::KeyForm::UuidBytes
                                                              : OutboxShape::KeyForm::Uuid);
    shape.createdColumn = u"created_at"_s;
    shape.order = QStringList{u"created_at"_s, u"id"_s};
    shape.orderIs = OutboxShape::OrderIs::Time;
    return {u"classic"_s,
            shape,
            tableOf(shape, types.of,
                    {types.uuid(u"id"_s), types.text(u"type"_s, false), types.json(u"payload"_s),
                     types.moment(u"created_at"_s, false)}),
            uuids,
            {u"2026-01-01 00:00:00+00"_s, uuids.first()}};
}

/// A uuid alone.
Sample uuidSample(const Types &types)
{
    Sample sample = classicSample(types);
    sample.name = u"uuid"_s;
    sample.shape.createdColumn.clear();
    sample.shape.order = QStringList{u"id"_s};
    sample.shape.orderIs = OutboxShape::OrderIs::None;
    sample.place = uuids.mid(0, 1);
    return sample;
}

/// A number, a processed time, attempts, a queue, a lease and a due time.
Sample leaseSample(const Types &types)
{
    OutboxShape shape = shapeOf(u"id"_s, OutboxShape::KeyForm::Integer);
    shape.payloadForm = OutboxShape::PayloadForm::Bytes;
    shape.createdColumn = u"created_at"_s;
    shape.attemptsColumn = u"attempts"_s;
    shape.maxAttemptsColumn = u"most"_s;
    shape.errorColumn = u"last_error"_s;
    shape.queueColumn = u"queue"_s;
    shape.dueColumn = u"due_at"_s;
    shape.processedHow = OutboxShape::ProcessedHow::Time;
    shape.processedColumn = u"sent_at"_s;
    shape.lockedHow = OutboxShape::LockedHow::Until;
    shape.leaseColumn = u"lease_until"_s;
    shape.ownerColumn = u"lease_owner"_s;
    shape.order = QStringList{u"id"_s};
    shape.orderIs = OutboxShape::OrderIs::Sequence;
    return {u"lease"_s,
            shape,
            tableOf(shape, types.of,
                    {types.integer(u"id"_s, false), types.text(u"type"_s, false),
                     types.bytes(u"payload"_s), types.moment(u"created_at"_s, false),
                     types.integer(u"attempts"_s), types.integer(u"most"_s),
                     types.text(u"last_error"_s), types.text(u"queue"_s), types.local(u"due_at"_s),
                     types.moment(u"sent_at"_s), types.local(u"lease_until"_s, false),
                     types.text(u"lease_owner"_s)}),
            {u"41"_s, u"42"_s},
            {u"41"_s}};
}

/// A text as key, states in words, times in numbers.
Sample statusSample(const Types &types)
{
    OutboxShape shape = shapeOf(u"key"_s, OutboxShape::KeyForm::Text);
    shape.where = {ShapeTest{u"kind"_s, ShapeTest::Is::Equal, {u"it's"_s}}};
    shape.payloadForm = OutboxShape::PayloadForm::Text;
    shape.createdColumn = u"made"_s;
    shape.times[u"made"_s] = u"epoch-ms"_s;
    shape.processedHow = OutboxShape::ProcessedHow::Status;
    shape.processedColumn = u"status"_s;
    shape.processedValues = QStringList{u"sent"_s, u"done"_s};
    shape.processedTimeColumn = u"sent_at"_s;
    shape.failedHow = OutboxShape::FailedHow::Status;
    shape.failedColumn = u"status"_s;
    shape.failedValues = QStringList{u"failed"_s};
    shape.pendingColumn = u"status"_s;
    shape.pendingValues = QStringList{u"new"_s};
    shape.order = QStringList{u"made"_s, u"key"_s};
    shape.orderIs = OutboxShape::OrderIs::Time;
    return {u"status"_s,
            shape,
            tableOf(shape, types.of,
                    {types.text(u"key"_s, false), types.text(u"type"_s, false),
                     types.text(u"payload"_s, false), types.text(u"kind"_s),
                     types.integer(u"made"_s, false), types.text(u"status"_s, false),
                     types.local(u"sent_at"_s)}),
            {u"a'b\\c"_s, u"d?$1"_s},
            {u"1767225600000"_s, u"a'b\\c"_s}};
}

/// A flag, and names that only quotation marks make names.
Sample flagSample(const Types &types)
{
    const bool hasSigns = types.of != Database::Sqlite; // which takes no question mark
    const QString key = hasSigns ? u"the \"key\"?"_s : u"the \"key\""_s;
    OutboxShape shape = shapeOf(key, OutboxShape::KeyForm::Integer);
    shape.table = {u"odd \"schema\""_s, u"$1 out`box"_s};
    shape.typeColumn = u"select"_s;
    shape.payloadColumn = u"Größe $2"_s;
    shape.headersColumn = u"head'ers"_s;
    shape.processedHow = OutboxShape::ProcessedHow::Flag;
    shape.processedColumn = u"is sent"_s;
    shape.failedHow = OutboxShape::FailedHow::Attempts;
    shape.attemptsColumn = u"at-tempts"_s;
    shape.maxAttempts = 5;
    shape.order = QStringList{key};
    shape.orderIs = OutboxShape::OrderIs::Sequence;
    return {u"flag"_s,
            shape,
            tableOf(shape, types.of,
                    {types.integer(key, false), types.text(u"select"_s, false),
                     types.json(u"Größe $2"_s), types.json(u"head'ers"_s), types.flag(u"is sent"_s),
                     types.integer(u"at-tempts"_s)}),
            {u"7"_s, u"8"_s},
            {u"7"_s}};
}

/// A key of two columns: such rows are only looked at.
Sample partsSample(const Types &types)
{
    OutboxShape shape = shapeOf({}, OutboxShape::KeyForm::Text);
    shape.use = OutboxShape::Use::Watch;
    shape.keyParts
        = {{u"tenant"_s, OutboxShape::KeyForm::Text}, {u"number"_s, OutboxShape::KeyForm::Integer}};
    shape.createdColumn = u"created_at"_s;
    shape.processedHow = OutboxShape::ProcessedHow::Time;
    shape.processedColumn = u"sent_at"_s;
    shape.order = QStringList{u"-created_at"_s};
    shape.orderIs = OutboxShape::OrderIs::Time;
    return {u"parts"_s,
            shape,
            tableOf(shape, types.of,
                    {types.text(u"tenant"_s, false), types.integer(u"number"_s, false),
                     types.text(u"type"_s, false), types.json(u"payload"_s),
                     types.local(u"created_at"_s, false), types.moment(u"sent_at"_s)}),
            {u"acme:1"_s, u"a%3Ab:2"_s},
            {}};
}

} // namespace

class TestStatementTexts : public QObject
{
    Q_OBJECT

    static QString fileOf(Database database)
    {
        const QString name = database == Database::PostgreSql ? u"postgres"_s
            : database == Database::MariaDb                   ? u"mariadb"_s
                                                              : u"sqlite"_s;
        return QStringLiteral(STATEMENTS) + u'/' + name + u".txt"_s;
    }

    /// Lines of one database, in the order in which they were asked for.
    struct Lines
    {
        Database database;
        QStringList all{};

        void head(const QString &text) { all += u"# "_s + text; }
        void add(const QString &what, const QString &text)
        {
            all += what + u": "_s + QString(text).replace(u'\n', u"\\n"_s);
        }
        void add(const QString &what, const SqlText &sql) { add(what, withValues(sql, database)); }
        void add(const QString &what, const std::optional<SqlText> &sql)
        {
            add(what, sql ? withValues(*sql, database) : u"none"_s);
        }
    };

    static QList<RowGuard> guards(const Sample &sample)
    {
        QList<RowGuard> rows;
        for (const QString &key : sample.keys)
            rows += RowGuard{MessageId{key}, u"version of "_s + key};
        return rows;
    }

    static void addPages(Lines &lines, const Dialect &dialect, const Sample &sample)
    {
        const SqlFragment everything(u"true"_s);
        PageRequest request;
        lines.add(u"page"_s,
                  dialect.rowsIn({dialect.pageOrder(true), {}, {}}, request, everything));
        request.newestFirst = false;
        request.withVersions = true;
        request.states = {MessageState::Pending, MessageState::Locked};
        request.ids = {MessageId{sample.keys.first()}, MessageId{sample.keys.last()}};
        request.processedWithinSeconds = 90.5;
        const QList<SortColumn> order = dialect.pageOrder(false);
        QStringList place;
        for (const SortColumn &one : order) {
            const bool isTime = sample.table.column(one.name)->typeClass == TypeClass::Time;
            const bool isNumber = sample.table.column(one.name)->typeClass == TypeClass::Integer;
            place += isTime ? u"2026-01-01 00:00:00"_s : isNumber ? u"12"_s : sample.keys.first();
        }
        lines.add(u"page of a plan behind a place"_s,
                  dialect.rowsIn({order, place, {}}, request, everything));
        const RowSpan span{order, place, place};
        const PageRequest plain;
        lines.add(u"rows of a span"_s, dialect.rowsIn(span, plain, everything));
        lines.add(u"place behind"_s, dialect.placeBehind(span, 1000));
        lines.add(u"count of a span"_s, dialect.countIn(span));
        lines.add(u"count of a span, bounded"_s, dialect.countIn(span, 5000));
        lines.add(u"count slice"_s, dialect.countSlice(span, {}));
        lines.add(u"count slice beside parked rows"_s, dialect.countSlice(span, sample.keys));
        lines.add(u"find"_s, dialect.find(sample.keys.first(), 1000));
        lines.add(u"payload slice"_s, dialect.payloadSlice(sample.keys.first(), 64, 4096));
        if (!sample.shape.createdColumn.isEmpty())
            lines.add(u"newest by"_s, dialect.newestBy(sample.shape.createdColumn));
    }

    /// An answer to `Dialect::versions`: rows that nobody can hold, and rows that somebody may.
    static SqlRows twoVersions()
    {
        QList<QByteArray> cells
            = QByteArray("-|-|-|-|3|1767225600000000|1767225601000000|7|12|pending|-|0|"
                         "lease|-|w\\1|-|2|-|1767225601000000|7|12|locked|-|745")
                  .split('|');
        for (QByteArray &cell : cells) {
            if (cell == "-")
                cell.clear(); // NULL
        }
        return {SnapshotColumn::Xmax + 1, cells, 0, {}};
    }

    static void addCounts(Lines &lines, const Dialect &dialect, const Sample &sample)
    {
        lines.add(u"open"_s, dialect.openCondition());
        lines.add(u"snapshot"_s, dialect.snapshot(liveCaps, {}));
        lines.add(u"snapshot beside parked rows"_s, dialect.snapshot(CountCaps(), sample.keys));
        lines.add(u"versions"_s, dialect.versions(liveCaps, {}));
        lines.add(u"holders of versions"_s, dialect.holdersOf(twoVersions()));
        lines.add(u"last marked"_s, dialect.lastMarked(100));
        lines.add(u"oldest snapshot"_s, dialect.oldestSnapshot());
    }

    static void addClaims(Lines &lines, const Dialect &dialect, const Sample &sample)
    {
        lines.add(u"any due"_s, dialect.anyDue());
        lines.add(u"any without key"_s, dialect.anyWithoutKey());
        lines.add(u"any left"_s, dialect.anyLeft({}));
        lines.add(u"any left beside parked rows"_s, dialect.anyLeft(sample.keys));
        lines.add(u"is partitioned"_s, dialect.isPartitionedNow());
        const QList<std::pair<QString, ClaimScope>> scopes{
            {u"from the start"_s, {100, {}, {}, 0}},
            {u"of small payloads beside others"_s, {10, sample.keys, {}, 65536, {u"low"_s, u""_s}}},
            {u"behind a place"_s, {100, {}, sample.place, 1000}},
            {u"from a place in the file"_s, {100, sample.keys, {u"(0,0)"_s}, 0, {}, sample.place}}};
        for (const auto &[name, scope] : scopes) {
            lines.add(u"claim "_s + name, dialect.claim(scope));
            lines.add(u"hold "_s + name, dialect.hold(scope));
        }
        lines.add(u"first due"_s, dialect.firstDue(scopes.at(1).second));
        lines.add(u"claim only"_s, dialect.claimOnly(sample.keys.first(), 1000));
        lines.add(u"consume held"_s, dialect.consumeLocked(sample.keys));
        lines.add(u"consume exactly"_s, dialect.consumeExactly(sample.keys));
        lines.add(u"consume read"_s, dialect.consumeRead(sample.keys));
        lines.add(u"note a failure"_s,
                  dialect.noteFailure(sample.keys.first(), u"it's \\ broken?"_s));
    }

    /// All that may be changed; the first part is empty, the last one is the payload.
    static QList<EditedCell> editedCells(const Sample &sample)
    {
        QList<EditedCell> cells;
        for (const RowPartContent &one : partsOf(sample.shape, sample.table)) {
            if (!one.mayChange())
                continue;
            const auto kind = one.form == PartForm::Bytes ? Cell::Kind::Bytes : Cell::Kind::Text;
            cells += EditedCell{one.part, one.column, cells.isEmpty() ? Cell() : Cell{kind, "old"},
                                Cell{kind, "new"}};
        }
        return cells;
    }

    static void addEdits(Lines &lines, const EditDialect &edit, const Sample &sample)
    {
        const QList<RowGuard> rows = guards(sample);
        lines.add(u"begin"_s, edit.begin());
        lines.add(u"rights"_s, edit.rights());
        lines.add(u"try remove"_s, edit.tryRemove());
        lines.add(u"whole"_s, edit.whole(sample.keys));
        lines.add(u"hold rows, locked"_s, edit.hold(rows, true));
        lines.add(u"hold rows"_s, edit.hold(rows, false));
        lines.add(u"holder of"_s, edit.holderOf(sample.keys));
        lines.add(u"to be held"_s, edit.toBeWritten(RowChange::Hold, rows));
        lines.add(u"remove"_s, edit.remove(rows));
        if (sample.shape.canMark()) {
            const QString when = lines.database == Database::Sqlite
                ? u"text:2026-01-01 00:00:00.5"_s
                : u"1767225600500000"_s;
            lines.add(u"to be reopened"_s, edit.toBeWritten(RowChange::Reopen, rows));
            lines.add(u"reopen"_s, edit.reopen(rows));
            lines.add(u"to be marked"_s, edit.toBeWritten(RowChange::MarkProcessed, rows));
            lines.add(u"mark processed"_s, edit.markProcessed(rows, {when, QString()}));
        }
        if (sample.shape.lockedHow == OutboxShape::LockedHow::Until) {
            lines.add(u"to be released"_s, edit.toBeWritten(RowChange::Release, rows));
            lines.add(u"release"_s, edit.release(rows));
        }
        const QList<EditedCell> cells = editedCells(sample);
        lines.add(u"to be edited"_s, edit.toBeWritten(RowChange::Edit, rows));
        lines.add(u"edit"_s, edit.edit(rows.first(), cells));
        lines.add(u"payload as stored"_s,
                  edit.asStored(cells.last().seen, *sample.table.column(cells.last().column)));
        WholeRow whole;
        whole.columns = edit.wholeColumns();
        for (qsizetype i = 0; i < whole.columns.size(); ++i) {
            const auto kind = std::min(static_cast<int>(i), static_cast<int>(Cell::Kind::Real));
            whole.cells += Cell{static_cast<Cell::Kind>(kind), QByteArray::number(i)};
        }
        lines.add(u"insert"_s, edit.insert({whole, whole}));
        const AuditRow record{u"op"_s,       u"ana@desk"_s,  u"deck"_s, u"replay"_s,
                              u"it's \\1"_s, u"processed"_s, u"new"_s,  QString()};
        lines.add(u"record"_s, edit.record({u"app"_s, u"outbox_audit"_s}, {record, record}));
        for (const Verb verb : {Verb::Replay, Verb::Unreplay, Verb::Purge, Verb::Park,
                                Verb::Release, Verb::Import, Verb::Run, Verb::Edit}) {
            lines.add(
                u"statements of %1"_s.arg(static_cast<int>(verb)),
                edit.statementsOf(verb, TableName{u"app"_s, u"outbox_audit"_s}).join(u"; "_s));
        }
    }

    static void addFilters(Lines &lines, const Dialect &dialect)
    {
        const QDateTime now({2026, 1, 2}, {3, 4, 5}, Qt::UTC);
        const QStringList filters{u"state:pending"_s,
                                  u"state:processed,failed"_s,
                                  u"-state:waiting"_s,
                                  u"7e57"_s,
                                  u"id:7e57"_s,
                                  u"id:12"_s,
                                  u"id=42"_s,
                                  u"id:7e57d004-2b97-4e7a-8000-00000000002a"_s,
                                  u"type:email:*"_s,
                                  u"type=email"_s,
                                  u"type~\"50%_!\""_s,
                                  u"type~Größe"_s,
                                  u"type:none"_s,
                                  u"-type:a?b"_s,
                                  u"age>5m"_s,
                                  u"age<=1h"_s,
                                  u"created>2026-01-01T00:00:00Z"_s,
                                  u"created<2026-01-01T12:00:00Z"_s,
                                  u"created:any"_s,
                                  u"processed>2026-01-01T00:00:00Z"_s,
                                  u"processed:none"_s,
                                  u"wait>1h"_s,
                                  u"due<2026-01-01T14:02:00Z"_s,
                                  u"attempts>=3"_s,
                                  u"attempts:none"_s,
                                  u"max<=5"_s,
                                  u"error~timeout"_s,
                                  u"error:\"a'b\\\\c*\""_s,
                                  u"error:none"_s,
                                  u"cause:\"timeout after *\""_s,
                                  u"queue:critical"_s,
                                  u"queue:any"_s,
                                  u"payload~Kelvin"_s,
                                  u"payload.user.id:42"_s,
                                  u"payload.n>3"_s,
                                  u"size>10k"_s,
                                  u"locked:none"_s,
                                  u"locked:any"_s,
                                  u"owner~relay"_s,
                                  u"lockage>5m"_s,
                                  u"task:archived"_s,
                                  u"header.tenant:acme"_s,
                                  u"header.n<4"_s,
                                  u"col.type:x"_s,
                                  u"col.attempts>2"_s,
                                  u"col.created_at>2026-01-01T00:00:00Z"_s,
                                  u"col.nowhere:1"_s,
                                  u"type:a or (type:b -state:failed)"_s,
                                  u"type:a payload~x or id:1"_s,
                                  u"-(type:a or attempts>1) state:pending"_s};
        for (const QString &text : filters) {
            const auto filter = Filter::fromText(text);
            const auto checks = filter ? checksOf(*filter, FilterSubject::Rows, now)
                                       : Result<CheckNode>(passOn(filter));
            for (const PayloadTexts texts : {PayloadTexts::Apart, PayloadTexts::Within}) {
                QString told;
                if (checks) {
                    const auto pushed = dialect.push(*checks, texts);
                    if (pushed) {
                        told = withValues(pushed->condition, lines.database);
                        if (!pushed->rest.isEverything())
                            told += u" -- and the predicate"_s;
                    } else {
                        told = oneLine(pushed.error());
                    }
                } else {
                    told = oneLine(checks.error());
                }
                lines.add(text + (texts == PayloadTexts::Within ? u" (within)"_s : QString()),
                          told);
            }
        }
    }

    static void addDocuments(Lines &lines, const Types &types)
    {
        DocumentShape shape;
        shape.table = {u"app"_s, u"orders"_s};
        shape.changedColumn = u"changed_at"_s;
        shape.mapPath = QStringList{u"it's"_s, u"OutboxState"_s};
        shape.timeMember = u"madeAt"_s;
        CatalogTable table;
        table.name = types.of == Database::PostgreSql ? shape.table : TableName{{}, u"orders"_s};
        table.uniqueColumns = QStringList{u"id"_s};
        const QList<CatalogColumn> documents{types.json(u"document"_s),
                                             types.text(u"document"_s, false)};
        for (const CatalogColumn &document : documents) {
            lines.head(u"documents in %1"_s.arg(document.type));
            table.columns = {types.text(u"id"_s, false), types.integer(u"version"_s, false),
                             document, types.moment(u"changed_at"_s)};
            const auto dialect = makeDocumentDialect(types.of, shape, table);
            lines.add(u"page"_s, dialect->page({}, 100));
            lines.add(u"page behind"_s, dialect->page(u"a'b"_s, 10));
            lines.add(u"find"_s, dialect->find(u"a'b"_s));
            lines.add(u"write"_s, dialect->write(u"a'b"_s, u"3"_s, "{\"a\":1}"));
            lines.add(u"insert"_s, dialect->insert(u"a'b"_s, "{}"));
            lines.add(u"barrier"_s, SqlText{databaseOf(types.of).barrier, {}});
        }
    }

    static void addTablesBeside(Lines &lines, const Types &types)
    {
        lines.head(u"tables beside"_s);
        lines.add(u"audit table"_s, OutboxEditor::auditTableSql(types.of));
        lines.add(u"parked table"_s, ParkedTableAccess::sql(types.of));
        lines.add(u"fence table"_s, FenceTableAccess::sql(types.of));
        CatalogTable table;
        const bool hasSchema = types.of == Database::PostgreSql;
        table.name = TableName{hasSchema ? u"app"_s : QString(), u"done"_s};
        for (const CatalogColumn &id : {types.text(u"id"_s, false), types.uuid(u"id"_s)}) {
            table.columns = {id, types.moment(u"at"_s)};
            table.uniqueColumns = QStringList{u"id"_s};
            const SqlFlavor &flavor = flavorOf(types.of);
            lines.add(u"done: remove from %1"_s.arg(id.type),
                      flavor.removal(table, u"id"_s, uuids.first()));
            lines.add(u"done: id"_s, flavor.textOf(table, u"id"_s));
            lines.add(u"done: time"_s,
                      flavor.answer(flavor.microseconds(table, u"at"_s, u"UTC"_s)));
            lines.add(u"done: now"_s, flavor.nowBeside(table.columns.last()));
            lines.add(u"done: unless there"_s,
                      QString(flavor.unlessThere() + flavor.database().repeatedKeyCode));
        }
    }

    static QStringList linesOf(Database database)
    {
        const Types types(database);
        Lines lines{database};
        for (const Sample &sample : {classicSample(types), uuidSample(types), leaseSample(types),
                                     statusSample(types), flagSample(types), partsSample(types)}) {
            const auto dialect = makeDialect(database, sample.shape, sample.table);
            lines.head(sample.name + u", looked at"_s);
            addCounts(lines, *dialect, sample);
            addPages(lines, *dialect, sample);
            lines.add(
                u"references"_s,
                dialect->references(sample.shape.keyColumn.isEmpty() ? classicSample(types).table
                                                                     : sample.table,
                                    sample.shape.keyColumn.isEmpty() ? uuids : sample.keys, 500));
            lines.head(sample.name + u", filtered"_s);
            addFilters(lines, *dialect);
            if (sample.shape.keyColumn.isEmpty())
                continue;
            lines.head(sample.name + u", claimed"_s);
            addClaims(lines, *dialect, sample);
            lines.head(sample.name + u", edited"_s);
            addEdits(lines, *makeEditDialect(database, sample.shape, sample.table), sample);
        }
        addDocuments(lines, types);
        addTablesBeside(lines, types);
        return lines.all;
    }

private slots:
    void eachDatabaseIsSentWhatTheFilesSay_data()
    {
        QTest::addColumn<int>("database");
        QTest::newRow("PostgreSQL") << static_cast<int>(Database::PostgreSql);
        QTest::newRow("MariaDB") << static_cast<int>(Database::MariaDb);
        QTest::newRow("SQLite") << static_cast<int>(Database::Sqlite);
    }
    void eachDatabaseIsSentWhatTheFilesSay()
    {
        QFETCH(int, database);
        const auto kind = static_cast<Database>(database);
        const QStringList lines = linesOf(kind);
        QFile file(fileOf(kind));
        if (qEnvironmentVariableIntValue("OUTBOX_WRITE_STATEMENTS") == 1) {
            QVERIFY2(file.open(QIODevice::WriteOnly), qPrintable(file.errorString()));
            const QByteArray bytes = (lines.join(u'\n') + u'\n').toUtf8();
            QCOMPARE(file.write(bytes), bytes.size());
            return;
        }
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.errorString()));
        const QStringList expected = QString::fromUtf8(file.readAll()).chopped(1).split(u'\n');
        QString section;
        int differ = 0;
        for (qsizetype i = 0; i < std::max(lines.size(), expected.size()); ++i) {
            const QString is = lines.value(i);
            if (is.startsWith(u"# "))
                section = is;
            if (is == expected.value(i) || ++differ > 5)
                continue;
            qWarning("line %d, %s\n  was %s\n  is  %s", static_cast<int>(i + 1),
                     qPrintable(section), qPrintable(expected.value(i)), qPrintable(is));
        }
        QCOMPARE(differ, 0);
    }
};

} // namespace tst_statementtexts

OUTBOX_TEST(tst_statementtexts::TestStatementTexts)

#include "tst_statementtexts.moc"
