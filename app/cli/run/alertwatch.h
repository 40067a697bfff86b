// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The alerts of `watch --alerts`: judged at every look, told on stderr and stdout, handed to
// commands and webhooks.
#pragma once

#include "app/cli/output/printer.h"
#include "app/service/alertsender.h"
#include "app/system/fleet/systemreading.h"
#include "models/alerts/alert.h"

#include <QList>
#include <QString>

#include <map>
#include <memory>

namespace outbox {

/// The alerts that stand in a file. Fails with Refused where it cannot be read, with Invalid and
/// the place where an alert in it cannot be understood.
[[nodiscard]] Result<QList<Alert>> loadAlerts(const QString &path);

/// For the main thread with its event loop.
class AlertWatch
{
public:
    /// After so many looks in a row that do not know the figure of a rule, that is told, once.
    static constexpr int patientLooks = 3;

    AlertWatch(const QList<Alert> &alerts, const Printer &printer);
    ~AlertWatch();

    /// What the looks have to ask for: the rate of rows that come costs statements of its own.
    [[nodiscard]] Arrivals arrivals() const;
    /// Waits for nobody.
    void take(const SystemReading &look);

private:
    struct Watched
    {
        Alert alert;
        AlertState state;
        AlertNotice notice;
        QList<AlertSender *> targets;
    };

    /// Alerts with the same target share it; `place` is how it is called in a note.
    AlertSender *senderFor(const QString &key, const QString &place,
                           std::unique_ptr<AlertSender> target);
    void judge(Watched &watched, const AlertSources &sources, const QDateTime &at) const;
    void tell(const Alert &alert, const AlertEvent &event) const;

    Printer m_printer;
    QList<Watched> m_watched;
    std::map<QString, std::unique_ptr<AlertSender>> m_targets;
};

} // namespace outbox
