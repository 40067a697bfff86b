// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/ctlworld.h"

#include "app/settings/folders.h"
#include "app/settings/profilestore.h"
#include "connectors/asynq/wire/keys.h"
#include "tests/support/redisqueue.h"

#include <QCryptographicHash>
#include <QJsonArray>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QJsonObject part(const CtlRun &run, const QString &name)
{
    for (const QJsonObject &object : run.objects()) {
        if (object.contains(name))
            return object.value(name).toObject();
    }
    return {};
}

QStringList outcomes(const QJsonObject &object, const QString &member)
{
    QStringList words;
    for (const QJsonValue &item : object.value("items"_L1).toArray())
        words += item.toObject().value(member).toString();
    return words;
}

bool CtlWorld::setUpWorld(TestOutbox::Kind kind)
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_fixture = std::make_unique<TestOutbox>(kind, BenchShape::CompletedAt, &m_postgres, m_redis);
    if (!m_fixture->setUp() || !m_fixture->insertRows(6))
        return false;
    if (!m_fixture->exec(u"update outbox set completed_at = '2026-01-02 03:04:05' where id <= 4"_s))
        return false;
    const QList<std::pair<QString, TaskState>> tasks{
        {u"outbox:3"_s, TaskState::Completed},   {u"outbox:4"_s, TaskState::Archived},
        {u"t-pending"_s, TaskState::Pending},    {u"t-active"_s, TaskState::Active},
        {u"t-retry"_s, TaskState::Retry},        {u"t-archived"_s, TaskState::Archived},
        {u"t-completed"_s, TaskState::Completed}};
    for (const auto &[id, state] : tasks) {
        EnqueueRequest request = sampleRequest(id);
        if (id.startsWith(u"outbox:"_s)) {
            const QString row = id.section(u':', 1);
            request.type = m_fixture->expectedType(row);
            request.payload = m_fixture->expectedPayload(row);
        }
        if (!placeTask(m_fixture->plainRedis(), request, state))
            return false;
    }
    return true;
}

CtlRun CtlWorld::ctl(const QStringList &arguments, const QStringList &more,
                     const QByteArray &input) const
{
    return runCtl(arguments + parts() + more, 60'000, input);
}

QStringList CtlWorld::parts() const
{
    return {u"--database"_s, m_fixture->url(), u"--table"_s,     m_fixture->table(),
            u"--redis"_s,    m_redis.url(),    u"--state-dir"_s, m_folder->filePath(u"state"_s),
            u"--task-id"_s,  u"outbox:{id}"_s};
}

QStringList CtlWorld::profile(Environment environment, bool readOnly, const QString &actingUser,
                              const PayloadMasks &masks) const
{
    Profile saved;
    saved.name = u"shop"_s;
    saved.environment = environment;
    saved.databaseUrl = m_fixture->url();
    saved.taskId = u"outbox:{id}"_s;
    saved.table = m_fixture->table();
    saved.redisUrl = m_redis.url();
    saved.readOnly = readOnly;
    saved.actingUser = actingUser;
    saved.masks = masks;
    if (!ProfileStore(Folders::standard(m_folder->path()).profilesFile()).put(saved))
        qFatal("the profile cannot be saved");
    return {u"--profile"_s,   u"shop"_s,        u"--config-dir"_s,
            m_folder->path(), u"--state-dir"_s, m_folder->filePath(u"state"_s)};
}

QByteArray CtlWorld::world() const
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    const bool sqlite = m_fixture->url().startsWith(u"sqlite"_s);
    hash.addData(m_fixture
                     ->scalar(sqlite ? u"select group_concat(id || '|' || hex(payload) || '|' "
                                       u"|| coalesce(completed_at, '-')) from outbox"_s
                                     : u"select string_agg(t::text || xmin::text, ',' order by "
                                       u"id) from outbox t"_s)
                     .toByteArray());
    RedisConnection &redis = m_fixture->plainRedis();
    const auto keys = redis.command({"KEYS", "*"}, u"looking"_s);
    if (!keys)
        return {};
    QByteArrayList names;
    for (const RedisReply &name : keys->elements)
        names += name.bytes;
    std::sort(names.begin(), names.end());
    for (const QByteArray &name : std::as_const(names)) {
        const auto value = redis.command({"DUMP", name}, u"looking"_s);
        hash.addData(name);
        hash.addData(value ? value->bytes : QByteArray());
    }
    return hash.result().toHex();
}

QByteArray CtlWorld::stateInRedis(const QString &id) const
{
    const asynq::QueueKeys keys({u"default"_s});
    const auto state
        = m_fixture->plainRedis().command({"HGET", keys.task(id.toUtf8()), "state"}, u"looking"_s);
    return state ? state->bytes : QByteArray("?");
}

bool CtlWorld::isPaused() const
{
    const auto there
        = m_fixture->plainRedis().command({"EXISTS", "asynq:{default}:paused"}, u"looking"_s);
    return there && there->integer == 1;
}

qint64 CtlWorld::count(const QString &where) const
{
    return m_fixture->scalar(u"select count(*) from outbox where "_s + where).toLongLong();
}

QList<QJsonObject> CtlWorld::audit(const QStringList &more) const
{
    return runCtl(QStringList{u"audit"_s, u"--json"_s, u"--state-dir"_s,
                              m_folder->filePath(u"state"_s)}
                  + more)
        .objects();
}

void CtlWorld::tearDownWorld()
{
    m_fixture.reset();
    m_folder.reset();
}

} // namespace outbox
