// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/planjson.h"

#include "app/cli/output/plantext.h"
#include "app/cli/output/printer.h"
#include "app/cli/output/rowjson.h"
#include "models/operations/consent.h"
#include "models/operations/finding.h"
#include "models/operations/verbdescriptor.h"

#include <QJsonArray>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QJsonValue textOrNull(const QString &text)
{
    return text.isEmpty() ? QJsonValue() : QJsonValue(text);
}

QString word(Confirmation confirmation)
{
    switch (confirmation) {
    case Confirmation::Click:
        return u"click"_s;
    case Confirmation::Dialog:
        return u"dialog"_s;
    case Confirmation::Typed:
        break;
    }
    return u"typed"_s;
}

QJsonObject countsJson(const QMap<Outcome, qsizetype> &counts)
{
    QJsonObject json;
    for (auto count = counts.cbegin(); count != counts.cend(); ++count)
        json[word(count.key())] = count.value();
    return json;
}

QJsonObject seenJson(const RowSnapshot &row)
{
    return {{u"state"_s, word(row.state)},
            {u"version"_s, row.version},
            {u"processed"_s, timeJson(row.processed)},
            {u"payload_bytes"_s, row.payloadBytes},
            {u"locked_by"_s, row.lockedBy ? QJsonValue(holderJson(*row.lockedBy)) : QJsonValue()}};
}

QJsonObject seenJson(const TaskSeen &task)
{
    QJsonObject json{
        {u"state"_s, word(task.state)},
        {u"stamp"_s, QString::fromLatin1(task.stamp)},
        {u"type"_s, task.type},
        {u"kept_until"_s, timeJson(task.keptUntil)},
        {u"payload_bytes"_s, task.payloadBytes < 0 ? QJsonValue() : QJsonValue(task.payloadBytes)},
        {u"retried"_s, task.retried},
        {u"max_retry"_s, task.maxRetry}};
    if (!task.lastError.isEmpty())
        json["error"_L1] = task.lastError;
    if (task.damaged)
        json["damaged"_L1] = true;
    return json;
}

QJsonObject itemJson(const PlanItem &item)
{
    QJsonObject json{
        {u"row"_s, textOrNull(item.row.text)},
        {u"task"_s, textOrNull(item.task.text)},
        {u"queue"_s, textOrNull(item.queue.text)},
        {u"type"_s, textOrNull(item.type)},
        {u"expected"_s, word(item.expected)},
        {u"reason"_s, item.reason},
        {u"row_seen"_s, item.rowSeen ? QJsonValue(seenJson(*item.rowSeen)) : QJsonValue()},
        {u"task_seen"_s, item.taskSeen ? QJsonValue(seenJson(*item.taskSeen)) : QJsonValue()}};
    if (item.kind)
        json["kind"_L1] = word(*item.kind);
    if (!item.evidence.isEmpty())
        json["evidence"_L1] = item.evidence;
    return json;
}

QJsonObject itemJson(const ReceiptItem &item)
{
    return {{u"row"_s, textOrNull(item.row.text)},
            {u"task"_s, textOrNull(item.task.text)},
            {u"queue"_s, textOrNull(item.queue.text)},
            {u"outcome"_s, word(item.outcome)},
            {u"reason"_s, item.reason},
            {u"after"_s, item.after}};
}

QJsonObject itemJson(const AuditedItem &item)
{
    return {{u"row"_s, textOrNull(item.row)},
            {u"task"_s, textOrNull(item.task)},
            {u"queue"_s, textOrNull(item.queue)},
            {u"before"_s, item.before},
            {u"after"_s, item.after}};
}

template <typename Item> QJsonArray itemsJson(const QList<Item> &items)
{
    QJsonArray array;
    for (const Item &item : items)
        array += itemJson(item);
    return array;
}

} // namespace

