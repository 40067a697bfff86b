// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/alertjudge.h"

#include "models/system/shardsums.h"

#include <algorithm>
#include <utility>

namespace outbox {

namespace {

constexpr int ownSamples = 16; ///< no line is drawn of them

/// Whether those who heard of the one wait for the end of the other.
bool isSameAlert(Alert before, const Alert &now)
{
    before.quiet = now.quiet;
    before.mutedUntil = now.mutedUntil;
    return before == now;
}

} // namespace

AlertJudge::AlertJudge(System &system, QObject *parent)
    : QObject(parent), m_system(system), m_own(ownSamples)
{
    const MessageSource *source = &system.messages();
    connect(source, &MessageSource::taken, this, [this](const OutboxSnapshot &snapshot) {
        AlertSources sources;
        sources.outbox = &snapshot;
        judge(AlertOrigin::Outbox, sources);
    });
    connect(source, &MessageSource::healthChanged, this, [this](const SourceHealth &health) {
        if (health.state == SourceHealth::State::Failing)
            judge(AlertOrigin::Outbox, {});
    });
    connect(&system.queue(), &QueueFeed::taken, this, &AlertJudge::takeQueues);
    connect(&system.queue(), &QueueFeed::healthChanged, this, [this](const SourceHealth &health) {
        if (health.state != SourceHealth::State::Failing)
            return;
        m_own.missQueues(QDateTime::currentDateTimeUtc());
        judge(AlertOrigin::Queue, {});
    });
    connect(&system, &System::healthTaken, this, [this](const HealthReport &report) {
        AlertSources sources;
        sources.level = report.level;
        judge(AlertOrigin::Health, sources);
    });
}

void AlertJudge::setAlerts(const QList<Alert> &alerts)
{
    QList<WatchedAlert> before = std::exchange(m_watched, {});
    for (const Alert &alert : alerts) {
        const auto known
            = std::find_if(before.begin(), before.end(), [&alert](const WatchedAlert &one) {
                  return isSameAlert(one.alert(), alert);
              });
        if (known == before.end()) {
            m_watched += WatchedAlert(alert);
            continue;
        }
        known->change(alert);
        m_watched += *known;
        before.erase(known);
    }
    const QDateTime now = QDateTime::currentDateTimeUtc();
    for (WatchedAlert &one : before) {
        if (const auto over = one.end(now))
            emit noticed(one.alert(), *over);
    }
    emit judged();
}

void AlertJudge::skip()
{
    for (const AlertOrigin origin : {AlertOrigin::Outbox, AlertOrigin::Queue, AlertOrigin::Health})
        judge(origin, {});
}

QList<AlertLine> AlertJudge::lines(const QDateTime &now) const
{
    QList<AlertLine> lines;
    for (const WatchedAlert &one : m_watched)
        lines += one.line(now);
    return lines;
}

void AlertJudge::takeQueues(const QList<QueueSnapshot> &queues)
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const Profile &profile = m_system.profile();
    const auto own = ownQueueIn(queues, profile.ownQueue(), profile.shards());
    if (own)
        m_own.addQueues(now, {*own});
    else
        m_own.missQueues(now);
    AlertSources sources;
    sources.queue = own ? &*own : nullptr;
    sources.outPerSecond = m_own.series(Measure::Out).latest();
    const std::optional<DedupSnapshot> &dedup = m_system.snapshot().dedup;
    sources.dedup = dedup ? &*dedup : nullptr;
    judge(AlertOrigin::Queue, sources);
}

void AlertJudge::judge(AlertOrigin origin, const AlertSources &sources)
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    QList<std::pair<Alert, AlertChange>> changes;
    for (WatchedAlert &one : m_watched) {
        if (originOf(one.alert().rule.figure) == origin)
            changes.append({one.alert(), one.take(now, sources)});
    }
    // Whoever is told may set other alerts.
    for (const auto &[alert, change] : std::as_const(changes)) {
        if (change.notice)
            emit noticed(alert, *change.notice);
    }
    if (!changes.isEmpty())
        emit judged();
}

} // namespace outbox
