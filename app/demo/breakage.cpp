// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/breakage.h"

#include "models/translation.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace breakage;

namespace {

constexpr Translation breakageText("outbox::Breakage");

Breakage frozenRedis()
{
    return {freezeRedis,
            breakageText("Freeze Redis"),
            breakageText("Redis stands still for 5 s: no answer, and no error either."),
            breakageText("Overview: UNKNOWN after three looks without an answer; nothing hangs."),
            breakageText("It goes on by itself after 5 s."),
            {},
            {}};
}

Breakage failingType()
{
    return {failType,
            breakageText("Make a type fail"),
            breakageText("The worker fails every email:deliver task; tries again, then gives up."),
            breakageText(
                "Overview: the share of failures. Queue: retries, then dead tasks with their last "
                "error."),
            breakageText("Heal it here, then run the dead tasks again (Queue, Failures)."),
            breakageText("Heal it"),
            u"task:archived"_s};
}

QList<Breakage> ofDocuments()
{
    return {
        {stopRelay, breakageText("Stop the dispatch"),
         breakageText("Nobody sends any more what handlers left in their documents."),
         breakageText(
             "Documents: undispatched entries pile up and grow older; Dispatch or Reconcile sends "
             "them."),
         breakageText("Heal it in this menu."), breakageText("Start the dispatch"),
         u"state:pending"_s},
        {killRedis,
         breakageText("Kill Redis"),
         breakageText("The queue's server dies by SIGKILL; handlers cannot send what they wrote."),
         breakageText("Documents: undispatched entries; what came from Redis turns grey."),
         breakageText("It starts again by itself after 10 s."),
         {},
         {}},
        frozenRedis(),
        failingType(),
    };
}

QList<Breakage> ofTheRelay()
{
    return {
        {stopRelay, breakageText("Stop the relay"),
         breakageText("Nothing moves rows to the queue any more."),
         breakageText(
             "Overview: WATCH says when it was stopped; the lag line climbs; STALLED after two "
             "minutes."),
         breakageText("Start the relay again."), breakageText("Start the relay"), u"relay"_s},
        {killRelay, breakageText("Kill the relay in mid-batch"),
         breakageText(
             "The relay's connections are cut after its next batch is in the queue, before COMMIT, "
             "as SIGKILL would do it."),
         breakageText(
             "Overview: BROKEN. Its rows are pending again; none is lost, and none runs twice."),
         breakageText("Start the relay again: it finds its tasks already queued."),
         breakageText("Start the relay"), u"relay"_s},
        {loseAnswer,
         breakageText("Lose the answer after enqueue"),
         breakageText(
             "The relay's next batch reaches the queue, but the answer does not come back."),
         breakageText(
             "Relay: one batch rolled back, then counted as already in queue; no duplicate."),
         breakageText("The next pass ends it."),
         {},
         u"relay"_s},
        {shrinkRetention, breakageText("Shrink retention to 10 s"),
         breakageText(
             "The relay starts again and has ids kept for 10 s only, which is less than it may "
             "wait before it sends a batch again."),
         breakageText(
             "Overview: the dedup window is shorter than the safe one; a late batch would run "
             "twice."),
         breakageText("Set it back here, or start the relay with another retention."),
         breakageText("Set it back"), u"dedup"_s},
    };
}

QList<Breakage> ofTheQueue(bool hasPoison)
{
    QList<Breakage> all{
        {killRedis,
         breakageText("Kill Redis"),
         breakageText(
             "The queue's server dies by SIGKILL; the relay rolls its batch back and backs off."),
         breakageText("Overview: gaps in the lines; what came from Redis turns grey."),
         breakageText("It starts again by itself after 10 s."),
         {},
         {}},
        frozenRedis(),
        failingType(),
    };
    if (!hasPoison) {
        all += {poisonRow,
                breakageText("Write a poison row"),
                breakageText(
                    "A row without a type is written, with an id that comes before all others."),
                breakageText("Outbox: it is parked with its reason; the rows behind it pass."),
                breakageText("Purge the row."),
                breakageText("Remove the row"),
                u"state:parked"_s};
    }
    return all
        + QList<Breakage>{
            {damageTask, breakageText("Damage a task"),
             breakageText(
                 "A task loses its message, and blocks the id of a row that is written now."),
             breakageText("Outbox: the row is kept and parked. Reconcile: K1, with a repair."),
             breakageText("Repair it in Reconcile: the row is sent then."),
             breakageText("Remove both"), u"reconcile"_s},
            {sameIds, breakageText("Use the same id twice"),
             breakageText(
                 "Another application puts a task under the id of a row that is written now."),
             breakageText("Outbox: the row is parked, for its message is another one."),
             breakageText("Purge the row; in real life, give one of the two another prefix."),
             breakageText("Remove both"), u"state:parked"_s},
            {fillArchive, breakageText("Archive more than 9,999"),
             breakageText(
                 "10,024 dead tasks: more than an archive holds. As asynq does it, the oldest "
                 "leave the archive, and their ids stay taken."),
             breakageText(
                 "Overview: the archive is full. Reconcile: 25 of K17, whose repair frees the "
                 "ids."),
             breakageText("Repair them in Reconcile, and delete or run dead tasks."),
             breakageText("Remove them all"), u"reconcile"_s},
        };
}

} // namespace

QList<Breakage> breakages(DemoDesign design, bool isPostgres)
{
    if (documentDesign(design))
        return ofDocuments();
    QList<Breakage> all = ofTheRelay() + ofTheQueue(design == DemoDesign::ProcessedDate);
    if (isPostgres) {
        all += {
            holdTransaction,
            breakageText("Hold a long transaction"),
            breakageText("A session locks five rows and does not end its transaction."),
            breakageText("Overview: WATCH with the session and its age, here after 3 s, else after "
                         "5 min; what is deleted meanwhile is not cleaned up."),
            breakageText("End the transaction."),
            breakageText("End it"),
            u"state:locked"_s};
    }
    all += {burst,
            breakageText("Write 50,000 rows"),
            breakageText("The application writes 50,000 messages as fast as it can."),
            breakageText("Outbox: lists stay smooth; Overview tells the drain time."),
            breakageText("The relay drains them."),
            {},
            u"state:pending"_s};
    return all;
}

} // namespace outbox
