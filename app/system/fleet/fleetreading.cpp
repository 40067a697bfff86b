// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/fleet/fleetreading.h"

#include "models/phrases.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Profiles that cannot be read have no name; their errors tell them apart.
QString fleetKeyOf(const QString &name, const std::optional<Error> &error)
{
    return name.isEmpty() && error ? QString(u'\n' + oneLine(*error)) : name;
}

} // namespace

SavedFleet savedFleet(const QList<Profile> &profiles, const QList<Error> &problems,
                      const QString &stateFolder,
                      const std::function<void(const QString &name)> &warn)
{
    SavedFleet saved;
    for (const Profile &profile : profiles) {
        if (profile.design) {
            saved.ofDocuments += profile.name;
            continue;
        }
        const auto warned = [&warn, &profile](const QString & /*text*/) { warn(profile.name); };
        saved.systems
            += FleetSystem{profile.name, profile.group, targetOf(profile, stateFolder, warned)};
    }
    for (const Error &problem : problems)
        saved.systems += FleetSystem{{}, {}, Failure(problem)};
    return saved;
}

FleetReading fleetReadingOf(const FleetSystem &system, const SystemReading &look)
{
    FleetReading reading{system.name, system.group, look, {}};
    const Profile &profile = system.target->profile;
    if (!profile.databaseUrl.isEmpty() && !look.outbox)
        reading.error = look.outbox.error();
    else if (!profile.redisUrl.isEmpty() && !look.queue)
        reading.error = look.queue.error();
    return reading;
}

FleetReading unreadSystem(const FleetSystem &system)
{
    const Error &error = system.target.error();
    FleetReading reading{system.name, system.group, {}, error};
    reading.look.at = QDateTime::currentDateTimeUtc();
    reading.look.outbox = passOn(system.target);
    reading.look.queue = passOn(system.target);
    reading.look.report.sentence
        = u"Unknown: the system was not asked (%1)."_s.arg(clipped(error.text));
    return reading;
}

FleetLine fleetLineOf(const FleetReading &reading)
{
    const SystemReading &look = reading.look;
    FleetLine line;
    line.key = fleetKeyOf(reading.name, reading.error);
    line.group = reading.group;
    line.at = look.at;
    line.name = reading.name;
    line.report = look.report;
    if (look.outbox) {
        line.oldestPendingSeconds = look.outbox->oldestPendingSeconds;
        line.waiting = look.outbox->pending;
        line.isWaitingExact = look.outbox->isExact(u"pending"_s);
    }
    if (look.queue) {
        const QueueSnapshot own = look.ownQueue();
        const QueueSums sums(QList<QueueSnapshot>{own});
        line.dead = own.archived;
        line.depth = sums.depth();
        line.isDepthExact = sums.exact;
    }
    return line;
}

FleetLine fleetLineOf(const FleetSystem &system)
{
    FleetLine line;
    line.key = fleetKeyOf(
        system.name, system.target ? std::nullopt : std::optional<Error>(system.target.error()));
    line.group = system.group;
    line.name = system.name;
    return line;
}

FleetTotals totalsOf(const QList<FleetReading> &readings)
{
    FleetTotals totals;
    for (const FleetReading &reading : readings)
        totals.add(reading.look.report.level);
    return totals;
}

} // namespace outbox
