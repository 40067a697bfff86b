// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/shape/outboxshape.h"

#include "models/shape/catalog.h"

#include <QRegularExpression>
#include <QUuid>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using Processed = OutboxShape::ProcessedHow;
using Locked = OutboxShape::LockedHow;
using Payload = OutboxShape::PayloadForm;

QString whyNotByPayload(const OutboxShape &shape)
{
    switch (shape.payloadForm) {
    case Payload::Many:
        return u"one row of this table holds several messages"_s;
    case Payload::Opaque:
        return u"the payload is written by a serializer we do not know"_s;
    case Payload::None:
        return u"the table has no payload"_s;
    case Payload::Reference:
        return {};
    case Payload::Json:
    case Payload::Text:
    case Payload::Bytes:
        break;
    }
    return shape.payloadColumn.isEmpty() ? u"the shape names no payload column"_s : QString();
}

QString whyNotByProcessed(const OutboxShape &shape)
{
    switch (shape.processedHow) {
    case Processed::Deleted:
    case Processed::Time:
    case Processed::Flag:
        break;
    case Processed::Status:
        if (shape.processedValues.isEmpty() || shape.pendingValues.isEmpty()) {
            return u"nobody said which values of \"%1\" mean pending and processed"_s.arg(
                shape.processedColumn);
        }
        break;
    case Processed::Archive:
        return u"its own deliverer moves rows to \"%1\""_s.arg(shape.processedIn.table.text());
    case Processed::Member:
        return u"what is processed stands in \"%1\", which belongs to another library"_s.arg(
            shape.processedIn.table.text());
    case Processed::Offset:
        return u"consumers keep their own positions in \"%1\""_s.arg(shape.positions.table.text());
    case Processed::Log:
        return u"its rows are read from the log of the database, not from the table"_s;
    }
    if (!shape.processedAnd.isEmpty())
        return u"whether a row is processed depends on several columns"_s;
    return {};
}

QString whyNotByLock(const OutboxShape &shape)
{
    switch (shape.lockedHow) {
    case Locked::None:
    case Locked::Row:
    case Locked::Until:
    case Locked::Owner:
        return {};
    case Locked::Node:
        return u"rows belong to the processes of another library, by \"%1\""_s.arg(
            shape.ownerColumn);
    case Locked::LockRow:
    case Locked::Member:
        return u"its relays lock rows of \"%1\", which ours does not look at"_s.arg(
            shape.lockedIn.table.text());
    case Locked::Status:
        return u"its relays take rows by a value of \"%1\", and nothing frees those of a relay "
               "that died"_s.arg(shape.lockedColumn);
    }
    return {};
}

QStringList columnsOf(const QList<ShapeTest> &tests)
{
    QStringList columns;
    for (const ShapeTest &test : tests)
        columns += test.column;
    return columns;
}

/// Those that are compared with now.
QStringList timesAsked(const QList<ShapeTest> &tests)
{
    QStringList columns;
    for (const ShapeTest &test : tests) {
        if (test.is == ShapeTest::Is::Past || test.is == ShapeTest::Is::Future)
            columns += test.column;
    }
    return columns;
}

QStringList tidy(QStringList names)
{
    names.removeAll(QString());
    names.removeDuplicates();
    return names;
}

} // namespace

QString OutboxShape::whyNotRelay() const
{
    if (use != Use::Relay)
        return u"the shape says \"use\": \"watch\""_s;
    if (!keyParts.isEmpty())
        return u"the key has several columns, and a task id is made of one"_s;
    if (keyColumn.isEmpty())
        return u"the table has no key, so a message would have no task id"_s;
    if (typeColumn.isEmpty() && fixedType.isEmpty())
        return u"no column or fixed text gives the message type"_s;
    for (const QString &why :
         {whyNotByPayload(*this), whyNotByProcessed(*this), whyNotByLock(*this)}) {
        if (!why.isEmpty())
            return why;
    }
    for (const RelatedTable *one : {&waitingIn, &pendingIn, &failedIn}) {
        if (!one->isEmpty())
            return u"the state of a row stands in \"%1\""_s.arg(one->table.text());
    }
    return {};
}

