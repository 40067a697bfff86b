// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/operations/finding.h"

#include "models/enumtext.h"
#include "models/operations/plan.h"
#include "models/operations/receipt.h"
#include "models/operations/scanreport.h"
#include "models/operations/selection.h"
#include "models/translation.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr auto findingPlaces = enumTexts<FindingPlace>({
    {FindingPlace::Queue, u"queue"},
    {FindingPlace::Both, u"rows against queue"},
    {FindingPlace::Outbox, u"outbox"},
    {FindingPlace::Documents, u"documents"},
    {FindingPlace::Condition, u"condition"},
});

constexpr auto repairTexts = enumTexts<Repair>({
    {Repair::None, u"none"},
    {Repair::Drop, u"drop"},
    {Repair::Requeue, u"requeue"},
    {Repair::ClearLease, u"unlease"},
    {Repair::Settle, u"settle"},
    {Repair::RestoreStatus, u"keep"},
    {Repair::Reattach, u"reattach"},
    {Repair::FreeLock, u"free-lock"},
    {Repair::RegisterQueue, u"introduce"},
    {Repair::Reopen, u"reopen"},
    {Repair::SetStatus, u"status"},
    {Repair::Release, u"release"},
});

constexpr QStringView guardBorder = u" | ";

} // namespace

QString word(FindingKind kind)
{
    return u'K' + QString::number(static_cast<int>(kind));
}

QString word(const Meant &meant)
{
    if (const auto *kinds = std::get_if<QList<FindingKind>>(&meant)) {
        QStringList words;
        for (const FindingKind kind : *kinds)
            words += word(kind);
        return words.isEmpty() ? u"all"_s : words.join(u',');
    }
    const auto *part = std::get_if<DocumentPart>(&meant);
    if (!part)
        return {};
    switch (*part) {
    case DocumentPart::Undispatched:
        return word(FindingKind::Undispatched);
    case DocumentPart::Unsettled:
        return word(FindingKind::LeakedEntry) + u", "_s + word(FindingKind::Undispatched);
    case DocumentPart::Entries:
        return u"entries"_s;
    case DocumentPart::Tokens:
        break;
    }
    return u"tokens"_s;
}

QString word(Repair repair)
{
    return repairTexts.word(repair);
}

std::optional<Repair> repairFromWord(QStringView word)
{
    return repairTexts.fromWord(word);
}

QString guardText(Repair repair, const QString &signature)
{
    return word(repair) + guardBorder + signature;
}

std::optional<RepairGuard> guardFromText(QStringView text)
{
    const qsizetype border = text.indexOf(guardBorder);
    if (border < 0)
        return std::nullopt;
    const auto repair = repairFromWord(text.left(border));
    if (!repair)
        return std::nullopt;
    return RepairGuard{*repair, text.mid(border + guardBorder.size()).toString()};
}

QMap<FindingKind, qsizetype> ScanReport::counts() const
{
    QMap<FindingKind, qsizetype> counts;
    for (const Finding &finding : findings)
        ++counts[finding.kind];
    return counts;
}

namespace {

/// Which case a finding, or the item of a plan that was made of it, is about.
using FindingCase = std::tuple<FindingKind, QString, QString, QString, QString>;

/// `guard`: what tells apart those that are about no message.
FindingCase caseOf(FindingKind kind, const QueueName &queue, const TaskId &task,
                   const MessageId &row, const QString &guard)
{
    const bool isOfMessage = !task.text.isEmpty() || !row.text.isEmpty();
    return {kind, queue.text, task.text, row.text, isOfMessage ? QString() : guard};
}

} // namespace

ScanReport withoutRepaired(ScanReport report, const Plan &plan, const Receipt &receipt)
{
    std::set<FindingCase> repaired;
    const qsizetype count = std::min(plan.items.size(), receipt.items.size());
    for (qsizetype at = 0; at < count; ++at) {
        const PlanItem &item = plan.items.at(at);
        if (item.kind && receipt.items.at(at).outcome == Outcome::Done)
            repaired.insert(caseOf(*item.kind, item.queue, item.task, item.row, item.evidence));
    }
    report.findings.removeIf([&repaired](const Finding &one) {
        return repaired.contains(
            caseOf(one.kind, one.queue, one.task, one.row, guardText(one.repair, one.signature)));
    });
    return report;
}

