// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run/alertwatch.h"

#include "models/plaintext.h"

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

AlertWatch::AlertWatch(const QList<Alert> &alerts, const Printer &printer) : m_printer(printer)
{
    for (const Alert &alert : alerts)
        m_watched += WatchedAlert(alert);
    QObject::connect(&m_delivery, &AlertDelivery::failed, &m_delivery,
                     [this](const QString &place, const QString &why) {
                         m_printer.note(u"outboxctl: %1 was not told of an alert: %2"_s.arg(
                                            plainText(place), plainText(why)),
                                        LogLevel::Error);
                     });
}

void AlertWatch::countIn(const Target &target)
{
    QList<AlertRule> rules;
    for (const WatchedAlert &watched : std::as_const(m_watched)) {
        if (watched.alert().rule.isOnFilter())
            rules += watched.alert().rule;
    }
    if (rules.isEmpty())
        return;
    m_counts = std::make_unique<FilterCounts>(target, u"outboxctl"_s);
    QObject::connect(
        m_counts.get(), &FilterCounts::counted, m_counts.get(),
        [this](const AlertRule &rule, const FilterCount &count) { takeCount(rule, count); });
    m_counts->setRules(rules);
}

void AlertWatch::takeCount(const AlertRule &rule, const FilterCount &count)
{
    AlertSources sources;
    sources.count = &count;
    const QDateTime now = QDateTime::currentDateTimeUtc();
    for (WatchedAlert &watched : m_watched) {
        if (watched.alert().rule == rule)
            judge(watched, sources, now);
    }
}

Arrivals AlertWatch::arrivals() const
{
    const bool areAsked
        = std::any_of(m_watched.cbegin(), m_watched.cend(), [](const WatchedAlert &watched) {
              return watched.alert().rule.figure == AlertFigure::In;
          });
    return areAsked ? Arrivals::Asked : Arrivals::NotAsked;
}

void AlertWatch::take(const SystemReading &look, const std::optional<OutboxShape> &shape)
{
    AlertSources sources;
    sources.level = look.report.level;
    sources.outPerSecond = look.outPerSecond;
    QueueSnapshot queue;
    if (look.outbox)
        sources.outbox = &*look.outbox;
    if (look.queue) {
        queue = look.ownQueue();
        sources.queue = &queue;
        sources.dedup = look.queue->dedup ? &*look.queue->dedup : nullptr;
    }
    for (WatchedAlert &watched : m_watched) {
        if (!watched.alert().rule.isOnFilter())
            judge(watched, sources, look.at);
    }
    if (m_counts && look.outbox && shape)
        m_counts->setShape(*shape);
    else if (m_counts && !look.outbox)
        m_counts->lose(look.outbox.error());
}

void AlertWatch::judge(WatchedAlert &watched, const AlertSources &sources, const QDateTime &at)
{
    const AlertChange change = watched.take(at, sources);
    if (change.event)
        tell(watched.alert(), *change.event);
    if (change.isLost) {
        m_printer.note(
            u"alert: "_s
                + unknownAlertSentence(watched.alert(), watched.state(), at, watched.why()),
            LogLevel::Warning);
    }
    if (change.notice)
        m_delivery.send(watched.alert(), *change.notice);
}

void AlertWatch::tell(const Alert &alert, const AlertEvent &event) const
{
    m_printer.note(u"alert: "_s + alertSentence(alert, event),
                   event.kind == AlertEvent::Kind::Raised ? LogLevel::Warning : LogLevel::Notice);
    if (m_printer.isJson())
        m_printer.object({{u"alert"_s, toJson(alert, event)}});
}

} // namespace outbox