QStringList OutboxShape::keyColumns() const
{
    QStringList names;
    for (const KeyPart &part : keyParts)
        names += part.column;
    if (names.isEmpty() && !keyColumn.isEmpty())
        names += keyColumn;
    return names;
}

QString OutboxShape::processedWhenColumn() const
{
    return processedHow == ProcessedHow::Time ? processedColumn : processedTimeColumn;
}

QString OutboxShape::zoneOf(const QString &column) const
{
    constexpr QLatin1StringView local("local:");
    const QString form = times.value(column, times.value(u"*"_s));
    if (form.isEmpty() || form == u"unknown")
        return {};
    return form.startsWith(local) ? form.mid(local.size()) : u"UTC"_s;
}

void OutboxShape::setTimeZone(const QString &zone)
{
    // What needs no zone keeps its own form.
    times.removeIf([](const QMap<QString, QString>::iterator &form) {
        return form.key() == u"*" || form.value() == u"utc" || form.value() == u"unknown"
            || form.value().startsWith("local:"_L1);
    });
    if (!zone.isEmpty())
        times[u"*"_s] = zone == u"UTC" ? u"utc"_s : u"local:"_s + zone;
}

QString OutboxShape::whyTimesUntold() const
{
    QStringList asked{leaseColumn, leaseSeconds > 0 ? lockTimeColumn : QString(), dueColumn,
                      comparesBirths() ? createdColumn : QString()};
    for (const QList<ShapeTest> *tests : {&where, &processedAnd, &dueOnlyIn})
        asked += timesAsked(*tests);
    for (const QString &column : tidy(asked)) {
        if (zoneOf(column).isEmpty())
            return u"nobody said the time zone of \"%1\", and %2 depends on it"_s.arg(
                column,
                column == createdColumn     ? u"whose task one of a row is"_s
                    : column == leaseColumn ? u"whether a lease is over"_s
                                            : u"whether a row may be sent"_s);
    }
    return {};
}

QStringList OutboxShape::timeColumns() const
{
    QStringList names{createdColumn, processedWhenColumn(), leaseColumn, lockTimeColumn, dueColumn};
    if (failedHow == FailedHow::Time)
        names += failedColumn;
    for (const QList<ShapeTest> *tests : {&where, &processedAnd, &dueOnlyIn})
        names += timesAsked(*tests);
    return tidy(names);
}

bool OutboxShape::goWhenSent() const
{
    return processedHow == Processed::Deleted || processedHow == Processed::Archive;
}

bool OutboxShape::canMark() const
{
    switch (processedHow) {
    case ProcessedHow::Time:
    case ProcessedHow::Flag:
        return processedAnd.isEmpty();
    case ProcessedHow::Status:
        return processedAnd.isEmpty() && !processedValues.isEmpty() && !pendingValues.isEmpty();
    case ProcessedHow::Deleted:
    case ProcessedHow::Archive:
    case ProcessedHow::Member:
    case ProcessedHow::Offset:
    case ProcessedHow::Log:
        break;
    }
    return false;
}

QStringList OutboxShape::columns() const
{
    QStringList all = keyColumns();
    all += {typeColumn,          payloadColumn,     referenceTableColumn,
            referenceIdColumn,   headersColumn,     createdColumn,
            attemptsColumn,      startedColumn,     errorColumn,
            queueTextColumn(),   maxAttemptsColumn, processedColumn,
            processedTimeColumn, leaseColumn,       ownerColumn,
            lockTimeColumn,      lockedColumn,      failedColumn,
            dueColumn,           waitingColumn,     pendingColumn};
    for (const QList<ShapeTest> *tests : {&where, &processedAnd, &dueOnlyIn})
        all += columnsOf(*tests);
    for (const RelatedTable *one :
         {&typeIn, &processedIn, &lockedIn, &failedIn, &waitingIn, &pendingIn})
        all += one->on.values();
    all += positions.on.values();
    for (const QString &column : order)
        all += column.startsWith(u'-') ? column.mid(1) : column;
    return tidy(all);
}