namespace {

struct KindWords
{
    FindingKind kind;
    FindingPlace place;
    RepairOffer offer;
    const char *title;
    const char *why;
    const char *repair;
    const char *risk;
};

constexpr std::array findingKinds{
    KindWords{
        FindingKind::StubHash, FindingPlace::Queue, RepairOffer::Here,
        QT_TRANSLATE_NOOP("outbox::Finding", "Task without a message"),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "The id is taken, but there is nothing to run: a relay must not count it "
                          "as delivered, and no worker can end it."),
        QT_TRANSLATE_NOOP(
            "outbox::Finding",
            "Takes the id out of every list and removes the empty hash. A pending row is sent anew "
            "by the relay; without a row the message is lost already. Where the relay skips the "
            "row "
            "the task stays."),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "Nothing: there is no message in it. What it holds is exported first.")},
    KindWords{FindingKind::MemberWithoutHash, FindingPlace::Queue, RepairOffer::Here,
              QT_TRANSLATE_NOOP("outbox::Finding", "Listed id without a task"),
              QT_TRANSLATE_NOOP(
                  "outbox::Finding",
                  "A list names a task that does not exist. A worker that takes it leaves a task "
                  "without a message behind, and asynq's own figures of the queue fail."),
              QT_TRANSLATE_NOOP("outbox::Finding", "Takes the id out of the lists that name it."),
              QT_TRANSLATE_NOOP("outbox::Finding", "Nothing: no message stands behind the id.")},
    KindWords{FindingKind::ActiveWithoutLease, FindingPlace::Queue, RepairOffer::Here,
              QT_TRANSLATE_NOOP("outbox::Finding", "Active without a lease"),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "Only a lease that runs out brings a task back from a dead worker. "
                                "Without one it never comes back."),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "Moves the task from active to pending, where it runs next. "
                                "Refused while a live worker says that it runs it."),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "Its effect may have happened: it may happen a second time.")},
    KindWords{
        FindingKind::LeaseWithoutActive, FindingPlace::Queue, RepairOffer::Here,
        QT_TRANSLATE_NOOP("outbox::Finding", "Lease without an active task"),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "A lease belongs to a task that a worker runs. asynq's recoverer would "
                          "try the task again when this one ends, wherever it is by then."),
        QT_TRANSLATE_NOOP("outbox::Finding", "Removes the lease; the task stays where it is."),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "A worker that does run it would lose its protection.")},
    KindWords{FindingKind::StateDiffers, FindingPlace::Queue, RepairOffer::Here,
              QT_TRANSLATE_NOOP("outbox::Finding", "State is not that of its list"),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "Workers go by the list, relays and inspectors by the state: they "
                                "would act on different grounds."),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "Writes the list's name into the state. The task does not move."),
              QT_TRANSLATE_NOOP("outbox::Finding", "Nothing: the lists decide what runs.")},
    KindWords{
        FindingKind::TwoContainers, FindingPlace::Queue, RepairOffer::Here,
        QT_TRANSLATE_NOOP("outbox::Finding", "In two lists at once"),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "The task would run or expire twice, and completing it fails half-way."),
        QT_TRANSLATE_NOOP(
            "outbox::Finding",
            "Keeps it in the list that its state names and takes it out of the others. Not offered "
            "when its state names none of them, nor while a lease is alive."),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "A run that another list stood for does not take place.")},
    KindWords{
        FindingKind::OrphanHash, FindingPlace::Queue, RepairOffer::Here,
        QT_TRANSLATE_NOOP("outbox::Finding", "Task in no list"),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "It will never run, never expire, and blocks its id; asynq's own tools "
                          "can neither list nor run nor delete it."),
        QT_TRANSLATE_NOOP(
            "outbox::Finding",
            "With a pending row: exports and removes it, the relay sends the row anew. Otherwise "
            "it may be the only copy: puts it into the archive, where nothing runs by itself."),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "When its state is active its effect may have happened.")},
    KindWords{FindingKind::ProcessedWithoutTask, FindingPlace::Both, RepairOffer::Here,
              QT_TRANSLATE_NOOP("outbox::Finding", "Marked processed, no task"),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "Within the dedup window a delivered message must have a task. "
                                "Redis lost it, or it was never sent."),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "Opens the row for the relay again. Whether the effect happened is "
                                "not known here: it needs consent to a second execution."),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "If the effect did happen, it happens a second time.")},
    KindWords{
        FindingKind::PendingWithTask, FindingPlace::Both, RepairOffer::NotNeeded,
        QT_TRANSLATE_NOOP("outbox::Finding", "Pending row, its task is there"),
        QT_TRANSLATE_NOOP(
            "outbox::Finding",
            "The relay's last commit failed or is in doubt: the row stayed, the task went out."),
        QT_TRANSLATE_NOOP(
            "outbox::Finding",
            "None is needed: the relay's next pass is told that the task is there, and commits."),
        QT_TRANSLATE_NOOP("outbox::Finding", "Nothing.")},
    KindWords{
        FindingKind::OtherMessage, FindingPlace::Both, RepairOffer::Never,
        QT_TRANSLATE_NOOP("outbox::Finding", "Another message owns the id"),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "The task under the row's id has another type or payload: two sources "
                          "share ids, or the row was rewritten. The row can not be delivered."),
        QT_TRANSLATE_NOOP(
            "outbox::Finding",
            "No automatic repair: give the sources different id prefixes; the row goes "
            "out when the other task is gone."),
        QT_TRANSLATE_NOOP("outbox::Finding", "Either message could be lost.")},
    KindWords{FindingKind::QueueNotListed, FindingPlace::Queue, RepairOffer::Here,
              QT_TRANSLATE_NOOP("outbox::Finding", "Queue missing from asynq:queues"),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "Inspectors do not see the queue, though its tasks flow. A flush, "
                                "a failover or a deleted queue leaves this."),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "Puts the name on the list again. What a deleted queue left behind "
                                "(a pause, retained ids) comes back with it."),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "A queue that was deleted on purpose shows up again.")},
    KindWords{FindingKind::DeadWithRow, FindingPlace::Both, RepairOffer::Elsewhere,
              QT_TRANSLATE_NOOP("outbox::Finding", "Dead in the queue, row is there"),
              QT_TRANSLATE_NOOP(
                  "outbox::Finding",
                  "The message was handed over, failed for good, and its id refuses every replay."),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "A person decides: Run gives it one more try, Replace sends it "
                                "afresh with all its retries."),
              QT_TRANSLATE_NOOP("outbox::Finding", "It fails again.")},
    KindWords{FindingKind::ShortRetention, FindingPlace::Condition, RepairOffer::Elsewhere,
              QT_TRANSLATE_NOOP("outbox::Finding", "Dedup window too short"),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "An id must be kept for longer than the relay may take to try "
                                "again, or a retry runs the message twice."),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "Raise the retention in the profile and at every relay."),
              QT_TRANSLATE_NOOP("outbox::Finding", "Nothing.")},
    KindWords{
        FindingKind::WrongType, FindingPlace::Queue, RepairOffer::Never,
        QT_TRANSLATE_NOOP("outbox::Finding", "Key of the wrong type"),
        QT_TRANSLATE_NOOP(
            "outbox::Finding",
            "Where asynq expects one type of key there is another: every command on it fails."),
        QT_TRANSLATE_NOOP(
            "outbox::Finding",
            "No automatic repair: keep its content with DUMP, then rename the key away."),
        QT_TRANSLATE_NOOP("outbox::Finding", "Foreign data could be destroyed.")},
    KindWords{
        FindingKind::LeakedEntry, FindingPlace::Documents, RepairOffer::Never,
        QT_TRANSLATE_NOOP("outbox::Finding", "Leaked outbox entry"),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "The entry stays in its document though its id is in the dedup store."),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "Settle it on the page Documents or by `outboxctl documents`."),
        QT_TRANSLATE_NOOP("outbox::Finding", "Nothing.")},
    KindWords{
        FindingKind::GarbageToken, FindingPlace::Documents, RepairOffer::Never,
        QT_TRANSLATE_NOOP("outbox::Finding", "Token that nothing refers to"),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "A token without a message, an entry or an attempt is never consumed."),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "Look at it on the page Documents or by `outboxctl tokens`."),
        QT_TRANSLATE_NOOP(
            "outbox::Finding",
            "A token of a stuck message looks the same: deleting it discards that message.")},
    KindWords{FindingKind::TrimmedOrphan, FindingPlace::Queue, RepairOffer::Here,
              QT_TRANSLATE_NOOP("outbox::Finding", "Left behind by a trimmed archive"),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "asynq cut its id off the full archive and left the task: the id "
                                "is blocked for ever, no tool of its own can list or remove it."),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "Without a row: exports it and removes it, which frees the id. "
                                "With a pending row likewise, and the relay sends it anew. With a "
                                "processed row it goes back into the archive."),
              QT_TRANSLATE_NOOP(
                  "outbox::Finding",
                  "A failed message that someone wanted to run later is in the export only.")},
    KindWords{
        FindingKind::Undecodable, FindingPlace::Queue, RepairOffer::Here,
        QT_TRANSLATE_NOOP("outbox::Finding", "Message that cannot be decoded"),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "No worker can run it, and the recoverer that meets it gives up: no task "
                          "of any queue of its server is recovered any more."),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "Exports its bytes and removes list entry, lock and hash together. Where "
                          "the relay skips the row the task stays."),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "What a newer asynq might be able to read is in the export only.")},
    KindWords{FindingKind::LeaseNobodyRecovers, FindingPlace::Queue, RepairOffer::Here,
              QT_TRANSLATE_NOOP("outbox::Finding", "Expired lease that is not recovered"),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "A task of a dead worker is brought back within two minutes where "
                                "a server serves the queue. This one was not."),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "Start a server. Where no live server serves the queue: moves the "
                                "task from active to pending."),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "Its effect may have happened: it may happen a second time.")},
    KindWords{FindingKind::ExpiredNotPurged, FindingPlace::Queue, RepairOffer::Here,
              QT_TRANSLATE_NOOP("outbox::Finding", "Retained beyond its time"),
              QT_TRANSLATE_NOOP(
                  "outbox::Finding",
                  "The window is over, but no janitor removed the id: it still refuses replays."),
              QT_TRANSLATE_NOOP(
                  "outbox::Finding",
                  "Start a server. Or exports and removes single ones, which frees their ids."),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "A relay that still has the message would send it again.")},
    KindWords{FindingKind::ServedByNobody, FindingPlace::Condition, RepairOffer::Elsewhere,
              QT_TRANSLATE_NOOP("outbox::Finding", "Queue without a worker"),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "Nothing runs, forwards, recovers or expires there meanwhile."),
              QT_TRANSLATE_NOOP("outbox::Finding", "Start a worker for the queue."),
              QT_TRANSLATE_NOOP("outbox::Finding", "Nothing.")},
    KindWords{
        FindingKind::LockWithoutTask, FindingPlace::Queue, RepairOffer::Here,
        QT_TRANSLATE_NOOP("outbox::Finding", "Unique lock without its task"),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "The lock refuses equal tasks though the one that took it is gone."),
        QT_TRANSLATE_NOOP("outbox::Finding", "Removes the lock when no task holds it."),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "An equal task may be enqueued before the lock would have ended.")},
    KindWords{
        FindingKind::ArchiveTooLarge, FindingPlace::Condition, RepairOffer::Elsewhere,
        QT_TRANSLATE_NOOP("outbox::Finding", "Archive too large"),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "The script with which workers archive a failed task breaks half-way "
                          "when it has too much to trim: the task is then in no list."),
        QT_TRANSLATE_NOOP(
            "outbox::Finding",
            "Delete the oldest archived tasks in the console, which exports them first."),
        QT_TRANSLATE_NOOP("outbox::Finding", "Nothing.")},
    KindWords{
        FindingKind::DeadClaim, FindingPlace::Outbox, RepairOffer::Here,
        QT_TRANSLATE_NOOP("outbox::Finding", "Row held for too long"),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "A row that a dead owner or a forgotten session holds is not delivered."),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "A lease that is over: empties it. A row lock: names the session; "
                          "ending it is up to you."),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "An owner that is alive after all may deliver it too.")},
    KindWords{
        FindingKind::PoisonRow, FindingPlace::Outbox, RepairOffer::Elsewhere,
        QT_TRANSLATE_NOOP("outbox::Finding", "Row that can not be delivered"),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "Type, id or content breaks a rule of the queue, or the row is outside "
                          "the mapping. It must not hold up the others, and is never dropped."),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "The relay sets it aside. Correct the row or the mapping."),
        QT_TRANSLATE_NOOP("outbox::Finding", "Nothing.")},
    KindWords{FindingKind::OverdueRow, FindingPlace::Outbox, RepairOffer::Elsewhere,
              QT_TRANSLATE_NOOP("outbox::Finding", "Overdue row"),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "A due row that no session holds must be delivered soon."),
              QT_TRANSLATE_NOOP("outbox::Finding", "Start a relay, or drain now."),
              QT_TRANSLATE_NOOP("outbox::Finding", "Nothing.")},
    KindWords{
        FindingKind::EffectDisagrees, FindingPlace::Both, RepairOffer::Here,
        QT_TRANSLATE_NOOP("outbox::Finding", "Status disagrees with the queue"),
        QT_TRANSLATE_NOOP(
            "outbox::Finding",
            "The queue proves that the worker ended well, but the status table does not say so."),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "Writes the value for done, if the status is still the one seen."),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "A status that is wrong for another reason is covered up.")},
    KindWords{FindingKind::TaskWithoutRow, FindingPlace::Both, RepairOffer::Elsewhere,
              QT_TRANSLATE_NOOP("outbox::Finding", "Task without a row"),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "The business change that it speaks of is not there: the commit "
                                "was lost, or the row was purged while an enqueue was on its way."),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "A person decides: Delete removes a task that does not run yet."),
              QT_TRANSLATE_NOOP(
                  "outbox::Finding",
                  "A message of another producer with ids of the same form would be lost.")},
    KindWords{FindingKind::Undispatched, FindingPlace::Documents, RepairOffer::Never,
              QT_TRANSLATE_NOOP("outbox::Finding", "Entry that was not dispatched"),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "Messages inside a document wait for longer than they may."),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "Settle it on the page Documents or by `outboxctl documents`."),
              QT_TRANSLATE_NOOP("outbox::Finding", "Nothing.")},
    KindWords{
        FindingKind::RedisLostData, FindingPlace::Condition, RepairOffer::Elsewhere,
        QT_TRANSLATE_NOOP("outbox::Finding", "Redis lost data"),
        QT_TRANSLATE_NOOP("outbox::Finding",
                          "Delivered messages may be gone from the queue without having run."),
        QT_TRANSLATE_NOOP(
            "outbox::Finding",
            "Stop automatic relays, then look for rows marked processed without a task (K8)."),
        QT_TRANSLATE_NOOP("outbox::Finding", "Nothing.")},
    KindWords{FindingKind::ClockSkew, FindingPlace::Condition, RepairOffer::Elsewhere,
              QT_TRANSLATE_NOOP("outbox::Finding", "Clocks differ"),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "Leases and retentions are judged by several clocks; above 5 s "
                                "they are not to be trusted."),
              QT_TRANSLATE_NOOP("outbox::Finding",
                                "Synchronise the clocks of the servers and of this computer."),
              QT_TRANSLATE_NOOP("outbox::Finding", "Nothing.")},
};

