// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/crash/ground.h"

#include "connectors/sql/driver/mariadbclient.h"

#include <QDeadlineTimer>
#include <QSqlDatabase>
#include <QSqlError>
#include <QSqlQuery>

#include <csignal>
#include <sys/prctl.h>

namespace outbox::crash {

using namespace Qt::Literals::StringLiterals;

QString word(Fault fault)
{
    switch (fault) {
    case Fault::RelayKilled:
        return u"SIGKILL"_s;
    case Fault::RelayTold:
        return u"SIGTERM"_s;
    case Fault::BackendCut:
        return u"terminated backend"_s;
    case Fault::DatabaseStopped:
        return u"database stopped at once"_s;
    case Fault::RedisKilled:
        return u"Redis SIGKILL"_s;
    case Fault::RedisFrozen:
        return u"Redis SIGSTOP"_s;
    case Fault::RedisEmptied:
        return u"FLUSHALL"_s;
    case Fault::ScriptsFlushed:
        return u"SCRIPT FLUSH"_s;
    case Fault::CommandsRefused:
        return u"commands refused"_s;
    case Fault::LineSlow:
        break;
    }
    return u"slow line"_s;
}

QList<Fault> allFaults()
{
    return {Fault::RelayKilled,     Fault::RelayTold,   Fault::BackendCut,
            Fault::DatabaseStopped, Fault::RedisKilled, Fault::RedisFrozen};
}

QList<Fault> faultsWithSqlite()
{
    return {Fault::RelayKilled, Fault::RelayTold, Fault::RedisKilled, Fault::RedisFrozen};
}

QStringList Ground::redisArguments()
{
    return {u"--appendonly"_s, u"yes"_s, u"--appendfsync"_s, u"everysec"_s};
}

Result<int> Ground::cutBackends(TestOutbox::Kind kind)
{
    return kind == TestOutbox::Kind::MariaDb ? cutMariadb() : cutPostgres();
}

void Ground::stopDatabase(TestOutbox::Kind kind)
{
    if (kind == TestOutbox::Kind::MariaDb)
        mariadb.kill();
    else
        postgres.stopAtOnce();
}

Result<void> Ground::restartDatabase(TestOutbox::Kind kind)
{
    return kind == TestOutbox::Kind::MariaDb ? mariadb.restart() : postgres.restart();
}

Result<int> Ground::cutMariadb()
{
    const QString doing = u"cutting the relays' sessions"_s;
    const QString name = u"cut"_s;
    Result<int> cut = 0;
    {
        QSqlDatabase db = outbox::mariadb::addConnection(name);
        db.setUserName(mariadb.user());
        db.setConnectOptions(u"UNIX_SOCKET="_s + mariadb.socketPath());
        QSqlQuery query;
        const auto sessions = [&]() -> QStringList {
            QStringList ids;
            query = QSqlQuery(db);
            if (!query.exec(
                    u"select id from information_schema.processlist where user = '%1'"_s.arg(
                        TestOutbox::account())))
                return {u"?"_s};
            while (query.next())
                ids += query.value(0).toString();
            return ids;
        };
        if (!db.open()) {
            cut = fail(Error::Kind::Unreachable, doing, db.lastError().text());
        } else {
            const QStringList found = sessions();
            for (const QString &id : found)
                QSqlQuery(db).exec(u"kill "_s + id);
            const QDeadlineTimer deadline(5000);
            while (!sessions().isEmpty() && !deadline.hasExpired()) { }
            cut = sessions().isEmpty()
                ? Result<int>(static_cast<int>(found.size()))
                : Result<int>(fail(Error::Kind::Timeout, doing, u"some are there still"_s));
        }
    }
    outbox::mariadb::removeConnection(name);
    return cut;
}

Result<int> Ground::cutPostgres()
{
    const QString name = u"cut"_s;
    Result<int> cut = 0;
    {
        QSqlDatabase db = QSqlDatabase::addDatabase(u"QPSQL"_s, name);
        db.setHostName(postgres.socketFolder());
        db.setUserName(postgres.user());
        db.setDatabaseName(u"postgres"_s);
        db.open();
        QSqlQuery query(db);
        if (query.exec(u"select pg_terminate_backend(pid, 5000) from pg_stat_activity "
                       u"where application_name = 'crash-relay' "
                       u"or application_name like 'outboxctl/%'"_s)) {
            cut = query.size();
        } else {
            cut = fail(Error::Kind::Unreachable, u"cutting the relays' sessions"_s,
                       query.lastError().text());
        }
    }
    QSqlDatabase::removeDatabase(name);
    return cut;
}

Result<void> Ground::killRedis()
{
    RedisConnection connection;
    const auto endpoint = RedisEndpoint::fromUrl(redis.url()).value();
    if (auto opened = connection.open(endpoint, RedisConnection::Access::Act, u"ground"_s); !opened)
        return opened;
    const QDeadlineTimer deadline(10'000);
    while (!deadline.hasExpired()) {
        const auto info = connection.command({"INFO", "persistence"}, u"reading the backlog"_s);
        if (!info)
            return passOn(info);
        if (info->bytes.contains("aof_buffer_length:0\r"))
            break;
    }
    redis.kill();
    return {};
}

Result<void> Ground::reviveRedis()
{
    if (auto started = redis.start(redisArguments()); !started)
        return started;
    return awaitRedis();
}

Result<void> Ground::awaitRedis()
{
    RedisConnection connection;
    const auto endpoint = RedisEndpoint::fromUrl(redis.url()).value();
    const QDeadlineTimer deadline(20'000);
    Result<void> ready = fail(Error::Kind::Timeout, u"waiting for Redis"_s, u"not asked yet"_s);
    while (!ready && !deadline.hasExpired()) {
        ready = connection.open(endpoint, RedisConnection::Access::Act, u"ground"_s);
        if (!ready)
            continue;
        if (const auto size = connection.command({"DBSIZE"}, u"waiting for Redis"_s); !size)
            ready = passOn(size);
    }
    return ready;
}

RelayProcess::~RelayProcess()
{
    m_process.kill();
    m_process.waitForFinished(5000);
}

QStringList RelayProcess::argumentsFor(const TestOutbox &fixture)
{
    return {u"--database"_s, fixture.url(), u"--table"_s,
            fixture.table(), u"--redis"_s,  fixture.redisUrl()};
}

Result<void> RelayProcess::start(const TestOutbox &fixture, const QStringList &extra)
{
    return launch(QStringLiteral(RELAYCHILD), argumentsFor(fixture) + extra);
}

Result<void> RelayProcess::startCtl(const TestOutbox &fixture, const QStringList &extra)
{
    return startCtl(argumentsFor(fixture) + extra);
}

Result<void> RelayProcess::startCtl(const QStringList &arguments)
{
    m_process.setProcessChannelMode(QProcess::MergedChannels);
    return launch(QStringLiteral(OUTBOXCTL), QStringList{u"relay"_s} + arguments);
}

Result<void> RelayProcess::launch(const QString &program, const QStringList &arguments)
{
    m_process.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
    m_process.start(program, arguments);
    if (!m_process.waitForStarted())
        return fail(Error::Kind::Unreachable, u"starting a relay"_s, m_process.errorString());
    return {};
}

bool RelayProcess::heard(const QByteArray &words, int milliseconds)
{
    const QDeadlineTimer deadline(milliseconds);
    while (true) {
        m_said += m_process.readAllStandardOutput();
        if (const qsizetype at = m_said.indexOf(words); at >= 0) {
            m_said.remove(0, at + words.size());
            return true;
        }
        const int left = static_cast<int>(deadline.remainingTime());
        if (left <= 0 || !m_process.waitForReadyRead(left))
            return false;
    }
}

void RelayProcess::listen()
{
    while (isRunning() && m_process.waitForReadyRead(0))
        m_said += m_process.readAllStandardOutput();
}

QByteArray RelayProcess::complaints()
{
    const QByteArray said = m_said + m_process.readAllStandardOutput();
    const bool isMerged = m_process.processChannelMode() == QProcess::MergedChannels;
    return isMerged ? said : said + m_process.readAllStandardError();
}

void RelayProcess::forgetSaid()
{
    m_process.readAllStandardOutput();
    m_said.clear();
}

void RelayProcess::goOn()
{
    m_process.write("\n");
    m_process.waitForBytesWritten(1000);
}

void RelayProcess::tell(int signal)
{
    if (isRunning())
        ::kill(static_cast<pid_t>(m_process.processId()), signal);
}

bool RelayProcess::isRunning() const
{
    return m_process.state() != QProcess::NotRunning;
}

int RelayProcess::end(int milliseconds)
{
    if (isRunning() && !m_process.waitForFinished(milliseconds)) {
        m_process.kill();
        m_process.waitForFinished(5000);
        return -1;
    }
    return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
}

} // namespace outbox::crash
