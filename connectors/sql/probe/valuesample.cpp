// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/probe/valuesample.h"

#include "connectors/sql/dialect/sqlflavor.h"
#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/names/statuswords.h"
#include "connectors/sql/probe/schemaprobe.h"
#include "connectors/sql/probe/shapecheck.h"
#include "connectors/sql/probe/shapefamilies.h"
#include "connectors/sql/probe/zoneprobe.h"
#include "connectors/sql/roles/columnroles.h"
#include "connectors/sql/roles/columnsample.h"
#include "connectors/sql/roles/rowsample.h"
#include "connectors/sql/session/sqlsession.h"
#include "models/shape/keytime.h"

#include <QDeadlineTimer>
#include <QMap>
#include <QUuid>

#include <algorithm>
#include <cstdlib>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int fewValueRows = 100; ///< enough to see whether rows say what the names say
constexpr int mostValueRows = 1000;
constexpr double noValueKnown = 0.5;
constexpr double besideUnknownValues = 0.8; ///< another column decides, but what they mean is open

/// Distinct texts of a column among the first rows.
Result<QStringList> valuesOf(SqlSession &session, const TableName &table, const QString &column,
                             DatabaseUrl::Dialect dialect)
{
    const QString type = databaseOf(dialect).textType;
    const QString name = quotedName(column);
    const auto rows = TRY(session.query(
        {u"SELECT DISTINCT CAST(v AS "_s + type + u") FROM (SELECT "_s + name + u" AS v FROM "_s
             + quotedName(table) + flavorOf(dialect).atMost(mostValueRows) + u") s"_s,
         {}},
        u"looking at "_s + table.text()));
    QStringList values;
    for (qsizetype row = 0; row < rows.size(); ++row) {
        if (!rows.isNull(row, 0))
            values += rows.text(row, 0);
    }
    return values;
}

void takeReferenceTables(const QStringList &names, const Catalog &catalog, ProbeFinding &finding)
{
    QStringList unknown;
    for (const QString &name : names) {
        const CatalogTable *table = catalog.find(TableName::fromText(name));
        if (table && table->primaryKey.size() == 1)
            finding.shape.referenceTables += name;
        else
            unknown += name;
    }
    finding.shape.referenceTables.sort();
    if (!unknown.isEmpty()) {
        finding.questions += u"Some rows name tables that are not there or have no key: %1."_s.arg(
            unknown.mid(0, 5).join(u", "_s));
    }
    if (finding.shape.referenceTables.isEmpty())
        finding.questions += u"No row names a table yet: list the tables that may be read."_s;
}

/// Tells uuids in a text column; the task id does not depend on it, so that it never changes.
void judgeTextKey(const QStringList &keys, ProbeFinding &finding)
{
    for (const QString &key : keys) {
        if (key.size() != 36 || QUuid::fromString(key).isNull())
            return;
    }
    if (keys.isEmpty())
        return;
    finding.shape.keyForm = OutboxShape::KeyForm::UuidText;
    finding.reasons[u"key"_s] += u"All of %1 keys looked at are uuids."_s.arg(keys.size());
}

/// The values of a status; those of rows written first and last, where the order is known.
Result<QStringList> statusValues(SqlSession &session, const OutboxShape &shape,
                                 const QString &column, DatabaseUrl::Dialect dialect)
{
    const auto counted
        = TRY(countedValues(session, shape.table, column, shape.keyColumns(), dialect));
    QStringList values;
    for (const ValueCount &one : counted)
        values += one.value;
    return values;
}

/// The column with what rows say of its values, as if a comment did.
CatalogColumn explainedBy(const RowReading &reading, CatalogColumn column)
{
    static const QMap<MessageState, QString> words{{MessageState::Pending, u"pending"_s},
                                                   {MessageState::Waiting, u"delayed"_s},
                                                   {MessageState::Locked, u"processing"_s},
                                                   {MessageState::Processed, u"processed"_s},
                                                   {MessageState::Failed, u"failed"_s}};
    for (auto state = reading.states.cbegin(); state != reading.states.cend(); ++state)
        column.meanings[state.key()] = words.value(state.value());
    return column;
}

