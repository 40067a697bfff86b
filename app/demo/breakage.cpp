// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/breakage.h"

#include <QCoreApplication>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString text(const char *source)
{
    return QCoreApplication::translate("outbox::Breakage", source);
}

Breakage frozenRedis()
{
    return {u"freeze-redis"_s, text("Freeze Redis"),
            text("Redis stands still for 5 s: no answer, and no error either."),
            text("Status bar: the age of the last answer grows; nothing hangs."),
            text("It goes on by itself after 5 s.")};
}

Breakage failingType()
{
    return {u"fail-type"_s, text("Make a type fail"),
            text("The worker fails every email:deliver task; tries again, then gives up."),
            text("Queue: retries, then dead tasks with their last error."),
            text("Heal it in this menu.")};
}

QList<Breakage> ofDocuments()
{
    return {
        {u"stop-relay"_s, text("Stop the dispatch"),
         text("Nobody sends any more what handlers left in their documents."),
         text("Documents: undispatched entries pile up and grow older; Dispatch or Reconcile sends "
              "them."),
         text("Heal it in this menu.")},
        {u"kill-redis"_s, text("Kill Redis"),
         text("The queue's server dies by SIGKILL; handlers cannot send what they wrote."),
         text("Documents: undispatched entries; what came from Redis turns grey."),
         text("It starts again by itself after 10 s.")},
        frozenRedis(),
        failingType(),
    };
}

} // namespace

QList<Breakage> breakages(DemoDesign design)
{
    if (documentDesign(design))
        return ofDocuments();
    return {
        {u"stop-relay"_s, text("Stop the relay"), text("Nothing moves rows to the queue any more."),
         text("Overview: the lag line climbs; WATCH after a minute, STALLED after two."),
         text("Start the relay again.")},
        {u"kill-redis"_s, text("Kill Redis"),
         text("The queue's server dies by SIGKILL; the relay rolls its batch back and backs off."),
         text("Overview: gaps in the lines; what came from Redis turns grey."),
         text("It starts again by itself after 10 s.")},
        frozenRedis(),
        failingType(),
        {u"lose-answer"_s, text("Lose the answer after enqueue"),
         text("The relay's next batch reaches the queue, but the answer does not come back."),
         text("Relay: one batch rolled back, then counted as already in queue; no duplicate."),
         text("The next pass ends it.")},
        {u"burst"_s, text("Write 50,000 rows"),
         text("The application writes 50,000 messages as fast as it can."),
         text("Outbox: lists stay smooth; Overview tells the drain time."),
         text("The relay drains them.")},
    };
}

} // namespace outbox
