// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/health/healthrules.h"

#include "models/health/healthwords.h"
#include "models/phrases.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using healthwords::healthText;

namespace {

/// Those that a worker would take up, now or later.
qint64 unfinished(const QueueSnapshot &queue)
{
    return queue.pending + queue.scheduled + queue.retry + queue.aggregating.value_or(0);
}

/// Tasks were taken up, and nobody is there who could end them.
bool isDeserted(const QueueSnapshot &queue)
{
    return queue.active > 0 && queue.servers == 0;
}

QString tasksWait(const QueueSnapshot &queue)
{
    const qint64 count = unfinished(queue);
    QString text = count == 0 ? healthText("no task waits yet")
        : count == 1          ? healthText("one task waits")
                              : healthText("%1 tasks wait").arg(countText(count));
    if (isDeserted(queue)) {
        text += queue.active == 1 ? healthText("; one is active")
                                  : healthText("; %1 are active").arg(countText(queue.active));
    }
    if (queue.oldestPendingSeconds)
        text += healthText("; the next one has waited %1")
                    .arg(spanText(*queue.oldestPendingSeconds));
    return text;
}

/// What keeps the tasks of one queue from running; the worst reason alone.
std::optional<HealthCause> standstill(const QueueSnapshot &queue, bool isOwn,
                                      const HealthLimits &limits)
{
    if (unfinished(queue) == 0 && !isDeserted(queue) && !isOwn)
        return std::nullopt;
    const auto finding = [&queue](HealthReason reason, const char *sentence) {
        return HealthCause{HealthLevel::Watch,
                           healthText(sentence).arg(queue.name.text, tasksWait(queue)),
                           u"state:pending"_s,
                           {},
                           reason};
    };
    if (queue.paused) {
        return finding(HealthReason::QueuePaused,
                       QT_TRANSLATE_NOOP("outbox::Health", "Queue \"%1\" is paused; %2."));
    }
    if (queue.servers == 0) {
        return finding(HealthReason::ServedByNobody,
                       QT_TRANSLATE_NOOP("outbox::Health", "No worker serves queue \"%1\"; %2."));
    }
    if (!queue.servers) {
        return finding(HealthReason::ServedByNobody,
                       QT_TRANSLATE_NOOP("outbox::Health",
                                         "Whether a worker serves queue \"%1\" is not known; %2."));
    }
    if (queue.oldestPendingSeconds.value_or(0) >= limits.oldestQueued) {
        return finding(HealthReason::QueueSlow,
                       QT_TRANSLATE_NOOP("outbox::Health", "Queue \"%1\" is behind; %2."));
    }
    return std::nullopt;
}

/// The same reason of several queues is one finding: the queue in which most tasks wait, and how
/// many others there are.
HealthCause joined(QList<std::pair<qint64, HealthCause>> alike)
{
    std::stable_sort(alike.begin(), alike.end(),
                     [](const auto &one, const auto &other) { return one.first > other.first; });
    HealthCause worst = alike.first().second;
    if (const qsizetype others = alike.size() - 1; others > 0) {
        worst.text += u' '
            + (others == 1
                   ? healthText("The same is true of one more queue.")
                   : healthText("The same is true of %1 more queues.").arg(countText(others)));
    }
    return worst;
}

std::optional<HealthCause> dead(const QList<QueueSnapshot> &queues)
{
    qint64 count = 0;
    QList<QString> names;
    for (const QueueSnapshot &queue : queues) {
        count += queue.archived;
        if (queue.archived > 0)
            names += queue.name.text;
    }
    if (count == 0)
        return std::nullopt;
    const QString place = names.size() == 1 ? healthText("queue \"%1\"").arg(names.first())
                                            : healthText("%1 queues").arg(countText(names.size()));
    const QString text = count == 1
        ? healthText("One task is dead in %1.").arg(place)
        : healthText("%1 tasks are dead in %2.").arg(countText(count), place);
    return HealthCause{
        HealthLevel::Watch, text, u"state:archived"_s, {}, HealthReason::DeadInQueue};
}

/// As the library keeps so many, each one more pushes out the oldest: its id stays taken.
std::optional<HealthCause> fullArchive(const QList<QueueSnapshot> &queues,
                                       const HealthLimits &limits)
{
    const auto full
        = std::find_if(queues.cbegin(), queues.cend(), [&limits](const QueueSnapshot &queue) {
              return queue.archived >= limits.fullArchive;
          });
    if (full == queues.cend())
        return std::nullopt;
    return HealthCause{
        HealthLevel::Watch,
        healthText("The archive of queue \"%1\" is full (%2 dead tasks): each one more pushes out "
                   "the oldest, whose id stays taken; Reconcile frees them.")
            .arg(full->name.text, countText(full->archived)),
        u"reconcile"_s,
        {},
        HealthReason::ArchiveFull};
}

std::optional<HealthCause> failing(const std::optional<FailureShare::Counts> &attempts,
                                   const HealthLimits &limits)
{
    if (!attempts || attempts->failed == 0
        || static_cast<double>(attempts->failed)
            < limits.failing * static_cast<double>(attempts->attempts))
        return std::nullopt;
    return HealthCause{
        HealthLevel::Watch,
        healthText("Tasks fail: %1 of the last %2 attempts. They are tried again, then dead.")
            .arg(countText(attempts->failed), countText(attempts->attempts)),
        u"task:retry"_s,
        {},
        HealthReason::TasksFail};
}

} // namespace

QList<HealthCause> queueFindings(const QList<QueueSnapshot> &queues, const HealthInput &input,
                                 const HealthLimits &limits)
{
    QMap<HealthReason, QList<std::pair<qint64, HealthCause>>> byReason;
    for (const QueueSnapshot &queue : queues) {
        if (const auto found = standstill(queue, queue.name.text == input.ownQueue, limits))
            byReason[found->reason] += std::pair(unfinished(queue), *found);
    }
    QList<HealthCause> findings;
    for (const auto &alike : std::as_const(byReason))
        findings += joined(alike);
    for (const auto &found :
         {failing(input.attempts, limits), fullArchive(queues, limits), dead(queues)}) {
        if (found)
            findings += *found;
    }
    return findings;
}

} // namespace outbox