/// What the values say of a status that no family explains.
void judgeStatus(const QStringList &seen, const CatalogTable &table, const RowReading &reading,
                 ProbeFinding &finding)
{
    const ColumnRoles &roles = reading.roles;
    const CatalogColumn status = explainedBy(reading, *table.column(roles.status));
    OutboxShape &shape = finding.shape;
    constexpr int mostValues = 40;
    if (seen.size() > mostValues)
        return; // no status: every row has its own
    finding.questions.removeIf(
        [](const QString &question) { return question.startsWith(u"What do these values"_s); });
    QStringList values = status.labels + seen + status.meanings.keys();
    if (!status.defaultText.isEmpty())
        values += status.defaultText;
    values.removeDuplicates();
    mapStatus(values, status, finding);
    if (shape.processedHow != OutboxShape::ProcessedHow::Status)
        return;
    if (!reading.guessed.isEmpty()) {
        QStringList texts;
        for (const QString &value : reading.guessed)
            texts += value + u" ("_s + status.meanings.value(value) + u"?)"_s;
        texts.sort();
        finding.questions += u"What do these values of `%1` mean: %2? It was guessed from the "
                             "other columns of their rows."_s.arg(status.name, texts.join(u", "_s));
    }
    if (!seen.isEmpty())
        finding.reasons[u"processed"_s] += u"Seen in it: %1."_s.arg(seen.mid(0, 8).join(u", "_s));
    if (!shape.processedValues.isEmpty())
        return;
    if (!roles.processedTime.isEmpty() || !roles.processedFlag.isEmpty()) {
        const auto isOpen = [](const QString &question) {
            return question.startsWith(u"What do these values"_s);
        };
        const bool areOpen
            = std::any_of(finding.questions.cbegin(), finding.questions.cend(), isOpen);
        const bool byFlag = !roles.processedFlag.isEmpty();
        shape.processedHow
            = byFlag ? OutboxShape::ProcessedHow::Flag : OutboxShape::ProcessedHow::Time;
        shape.processedColumn = byFlag ? roles.processedFlag : roles.processedTime;
        shape.processedTimeColumn = byFlag ? roles.processedTime : QString();
        shape.pendingColumn.clear();
        shape.pendingValues.clear();
        finding.questions.removeIf(isOpen);
        if (areOpen) { // one of them may say that a row failed
            finding.confidence = qMin(finding.confidence, besideUnknownValues);
            finding.questions
                += u"`%1` holds %2, and nobody said what that means: does `%3` alone "
                   "tell which rows are to be sent?"_s.arg(
                       status.name, seen.mid(0, 8).join(u", "_s), shape.processedColumn);
        }
        finding.reasons[u"processed"_s]
            += u"No value of it is known to mean processed: `%1` says so."_s.arg(
                shape.processedColumn);
        return;
    }
    finding.confidence = qMin(finding.confidence, noValueKnown);
    finding.questions
        += u"Which value of `%1` means that a row was delivered? No one it holds says so."_s.arg(
            status.name);
}

/// A number that was taken for a truth value, and holds others than 0 and 1: which of them means
/// what, nobody can know.
void judgeNumberedFlag(QStringList seen, const CatalogTable &table, ProbeFinding &finding)
{
    static const QStringList truths{u"0"_s, u"1"_s, u"true"_s, u"false"_s, u"t"_s, u"f"_s};
    OutboxShape &shape = finding.shape;
    const bool isTruth = std::all_of(seen.cbegin(), seen.cend(), [](const QString &value) {
        return truths.contains(value, Qt::CaseInsensitive);
    });
    if (isTruth)
        return;
    seen.sort();
    const CatalogColumn &flag = *table.column(shape.processedColumn);
    finding.reasons.remove(u"processed"_s);
    finding.reasons[u"processed"_s] += u"`%1` is a number that holds %2: no yes or no."_s.arg(
        flag.name, seen.mid(0, 8).join(u", "_s));
    finding.confidence = qMin(finding.confidence, noValueKnown);
    finding.questions += u"What do these values of `%1` mean: %2? Which one means that a row was "
                         "delivered?"_s.arg(flag.name, seen.mid(0, 8).join(u", "_s));
    shape.processedHow = OutboxShape::ProcessedHow::Status;
    shape.processedValues.clear();
    shape.pendingColumn = flag.name;
    shape.pendingValues
        = flag.defaultText.isEmpty() ? QStringList() : QStringList{flag.defaultText};
}

/// Says what a relay of ours could do with it; that is a choice somebody has to make.
void judgeUse(ProbeFinding &finding, const CatalogTable *table, DatabaseUrl::Dialect dialect)
{
    if (finding.shape.use == OutboxShape::Use::Relay) {
        const QString why = table ? whyOnlyLook(finding.shape, *table, dialect) : QString();
        if (why.isEmpty())
            return;
        finding.shape.use = OutboxShape::Use::Watch;
    }
    OutboxShape relayed = finding.shape;
    relayed.use = OutboxShape::Use::Relay;
    QString why = relayed.whyNotRelay();
    if (why.isEmpty() && table)
        why = whyOnlyLook(relayed, *table, dialect);
    finding.reasons[u"use"_s] += why.isEmpty()
        ? u"Watched only; it could be relayed by a shape with \"use\": \"relay\"."_s
        : u"Watched only, and not for our relay: %1."_s.arg(why);
}

