// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/operations/planwords.h"

#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/translation.h"

#include <QStringList>

#include <algorithm>
#include <array>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

enum class Noun { Row, Task, Queue, Finding };

struct VerbPhrases
{
    Verb verb;
    Noun noun;
    const char *future; ///< "will be …"
    const char *expected; ///< of one message, before
    const char *done; ///< of one message, after
};

constexpr std::array phrases{
    VerbPhrases{Verb::Replay, Noun::Row,
                QT_TRANSLATE_NOOP("outbox::PlanWords", "opened again for the relay"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Accepted"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Opened again")},
    VerbPhrases{Verb::Purge, Noun::Row, QT_TRANSLATE_NOOP("outbox::PlanWords", "purged"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Will be purged"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Purged")},
    VerbPhrases{Verb::Release, Noun::Row, QT_TRANSLATE_NOOP("outbox::PlanWords", "released"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Will be released"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Released")},
    VerbPhrases{Verb::Import, Noun::Row, QT_TRANSLATE_NOOP("outbox::PlanWords", "put back"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Will be put back"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Put back")},
    VerbPhrases{Verb::Run, Noun::Task, QT_TRANSLATE_NOOP("outbox::PlanWords", "moved to pending"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Will run"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Made pending")},
    VerbPhrases{Verb::Archive, Noun::Task, QT_TRANSLATE_NOOP("outbox::PlanWords", "archived"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Will be archived"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Archived")},
    VerbPhrases{Verb::Delete, Noun::Task, QT_TRANSLATE_NOOP("outbox::PlanWords", "deleted"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Will be deleted"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Deleted")},
    VerbPhrases{Verb::Replace, Noun::Task,
                QT_TRANSLATE_NOOP("outbox::PlanWords", "replaced by fresh ones"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Will be replaced"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Replaced")},
    VerbPhrases{Verb::Cancel, Noun::Task,
                QT_TRANSLATE_NOOP("outbox::PlanWords", "asked to give up"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Will be asked"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Asked")},
    VerbPhrases{Verb::Pause, Noun::Queue,
                QT_TRANSLATE_NOOP("outbox::PlanWords", "paused: workers take nothing more from it"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Will be paused"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Paused")},
    VerbPhrases{Verb::Unpause, Noun::Queue,
                QT_TRANSLATE_NOOP("outbox::PlanWords", "unpaused: workers take from it again"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Will be unpaused"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Unpaused")},
    VerbPhrases{Verb::Reconcile, Noun::Finding, QT_TRANSLATE_NOOP("outbox::PlanWords", "repaired"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Will be repaired"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Repaired")},
    VerbPhrases{Verb::Enqueue, Noun::Task, QT_TRANSLATE_NOOP("outbox::PlanWords", "enqueued"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Will be enqueued"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Enqueued")},
    VerbPhrases{Verb::Unreplay, Noun::Row,
                QT_TRANSLATE_NOOP("outbox::PlanWords", "marked processed again"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Will be marked processed"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Marked processed")},
    VerbPhrases{Verb::Park, Noun::Row, QT_TRANSLATE_NOOP("outbox::PlanWords", "set aside"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Will be set aside"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Set aside")},
    VerbPhrases{Verb::Unpark, Noun::Row,
                QT_TRANSLATE_NOOP("outbox::PlanWords", "free for relays again"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Will be free again"),
                QT_TRANSLATE_NOOP("outbox::PlanWords", "Free again")},
};

constexpr Translation planText("outbox::PlanWords");

const VerbPhrases &phrasesOf(Verb verb)
{
    return *std::find_if(phrases.begin(), phrases.end(),
                         [verb](const VerbPhrases &one) { return one.verb == verb; });
}

/// An import of tasks speaks of tasks.
Noun nounOf(const Plan &plan)
{
    const bool tasksOnly = plan.verb == Verb::Import && !plan.items.isEmpty()
        && std::all_of(plan.items.begin(), plan.items.end(),
                       [](const PlanItem &item) { return item.row.isEmpty(); });
    return tasksOnly ? Noun::Task : phrasesOf(plan.verb).noun;
}

QString countedNoun(Noun noun, qsizetype count)
{
    switch (noun) {
    case Noun::Row:
        return counted(count, planText("1 row"), planText("%1 rows"));
    case Noun::Task:
        return counted(count, planText("1 task"), planText("%1 tasks"));
    case Noun::Finding:
        return counted(count, planText("1 finding"), planText("%1 findings"));
    case Noun::Queue:
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
    if (plan.verb == Verb::Import) { // nobody knows what ran between the export and now
        return counted(again, planText("1 will run, and may have run since the export."),
                       planText("%1 will run, and may have run since the export."));
    }
    return counted(again, planText("1 ran before and runs a second time."),
                   planText("%1 ran before and run a second time."));
}

QString capital(const QString &text)
{
    return text.isEmpty() ? text : text.front().toUpper() + text.sliced(1);
}

} // namespace

QString subjectWords(const Plan &plan)
{
    const Noun noun = nounOf(plan);
    if (noun == Noun::Queue && plan.items.size() == 1)
        return planText("queue \"%1\"").arg(plan.items.first().queue.text);
    return countedNoun(noun, plan.acting());
}

QString planSentence(const Plan &plan)
{
    const QString future = planText(phrasesOf(plan.verb).future);
    const Noun noun = nounOf(plan);
    const qsizetype total = plan.items.size();
    const qsizetype acting = plan.acting();
    if (total == 0)
        return planText("Nothing matches any more.");
    if (noun == Noun::Queue && total == 1) {
        const QString queue = planText("Queue \"%1\"").arg(plan.items.first().queue.text);
        return acting == 1 ? planText("%1 will be %2.").arg(queue, future)
                           : QString(queue + u": "_s + label(plan.items.first().expected) + u'.');
    }
    if (acting == 0) {
        return total == 1 ? planText("This %1 cannot be %2: the reason stands below.")
                                .arg(countedNoun(noun, 1).section(u' ', 1), future)
                          : planText("None of the %1 can be %2: the reasons stand below.")
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
    return outcome == Outcome::Done ? planText(phrasesOf(verb).expected) : capital(label(outcome));
}

QString outcomeWords(Verb verb, Outcome outcome)
{
    return outcome == Outcome::Done ? planText(phrasesOf(verb).done) : capital(label(outcome));
}

QString receiptSentence(const Plan &plan, const Receipt &receipt)
{
    const QMap<Outcome, qsizetype> counts = receipt.counts();
    const Noun noun = nounOf(plan);
    QString sentence = outcomeWords(plan.verb, Outcome::Done) + u": "_s
        + countedNoun(noun, counts.value(Outcome::Done));
    if (noun == Noun::Queue && plan.items.size() == 1 && counts.value(Outcome::Done) == 1)
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
