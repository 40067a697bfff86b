// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A queue without a database, and a person who works on its tasks.
#pragma once

#include "connectors/asynq/wire/keys.h"
#include "tests/support/queueserver.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"
#include "tests/support/testoperator.h"

#include <QTest>

#include <memory>

namespace outbox {

class QueueGround
{
protected:
    PrivateRedis m_redis;
    RedisConnection m_plain;
    std::unique_ptr<TestOperator> m_person;
    const asynq::QueueKeys m_keys{{QStringLiteral("default")}};

    RedisReply ask(const RedisCommand &command)
    {
        const auto reply = m_plain.command(command, QStringLiteral("asking"));
        return reply ? *reply : RedisReply();
    }

    bool place(const QString &id, TaskState state)
    {
        return placeTask(m_plain, sampleRequest(id), state).has_value();
    }

    QByteArray stateOf(const QString &id)
    {
        return ask({"HGET", m_keys.task(id.toUtf8()), "state"}).bytes;
    }

    /// Hashes of tasks, in whatever state: what leaves an archive must take its hash along.
    qint64 hashes()
    {
        qint64 found = 0;
        QByteArray cursor = "0";
        do {
            const RedisReply page
                = ask({"SCAN", cursor, "MATCH", m_keys.taskPrefix() + "*", "COUNT", "1000"});
            cursor = page.elements.at(0).bytes;
            found += page.elements.at(1).elements.size();
        } while (cursor != "0");
        return found;
    }

    [[nodiscard]] Result<void> openPerson(const QString &stateFolder = {})
    {
        m_person = std::make_unique<TestOperator>(stateFolder);
        OperatorSessionSettings settings; // a queue is enough
        settings.profile.name = QStringLiteral("queue");
        settings.profile.environment = Environment::Demo;
        settings.profile.redisUrl = queueUrlOf(m_redis);
        settings.act = ProfilePasswords();
        settings.stateFolder = m_person->stateFolder();
        settings.face = QStringLiteral("outboxctl");
        return m_person->session().open(settings);
    }

    /// No task, and a person who did nothing yet.
    void beginAnew()
    {
        const auto endpoint = RedisEndpoint::fromUrl(m_redis.url());
        QVERIFY_RESULT(endpoint);
        QVERIFY_RESULT(
            m_plain.open(*endpoint, RedisConnection::Access::Act, QStringLiteral("test")));
        QVERIFY(!ask({"FLUSHALL"}).isError());
        QVERIFY_RESULT(openPerson());
    }
};

} // namespace outbox
