// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table of the verbs, in the order of the enum.
#include "models/operations/verbdescriptor.h"

#include <algorithm>
#include <array>

namespace outbox {

namespace {

constexpr const char *mayMean = nullptr;
constexpr const char *heldByRelay = "A relay holds this row.";
constexpr const char *noMeaning = "%1 has no meaning for tasks that are %2.";

constexpr VerbMenu removeMenu{8, "remove", "Purge or &delete\u2026", Qt::Key_Delete, true};
constexpr VerbMenu pauseMenu{9, "pauseQueue", "Pause or unpause the &queue\u2026", {}, true};

/// The row itself does not tell whether it was delivered.
bool isDeliveredElsewhere(const OutboxShape &shape)
{
    return shape.processedHow == OutboxShape::ProcessedHow::Member
        || shape.processedHow == OutboxShape::ProcessedHow::Offset
        || shape.processedHow == OutboxShape::ProcessedHow::Log;
}

constexpr std::array verbs{
    VerbDescriptor{
        .verb = Verb::Replay,
        .word = "replay",
        .label = "Replay",
        .subject = VerbSubject::Row,
        .target = VerbTarget::Rows,
        .change = RowChange::Reopen,
        .future = "opened again for the relay",
        .expected = "Accepted",
        .done = "Opened again",
        .summary = "Opens processed rows again, so that the relay delivers them.",
        .tip = "Opens processed rows again, for the relay to send",
        .icon = "retry",
        .menu = VerbMenu{0, "replay", "&Replay\u2026", Qt::CTRL | Qt::Key_R},
        .offer = VerbOffer::RowWithoutTask,
        .runsAgain = true,
        .undoneBy = Verb::Unreplay,
        .whyNotRow =
            [](MessageState state) {
                switch (state) {
                case MessageState::Pending:
                case MessageState::Waiting:
                    return "This waits already: the relay sends it.";
                case MessageState::Locked:
                    return heldByRelay;
                case MessageState::Parked:
                    return "This row is parked: unpark it, and a relay sends it.";
                default:
                    return mayMean;
                }
            },
        .whyNotShape =
            [](const OutboxShape &shape) {
                return shape.processedHow == OutboxShape::ProcessedHow::Deleted
                    ? "Delivered rows are deleted here: there is none to replay."
                    : shape.canMark()
                    ? mayMean
                    : "What is delivered is not marked in the row itself: it cannot be reset.";
            }},
    VerbDescriptor{
        .verb = Verb::Purge,
        .word = "purge",
        .label = "Purge",
        .subject = VerbSubject::Row,
        .target = VerbTarget::Rows,
        .change = RowChange::Remove,
        .future = "purged",
        .expected = "Will be purged",
        .done = "Purged",
        .summary = "Deletes rows, after an export.",
        .tip = "Deletes rows, after an export",
        .icon = "trash",
        .menu = removeMenu,
        .offer = VerbOffer::FinishedRow,
        .alwaysTyped = true,
        .undoneBy = Verb::Import,
        .whyNotRow
        = [](MessageState state) { return state == MessageState::Locked ? heldByRelay : mayMean; },
        .whyNotShape =
            [](const OutboxShape &shape) {
                return isDeliveredElsewhere(shape)
                    ? "What was delivered is not known from the row: none is deleted."
                    : mayMean;
            }},
    VerbDescriptor{
        .verb = Verb::Release,
        .word = "release",
        .label = "Release",
        .subject = VerbSubject::Row,
        .target = VerbTarget::Rows,
        .change = RowChange::Release,
        .future = "released",
        .expected = "Will be released",
        .done = "Released",
        .summary = "Takes the lease of a dead owner off rows.",
        .tip = "Takes a dead owner's lease off rows",
        .icon = "unlock",
        .menu = VerbMenu{5, "release", "Re&lease\u2026", {}},
        .whyNotShape =
            [](const OutboxShape &shape) {
                using Locked = OutboxShape::LockedHow;
                return shape.lockedHow == Locked::Until ? mayMean
                    : shape.lockedHow == Locked::None || shape.lockedHow == Locked::Row
                    ? "This table has no lease columns: a row lock ends with its session."
                    : "Rows are held here in a way that has no end we could see: ask their owner.";
            }},
    VerbDescriptor{.verb = Verb::Import,
                   .word = "import",
                   .label = "Import",
                   .subject = VerbSubject::Row,
                   .target = VerbTarget::File,
                   .change = RowChange::Insert,
                   .future = "put back",
                   .expected = "Will be put back",
                   .done = "Put back",
                   .summary = "Puts exported rows and tasks back, with their own ids.",
                   .runsAgain = true,
                   .noUndo = "it was an undo itself",
                   .insteadOfUndo = "Purge the rows, or delete the tasks"},
    VerbDescriptor{.verb = Verb::Run,
                   .word = "run",
                   .label = "Run",
                   .subject = VerbSubject::Task,
                   .target = VerbTarget::Tasks,
                   .future = "moved to pending",
                   .expected = "Will run",
                   .done = "Made pending",
                   .summary = "Moves tasks to pending: they run next.",
                   .tip = "Moves tasks to pending, to be run now",
                   .icon = "play",
                   .menu = VerbMenu{1, "run", "R&un\u2026", Qt::CTRL | Qt::SHIFT | Qt::Key_R},
                   .offer = VerbOffer::Task,
                   .offeredAs = "Run again",
                   .runsAgain = true,
                   .undoneBy = Verb::Archive,
                   .whyNotTask =
                       [](TaskState state) {
                           return state == TaskState::Pending
                               ? "Pending tasks run as soon as a worker is free."
                               : mayMean;
                       }},
    VerbDescriptor{.verb = Verb::Archive,
                   .word = "archive",
                   .label = "Archive",
                   .subject = VerbSubject::Task,
                   .target = VerbTarget::Tasks,
                   .future = "archived",
                   .expected = "Will be archived",
                   .done = "Archived",
                   .summary = "Moves tasks to the archive, where they rest.",
                   .tip = "Sets tasks aside: they do not run by themselves",
                   .icon = "drain",
                   .menu = VerbMenu{2, "archive", "&Archive\u2026", {}},
                   .trims = true,
                   .undoneBy = Verb::Import,
                   .whyNotTask =
                       [](TaskState state) {
                           return state == TaskState::Archived || state == TaskState::Completed
                               ? noMeaning
                               : mayMean;
                       }},
    VerbDescriptor{.verb = Verb::Delete,
                   .word = "delete",
                   .label = "Delete",
                   .subject = VerbSubject::Task,
                   .target = VerbTarget::Tasks,
                   .future = "deleted",
                   .expected = "Will be deleted",
                   .done = "Deleted",
                   .summary = "Removes tasks and frees their ids, after an export.",
                   .tip = "Removes tasks and frees their ids, after an export",
                   .icon = "trash",
                   .menu = removeMenu,
                   .undoneBy = Verb::Import},
    VerbDescriptor{
        .verb = Verb::Replace,
        .word = "replace",
        .label = "Replace",
        .subject = VerbSubject::Task,
        .target = VerbTarget::Tasks,
        .future = "replaced by fresh ones",
        .expected = "Will be replaced",
        .done = "Replaced",
        .summary = "Removes tasks and enqueues the same messages afresh.",
        .tip = "Removes tasks and enqueues the same messages afresh",
        .icon = "refresh",
        .menu = VerbMenu{3, "replace", "Re&place\u2026", {}},
        .offer = VerbOffer::DeadTask,
        .runsAgain = true,
        .undoneBy = Verb::Import,
        .whyNotTask
        = [](TaskState state) { return state == TaskState::Aggregating ? noMeaning : mayMean; }},
    VerbDescriptor{.verb = Verb::Cancel,
                   .word = "cancel",
                   .label = "Cancel",
                   .subject = VerbSubject::Task,
                   .target = VerbTarget::Tasks,
                   .future = "asked to give up",
                   .expected = "Will be asked",
                   .done = "Asked",
                   .summary = "Asks the workers that run tasks to give up; best effort.",
                   .tip = "Asks the worker to give a running task up; nobody confirms it",
                   .icon = "stop",
                   .menu = VerbMenu{4, "cancelTask", "&Cancel\u2026", {}},
                   .offer = VerbOffer::Task,
                   .onRunning = true,
                   .whyNotTask =
                       [](TaskState state) {
                           return state == TaskState::Active
                               ? mayMean
                               : "Only a task that a worker runs now can be cancelled.";
                       }},
    VerbDescriptor{.verb = Verb::Pause,
                   .word = "pause",
                   .label = "Pause",
                   .subject = VerbSubject::Queue,
                   .target = VerbTarget::Queue,
                   .future = "paused: workers take nothing more from it",
                   .expected = "Will be paused",
                   .done = "Paused",
                   .summary = "Workers take nothing more from the queue.",
                   .tip = "Workers take nothing more from this queue",
                   .icon = "pause",
                   .menu = pauseMenu,
                   .undoneBy = Verb::Unpause},
    VerbDescriptor{.verb = Verb::Unpause,
                   .word = "unpause",
                   .label = "Unpause",
                   .subject = VerbSubject::Queue,
                   .target = VerbTarget::Queue,
                   .future = "unpaused: workers take from it again",
                   .expected = "Will be unpaused",
                   .done = "Unpaused",
                   .summary = "Workers take tasks from the queue again.",
                   .tip = "Workers take from this queue again",
                   .icon = "play",
                   .menu = pauseMenu,
                   .undoneBy = Verb::Pause},
    VerbDescriptor{.verb = Verb::Reconcile,
                   .word = "reconcile",
                   .label = "Reconcile",
                   .subject = VerbSubject::Finding,
                   .target = VerbTarget::Other,
                   .future = "repaired",
                   .expected = "Will be repaired",
                   .done = "Repaired",
                   .tip = "Repairs what was found, after another look at each",
                   .menu
                   = VerbMenu{10, "reconcile", "R&econcile\u2026", Qt::CTRL | Qt::Key_E, true},
                   .undoneBy = Verb::Import},
    VerbDescriptor{.verb = Verb::Enqueue,
                   .word = "enqueue",
                   .label = "Enqueue",
                   .subject = VerbSubject::Task,
                   .target = VerbTarget::Other,
                   .future = "enqueued",
                   .expected = "Will be enqueued",
                   .done = "Enqueued",
                   .undoneBy = Verb::Delete},
    VerbDescriptor{.verb = Verb::Unreplay,
                   .word = "unreplay",
                   .label = "Undo replay",
                   .subject = VerbSubject::Row,
                   .target = VerbTarget::Other,
                   .change = RowChange::MarkProcessed,
                   .future = "marked processed again",
                   .expected = "Will be marked processed",
                   .done = "Marked processed",
                   .noUndo = "it was an undo itself",
                   .insteadOfUndo = "Replay the rows again"},
    VerbDescriptor{.verb = Verb::Park,
                   .word = "park",
                   .label = "Park",
                   .subject = VerbSubject::Row,
                   .target = VerbTarget::Rows,
                   .change = RowChange::Hold,
                   .future = "set aside",
                   .expected = "Will be set aside",
                   .done = "Set aside",
                   .summary = "Sets rows aside: no relay claims them.",
                   .tip = "Sets rows aside: no relay claims them until they are unparked",
                   .icon = "drain",
                   .menu = VerbMenu{6, "park", "Par&k\u2026", {}},
                   .undoneBy = Verb::Unpark,
                   .whyNotRow =
                       [](MessageState state) {
                           switch (state) {
                           case MessageState::Locked:
                               return heldByRelay;
                           case MessageState::Parked:
                               return "This row is parked already.";
                           case MessageState::Processed:
                               return "No relay claims a processed row.";
                           default:
                               return mayMean;
                           }
                       }},
    VerbDescriptor{.verb = Verb::Unpark,
                   .word = "unpark",
                   .label = "Unpark",
                   .subject = VerbSubject::Row,
                   .target = VerbTarget::Rows,
                   .change = RowChange::Hold,
                   .future = "free for relays again",
                   .expected = "Will be free again",
                   .done = "Free again",
                   .summary = "Lets relays have rows that were set aside.",
                   .tip = "Lets relays have rows that were set aside",
                   .icon = "unlock",
                   .menu = VerbMenu{7, "unpark", "U&npark\u2026", {}},
                   .offer = VerbOffer::ParkedRow,
                   .undoneBy = Verb::Park,
                   .whyNotRow =
                       [](MessageState state) {
                           return state == MessageState::Processed ? "This row is not parked."
                                                                   : mayMean;
                       }},
    VerbDescriptor{
        .verb = Verb::Edit,
        .word = "edit",
        .label = "Edit",
        .subject = VerbSubject::Row,
        .target = VerbTarget::Other,
        .change = RowChange::Edit,
        .future = "changed",
        .expected = "Will be changed",
        .done = "Changed",
        .tip = "Changes payload, type, queue or due time of one row that was not delivered",
        .offer = VerbOffer::OpenRow,
        .undoneBy = Verb::Edit,
        .whyNotRow =
            [](MessageState state) {
                switch (state) {
                case MessageState::Locked:
                    return heldByRelay;
                case MessageState::Processed:
                    return "This row was delivered: what was sent is not changed any more.";
                case MessageState::Unknown:
                    return "The state of this row is not known.";
                default:
                    return mayMean;
                }
            },
        .whyNotShape =
            [](const OutboxShape &shape) {
                return isDeliveredElsewhere(shape)
                    ? "What was delivered is not known from the row: none is changed."
                    : mayMean;
            }},
    VerbDescriptor{
        .verb = Verb::EditTask,
        .word = "edit-task",
        .label = "Edit",
        .subject = VerbSubject::Task,
        .target = VerbTarget::Other,
        .future = "changed",
        .expected = "Will be changed",
        .done = "Changed",
        .tip = "Changes payload, type or time of one task that is dead or waits for its time",
        .undoneBy = Verb::EditTask,
        .whyNotTask =
            [](TaskState state) {
                switch (state) {
                case TaskState::Archived:
                case TaskState::Scheduled:
                case TaskState::Retry:
                    return mayMean;
                case TaskState::Pending:
                    return "A worker may take this task at any moment: archive it first.";
                case TaskState::Completed:
                    return "This task is done: what ran is not changed any more.";
                default:
                    return "A task is edited where it is dead, or waits for its time.";
                }
            }},
};

#define OUTBOX_VERB_LISTED(name) Verb::name,
static_assert(verbs.size() == std::array{OUTBOX_VERBS(OUTBOX_VERB_LISTED)}.size(),
              "a verb has no row");
#undef OUTBOX_VERB_LISTED
static_assert(std::is_sorted(verbs.begin(), verbs.end(),
                             [](const auto &one, const auto &other) {
                                 return one.verb < other.verb;
                             }),
              "the rows do not stand in the order of the enum");

} // namespace

const VerbDescriptor &descriptorOf(Verb verb)
{
    return verbs.at(static_cast<std::size_t>(verb));
}

std::span<const VerbDescriptor> verbDescriptors()
{
    return verbs;
}

QList<Verb> verbsFor(VerbTarget target)
{
    QList<Verb> found;
    for (const VerbDescriptor &one : verbs) {
        if (one.target == target)
            found += one.verb;
    }
    return found;
}

QString word(Verb verb)
{
    return QString::fromLatin1(descriptorOf(verb).word);
}

QString label(Verb verb)
{
    return verbTexts(descriptorOf(verb).label);
}

std::optional<Verb> verbFromWord(QStringView text)
{
    for (const VerbDescriptor &one : verbs) {
        if (text == QLatin1StringView(one.word))
            return one.verb;
    }
    return std::nullopt;
}

QList<Verb> allVerbs()
{
    QList<Verb> all;
    for (const VerbDescriptor &one : verbs)
        all += one.verb;
    return all;
}

bool actsOnRows(Verb verb)
{
    const VerbSubject subject = descriptorOf(verb).subject;
    return subject == VerbSubject::Row || subject == VerbSubject::Finding;
}

} // namespace outbox