QList<std::pair<TableName, QStringList>> OutboxShape::neighbours() const
{
    QList<std::pair<TableName, QStringList>> tables;
    for (const RelatedTable *one :
         {&typeIn, &processedIn, &lockedIn, &failedIn, &waitingIn, &pendingIn}) {
        if (one->isEmpty())
            continue;
        QStringList names = one->on.keys();
        names += {one->column, one->ownerColumn, one->timeColumn, one->dueColumn, one->errorColumn};
        tables += {one->table, tidy(names)};
    }
    if (!node.isEmpty())
        tables += {node.table, tidy({node.keyColumn, node.heartbeatColumn})};
    if (!positions.isEmpty()) {
        QStringList names = positions.on.keys() + positions.columns;
        names += positions.consumerColumn;
        tables += {positions.table, tidy(names)};
    }
    return tables;
}

namespace {

const QString idPart = u"{id}"_s;
const QString sourcePart = u"{source}"_s;
const QString bornPart = u"{born}"_s;

/// One walk through the template: what is put in is never looked through again.
QString filled(const QString &pattern, const QString &key, const QString &source,
               const QString &born)
{
    QString id;
    for (qsizetype at = 0; at < pattern.size();) {
        const QStringView rest = QStringView(pattern).mid(at);
        bool isPart = false;
        for (const auto &[part, value] :
             {std::pair(idPart, key), std::pair(sourcePart, source), std::pair(bornPart, born)}) {
            if (!rest.startsWith(part))
                continue;
            id += value;
            at += part.size();
            isPart = true;
            break;
        }
        if (!isPart)
            id += pattern.at(at++);
    }
    return id;
}

QString bornText(std::optional<qint64> bornUs)
{
    constexpr int base = 36;
    return bornUs ? QString::number(*bornUs, base) : QString();
}

std::optional<MessageId> keyBy(const QString &pattern, const QString &source, const QString &task)
{
    const auto escaped = [](const QString &text) { return QRegularExpression::escape(text); };
    QString expression = escaped(pattern);
    expression.replace(escaped(sourcePart), escaped(source));
    expression.replace(escaped(bornPart), u"-?[0-9a-z]+"_s);
    const QString key = escaped(idPart);
    const qsizetype first = expression.indexOf(key);
    if (first < 0)
        return std::nullopt;
    expression.replace(first, key.size(), u"(.+)"_s);
    expression.replace(key, u"\\1"_s);
    const auto match = QRegularExpression(QRegularExpression::anchoredPattern(expression),
                                          QRegularExpression::DotMatchesEverythingOption)
                           .match(task);
    return match.hasMatch() ? std::optional(MessageId{match.captured(1)}) : std::nullopt;
}

bool rowsLeave(const OutboxShape &shape)
{
    return shape.processedHow == OutboxShape::ProcessedHow::Deleted
        || shape.processedHow == OutboxShape::ProcessedHow::Archive;
}

} // namespace

TaskId OutboxShape::taskIdFor(const QString &keyText, std::optional<qint64> bornUs) const
{
    if (needsBirth() && !bornUs)
        return {};
    return {filled(taskId, keyText, source, bornText(bornUs))};
}

QStringList OutboxShape::alsoTaskIdsFor(const QString &keyText, std::optional<qint64> bornUs) const
{
    QStringList ids;
    for (const QString &pattern : alsoTaskIds) {
        if (bornUs || !pattern.contains(bornPart))
            ids += filled(pattern, keyText, source, bornText(bornUs));
    }
    return ids;
}

MessageId OutboxShape::keyOf(const QString &typed) const
{
    if (hasUuidKeys()) {
        const QUuid uuid = QUuid::fromString(typed);
        return {uuid.isNull() ? typed : uuid.toString(QUuid::WithoutBraces)};
    }
    if (keyForm != KeyForm::Integer)
        return {typed};
    bool isSmall = false;
    const qint64 number = typed.toLongLong(&isSmall);
    if (isSmall)
        return {QString::number(number)};
    bool isNumber = false;
    const quint64 large = typed.toULongLong(&isNumber);
    return {isNumber ? QString::number(large) : typed};
}

