// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/alertmodel.h"

#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/system/healthreport.h"
#include "models/translation.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation alertModelText("outbox::AlertModel");

using AlertColumn = AlertModel::Column;

QVariant alertLevel(const AlertLine &line)
{
    switch (line.state) {
    case AlertLine::State::Unseen:
        return {};
    case AlertLine::State::Quiet:
        return QVariant::fromValue(HealthLevel::Ok);
    case AlertLine::State::Holding:
        return QVariant::fromValue(HealthLevel::Watch);
    case AlertLine::State::Raised:
        return QVariant::fromValue(HealthLevel::Stalled);
    case AlertLine::State::Unknown:
        break;
    }
    return QVariant::fromValue(HealthLevel::Unknown);
}

QStringList alertStateWords()
{
    using enum AlertLine::State;
    QStringList words;
    for (const AlertLine::State state : {Unseen, Quiet, Holding, Raised, Unknown})
        words += label(state);
    return words;
}

QString alertStateTip(const AlertLine &line)
{
    if (line.state == AlertLine::State::Raised && line.isUnknown)
        return tipText(alertModelText("The last looks do not know the figure; it stays raised."));
    if (line.isUnknown && !line.why.isEmpty())
        return tipText(line.why);
    return tipText(label(line.state));
}

QString alertLimitText(const AlertLine &line)
{
    const AlertRule &rule = line.alert.rule;
    return sign(rule.op) + u' ' + figureText(rule.figure, rule.limit);
}

QList<AlertColumn> alertColumns()
{
    return {
        AlertColumn(alertModelText("State"), Qt::AlignLeft,
                    [](const AlertLine &line) { return label(line.state); })
            .withState(alertLevel)
            .withTip(alertStateTip)
            .withRoomFor(alertStateWords()),
        AlertColumn::ofText(alertModelText("Alert"),
                            [](const AlertLine &line) { return line.alert.name; }),
        AlertColumn::ofText(alertModelText("Rule"),
                            [](const AlertLine &line) { return line.alert.rule.text; }),
        AlertColumn(alertModelText("Value"), Qt::AlignRight, alertValueText)
            .withRoomFor({alertModelText("not counted")})
            .explained(alertModelText("What the last look told of the figure")),
        AlertColumn(alertModelText("Limit"), Qt::AlignRight, alertLimitText),
        AlertColumn::ofMoment(alertModelText("Since"),
                              [](const AlertLine &line) { return line.since; })
            .explained(alertModelText("Since when the rule holds, or nothing is known")),
        AlertColumn::ofText(alertModelText("Tells"),
                            [](const AlertLine &line) {
                                return alertTargetsText(line, QDateTime::currentDateTimeUtc());
                            }),
    };
}

} // namespace

AlertModel::AlertModel(QObject *parent)
    : KeyedTableModel(
        alertColumns(), [](const AlertLine &line) { return line.alert.name; }, parent)
{ }

QString alertTargetsText(const AlertLine &line, const QDateTime &now)
{
    const Alert &alert = line.alert;
    QStringList targets;
    if (alert.isShown)
        targets += alertModelText("desktop");
    if (!alert.command.isEmpty())
        targets += alertModelText("command %1").arg(alert.command.constFirst());
    if (!alert.webhook.isEmpty())
        targets += alertModelText("webhook at %1").arg(alert.webhook.host());
    QString text = targets.isEmpty() ? alertModelText("this page alone") : targets.join(u", "_s);
    if (alert.quiet)
        text += alertModelText("; not %1").arg(alert.quiet->text());
    if (line.isMuted)
        text += alertModelText("; muted until %1").arg(momentText(*alert.mutedUntil, now));
    return text;
}

} // namespace outbox
