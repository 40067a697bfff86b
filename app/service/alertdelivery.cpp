// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/service/alertdelivery.h"

#include "app/service/alerttargets.h"

#include <QJsonDocument>
#include <QUrl>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

AlertDelivery::AlertDelivery(QObject *parent) : QObject(parent)
{ }

AlertDelivery::~AlertDelivery() = default;

void AlertDelivery::send(const Alert &alert, const AlertEvent &event)
{
    const QByteArray body
        = QJsonDocument(toJson(alert, event)).toJson(QJsonDocument::Compact) + '\n';
    if (!alert.command.isEmpty()) {
        senderFor(u"command "_s + alert.command.join(QChar(0)),
                  u"the command "_s + alert.command.first(),
                  [&alert] { return std::make_unique<AlertCommand>(alert.command); })
            ->send(body);
    }
    if (!alert.webhook.isEmpty()) {
        // The rest of its address may be a secret.
        senderFor(u"webhook "_s + alert.webhook.toString(QUrl::FullyEncoded),
                  u"the webhook at "_s + alert.webhook.host(),
                  [&alert] { return std::make_unique<AlertWebhook>(alert.webhook); })
            ->send(body);
    }
}

AlertSender *AlertDelivery::senderFor(const QString &key, const QString &place,
                                      const MakeSender &make)
{
    std::unique_ptr<AlertSender> &sender = m_targets[key];
    if (!sender) {
        sender = make();
        connect(sender.get(), &AlertSender::failed, this,
                [this, place](const QString &why) { emit failed(place, why); });
    }
    return sender.get();
}

} // namespace outbox
