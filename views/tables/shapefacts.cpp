// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/shapefacts.h"

#include "models/translation.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation shapeText("outbox::ShapeFacts");

QString payloadWords(const OutboxShape &shape)
{
    if (shape.payloadForm != OutboxShape::PayloadForm::Reference)
        return shape.payloadColumn;
    return shapeText("row of %1, key in %2, table in %3")
        .arg(shape.referenceTables.join(u", "_s), shape.referenceIdColumn,
             shape.referenceTableColumn);
}

QString processedWords(const OutboxShape &shape)
{
    using How = OutboxShape::ProcessedHow;
    switch (shape.processedHow) {
    case How::Deleted:
        return shapeText("the row is deleted");
    case How::Time:
        return shapeText("%1 is set").arg(shape.processedColumn);
    case How::Flag:
        return shapeText("%1 is true").arg(shape.processedColumn);
    case How::Status:
        return shape.processedValues.isEmpty()
            ? shapeText("%1, nobody said by which value").arg(shape.processedColumn)
            : shapeText("%1 is %2").arg(shape.processedColumn, shape.processedValues.join(u", "_s));
    case How::Archive:
        return shapeText("the row is moved to %1").arg(shape.processedIn.table.text());
    case How::Member:
        return shapeText("%1 says so").arg(shape.processedIn.table.text());
    case How::Offset:
        return shapeText("every consumer of %1 has passed it").arg(shape.positions.table.text());
    case How::Log:
        return shapeText("not visible: its readers follow the log of the database");
    }
    return {};
}

} // namespace

QList<Fact> shapeFacts(const OutboxShape &shape)
{
    QList<Fact> facts;
    const auto add = [&facts](const char *name, const QString &value) {
        if (!value.isEmpty())
            facts.append({shapeText(name), value, false, false});
    };
    add("Table", shape.table.text());
    add("Family", shape.family);
    add("Key", shape.keyColumns().join(u", "_s));
    add("Type",
        shape.typeColumn.isEmpty() ? shapeText("always %1").arg(shape.fixedType)
                                   : shape.typeColumn);
    add("Payload", payloadWords(shape));
    add("Created", shape.createdColumn);
    add("Processed", processedWords(shape));
    add("Attempts", shape.attemptsColumn);
    add("Last error", shape.errorColumn);
    add("Queue", shape.hasShards() ? shape.queueShards.text() : shape.queueColumn);
    add("Order", shape.order.join(u", "_s));
    add("Confirmed", shape.confirmed);
    const QString why = shape.whyNotRelay();
    add("Relay", why.isEmpty() ? shapeText("can be delivered from here") : why);
    return facts;
}

QList<Fact> findingFacts(const ProbeFinding &finding)
{
    QList<Fact> facts = reasonFacts(finding);
    const Fact sure = facts.takeFirst();
    return QList<Fact>{sure} + shapeFacts(finding.shape) + facts;
}

QList<Fact> reasonFacts(const ProbeFinding &finding)
{
    QList<Fact> facts{{shapeText("Sure"), shapeText("%1 %").arg(qRound(finding.confidence * 100)),
                       finding.confidence < 0.5, false}};
    for (auto reason = finding.reasons.cbegin(); reason != finding.reasons.cend(); ++reason)
        facts.append(
            {shapeText("Why %1").arg(reason.key()), reason.value().join(u'\n'), false, false});
    for (const QString &question : finding.questions)
        facts.append({shapeText("To decide"), question, true, false});
    return facts;
}

} // namespace outbox
