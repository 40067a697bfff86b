// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/breakage.h"

#include <QCoreApplication>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace breakage;

namespace {

QString text(const char *source)
{
    return QCoreApplication::translate("outbox::Breakage", source);
}

Breakage frozenRedis()
{
    return {freezeRedis,
            text("Freeze Redis"),
            text("Redis stands still for 5 s: no answer, and no error either."),
            text("Overview: UNKNOWN after three looks without an answer; nothing hangs."),
            text("It goes on by itself after 5 s."),
            {},
            {}};
}

Breakage failingType()
{
    return {failType,
            text("Make a type fail"),
            text("The worker fails every email:deliver task; tries again, then gives up."),
            text("Overview: the share of failures. Queue: retries, then dead tasks with their last "
                 "error."),
            text("Heal it here, then run the dead tasks again (Queue, Failures)."),
            text("Heal it"),
            u"task:archived"_s};
}

QList<Breakage> ofDocuments()
{
    return {
        {stopRelay, text("Stop the dispatch"),
         text("Nobody sends any more what handlers left in their documents."),
         text("Documents: undispatched entries pile up and grow older; Dispatch or Reconcile sends "
              "them."),
         text("Heal it in this menu."), text("Start the dispatch"), u"state:pending"_s},
        {killRedis,
         text("Kill Redis"),
         text("The queue's server dies by SIGKILL; handlers cannot send what they wrote."),
         text("Documents: undispatched entries; what came from Redis turns grey."),
         text("It starts again by itself after 10 s."),
         {},
         {}},
        frozenRedis(),
        failingType(),
    };
}

QList<Breakage> ofTheRelay()
{
    return {
        {stopRelay, text("Stop the relay"), text("Nothing moves rows to the queue any more."),
         text("Overview: WATCH says when it was stopped; the lag line climbs; STALLED after two "
              "minutes."),
         text("Start the relay again."), text("Start the relay"), u"relay"_s},
        {killRelay, text("Kill the relay in mid-batch"),
         text(
             "The relay's connections are cut after its next batch is in the queue, before COMMIT, "
             "as SIGKILL would do it."),
         text("Overview: BROKEN. Its rows are pending again; none is lost, and none runs twice."),
         text("Start the relay again: it finds its tasks already queued."), text("Start the relay"),
         u"relay"_s},
        {loseAnswer,
         text("Lose the answer after enqueue"),
         text("The relay's next batch reaches the queue, but the answer does not come back."),
         text("Relay: one batch rolled back, then counted as already in queue; no duplicate."),
         text("The next pass ends it."),
         {},
         u"relay"_s},
        {shrinkRetention, text("Shrink retention to 10 s"),
         text("The relay starts again and has ids kept for 10 s only, which is less than it may "
              "wait before it sends a batch again."),
         text("Overview: the dedup window is shorter than the safe one; a late batch would run "
              "twice."),
         text("Set it back here, or start the relay with another retention."), text("Set it back"),
         u"dedup"_s},
    };
}

QList<Breakage> ofTheQueue(bool hasPoison)
{
    QList<Breakage> all{
        {killRedis,
         text("Kill Redis"),
         text("The queue's server dies by SIGKILL; the relay rolls its batch back and backs off."),
         text("Overview: gaps in the lines; what came from Redis turns grey."),
         text("It starts again by itself after 10 s."),
         {},
         {}},
        frozenRedis(),
        failingType(),
    };
    if (!hasPoison) {
        all += {poisonRow,
                text("Write a poison row"),
                text("A row without a type is written, with an id that comes before all others."),
                text("Outbox: it is parked with its reason; the rows behind it pass."),
                text("Purge the row."),
                text("Remove the row"),
                u"state:parked"_s};
    }
    return all
        + QList<Breakage>{
            {damageTask, text("Damage a task"),
             text("A task loses its message, and blocks the id of a row that is written now."),
             text("Outbox: the row is kept and parked. Reconcile: K1, with a repair."),
             text("Repair it in Reconcile: the row is sent then."), text("Remove both"),
             u"reconcile"_s},
            {sameIds, text("Use the same id twice"),
             text("Another application puts a task under the id of a row that is written now."),
             text("Outbox: the row is parked, for its message is another one."),
             text("Purge the row; in real life, give one of the two another prefix."),
             text("Remove both"), u"state:parked"_s},
            {fillArchive, text("Archive more than 9,999"),
             text("10,024 dead tasks: more than an archive holds. As asynq does it, the oldest "
                  "leave the archive, and their ids stay taken."),
             text("Overview: the archive is full. Reconcile: 25 of K17, whose repair frees the "
                  "ids."),
             text("Repair them in Reconcile, and delete or run dead tasks."),
             text("Remove them all"), u"reconcile"_s},
        };
}

} // namespace

QList<Breakage> breakages(DemoDesign design, bool isPostgres)
{
    if (documentDesign(design))
        return ofDocuments();
    QList<Breakage> all = ofTheRelay() + ofTheQueue(design == DemoDesign::ProcessedDate);
    if (isPostgres) {
        all += {holdTransaction,
                text("Hold a long transaction"),
                text("A session locks five rows and does not end its transaction."),
                text("Overview: WATCH with the session and its age, here after 3 s, else after "
                     "5 min; what is deleted meanwhile is not cleaned up."),
                text("End the transaction."),
                text("End it"),
                u"state:locked"_s};
    }
    all += {burst,
            text("Write 50,000 rows"),
            text("The application writes 50,000 messages as fast as it can."),
            text("Outbox: lists stay smooth; Overview tells the drain time."),
            text("The relay drains them."),
            {},
            u"state:pending"_s};
    return all;
}

} // namespace outbox
