// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/alertjudge.h"

#include "models/system/shardsums.h"

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

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
    : QObject(parent), m_system(system), m_own(ownSamples),
      m_counts({system.profile(), system.secrets(), system.stateFolder()}, u"outboxdeck"_s)
{
    m_tell.setSingleShot(true);
    connect(&m_tell, &QTimer::timeout, this, &AlertJudge::judged);
    const MessageSource *source = &system.messages();
    connect(source, &MessageSource::taken, this, &AlertJudge::takeOutbox);
    connect(source, &MessageSource::healthChanged, this, [this](const SourceHealth &health) {
        if (health.state != SourceHealth::State::Failing)
            return;
        judge(AlertOrigin::Outbox, {});
        m_counts.lose(health.error.value_or(Error()));
    });
    connect(&m_counts, &FilterCounts::counted, this,
            [this](const AlertRule &rule, const FilterCount &count) {
                AlertSources sources;
                sources.count = &count;
                judge(AlertOrigin::Filter, sources, &rule);
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
    QList<AlertRule> rules;
    for (const WatchedAlert &one : std::as_const(m_watched))
        rules += one.alert().rule;
    m_counts.setRules(rules);
    emit judged();
}

void AlertJudge::skip()
{
    m_counts.setRunning(!m_system.isPaused());
    for (const AlertOrigin origin :
         {AlertOrigin::Outbox, AlertOrigin::Queue, AlertOrigin::Health, AlertOrigin::Filter})
        judge(origin, {});
}

void AlertJudge::takeOutbox(const OutboxSnapshot &snapshot)
{
    AlertSources sources;
    sources.outbox = &snapshot;
    judge(AlertOrigin::Outbox, sources);
    if (const auto &shape = m_system.database().shape(); shape && !m_system.documents())
        return m_counts.setShape(*shape);
    m_counts.lose(fail(Error::Kind::Unsupported, u"counting rows by a filter"_s,
                       u"messages wait in documents here, and not in rows"_s)
                      .value());
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

void AlertJudge::judge(AlertOrigin origin, const AlertSources &sources, const AlertRule *only)
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    QList<std::pair<Alert, AlertChange>> changes;
    QList<std::pair<Alert, QString>> unknown;
    for (WatchedAlert &one : m_watched) {
        const Alert &alert = one.alert();
        if (originOf(alert.rule.figure) != origin || (only && alert.rule != *only))
            continue;
        changes.append({alert, one.take(now, sources)});
        if (changes.constLast().second.isLost && !one.why().isEmpty())
            unknown.append({alert, unknownAlertSentence(alert, one.state(), now, one.why())});
    }
    // Whoever is told may set other alerts.
    for (const auto &[alert, change] : std::as_const(changes)) {
        if (change.notice)
            emit noticed(alert, *change.notice);
    }
    for (const auto &[alert, sentence] : std::as_const(unknown))
        emit lost(alert, sentence);
    if (changes.isEmpty())
        return;
    if (origin == AlertOrigin::Filter)
        m_tell.start(0);
    else
        emit judged();
}

} // namespace outbox
