// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// From the key of a row to the id of its task, and back; and why an id might mean two rows.
#include "models/shape/catalog.h"
#include "models/shape/outboxshape.h"

#include <QRegularExpression>
#include <QUuid>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

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
