// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One queue in a Redis of its own: a hand that does what it likes there, and those who look at its
// tasks and edit them.
#pragma once

#include "connectors/asynq/edit/taskeditor.h"
#include "connectors/asynq/observe/inspector.h"
#include "connectors/asynq/wire/keys.h"
#include "tests/support/queueserver.h"
#include "tests/support/redishand.h"
#include "tests/support/redisqueue.h"
#include "tests/support/resultmacros.h"
#include "tests/support/servers.h"

#include <QTest>

namespace outbox {

class TaskGround
{
protected:
    PrivateRedis m_redis;
    RedisConnection m_hand;
    AsynqInspector m_inspector;
    TaskEditor m_editor;
    const QueueName m_queue{QStringLiteral("default")};
    const asynq::QueueKeys m_keys{m_queue};

    [[nodiscard]] RedisEndpoint endpoint() const
    {
        return *RedisEndpoint::fromUrl(queueUrlOf(m_redis));
    }
    void openHandAndInspector()
    {
        QVERIFY_RESULT(openByHand(m_hand, m_redis));
        QVERIFY_RESULT(m_inspector.open(endpoint(), QStringLiteral("looker")));
    }
    void openEditor() { QVERIFY_RESULT(m_editor.open(endpoint(), QStringLiteral("operator"))); }
    void clear() { QVERIFY_RESULT(m_hand.command({"FLUSHALL"}, QStringLiteral("clearing"))); }

    /// Under the words of their states.
    void placeOneOfEach()
    {
        for (const TaskState state : soundTaskStates())
            QVERIFY_RESULT(placeTask(m_hand, sampleRequest(word(state)), state));
    }
    TaskGuard guarded(const QString &id = QStringLiteral("1"))
    {
        const auto seen = m_inspector.observe(m_queue, {{id}});
        return seen ? TaskGuard{{id}, seen->first().state, seen->first().stamp} : TaskGuard{};
    }
    qint64 number(const RedisCommand &command) { return numberOf(m_hand, command); }
};

} // namespace outbox
