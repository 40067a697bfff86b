// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run/alertwatch.h"

#include "app/service/alerttargets.h"
#include "app/settings/jsonfile.h"
#include "models/plaintext.h"

#include <QFileInfo>
#include <QJsonDocument>

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Result<QList<Alert>> loadAlerts(const QString &path)
{
    if (!QFileInfo::exists(path)) {
        return fail(Error::Kind::Invalid, u"reading "_s + path, u"there is no such file"_s, {},
                    u"Write [{\"name\": \"late\", \"rule\": \"lag > 2m for 1m\"}] into it"_s);
    }
    const QJsonDocument document = TRY(readJsonFile(path));
    auto alerts = alertsFrom(document);
    if (!alerts)
        alerts.error().doing += u" of "_s + path;
    return alerts;
}

AlertWatch::AlertWatch(const QList<Alert> &alerts, const Printer &printer) : m_printer(printer)
{
    for (const Alert &alert : alerts) {
        Watched watched{alert, AlertState(alert.rule), {}, {}};
        if (!alert.command.isEmpty()) {
            watched.targets += senderFor(alert.command.join(QChar(0)),
                                         u"the command "_s + alert.command.first(),
                                         std::make_unique<AlertCommand>(alert.command));
        }
        if (!alert.webhook.isEmpty()) {
            // The rest of its address may be a secret.
            watched.targets += senderFor(alert.webhook.toString(QUrl::FullyEncoded),
                                         u"the webhook at "_s + alert.webhook.host(),
                                         std::make_unique<AlertWebhook>(alert.webhook));
        }
        m_watched += watched;
    }
}

AlertWatch::~AlertWatch() = default;

AlertSender *AlertWatch::senderFor(const QString &key, const QString &place,
                                   std::unique_ptr<AlertSender> target)
{
    const auto [found, isNew] = m_targets.try_emplace(key, std::move(target));
    AlertSender *sender = found->second.get();
    if (isNew) {
        QObject::connect(sender, &AlertSender::failed, sender, [this, place](const QString &why) {
            m_printer.note(u"outboxctl: %1 was not told of an alert: %2"_s.arg(plainText(place),
                                                                               plainText(why)),
                           LogLevel::Error);
        });
    }
    return sender;
}

Arrivals AlertWatch::arrivals() const
{
    const bool areAsked
        = std::any_of(m_watched.cbegin(), m_watched.cend(), [](const Watched &watched) {
              return watched.alert.rule.figure == AlertFigure::In;
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
    for (Watched &watched : m_watched)
        judge(watched, sources, look.at);
}

void AlertWatch::judge(Watched &watched, const AlertSources &sources, const QDateTime &at) const
{
    const Alert &alert = watched.alert;
    const auto event = watched.state.take(at, readingOf(alert.rule.figure, sources));
    if (event)
        tell(alert, *event);
    if (watched.state.unknownLooks() == patientLooks) {
        m_printer.note(u"alert: "_s + unknownAlertSentence(alert, watched.state, at),
                       LogLevel::Warning);
    }
    const bool isQuiet = alert.quiet && alert.quiet->has(at.toLocalTime());
    const auto notice = watched.notice.take(event, isQuiet);
    if (!notice)
        return;
    const QByteArray body
        = QJsonDocument(toJson(alert, *notice)).toJson(QJsonDocument::Compact) + '\n';
    for (AlertSender *target : watched.targets)
        target->send(body);
}

void AlertWatch::tell(const Alert &alert, const AlertEvent &event) const
{
    m_printer.note(u"alert: "_s + alertSentence(alert, event),
                   event.kind == AlertEvent::Kind::Raised ? LogLevel::Warning : LogLevel::Notice);
    if (m_printer.isJson())
        m_printer.object({{u"alert"_s, toJson(alert, event)}});
}

} // namespace outbox
