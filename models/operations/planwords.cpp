// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/operations/planwords.h"

#include "models/operations/verbdescriptor.h"
#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/translation.h"

#include <QStringList>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation planText("outbox::PlanWords");

VerbSubject subjectOf(const Plan &plan)
{
    const bool tasksOnly = descriptorOf(plan.verb).target == VerbTarget::File
        && !plan.items.isEmpty()
        && std::all_of(plan.items.begin(), plan.items.end(),
                       [](const PlanItem &item) { return item.row.isEmpty(); });
    return tasksOnly ? VerbSubject::Task : descriptorOf(plan.verb).subject;
}

QString countedNoun(VerbSubject noun, qsizetype count)
{
    switch (noun) {
    case VerbSubject::Row:
        return counted(count, planText("1 row"), planText("%1 rows"));
    case VerbSubject::Task:
        return counted(count, planText("1 task"), planText("%1 tasks"));
    case VerbSubject::Finding:
        return counted(count, planText("1 finding"), planText("%1 findings"));
    case VerbSubject::Queue:
        break;
    }
    return counted(count, planText("1 queue"), planText("%1 queues"));
}

/// What will run a second time, and whether that is known.
QString secondExecutionWords(const Plan &plan)
{
    const qsizetype again = plan.counts().value(Outcome::SecondExecution);
    if (again == 0)
        return {};
    if (descriptorOf(plan.verb).target
        == VerbTarget::File) { // nobody knows what ran between the export and now
        return counted(again, planText("1 will run, and may have run since the export."),
                       planText("%1 will run, and may have run since the export."));
    }
    return counted(again, planText("1 ran before and runs a second time."),
                   planText("%1 ran before and run a second time."));
}

} // namespace

QString subjectWords(const Plan &plan)
{
    const VerbSubject noun = subjectOf(plan);
    if (noun == VerbSubject::Queue && plan.items.size() == 1)
        return planText("queue \"%1\"").arg(plan.items.first().queue.text);
    return countedNoun(noun, plan.acting());
}

QString planSentence(const Plan &plan)
{
    const QString future = verbTexts(descriptorOf(plan.verb).future);
    const VerbSubject noun = subjectOf(plan);
    const qsizetype total = plan.items.size();
    const qsizetype acting = plan.acting();
    if (total == 0)
        return planText("Nothing matches any more.");
    if (noun == VerbSubject::Queue && total == 1) {
        const QString queue = planText("Queue \"%1\"").arg(plan.items.first().queue.text);
        return acting == 1 ? planText("%1 will be %2.").arg(queue, future)
                           : QString(queue + u": "_s + label(plan.items.first().expected) + u'.');
    }
    if (acting == 0) {
        return total == 1 ? planText("This %1 cannot be %2: see the reason below.")
                                .arg(countedNoun(noun, 1).section(u' ', 1), future)
                          : planText("None of the %1 can be %2: see the reasons below.")
                                .arg(countedNoun(noun, total), future);
    }
    const QString sentence = acting == total
        ? planText("Exactly %1 will be %2.").arg(countedNoun(noun, total), future)
        : planText("Exactly %1 of %2 will be %3; %4 left alone.")
              .arg(countText(acting), countedNoun(noun, total), future,
                   counted(total - acting, planText("1 is"), planText("%1 are")));
    const QString again = secondExecutionWords(plan);
    return again.isEmpty() ? sentence : QString(sentence + u' ' + again);
}

QString actWords(const Plan &plan)
{
    return label(plan.verb) + u' ' + subjectWords(plan);
}

QString expectationWords(Verb verb, Outcome outcome)
{
    return outcome == Outcome::Done ? verbTexts(descriptorOf(verb).expected)
                                    : capital(label(outcome));
}

QString outcomeWords(Verb verb, Outcome outcome)
{
    return outcome == Outcome::Done ? verbTexts(descriptorOf(verb).done) : capital(label(outcome));
}

QString receiptSentence(const Plan &plan, const Receipt &receipt)
{
    const QMap<Outcome, qsizetype> counts = receipt.counts();
    const VerbSubject noun = subjectOf(plan);
    QString sentence = outcomeWords(plan.verb, Outcome::Done) + u": "_s
        + countedNoun(noun, counts.value(Outcome::Done));
    if (noun == VerbSubject::Queue && plan.items.size() == 1 && counts.value(Outcome::Done) == 1)
        sentence = outcomeWords(plan.verb, Outcome::Done) + u": "_s + subjectWords(plan);
    const auto addOthers = [&sentence](const QMap<Outcome, qsizetype> &all) {
        QStringList rest;
        for (const Outcome outcome : allOutcomes()) {
            if (outcome != Outcome::Done && all.contains(outcome))
                rest += countText(all.value(outcome)) + u' ' + label(outcome);
        }
        if (!rest.isEmpty())
            sentence += u"; "_s + rest.join(u", "_s);
        sentence += u'.';
    };
    addOthers(counts);
    if (!receipt.trimmed.isEmpty()) {
        const QMap<Outcome, qsizetype> trimmed = receipt.trimmedCounts();
        sentence += u' '
            + counted(trimmed.value(Outcome::Done),
                      planText("1 of the oldest was removed to make room"),
                      planText("%1 of the oldest were removed to make room"));
        addOthers(trimmed);
    }
    return sentence;
}

QString seenWords(const PlanItem &item, const QDateTime &now)
{
    QStringList parts;
    if (item.rowSeen) {
        QString row = label(item.rowSeen->state);
        if (item.rowSeen->processed)
            row = planText("%1 %2").arg(row, momentText(*item.rowSeen->processed, now));
        parts += row;
    }
    if (item.taskSeen) {
        QString task = item.taskSeen->damaged ? planText("damaged task")
                                              : label(item.taskSeen->state).toLower();
        if (item.taskSeen->state == TaskState::Completed && item.taskSeen->keptUntil)
            task = planText("%1, kept until %2")
                       .arg(task, aboutMomentText(*item.taskSeen->keptUntil, now));
        if (!item.rowSeen)
            parts += capital(task);
        else if (item.taskSeen->state == TaskState::None && !item.taskSeen->damaged)
            parts += planText("not in the queue");
        else
            parts += planText("in queue: %1").arg(task);
    }
    return parts.join(u"; "_s);
}

} // namespace outbox
