// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/core/operatorsession.h"

#include "app/settings/folders.h"
#include "app/settings/opening.h"
#include "connectors/sql/driver/sqldatabases.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int actStatementMs = 60'000; ///< a payload of 100 MB takes seconds to write
constexpr int actIdleMs = 30'000; ///< and to be read from an export while the transaction is open

/// With the port: a tunnel to another server ends on the same host.
QString placeOf(const DatabaseUrl &url)
{
    if (databaseOf(url.dialect).isFile())
        return url.database;
    const bool isUsual = url.actualPort() == DatabaseUrl::usualPort(url.dialect);
    QString port = isUsual ? QString() : u':' + QString::number(url.port);
    if (const QString ports = url.options.value(u"port"_s); !ports.isEmpty()) // of several hosts
        port = u':' + ports;
    return url.hostOrSocket() + port + u'/' + url.database;
}

QString placeOf(const RedisEndpoint &endpoint)
{
    if (endpoint.isCluster())
        return hostListText(endpoint.seeds);
    const QString port
        = endpoint.port == usualRedisPort ? QString() : u':' + QString::number(endpoint.port);
    QString host = endpoint.host + port;
    if (endpoint.sentinels)
        host = endpoint.sentinels->text();
    else if (endpoint.transport == RedisEndpoint::Transport::Unix)
        host = endpoint.socketPath;
    return host + u'/' + QString::number(endpoint.database);
}

Folders foldersOf(const OperatorSessionSettings &settings)
{
    return Folders::standard({}, settings.stateFolder);
}

Failure notOpen(const QString &doing)
{
    return fail(Error::Kind::Invalid, doing, u"no system was opened"_s);
}

Failure noDatabase()
{
    return fail(Error::Kind::Unsupported, u"opening the outbox"_s,
                u"the profile names no database"_s, {}, u"Give it a database URL"_s);
}

Failure noQueue()
{
    return fail(Error::Kind::Unsupported, u"opening the queue"_s, noRedisAddress.toString(), {},
                u"Set one under Connections, or give --redis URL"_s);
}

Failure notArmed()
{
    return fail(Error::Kind::Refused, u"opening a session that may write"_s, u"writing is locked"_s,
                {}, u"Unlock writing first"_s);
}

} // namespace

QString recordTarget(const Profile &profile, const OutboxShape &shape)
{
    QStringList places;
    if (const auto url = DatabaseUrl::fromUrl(profile.databaseUrl)) {
        const QString table = shape.table.table.isEmpty() ? profile.table : shape.table.text();
        places += QString(table + u" @ "_s + placeOf(*url));
    }
    if (const auto endpoint = RedisEndpoint::fromUrl(profile.redisUrl))
        places += placeOf(*endpoint);
    return places.join(u" -> "_s);
}

Result<void> OperatorSession::open(const OperatorSessionSettings &settings)
{
    close();
    if (settings.stateFolder.isEmpty()) {
        return fail(Error::Kind::Invalid, u"opening the record of operations"_s,
                    u"no folder was named for it"_s);
    }
    m_settings = settings;
    m_audit.emplace(foldersOf(settings).auditFile());
    return {};
}

void OperatorSession::close()
{
    disarm();
    m_tasks.close();
    m_parking.close();
    m_rows.close();
    m_audit.reset();
    m_settings.reset();
}

void OperatorSession::arm(const ProfilePasswords &act)
{
    if (m_settings)
        m_settings->act = act;
}

void OperatorSession::disarm()
{
    m_taskEditor.close();
    m_watch.reset();
    beginChunk();
    m_rowEditor.close();
    if (m_settings)
        m_settings->act.reset();
}

QString OperatorSession::who() const
{
    return operatorName();
}

QString OperatorSession::exportFile(const QString &operation) const
{
    return foldersOf(*m_settings).exportsFolder() + u'/' + operation + u".jsonl"_s;
}