/// The values of `column`, the most frequent first; none where one may have been cut.
std::optional<QStringList> wholeValues(const ColumnFacts *column)
{
    if (!column || (column->counts.isEmpty() && column->set > 0))
        return std::nullopt; // they are not kept
    QStringList values = column->counts.keys();
    const auto isCut = [](const QString &value) { return value.size() >= mostSampleCharacters; };
    if (std::any_of(values.cbegin(), values.cend(), isCut))
        return std::nullopt;
    std::stable_sort(values.begin(), values.end(), [column](const QString &a, const QString &b) {
        return column->counts.value(a) > column->counts.value(b);
    });
    return values;
}

/// None of the values is new to who has seen `shown`.
bool areAllShown(const QStringList &values, const std::optional<QStringList> &shown)
{
    return shown && std::all_of(values.cbegin(), values.cend(), [&shown](const QString &value) {
               return shown->contains(value);
           });
}

/// How many rows were looked at, where all keys hold a time, and that is when the row was written
/// as another column says; else 0. One key of another kind makes an order that is none.
qsizetype timedKeysIn(const TableFacts &facts, const ColumnRoles &roles)
{
    constexpr qint64 mostApartMs = 60'000; // one clock makes keys, another one times
    constexpr qsizetype fewestRows = 12;
    const ColumnFacts *key = facts.column(roles.key);
    const ColumnFacts *created = facts.column(roles.created);
    if (!key || !created || created->at.size() != key->cells.size() || !areKeysOfTime(key->cells))
        return 0;
    qsizetype agreeing = 0;
    for (qsizetype row = 0; row < key->cells.size(); ++row) {
        const qint64 written = created->at.at(row);
        if (written == noTime)
            continue;
        const qint64 made = timeInKey(key->cells.at(row)).value_or(0);
        if (std::abs(made - written) > mostApartMs)
            return 0;
        ++agreeing;
    }
    return agreeing < fewestRows ? 0 : key->cells.size();
}

/// Rows in the order of such keys are in that of time; where the order is by a time already it
/// stays so.
void judgeKeyOrder(const RowReading &reading, const CatalogTable &table,
                   DatabaseUrl::Dialect dialect, ProbeFinding &finding)
{
    OutboxShape &shape = finding.shape;
    const CatalogColumn *key = table.column(shape.keyColumn);
    if (reading.timedKeys == 0 || !key || shape.keyColumn != reading.roles.key
        || shape.orderIs != OutboxShape::OrderIs::None
        || shape.order != QStringList{shape.keyColumn})
        return;
    // MariaDB has put the parts of its own uuids in another order, by its version.
    const bool isOwnUuid = key->typeClass == TypeClass::Uuid;
    if (!databaseOf(dialect).ordersUuids || (isOwnUuid && dialect == DatabaseUrl::Dialect::MariaDb))
        return;
    shape.orderIs = OutboxShape::OrderIs::Time;
    finding.reasons[u"order"_s]
        = QStringList{u"All of %1 keys looked at begin with the time that `%2` says."_s.arg(
            QString::number(reading.timedKeys), reading.roles.created)};
}

/// Each `status` without a saved mapping comes here: few rows are enough where they show all that
/// the names say, and nothing else. The seldom values of a status are those that matter: they are
/// looked for among many rows, and one that the few do not have is a reason to read the many.
Result<RowReading> readRows(SqlSession &session, const CatalogTable &table,
                            DatabaseUrl::Dialect dialect)
{
    const ColumnRoles byNames = rolesOf(table);
    qsizetype rows = 0;
    const auto read = [&](int most) -> Result<RowReading> {
        const auto sample = TRY(sampledRows(session, table, dialect, most));
        rows = sample.rows;
        TableFacts facts(table, sample);
        RowReading reading = RowRoleAssignment(facts, byNames).read();
        reading.statusValues = wholeValues(facts.column(reading.roles.status));
        reading.timedKeys = timedKeysIn(facts, reading.roles);
        return reading;
    };
    auto reading = read(fewValueRows);
    if (!reading || rows < fewValueRows)
        return reading; // the table has no others
    if (reading->roles != byNames || !reading->doubts.isEmpty() || !reading->unseen.isEmpty())
        return read(mostValueRows);
    const CatalogColumn *status = table.column(byNames.status);
    if (!status)
        return reading;
    const auto values = TRY(sampledValues(session, table, *status, dialect, mostValueRows));
    return areAllShown(values, reading->statusValues) ? reading : read(mostValueRows);
}

