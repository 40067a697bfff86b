// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/alerts/alert.h"

#include "models/commandwords.h"
#include "models/nearest.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/translation.h"
#include "models/utctext.h"

#include <QJsonArray>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation alertText("outbox::Alert");
constexpr qsizetype mostOfAlertName = 60;

/// `place` is "alert 2, rule"; `position` an index within the text that is written there.
Failure alertFault(const QString &place, const QString &text, const QString &hint,
                   int position = -1)
{
    auto fault = fail(Error::Kind::Invalid, u"reading "_s + place, text, {}, hint);
    fault.value().position = position;
    return fault;
}

Failure alertFault(const QString &place, const Error &error)
{
    return alertFault(place, error.text, error.hint, error.position);
}

const QStringList &alertMembers()
{
    static const QStringList members{u"name"_s,  u"rule"_s,        u"command"_s, u"webhook"_s,
                                     u"quiet"_s, u"muted_until"_s, u"desktop"_s};
    return members;
}

Result<void> onlyAlertMembers(const QJsonObject &json, const QString &place)
{
    for (const QString &member : json.keys()) {
        if (alertMembers().contains(member))
            continue;
        const QString near = nearestWord(member, alertMembers());
        return alertFault(place, u"there is no member \"%1\""_s.arg(member),
                          near.isEmpty() ? QString(u"write "_s + alertMembers().join(u", "_s))
                                         : u"did you mean \"%1\"?"_s.arg(near));
    }
    return {};
}

Result<QStringList> alertCommand(const QJsonValue &value, const QString &place)
{
    if (const auto words = commandFrom(value))
        return *words;
    return alertFault(place, u"this is no command"_s,
                      u"write a list of texts: [\"program\", \"argument\"]; no shell reads it"_s);
}

Result<QDateTime> alertMuting(const QJsonValue &value, const QString &place)
{
    const QDateTime until = QDateTime::fromString(value.toString(), Qt::ISODate);
    if (!until.isValid())
        return alertFault(place, u"this is no moment"_s, u"write 2026-01-31T12:00:00Z"_s);
    return until.toUTC();
}

/// What tells it, when not, and until when nobody is told.
Result<void> readAlertTargets(const QJsonObject &json, const QString &place, Alert &alert)
{
    if (json.contains("command"_L1))
        alert.command = TRY(alertCommand(json.value("command"_L1), place + u", command"_s));
    if (json.contains("webhook"_L1)) {
        const auto webhook = webhookFrom(json.value("webhook"_L1).toString());
        if (!webhook)
            return alertFault(place + u", webhook"_s, webhook.error());
        alert.webhook = *webhook;
    }
    if (json.contains("quiet"_L1)) {
        const auto quiet = QuietTimes::fromText(json.value("quiet"_L1).toString());
        if (!quiet)
            return alertFault(place + u", quiet"_s, quiet.error());
        alert.quiet = *quiet;
    }
    if (json.contains("muted_until"_L1)) {
        alert.mutedUntil
            = TRY(alertMuting(json.value("muted_until"_L1), place + u", muted_until"_s));
    }
    const QJsonValue desktop = json.value("desktop"_L1);
    if (!desktop.isUndefined() && !desktop.isBool()) {
        return alertFault(place + u", desktop"_s, u"this is neither true nor false"_s,
                          u"write true or false"_s);
    }
    alert.isShown = desktop.toBool(true);
    return {};
}

Result<Alert> alertFrom(const QJsonObject &json, const QString &place)
{
    TRY(onlyAlertMembers(json, place));
    Alert alert;
    const auto name = alertNameFrom(json.value("name"_L1).toString());
    if (!name)
        return alertFault(place + u", name"_s, name.error());
    alert.name = *name;
    const auto rule = AlertRule::fromText(json.value("rule"_L1).toString());
    if (!rule)
        return alertFault(place + u", rule"_s, rule.error());
    alert.rule = *rule;
    TRY(readAlertTargets(json, place, alert));
    return alert;
}

QJsonObject storedAlert(const Alert &alert)
{
    QJsonObject json{{u"name"_s, alert.name}, {u"rule"_s, alert.rule.text}};
    if (!alert.command.isEmpty())
        json.insert(u"command"_s, QJsonArray::fromStringList(alert.command));
    if (!alert.webhook.isEmpty())
        json.insert(u"webhook"_s, alert.webhook.toString(QUrl::FullyEncoded));
    if (alert.quiet)
        json.insert(u"quiet"_s, alert.quiet->text());
    if (alert.mutedUntil)
        json.insert(u"muted_until"_s, alert.mutedUntil->toUTC().toString(Qt::ISODate));
    if (!alert.isShown)
        json.insert(u"desktop"_s, false);
    return json;
}

} // namespace

bool Alert::isHeldBack(const QDateTime &at) const
{
    return (mutedUntil && at < *mutedUntil) || (quiet && quiet->has(at.toLocalTime()));
}