constexpr Translation findingKindText("outbox::Finding");

} // namespace

std::optional<FindingKind> findingKindFromWord(QStringView word)
{
    bool isNumber = false;
    const int number = word.startsWith(u'K') ? word.mid(1).toInt(&isNumber) : 0;
    if (!isNumber || number < 1 || number > int(findingKinds.size()))
        return std::nullopt;
    return static_cast<FindingKind>(number);
}

QList<FindingKind> allFindingKinds()
{
    QList<FindingKind> kinds;
    for (const KindWords &words : findingKinds)
        kinds += words.kind;
    return kinds;
}

QString findingKindRange()
{
    return word(findingKinds.front().kind) + u" to "_s + word(findingKinds.back().kind);
}

KindText textOf(FindingKind kind)
{
    const KindWords &words = findingKinds.at(static_cast<std::size_t>(kind) - 1);
    KindText text;
    text.kind = words.kind;
    text.place = words.place;
    text.offer = words.offer;
    text.isLookedFor = words.place != FindingPlace::Documents;
    text.title = findingKindText(words.title);
    text.why = findingKindText(words.why);
    text.repair = findingKindText(words.repair);
    text.risk = findingKindText(words.risk);
    return text;
}

ScanSummary summaryOf(const ScanReport &report)
{
    ScanSummary summary{report.at, report.findings.size(), 0, report.complete};
    const auto counts = report.counts();
    for (auto count = counts.cbegin(); count != counts.cend(); ++count) {
        if (textOf(count.key()).offer != RepairOffer::NotNeeded)
            summary.lasting += count.value();
    }
    return summary;
}

QString word(FindingPlace place)
{
    return findingPlaces.word(place);
}

} // namespace outbox
