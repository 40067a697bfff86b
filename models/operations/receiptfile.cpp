// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/operations/receiptfile.h"

#include "models/payload/celltext.h"
#include "models/utctext.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QByteArray line(const QJsonObject &object)
{
    return QJsonDocument(object).toJson(QJsonDocument::Compact) + '\n';
}

QJsonObject headOf(const Plan &plan, const Receipt &receipt)
{
    QJsonObject counts;
    const QMap<Outcome, qsizetype> counted = receipt.counts();
    for (auto one = counted.begin(); one != counted.end(); ++one)
        counts.insert(word(one.key()), one.value());
    QJsonObject head{{u"operation"_s, plan.operation},
                     {u"verb"_s, word(plan.verb)},
                     {u"profile"_s, plan.profile},
                     {u"target"_s, plan.target},
                     {u"selection"_s, plan.selection},
                     {u"planned_at"_s, utcText(plan.at)},
                     {u"started"_s, utcText(receipt.started)},
                     {u"ended"_s, utcText(receipt.ended)},
                     {u"counts"_s, counts},
                     {u"cancelled"_s, receipt.cancelled}};
    if (!receipt.exportFile.isEmpty())
        head.insert(u"export"_s, receipt.exportFile);
    if (receipt.error)
        head.insert(u"error"_s, oneLine(*receipt.error));
    return head;
}

} // namespace

QByteArray receiptJsonLines(const Plan &plan, const Receipt &receipt)
{
    QByteArray text = line(headOf(plan, receipt));
    const qsizetype count = std::min(plan.items.size(), receipt.items.size());
    for (qsizetype at = 0; at < count; ++at) {
        const PlanItem &planned = plan.items.at(at);
        const ReceiptItem &told = receipt.items.at(at);
        QJsonObject object{{u"outcome"_s, word(told.outcome)},
                           {u"expected"_s, word(planned.expected)},
                           {u"reason"_s, told.reason}};
        const auto put = [&object](const QString &name, const QString &value) {
            if (!value.isEmpty())
                object.insert(name, value);
        };
        put(u"row"_s, planned.row.text);
        put(u"task"_s, planned.task.text);
        put(u"queue"_s, planned.queue.text);
        put(u"type"_s, planned.type);
        put(u"kind"_s, word(planned.kind));
        text += line(object);
    }
    for (const ReceiptItem &told : receipt.trimmed) {
        text += line({{u"outcome"_s, word(told.outcome)},
                      {u"expected"_s, word(Outcome::Done)},
                      {u"reason"_s, told.reason},
                      {u"task"_s, told.task.text},
                      {u"queue"_s, told.queue.text},
                      {u"trimmed"_s, true}});
    }
    return text;
}

QByteArray receiptCsv(const Plan &plan, const Receipt &receipt)
{
    QByteArray text = "outcome,expected,row,task,queue,type,kind,reason\n";
    const qsizetype count = std::min(plan.items.size(), receipt.items.size());
    for (qsizetype at = 0; at < count; ++at) {
        const PlanItem &planned = plan.items.at(at);
        const ReceiptItem &told = receipt.items.at(at);
        const QByteArrayList cells{csvCell(word(told.outcome)), csvCell(word(planned.expected)),
                                   csvCell(planned.row.text),   csvCell(planned.task.text),
                                   csvCell(planned.queue.text), csvCell(planned.type),
                                   csvCell(word(planned.kind)), csvCell(told.reason)};
        text += cells.join(',') + '\n';
    }
    for (const ReceiptItem &told : receipt.trimmed) {
        text += QByteArrayList{csvCell(word(told.outcome)),
                               csvCell(word(Outcome::Done)),
                               {},
                               csvCell(told.task.text),
                               csvCell(told.queue.text),
                               {},
                               {},
                               csvCell(told.reason)}
                    .join(',')
            + '\n';
    }
    return text;
}

QByteArray activitiesJsonLines(const QList<Activity> &activities)
{
    QByteArray text;
    for (const Activity &one : activities) {
        QJsonObject counts;
        for (auto count = one.counts.begin(); count != one.counts.end(); ++count)
            counts.insert(count.key(), count.value());
        QJsonObject object{
            {u"at"_s, utcText(one.at)},    {u"who"_s, one.who},       {u"face"_s, one.face},
            {u"profile"_s, one.profile},   {u"target"_s, one.target}, {u"what"_s, one.what},
            {u"state"_s, word(one.state)}, {u"count"_s, one.count},   {u"counts"_s, counts}};
        const auto put = [&object](const QString &name, const QString &value) {
            if (!value.isEmpty())
                object.insert(name, value);
        };
        put(u"operation"_s, one.operation);
        put(u"verb"_s, one.verb ? word(*one.verb) : QString());
        put(u"note"_s, one.note);
        put(u"export"_s, one.exportFile);
        put(u"error"_s, one.error);
        put(u"undo_of"_s, one.undoOf);
        text += line(object);
    }
    return text;
}

} // namespace outbox
