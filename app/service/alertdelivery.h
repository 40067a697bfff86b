// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The commands and webhooks of all alerts of a system.
#pragma once

#include "app/service/alertsender.h"
#include "models/alerts/alert.h"

#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <memory>

namespace outbox {

/// Alerts with the same target share it. For a thread with an event loop; waits for nobody, but in
/// its destructor, which ends a command that runs.
class AlertDelivery : public QObject
{
    Q_OBJECT

public:
    explicit AlertDelivery(QObject *parent = nullptr);
    ~AlertDelivery() override;

    /// Hands the event to what the alert names.
    void send(const Alert &alert, const AlertEvent &event);

signals:
    /// Of several failures of a target in a row the first. `place` is how the target is called: no
    /// secret is in it.
    void failed(const QString &place, const QString &why);

private:
    using MakeSender = std::function<std::unique_ptr<AlertSender>()>;

    /// `key` is different for each target.
    [[nodiscard]] AlertSender *senderFor(const QString &key, const QString &place,
                                         const MakeSender &make);

    std::map<QString, std::unique_ptr<AlertSender>> m_targets;
};

} // namespace outbox
