// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/keptlives.h"

#include "connectors/asynq/wire/keys.h"

#include <QMap>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

Result<QList<RelayLife>> lostAmong(ClusterLink &link, const QList<RelayLife> &kept)
{
    QMap<QString, QList<RelayLife>> byQueue;
    for (const RelayLife &one : kept)
        byQueue[one.reached.queue.text] += one;
    QList<RelayLife> lost;
    for (auto lines = byQueue.cbegin(); lines != byQueue.cend(); ++lines) {
        const QueueKeys keys(QueueName{lines.key()});
        RedisCommand command{"HMGET", keys.fence(), "life"};
        for (const RelayLife &one : *lines)
            command += QByteArray("r:" + one.relay);
        const QString doing = u"asking queue %1 for what was delivered"_s.arg(lines.key());
        const auto reply
            = link.at(keys.pending(), [&](RedisConnection &connection) -> Result<RedisReply> {
                  TRY(connection.ensureOpen());
                  return connection.command(command, doing);
              });
        if (!reply && link.isOfNode(reply.error()))
            continue;
        if (!reply && reply.error().code == "WRONGTYPE"_L1) { // something else stands there now
            lost += *lines;
            continue;
        }
        if (!reply)
            return passOn(reply);
        const QByteArray life = reply->elements.value(0).bytes;
        for (qsizetype i = 0; i < lines->size(); ++i) {
            const RelayLife &one = lines->at(i);
            const qint64 executed = reply->elements.value(i + 1).bytes.toLongLong();
            if (life != one.reached.life || executed < one.reached.committed)
                lost += one;
        }
    }
    return lost;
}

} // namespace outbox::asynq