QJsonObject toJson(const Plan &plan)
{
    const bool typed = confirmationFor(plan) == Confirmation::Typed;
    QJsonObject json{
        {u"operation"_s, plan.operation},
        {u"verb"_s, word(plan.verb)},
        {u"profile"_s, textOrNull(plan.profile)},
        {u"environment"_s, word(plan.environment)},
        {u"target"_s, plan.target},
        {u"at"_s, timeJson(plan.at)},
        {u"selection"_s, plan.selection},
        {u"total"_s, plan.items.size()},
        {u"acting"_s, plan.acting()},
        {u"counts"_s, countsJson(plan.counts())},
        {u"items"_s, itemsJson(plan.items)},
        {u"statements"_s, QJsonArray::fromStringList(plan.statements)},
        {u"commands"_s, QJsonArray::fromStringList(plan.commands)},
        {u"warnings"_s, QJsonArray::fromStringList(plan.warnings)},
        {u"unread"_s, plan.unread ? QJsonValue(errorJson(*plan.unread)) : QJsonValue()},
        {u"exports_first"_s, plan.exportsFirst},
        {u"reopens_window"_s, plan.reopensWindow},
        {u"trimmed"_s, plan.trimmed},
        {u"undo"_s, plan.undo},
        {u"confirmation"_s, word(confirmationFor(plan))},
        {u"confirm"_s, typed ? QJsonValue(textToType(plan)) : QJsonValue()}};
    if (descriptorOf(plan.verb).subject == VerbSubject::Finding) {
        QJsonArray findings;
        const auto counts = findingCounts(plan);
        for (auto count = counts.cbegin(); count != counts.cend(); ++count) {
            findings += QJsonObject{{u"kind"_s, word(count.key())},
                                    {u"title"_s, textOf(count.key()).title},
                                    {u"found"_s, count->first},
                                    {u"repaired"_s, count->second}};
        }
        json["findings"_L1] = findings;
    }
    if (!plan.undoOf.isEmpty())
        json["undo_of"_L1] = plan.undoOf;
    if (!plan.file.isEmpty())
        json["file"_L1] = plan.file;
    if (!plan.difference.isEmpty())
        json["difference"_L1] = plan.difference;
    return json;
}

QJsonObject toJson(const Receipt &receipt)
{
    return {{u"operation"_s, receipt.operation},
            {u"verb"_s, word(receipt.verb)},
            {u"started"_s, timeJson(receipt.started)},
            {u"ended"_s, timeJson(receipt.ended)},
            {u"sentence"_s, receipt.sentence()},
            {u"counts"_s, countsJson(receipt.counts())},
            {u"items"_s, itemsJson(receipt.items)},
            {u"trimmed"_s, itemsJson(receipt.trimmed)},
            {u"export_file"_s, textOrNull(receipt.exportFile)},
            {u"cancelled"_s, receipt.cancelled},
            {u"undoable"_s, receipt.undoable},
            {u"error"_s, receipt.error ? QJsonValue(errorJson(*receipt.error)) : QJsonValue()}};
}

QJsonObject toJson(const Activity &activity, bool withItems)
{
    QJsonObject counts;
    for (auto count = activity.counts.cbegin(); count != activity.counts.cend(); ++count)
        counts[count.key()] = count.value();
    QJsonObject json{{u"operation"_s, textOrNull(activity.operation)},
                     {u"at"_s, timeJson(activity.at)},
                     {u"who"_s, activity.who},
                     {u"face"_s, activity.face},
                     {u"profile"_s, textOrNull(activity.profile)},
                     {u"target"_s, activity.target},
                     {u"verb"_s, activity.verb ? QJsonValue(word(*activity.verb)) : QJsonValue()},
                     {u"what"_s, activity.what},
                     {u"count"_s, activity.count},
                     {u"counts"_s, counts},
                     {u"state"_s, word(activity.state)},
                     {u"note"_s, activity.note},
                     {u"export_file"_s, textOrNull(activity.exportFile)},
                     {u"error"_s, textOrNull(activity.error)},
                     {u"undoable"_s, activity.undoable},
                     {u"undo_of"_s, textOrNull(activity.undoOf)},
                     {u"in_doubt"_s, activity.doubtful.size()},
                     {u"record"_s, word(activity.record)},
                     {u"mismatch"_s, textOrNull(activity.mismatch)}};
    if (withItems) {
        json["items"_L1] = itemsJson(activity.items);
        json["doubtful"_L1] = itemsJson(activity.doubtful);
        json["statements"_L1] = QJsonArray::fromStringList(activity.statements);
    }
    return json;
}

} // namespace outbox
