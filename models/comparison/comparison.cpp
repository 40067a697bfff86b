// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/comparison/comparison.h"

#include "models/payload/celltext.h"
#include "models/translation.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation comparisonText("outbox::Comparison");

void addNotes(QStringList &notes, const QString &name, const IdVerdict &facts)
{
    if (facts.rowError) {
        const QString what = facts.row ? comparisonText("%1: whether it is parked is not known: %2")
                                       : comparisonText("%1: the database was not read: %2");
        notes += what.arg(name, oneLine(*facts.rowError));
    }
    if (facts.taskError)
        notes += comparisonText("%1: the queue was not read: %2")
                     .arg(name, oneLine(*facts.taskError));
    if (!isFound(facts) && !facts.rowError && !facts.taskError)
        notes += comparisonText("%1: nothing is known of this id").arg(name);
    for (const QString &gap : facts.gaps)
        notes += comparisonText("%1: not looked through: %2").arg(name, gap);
}

/// Bytes that nobody needs any more.
IdVerdict withoutPayloads(IdVerdict facts)
{
    if (facts.row)
        facts.row->payload.clear();
    if (facts.task)
        facts.task->payload.clear();
    for (Task &life : facts.lives)
        life.payload.clear();
    return facts;
}

qsizetype countOfLikeness(const QList<ComparedField> &fields, Likeness is)
{
    return std::count_if(fields.cbegin(), fields.cend(),
                         [is](const ComparedField &field) { return field.is == is; });
}

} // namespace

bool isFound(const IdVerdict &facts)
{
    return facts.row || facts.task || !facts.traces.isEmpty();
}

Comparison comparisonOf(const IdVerdict &a, const IdVerdict &b, const QDateTime &now,
                        const PayloadMasks &masks)
{
    Comparison comparison;
    comparison.now = now;
    comparison.journeys = compareJourneys(timelineOf(a, now), timelineOf(b, now));
    comparison.fields = comparedFields(a, b);
    comparison.payload = comparedPayloads(a, b, masks);
    const bool isOneRow = a.row && b.row && a.row->id == b.row->id;
    const bool isOneTask = a.task && b.task && a.task->id == b.task->id
        && a.task->queue == b.task->queue && !a.row && !b.row;
    if (isOneRow || isOneTask)
        comparison.notes += comparisonText("Both ids are of the same message.");
    addNotes(comparison.notes, u"A"_s, a);
    addNotes(comparison.notes, u"B"_s, b);
    comparison.a = withoutPayloads(a);
    comparison.b = withoutPayloads(b);
    return comparison;
}

QString journeySentence(const ComparedJourneys &journeys)
{
    if (!journeys.begin)
        return comparisonText("No step has a time in both: their journeys cannot be measured.");
    if (journeys.widest) {
        const ComparedStep &step = journeys.steps.at(*journeys.widest);
        return comparisonText("The largest difference: %1. %2.")
            .arg(stepName(step), stepDifferenceText(step));
    }
    const bool hasMeasured
        = std::any_of(journeys.steps.cbegin(), journeys.steps.cend(),
                      [](const ComparedStep &step) { return step.difference().has_value(); });
    return hasMeasured ? comparisonText("All steps that are known of both took the same time.")
                       : comparisonText("No step is known of both beside the beginning.");
}

QString fieldSentence(const QList<ComparedField> &fields)
{
    const qsizetype different = countOfLikeness(fields, Likeness::Different);
    const qsizetype unknown = countOfLikeness(fields, Likeness::NotKnown);
    QString text = different == 0
        ? comparisonText("No field differs")
        : counted(different, comparisonText("1 field differs"), comparisonText("%1 fields differ"));
    if (unknown > 0)
        text += u", "_s
            + counted(unknown, comparisonText("1 is not known"),
                      comparisonText("%1 are not known"));
    return comparisonText("%1 (of %2).").arg(text).arg(fields.size());
}

QList<ComparedField> withoutSame(const QList<ComparedField> &fields)
{
    QList<ComparedField> others = fields;
    others.removeIf([](const ComparedField &field) { return field.is == Likeness::Same; });
    return others;
}

} // namespace outbox
