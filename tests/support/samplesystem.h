// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A made-up system as values, for tests of views: rows, tasks, queues and servers that look real.
#pragma once

#include "models/filter/pagerequest.h"
#include "models/system/systemview.h"

#include <QUuid>

namespace outbox::sample {

using namespace Qt::Literals::StringLiterals;

inline QDateTime now()
{
    return QDateTime::currentDateTimeUtc();
}

/// Message `number`; the same number gives the same id. Smaller numbers are newer.
inline Message message(int number)
{
    static const QStringList types{u"email:deliver"_s, u"invoice:render"_s, u"email:deliver"_s,
                                   u"webhook:call"_s, u"image:resize"_s};
    Message one;
    one.id = {QUuid::createUuidV5(QUuid(), QString::number(number)).toString(QUuid::WithoutBraces)};
    one.type = types.at(number % 5);
    one.payload = R"({"to": "ana@example.org", "order": 9007199254740993, "total": 129.90, )"
                  R"("lines": [{"sku": "A-1042", "count": 2}, {"sku": "B-7", "count": 1}], )"
                  R"("express": true, "note": null})";
    one.payloadBytes = one.payload.size();
    one.ageSeconds = 2.3 + number * 1.7;
    one.created = now().addMSecs(-static_cast<qint64>(*one.ageSeconds * 1000));
    one.attempts = 0;
    one.state = MessageState::Pending;
    switch (number % 9) {
    case 2:
        one.state = MessageState::Locked;
        one.lockedBy = LockHolder{4711, u"relay-7@db1"_s, 0.4, false, 0};
        break;
    case 4:
        one.state = MessageState::Processed;
        one.processed = one.created->addSecs(1);
        break;
    case 6:
        one.state = MessageState::Failed;
        one.attempts = 3;
        one.error = u"550 mailbox unavailable"_s;
        break;
    case 7:
        one.state = MessageState::Waiting;
        break;
    case 8:
        one.state = number % 2 == 0 ? MessageState::Parked : MessageState::Pending;
        one.note = u"type is empty"_s;
        break;
    default:
        break;
    }
    return one;
}

inline OutboxPageView page(const PageRequest &request, int first, int count)
{
    OutboxPageView view;
    view.request = request;
    for (int number = first; number < first + count; ++number) {
        const Message one = message(number);
        const bool done = one.state == MessageState::Processed;
        view.inQueue.insert(one.id.text, done ? TaskState::Completed : TaskState::None);
        if (done)
            view.keptUntil.insert(one.id.text, now().addDays(1));
        view.page.rows.append(one);
    }
    view.page.next = u"cursor"_s;
    view.page.tookMs = 1.9;
    view.page.statements
        = {u"SELECT id, type, created_at, left(payload, 64), length(payload)\n  FROM outbox\n"
           " ORDER BY created_at DESC, id DESC\n LIMIT $1"_s,
           u"SELECT pid, application_name, xact_start FROM pg_stat_activity WHERE pid = ANY($1)"_s};
    return view;
}

inline OutboxSnapshot counts()
{
    OutboxSnapshot one;
    one.at = now();
    one.pending = 412;
    one.waiting = 9;
    one.locked = 6;
    one.processed = 10233;
    one.failed = 3;
    one.exact = false;
    one.notes.insert(u"processed"_s, u"estimated from the table's statistics"_s);
    return one;
}

/// Of a table too large to be counted with every look.
inline OutboxSnapshot largeCounts()
{
    OutboxSnapshot counts;
    counts.pending = 9'000;
    counts.processed = 9'991'000;
    counts.exact = false;
    counts.notes[u"processed"_s] = u"estimated from the server's statistics"_s;
    return counts;
}

inline Task task(int number, TaskState state)
{
    Task one;
    one.id = {message(number).id.text};
    one.queue = {u"default"_s};
    one.type = message(number).type;
    one.payload = message(number).payload;
    one.payloadBytes = one.payload.size();
    one.state = state;
    one.maxRetry = 25;
    one.timeoutSeconds = 1800;
    one.retentionSeconds = 86400;
    if (state == TaskState::Pending)
        one.pendingSince = now().addSecs(-number);
    if (state == TaskState::Retry) {
        one.retried = 1 + number % 4;
        one.nextRun = now().addSecs(40 + number);
        one.lastError = u"dial tcp 10.0.3.7:25: connect: connection refused"_s;
        one.lastFailed = now().addSecs(-12);
    }
    if (state == TaskState::Completed) {
        one.completedAt = now().addSecs(-number);
        one.keptUntil = now().addSecs(86400 - number);
    }
    return one;
}

inline QList<QueueSnapshot> queues()
{
    QueueSnapshot first;
    first.name = {u"default"_s};
    first.pending = 250;
    first.active = 4;
    first.retry = 7;
    first.archived = 1;
    first.completed = 10233;
    first.aggregating = 0;
    first.oldestPendingSeconds = 2.1;
    first.servers = 1;
    QueueSnapshot mail = first;
    mail.name = {u"mail"_s};
    mail.pending = 12;
    mail.active = mail.retry = mail.archived = mail.completed = 0;
    mail.oldestPendingSeconds = 250;
    mail.paused = true;
    mail.servers = 0;
    QueueSnapshot idle = mail;
    idle.name = {u"reports"_s};
    idle.pending = 0;
    idle.oldestPendingSeconds.reset();
    idle.paused = false;
    idle.servers = 2;
    return {first, mail, idle};
}

inline QList<QueueServer> servers()
{
    QueueServer one;
    one.host = u"worker-3.internal"_s;
    one.pid = 30471;
    one.serverId = u"b2c6a7b0-6c1e-4a51-a6a2-0c57a8e4e3a1"_s;
    one.concurrency = 10;
    one.queues = {{u"default"_s, 6}, {u"reports"_s, 1}};
    one.status = u"active"_s;
    one.started = now().addSecs(-7300);
    one.activeWorkers = 4;
    return {one};
}

inline QList<QueueWorker> workers()
{
    QList<QueueWorker> all;
    for (int number = 0; number < 4; ++number) {
        QueueWorker one;
        one.serverId = servers().first().serverId;
        one.task = {message(number).id.text};
        one.type = message(number).type;
        one.queue = u"default"_s;
        one.started = now().addMSecs(-700 * number);
        one.deadline = now().addSecs(1800);
        all.append(one);
    }
    return all;
}

inline RedisFacts redis()
{
    RedisFacts one;
    one.version = u"7.0.15"_s;
    one.role = u"master"_s;
    one.runId = u"8a3f1c0e5b7d4e6f9a0b1c2d3e4f5a6b7c8d9e0f"_s;
    one.dbSize = 20481;
    one.usedMemory = 18400000;
    one.maxMemory = 256000000;
    one.maxMemoryPolicy = u"allkeys-lru"_s;
    one.aofEnabled = true;
    one.aofLastWriteStatus = u"ok"_s;
    one.rdbLastSaveStatus = u"ok"_s;
    one.connectedClients = 7;
    one.clockOffsetSeconds = 0.02;
    return one;
}

inline IdVerdict verdict(int number)
{
    IdVerdict one;
    one.message = message(number).id;
    one.taskId = {one.message.text};
    one.queue = {u"default"_s};
    one.row = message(number);
    one.sentence = u"Waiting in the outbox for 38 s; not locked."_s;
    one.replay = u"it will be queued"_s;
    return one;
}

inline SourceHealth live()
{
    SourceHealth one;
    one.state = SourceHealth::State::Live;
    one.lastGood = now();
    one.latencyMs = 1.4;
    return one;
}

inline SourceHealth failing()
{
    SourceHealth one = live();
    one.state = SourceHealth::State::Failing;
    one.error = Error{Error::Kind::Unreachable,
                      u"reading the outbox"_s,
                      u"server closed the connection unexpectedly"_s,
                      u"08006"_s,
                      {}};
    one.retryInMs = 4000;
    return one;
}

} // namespace outbox::sample
