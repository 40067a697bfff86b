// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/healthqueues.h"

#include "models/phrases.h"

#include <QCoreApplication>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QString translated(const char *source)
{
    return QCoreApplication::translate("outbox::Health", source);
}

/// Those that a worker would take up, now or later.
qint64 unfinished(const QueueSnapshot &queue)
{
    return queue.pending + queue.scheduled + queue.retry + queue.aggregating.value_or(0);
}

QString tasksWait(const QueueSnapshot &queue)
{
    const qint64 count = unfinished(queue);
    QString text = count == 0 ? translated("no task waits yet")
        : count == 1          ? translated("one task waits")
                              : translated("%1 tasks wait").arg(countText(count));
    if (queue.oldestPendingSeconds)
        text += translated("; the next one has waited %1")
                    .arg(spanText(*queue.oldestPendingSeconds));
    return text;
}

/// What keeps the tasks of one queue from running; the worst reason alone.
std::optional<HealthFinding> standstill(const QueueSnapshot &queue, bool isOwn,
                                        const HealthLimits &limits)
{
    if (unfinished(queue) == 0 && !isOwn)
        return std::nullopt;
    const auto finding = [&queue](HealthReason reason, const char *sentence) {
        return HealthFinding{reason,
                             {HealthLevel::Watch,
                              translated(sentence).arg(queue.name.text, tasksWait(queue)),
                              u"state:pending"_s,
                              {}}};
    };
    if (queue.paused) {
        return finding(HealthReason::QueuePaused,
                       QT_TRANSLATE_NOOP("outbox::Health", "Queue \"%1\" is paused; %2."));
    }
    if (queue.servers == 0) {
        return finding(HealthReason::ServedByNobody,
                       QT_TRANSLATE_NOOP("outbox::Health", "No worker serves queue \"%1\"; %2."));
    }
    if (queue.oldestPendingSeconds.value_or(0) >= limits.oldestQueued) {
        return finding(HealthReason::QueueSlow,
                       QT_TRANSLATE_NOOP("outbox::Health", "Queue \"%1\" is behind; %2."));
    }
    return std::nullopt;
}

/// The same reason of several queues is one finding: the queue in which most tasks wait, and how
/// many others there are.
HealthFinding joined(QList<std::pair<qint64, HealthFinding>> alike)
{
    std::stable_sort(alike.begin(), alike.end(),
                     [](const auto &one, const auto &other) { return one.first > other.first; });
    HealthFinding worst = alike.first().second;
    if (const qsizetype others = alike.size() - 1; others > 0) {
        worst.cause.text += u' '
            + (others == 1
                   ? translated("The same is true of one more queue.")
                   : translated("The same is true of %1 more queues.").arg(countText(others)));
    }
    return worst;
}

std::optional<HealthFinding> dead(const QList<QueueSnapshot> &queues)
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
    const QString place = names.size() == 1 ? translated("queue \"%1\"").arg(names.first())
                                            : translated("%1 queues").arg(countText(names.size()));
    const QString text = count == 1
        ? translated("One task is dead in %1.").arg(place)
        : translated("%1 tasks are dead in %2.").arg(countText(count), place);
    return HealthFinding{HealthReason::DeadInQueue,
                         {HealthLevel::Watch, text, u"state:archived"_s, {}}};
}

} // namespace

QList<HealthFinding> queueFindings(const QList<QueueSnapshot> &queues, const QString &own,
                                   const HealthLimits &limits)
{
    QMap<HealthReason, QList<std::pair<qint64, HealthFinding>>> byReason;
    for (const QueueSnapshot &queue : queues) {
        if (const auto found = standstill(queue, queue.name.text == own, limits))
            byReason[found->reason] += std::pair(unfinished(queue), *found);
    }
    QList<HealthFinding> findings;
    for (const auto &alike : std::as_const(byReason))
        findings += joined(alike);
    if (const auto found = dead(queues))
        findings += *found;
    return findings;
}

} // namespace outbox