Result<OutboxStore *> OperatorSession::rows()
{
    if (!m_settings)
        return notOpen(u"opening the outbox"_s);
    if (profile().databaseUrl.isEmpty())
        return noDatabase();
    // A session that ended while nobody asked for it is not met in the middle of a plan.
    if (m_rows.isOpen() && m_rows.waitForChange(0))
        return &m_rows;
    auto settings
        = TRY(storeSettingsOf(profile(), m_settings->look, StoreAccess::ReadOnly, face()));
    settings.isForChange = true;
    TRY(m_rows.open(settings));
    if (auto used = m_rows.use(shape()); !used) {
        m_rows.close(); // without a shape it would pass for ready
        return passOn(used);
    }
    return &m_rows;
}

Result<AsynqInspector *> OperatorSession::tasks()
{
    if (!m_settings)
        return notOpen(u"opening the queue"_s);
    if (profile().redisUrl.isEmpty())
        return noQueue();
    const auto endpoint = TRY(redisOf(profile(), m_settings->look));
    if (m_watch && m_watch->isInDoubt()) // what the old master shows settles no doubt
        m_tasks.close();
    TRY(m_tasks.ready(endpoint, sessionName(face())));
    return &m_tasks;
}

Result<OutboxParking *> OperatorSession::parking()
{
    if (!m_settings)
        return notOpen(u"opening the parked rows"_s);
    if (profile().databaseUrl.isEmpty())
        return noDatabase();
    auto settings
        = TRY(storeSettingsOf(profile(), m_settings->look, StoreAccess::ReadOnly, face()));
    settings.isForChange = true;
    // Anew each time: the table may have come or gone since.
    TRY(m_parking.open(settings, shape(), m_settings->stateFolder));
    return &m_parking;
}

Result<OutboxEditor *> OperatorSession::rowEditor()
{
    if (!isArmed())
        return notArmed();
    if (profile().databaseUrl.isEmpty())
        return noDatabase();
    if (m_rowEditor.isOpen())
        return &m_rowEditor;
    auto settings = TRY(storeSettingsOf(profile(), *m_settings->act, StoreAccess::Act, face()));
    settings.statementTimeoutMs = actStatementMs;
    settings.idleInTransactionTimeoutMs = actIdleMs;
    TRY(m_rowEditor.open(settings, shape()));
    return &m_rowEditor;
}

Result<TaskEditor *> OperatorSession::taskEditor()
{
    if (!isArmed())
        return notArmed();
    if (profile().redisUrl.isEmpty())
        return noQueue();
    const auto endpoint = TRY(actingRedisOf(profile(), *m_settings->act));
    if (!m_watch)
        m_watch = masterWatchOf(endpoint, sessionName(face()));
    TRY(followMaster());
    m_isQueueUsed = true;
    // Nor in the middle of an act, which would be in doubt though nothing was sent.
    if (m_taskEditor.isReady())
        return &m_taskEditor;
    TRY(m_taskEditor.open(endpoint, sessionName(face())));
    return &m_taskEditor;
}

Result<void> OperatorSession::followMaster()
{
    if (!m_watch)
        return {};
    // Not behind the first step of a chunk: what it left may have to be undone.
    if (m_watch->isHeld() && !m_isQueueUsed) {
        return fail(Error::Kind::Unreachable, u"opening the queue"_s,
                    u"the master of Redis fails over, and what it took now might be lost"_s, {},
                    u"Try again when the failover is over"_s);
    }
    if (m_watch->takeMove()) {
        m_isQueueDoubted = m_isQueueDoubted || m_isQueueUsed;
        m_taskEditor.close();
    }
    return {};
}

bool OperatorSession::isQueueInDoubt() const
{
    return m_isQueueDoubted || (m_isQueueUsed && m_watch && m_watch->isInDoubt());
}

void OperatorSession::interrupt() noexcept
{
    interruptLooks();
    m_rowEditor.interrupt();
}

void OperatorSession::interruptLooks() noexcept
{
    m_rows.interrupt();
    m_parking.interrupt();
}

} // namespace outbox
