// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run/alertwatch.h"

#include "models/plaintext.h"

#include <algorithm>

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

Arrivals AlertWatch::arrivals() const
{
    const bool areAsked
        = std::any_of(m_watched.cbegin(), m_watched.cend(), [](const WatchedAlert &watched) {
              return watched.alert().rule.figure == AlertFigure::In;
          });
    return areAsked ? Arrivals::Asked : Arrivals::NotAsked;
}

void AlertWatch::take(const SystemReading &look)
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
    for (WatchedAlert &watched : m_watched)
        judge(watched, sources, look.at);
}

void AlertWatch::judge(WatchedAlert &watched, const AlertSources &sources, const QDateTime &at)
{
    const AlertChange change = watched.take(at, sources);
    if (change.event)
        tell(watched.alert(), *change.event);
    if (change.isLost) {
        m_printer.note(u"alert: "_s + unknownAlertSentence(watched.alert(), watched.state(), at),
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