QStringList OutboxShape::taskIdParts(const QString &keyText) const
{
    QStringList parts = taskId.split(bornPart);
    for (QString &part : parts)
        part = filled(part, keyText, source, {});
    return parts;
}

bool OutboxShape::needsBirth() const
{
    return taskId.contains(bornPart);
}

bool OutboxShape::lacksSource() const
{
    const QStringList patterns = alsoTaskIds + QStringList{taskId};
    return source.isEmpty() && !patterns.filter(sourcePart).isEmpty();
}

bool OutboxShape::mayReturn() const
{
    return keyForm == KeyForm::Integer && !needsBirth() && !createdColumn.isEmpty();
}

bool OutboxShape::comparesBirths() const
{
    return mayReturn() || (!createdColumn.isEmpty() && !alsoTaskIds.isEmpty());
}

std::optional<MessageId> OutboxShape::keyIn(const TaskId &task) const
{
    for (const QString &one : QStringList{taskId} + alsoTaskIds) {
        if (auto key = keyBy(one, source, task.text))
            return key;
    }
    return std::nullopt;
}

bool OutboxShape::isTaskOf(const TaskId &task, const TaskId &ofRow) const
{
    return task == ofRow || !keyBy(taskId, source, task.text);
}

QString OutboxShape::queueFor(const TaskId &task, const QString &text) const
{
    if (!hasShards())
        return text;
    return queueShards.byColumn.isEmpty() ? queueOfTask(task) : queueShards.nameFor(text);
}

QString OutboxShape::queueOfTask(const TaskId &task) const
{
    const bool isTold = hasShards() && queueShards.byColumn.isEmpty() && !task.isEmpty();
    return isTold ? queueShards.nameFor(task.text) : QString();
}

QString OutboxShape::whyNoTaskIds() const
{
    for (const QString &pattern : QStringList{taskId} + alsoTaskIds) {
        if (!pattern.contains(idPart))
            return u"a task id must contain {id}: \"%1\""_s.arg(pattern);
        if (pattern.contains(bornPart) && createdColumn.isEmpty())
            return u"\"%1\" asks for the time when a row was created, and the mapping names no "
                   "column of it"_s.arg(pattern);
    }
    if (alsoTaskIds.contains(taskId))
        return u"the other task ids contain the task id itself"_s;
    if (!alsoTaskIds.isEmpty() && hasShards() && queueShards.byColumn.isEmpty())
        return u"the other task ids would be asked for in the queue of the task id itself: \"%1\" "
               "gives each id a queue of its own"_s.arg(queueShards.text());
    if (alsoTaskIds.size() > mostOtherIds)
        return u"there are more than %1 other task ids"_s.arg(mostOtherIds);
    return {};
}

QString OutboxShape::whyIdsReturn(const CatalogTable &rows) const
{
    if (keyForm != KeyForm::Integer)
        return {};
    const QString key = u"The key \"%1\" is a number, which comes again after TRUNCATE, a restored "
                        "backup or a failover"_s.arg(keyColumn);
    if (!needsBirth())
        return key
            + u", and the task id \"%1\" has nothing else that tells two rows apart"_s.arg(taskId);
    const CatalogColumn *created = rows.column(createdColumn);
    if (!created || created->nullable)
        return key + u", and \"%1\" may be empty"_s.arg(createdColumn);
    if (created->type.compare(u"date"_s, Qt::CaseInsensitive) == 0)
        return key + u", and \"%1\" tells no more than the day"_s.arg(createdColumn);
    if (created->isUpdatedByItself)
        return key + u", and \"%1\" changes whenever the row does"_s.arg(createdColumn);
    if (rows.givesKeysAgain && rowsLeave(*this))
        return u"Without AUTOINCREMENT SQLite gives the number of a row that was deleted again at "
               "once"_s;
    return {};
}

} // namespace outbox