Result<QString> alertNameFrom(const QString &text)
{
    const QString name = text.simplified();
    if (name.isEmpty() || name.size() > mostOfAlertName) {
        return fail(Error::Kind::Invalid, u"reading the name of an alert"_s,
                    u"there is no name, or it is too long"_s, {},
                    u"write a text of 1 to %1 characters"_s.arg(mostOfAlertName));
    }
    return name;
}

Result<QUrl> webhookFrom(const QString &text)
{
    QUrl url(text, QUrl::StrictMode);
    const bool isWeb = url.scheme() == "http"_L1 || url.scheme() == "https"_L1;
    if (!url.isValid() || !isWeb || url.host().isEmpty()) {
        return fail(Error::Kind::Invalid, u"reading the address of a webhook"_s,
                    u"this is no address of the web"_s, {}, u"write https://host/path"_s);
    }
    return url;
}

QJsonDocument toJson(const QList<Alert> &alerts)
{
    QJsonArray all;
    for (const Alert &alert : alerts)
        all += storedAlert(alert);
    return QJsonDocument(all);
}

Result<QList<Alert>> alertsFrom(const QJsonDocument &document)
{
    const QJsonArray all = document.array();
    if (all.isEmpty() || all.size() > mostAlerts) {
        return alertFault(u"alerts"_s, u"there is no list of 1 to %1 alerts"_s.arg(mostAlerts),
                          u"write [{\"name\": \"late\", \"rule\": \"lag > 2m for 1m\"}]"_s);
    }
    QList<Alert> alerts;
    for (const QJsonValue one : all) {
        const QString place = u"alert %1"_s.arg(alerts.size() + 1);
        if (!one.isObject()) {
            return alertFault(place, u"this is no object"_s,
                              u"write {\"name\": \"late\", \"rule\": \"lag > 2m for 1m\"}"_s);
        }
        const Alert alert = TRY(alertFrom(one.toObject(), place));
        const bool isTaken
            = std::any_of(alerts.cbegin(), alerts.cend(),
                          [&alert](const Alert &other) { return other.name == alert.name; });
        if (isTaken) {
            return alertFault(place + u", name"_s, u"another alert has this name"_s,
                              u"give each its own"_s);
        }
        alerts += alert;
    }
    return alerts;
}

QString word(AlertEvent::Kind kind)
{
    return kind == AlertEvent::Kind::Raised ? u"raised"_s : u"over"_s;
}

QString alertSentence(const Alert &alert, const AlertEvent &event)
{
    const AlertRule &rule = alert.rule;
    if (event.isWithdrawn) {
        return alertText("%1 is over: it was removed or changed (%2), it began %3")
            .arg(plainText(alert.name), plainText(rule.text), momentText(event.since, event.at));
    }
    QString value = figureText(rule.figure, event.value);
    if (event.isLeast)
        value = alertText("at least %1").arg(value);
    QString text = event.kind == AlertEvent::Kind::Raised
        ? alertText("%1 is raised: %2 is %3 (%4)")
              .arg(plainText(alert.name), word(rule.figure), value, plainText(rule.text))
        : alertText("%1 is over: %2 is %3 (%4), it began %5")
              .arg(plainText(alert.name), word(rule.figure), value, plainText(rule.text),
                   momentText(event.since, event.at));
    if (event.hadGaps)
        text += alertText("; not every look between knew it");
    return text;
}

QString unknownAlertSentence(const Alert &alert, const AlertState &state, const QDateTime &now,
                             const QString &why)
{
    if (!why.isEmpty()) {
        return alertText("%1 cannot be judged: %2; what was said stays")
            .arg(plainText(alert.name), plainText(why));
    }
    return alertText("%1: whether %2 holds is not known since %3; what was said stays")
        .arg(plainText(alert.name), plainText(alert.rule.text),
             momentText(state.unknownSince().value_or(now), now));
}

QJsonObject toJson(const Alert &alert, const AlertEvent &event)
{
    return {{u"name"_s, alert.name},
            {u"event"_s, word(event.kind)},
            {u"at"_s, utcText(event.at)},
            {u"since"_s, utcText(event.since)},
            {u"figure"_s, word(alert.rule.figure)},
            {u"value"_s, event.isWithdrawn ? QJsonValue() : QJsonValue(event.value)},
            {u"at_least"_s, event.isLeast},
            {u"limit"_s, alert.rule.limit},
            {u"rule"_s, alert.rule.text},
            {u"gaps"_s, event.hadGaps},
            {u"text"_s, alertSentence(alert, event)}};
}

QString mutingSentence(const Alert &alert, const QDateTime &now)
{
    if (!alert.mutedUntil || *alert.mutedUntil <= now)
        return u"Alert %1: not muted any more"_s.arg(plainText(alert.name));
    const auto seconds = static_cast<double>(now.msecsTo(*alert.mutedUntil)) / 1000;
    return u"Alert %1: muted for %2, until %3"_s.arg(
        plainText(alert.name), spanText(seconds), alert.mutedUntil->toUTC().toString(Qt::ISODate));
}

} // namespace outbox
