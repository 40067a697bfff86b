// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/system/relaylist.h"

#include "models/enumtext.h"
#include "models/phrases.h"
#include "models/translation.h"

#include <QHash>
#include <QStringList>

#include <algorithm>
#include <tuple>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation relayListText("outbox::RelayList");
constexpr double latelySeconds = 3600;
constexpr double aDaySeconds = 86'400;
constexpr qsizetype mostRelaysInLine = 8;

constexpr auto relayActivities = enumTexts<RelayActivity>({
    {RelayActivity::Working, u"working", "Working"},
    {RelayActivity::Idle, u"idle", "Idle"},
    {RelayActivity::Silent, u"silent", "Silent"},
    {RelayActivity::Stopped, u"stopped", "Stopped"},
    {RelayActivity::Unknown, u"unknown", "Not known"},
});

/// Never below 0: the clock of its host may be ahead.
double secondsSinceBatch(const RelayEntry &relay, const QDateTime &now)
{
    return std::max(static_cast<double>(relay.lastBatch.msecsTo(now)) / 1000, 0.0);
}

/// A batch behind its end is one of the process that goes on under its name. Ends are told in whole
/// seconds.
bool hasEnded(const RelayEntry &relay)
{
    return relay.about && relay.about->ended.isValid()
        && relay.lastBatch.toSecsSinceEpoch() <= relay.about->ended.toSecsSinceEpoch();
}

auto placeInList(const RelayEntry &relay)
{
    const RelayAbout about = relay.about.value_or(RelayAbout());
    return std::tuple(!relay.about, about.host, about.worker, relay.relay);
}

/// "web1 0.9.0".
QString nameAndVersion(const RelayEntry &relay)
{
    const QString name = relayName(relay);
    return relay.about ? QString(name + u' ' + relay.about->version) : name;
}

} // namespace

QString word(RelayActivity activity)
{
    return relayActivities.word(activity);
}

QString label(RelayActivity activity)
{
    return relayActivities.label(activity, "outbox::RelayList");
}

std::optional<double> longestWait(const OutboxSnapshot &outbox)
{
    if (outbox.standby || outbox.guess || !outbox.pending)
        return std::nullopt;
    return *outbox.pending == 0 ? std::optional(0.0) : outbox.oldestPendingSeconds;
}

QList<RelayEntry> relaysOf(const QList<QueueSnapshot> &queues, const QueueName &own)
{
    const QueueSnapshot *first = queueNamed(queues, own);
    if (!first)
        return {};
    QHash<QString, RelayEntry> latest; // in any queue
    for (const QueueSnapshot &queue : queues) {
        for (const RelayEntry &entry : queue.relays) {
            RelayEntry &known = latest[entry.relay];
            if (!known.lastBatch.isValid() || known.lastBatch < entry.lastBatch)
                known.lastBatch = entry.lastBatch;
            if (!known.about)
                known.about = entry.about;
        }
    }
    QList<RelayEntry> relays;
    for (RelayEntry entry : first->relays) {
        const RelayEntry &known = *latest.constFind(entry.relay);
        entry.lastBatch = known.lastBatch;
        if (!entry.about)
            entry.about = known.about;
        if (entry.about || secondsSinceBatch(entry, first->at) < latelySeconds)
            relays += entry;
    }
    std::sort(relays.begin(), relays.end(), [](const RelayEntry &one, const RelayEntry &other) {
        return placeInList(one) < placeInList(other);
    });
    return relays;
}

RelayActivity activityOf(const RelayEntry &relay, const QDateTime &now,
                         std::optional<double> rowWaits, double silentSeconds)
{
    if (hasEnded(relay))
        return RelayActivity::Stopped;
    if (secondsSinceBatch(relay, now) < silentSeconds)
        return RelayActivity::Working;
    if (relay.about && relay.about->bySchedule)
        return RelayActivity::Idle;
    if (!rowWaits)
        return RelayActivity::Unknown;
    return *rowWaits < silentSeconds ? RelayActivity::Idle : RelayActivity::Silent;
}

QList<ListedRelay> listRelays(const QList<QueueSnapshot> &queues, const QueueName &own,
                              std::optional<double> rowWaits, double silentSeconds)
{
    QList<ListedRelay> listed;
    const QueueSnapshot *first = queueNamed(queues, own);
    for (const RelayEntry &entry : relaysOf(queues, own))
        listed += ListedRelay{entry, activityOf(entry, first->at, rowWaits, silentSeconds)};
    return listed;
}

bool wasAtWorkLately(const RelayEntry &relay, const QDateTime &now)
{
    return !hasEnded(relay) && secondsSinceBatch(relay, now) < latelySeconds;
}

QString relayName(const RelayEntry &relay)
{
    if (!relay.about)
        return relayListText("a relay that names no host");
    if (relay.about->worker <= 1)
        return relay.about->host;
    return relayListText("%1 worker %2")
        .arg(relay.about->host, QString::number(relay.about->worker));
}

QString activityText(const ListedRelay &relay, const QDateTime &now)
{
    const auto &about = relay.entry.about;
    const QString since = spanText(secondsSinceBatch(relay.entry, now));
    switch (relay.activity) {
    case RelayActivity::Working:
        return about ? relayListText("since %1").arg(momentText(about->started, now))
                     : relayListText("working");
    case RelayActivity::Idle:
        return relayListText("idle for %1").arg(since);
    case RelayActivity::Silent:
        return relayListText("silent for %1").arg(since);
    case RelayActivity::Stopped:
        return about ? relayListText("stopped at %1").arg(momentText(about->ended, now))
                     : relayListText("stopped");
    case RelayActivity::Unknown:
        break;
    }
    return relayListText("nothing sent for %1").arg(since);
}

QString relaysText(const QList<ListedRelay> &relays, const QDateTime &now)
{
    QStringList shown;
    qsizetype count = 0;
    for (const ListedRelay &relay : relays) {
        if (hasEnded(relay.entry) || secondsSinceBatch(relay.entry, now) >= aDaySeconds)
            continue;
        if (++count <= mostRelaysInLine)
            shown += QString(nameAndVersion(relay.entry) + u' ' + activityText(relay, now));
    }
    if (count == 0)
        return {};
    if (count > shown.size())
        shown += relayListText("%1 more").arg(countText(count - shown.size()));
    return QString(countText(count) + u" ("_s + shown.join(u"; "_s) + u')');
}

} // namespace outbox