/// Completes `finding`.
Result<void> lookAtValues(SqlSession &session, const Catalog &catalog, const DatabaseUrl &url,
                          const RowReading &reading, ProbeFinding &finding)
{
    const DatabaseUrl::Dialect dialect = url.dialect;
    const auto looked = [&finding](Result<QStringList> values) -> Result<QStringList> {
        if (!values && values.error().kind != Error::Kind::Unreachable) {
            finding.questions += u"The values could not be looked at: "_s + values.error().text;
            return QStringList();
        }
        return values;
    };
    const auto look = [&](const QString &column) -> Result<QStringList> {
        if (!databaseOf(dialect).canName(column))
            return QStringList(); // Qt would take the sign for a value; the shape's check names it
        return looked(valuesOf(session, finding.shape.table, column, dialect));
    };
    if (finding.shape.payloadForm == OutboxShape::PayloadForm::Reference) {
        const auto names = TRY(look(finding.shape.referenceTableColumn));
        takeReferenceTables(names, catalog, finding);
    }
    if (!finding.shape.keyColumn.isEmpty() && finding.shape.keyForm == OutboxShape::KeyForm::Text) {
        const auto keys = TRY(look(finding.shape.keyColumn));
        judgeTextKey(keys, finding);
    }
    const CatalogTable *table = catalog.find(finding.shape.table);
    if (table)
        judgeKeyOrder(reading, *table, dialect, finding);
    const ColumnRoles &roles = reading.roles;
    if (table && !roles.status.isEmpty() && !isStatusExplained(finding.shape.family)) {
        const auto values
            = TRY(reading.statusValues
                      ? Result<QStringList>(*reading.statusValues)
                      : looked(statusValues(session, finding.shape, roles.status, dialect)));
        judgeStatus(values, *table, reading, finding);
    }
    const bool isFlag = finding.shape.processedHow == OutboxShape::ProcessedHow::Flag;
    if (table && isFlag && finding.shape.family.isEmpty()) {
        const auto values = TRY(
            looked(statusValues(session, finding.shape, finding.shape.processedColumn, dialect)));
        judgeNumberedFlag(values, *table, finding);
    }
    if (table) {
        if (auto zone = lookAtZone(session, *table, url, finding); !zone) {
            if (zone.error().kind == Error::Kind::Unreachable)
                return zone;
            finding.questions += u"The times could not be looked at: "_s + zone.error().text;
        }
    }
    judgeUse(finding, table, dialect);
    return {};
}

} // namespace

Result<QList<ProbeFinding>> probeTables(SqlSession &session, const Catalog &catalog,
                                        const DatabaseUrl &url,
                                        const std::optional<TableName> &only)
{
    if (only && !catalog.find(*only)) {
        OutboxShape missing;
        missing.table = *only;
        return passOn(checkShape(missing, catalog, url.dialect)); // names the nearest table
    }
    RowReadings readings;
    QMap<QString, QString> refused; ///< by table: why its rows could not be read
    const QList<const CatalogTable *> tables
        = only ? QList<const CatalogTable *>{catalog.find(*only)} : tablesToLookAt(catalog);
    constexpr int lookingMs = 10'000; // all tables together
    QDeadlineTimer looking(lookingMs);
    for (const CatalogTable *table : tables) {
        if (familyOf(*table, catalog))
            continue; // known without its rows
        if (looking.hasExpired()) {
            refused[table->name.text()] = u"there was no time left. Name it by --table"_s;
            continue;
        }
        const auto reading = readRows(session, *table, url.dialect);
        if (reading)
            readings[table->name.text()] = *reading;
        else if (reading.error().kind == Error::Kind::Unreachable)
            return passOn(reading);
        else
            refused[table->name.text()] = reading.error().text;
    }
    QList<ProbeFinding> findings = probeCatalog(catalog, only, readings);
    for (ProbeFinding &finding : findings) {
        const QString name = finding.shape.table.text();
        RowReading reading = readings.value(name);
        if (refused.contains(name))
            finding.questions += u"Its rows could not be looked at: "_s + refused.value(name);
        if (!readings.contains(name)) {
            if (const CatalogTable *table = catalog.find(finding.shape.table))
                reading.roles = rolesOf(*table);
        }
        TRY(lookAtValues(session, catalog, url, reading, finding));
    }
    return findings;
}

} // namespace outbox
