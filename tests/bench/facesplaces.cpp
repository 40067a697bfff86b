// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/facesplaces.h"

#include "tests/connectors/sqlfixture.h"
#include "tests/support/plainpostgres.h"

#include <QFile>
#include <QJsonDocument>

#include <ctime>

#include <sys/resource.h>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

double milliseconds(const timeval &time)
{
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_usec) / 1e3;
}

class Postgres : public FacesServer
{
public:
    QString name() const override { return u"PostgreSQL"_s; }
    Result<void> start() override
    {
        auto started = m_server.start({u"shared_preload_libraries=pg_stat_statements"_s,
                                       u"pg_stat_statements.track_planning=on"_s,
                                       u"pg_stat_statements.max=10000"_s, u"max_wal_size=4GB"_s,
                                       u"wal_level=minimal"_s, u"max_wal_senders=0"_s,
                                       u"maintenance_work_mem=512MB"_s});
        if (!started)
            return started;
        m_hand = std::make_unique<SideSession>(*DatabaseUrl::fromUrl(m_server.url()));
        m_hand->run(u"CREATE EXTENSION pg_stat_statements"_s);
        return {};
    }
    double spentMs(const FacesPlace &place, qint64) const override
    {
        return m_hand
            ->one(u"SELECT coalesce(sum(s.total_plan_time + s.total_exec_time), 0)"
                  " FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid"
                  " WHERE d.datname = '%1'"_s.arg(place.database))
            .toDouble();
    }
    QStringList dearest(const FacesPlace &place) const override
    {
        return m_hand->run(
            u"SELECT format('%s ms, %s of them planning, %s runs: %s',"
            " round(total_plan_time + total_exec_time), round(total_plan_time), calls,"
            " left(regexp_replace(query, '\\s+', ' ', 'g'), 160))"
            " FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid"
            " WHERE d.datname = '%1' ORDER BY total_plan_time + total_exec_time DESC LIMIT 20"_s.arg(
                place.database));
    }

protected:
    Result<QString> fill(const QString &database, const BigOutbox &outbox) override
    {
        m_hand->run(u"CREATE DATABASE "_s + database);
        PlainPostgres hand;
        if (auto opened = hand.open(m_server.url(database)); !opened)
            return passOn(opened);
        if (auto filled = fillPostgres(hand, outbox); !filled)
            return passOn(filled);
        return m_server.url(database);
    }

private:
    PrivatePostgres m_server;
    std::unique_ptr<SideSession> m_hand;
};

class Mariadb : public FacesServer
{
public:
    QString name() const override { return u"MariaDB"_s; }
    Result<void> start() override
    {
        auto started
            = m_server.start({u"--performance-schema=ON"_s, u"--innodb-buffer-pool-size=512M"_s,
                              u"--innodb-log-file-size=512M"_s});
        if (started)
            m_hand = std::make_unique<SideSession>(*DatabaseUrl::fromUrl(m_server.url()));
        return started;
    }
    double spentMs(const FacesPlace &place, qint64) const override
    {
        return m_hand
            ->one(u"SELECT SUM(SUM_TIMER_WAIT) / 1e9"
                  " FROM performance_schema.events_statements_summary_by_user_by_event_name"
                  " WHERE USER = '%1'"_s.arg(place.database))
            .toDouble();
    }

protected:
    Result<QString> fill(const QString &database, const BigOutbox &outbox) override
    {
        m_hand->all({u"CREATE DATABASE %1 CHARACTER SET utf8mb4"_s.arg(database),
                     u"CREATE USER %1@localhost"_s.arg(database),
                     u"GRANT ALL ON *.* TO %1@localhost"_s.arg(database)});
        SideSession hand(*DatabaseUrl::fromUrl(m_server.url(database)));
        fillMariadb([&hand](const QString &sql) { hand.run(sql); }, outbox);
        return m_server.urlFor(database, database);
    }

private:
    PrivateMariadb m_server;
    std::unique_ptr<SideSession> m_hand;
};

class Sqlite : public FacesServer
{
public:
    QString name() const override { return u"SQLite"_s; }
    Result<void> start() override { return {}; }
    double spentMs(const FacesPlace &, qint64 pid) const override
    {
        if (pid == 0) {
            rusage used{};
            getrusage(RUSAGE_CHILDREN, &used);
            return milliseconds(used.ru_utime) + milliseconds(used.ru_stime);
        }
        clockid_t clock{};
        timespec time{};
        if (clock_getcpuclockid(static_cast<pid_t>(pid), &clock) != 0
            || clock_gettime(clock, &time) != 0)
            qFatal("the clock of the program cannot be read");
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
    }
    bool isOfProgram() const override { return true; }

protected:
    Result<QString> fill(const QString &database, const BigOutbox &outbox) override
    {
        const QString file = m_folder.filePath(database + u".db"_s);
        if (auto filled = fillSqlite(file, outbox); !filled)
            return passOn(filled);
        return u"sqlite://"_s + file;
    }
};

} // namespace

Result<FacesPlace> FacesServer::place(const QString &database, BigOutbox outbox)
{
    outbox.table = u"outbox"_s;
    outbox.withIndexes = false;
    const auto url = fill(database, outbox);
    if (!url)
        return passOn(url);
    OutboxStore store;
    const auto address = DatabaseUrl::fromUrl(*url);
    auto settings = settingsFor(*address, StoreAccess::ReadOnly);
    settings.statementTimeoutMs = 600'000; // the first look has no index
    if (auto opened = store.open(settings); !opened)
        return passOn(opened);
    auto found = store.probe(TableName{{}, outbox.table});
    if (!found)
        return passOn(found);
    OutboxShape shape = found->constFirst().shape;
    if (auto used = store.use(shape); !used)
        return passOn(used);
    const auto seen = store.snapshot();
    if (!seen)
        return passOn(seen);
    SideSession hand(*address);
    for (const IndexAdvice &one : seen->missingIndexes)
        hand.run(one.statement);
    if (address->dialect != DatabaseUrl::Dialect::PostgreSql)
        hand.run(address->dialect == DatabaseUrl::Dialect::MariaDb ? u"ANALYZE TABLE outbox"_s
                                                                   : u"ANALYZE"_s);
    else
        hand.run(u"VACUUM ANALYZE outbox"_s);

    shape.use = OutboxShape::Use::Relay;
    shape.confirmed = u"by the benchmark"_s;
    QFile file(m_folder.filePath(database + u".json"_s));
    if (!file.open(QIODevice::WriteOnly))
        return fail(Error::Kind::Refused, u"writing the mapping"_s, file.errorString());
    file.write(QJsonDocument(shape.toJson()).toJson());
    return FacesPlace{database, *url, file.fileName()};
}

std::unique_ptr<FacesServer> facesOfPostgres()
{
    return std::make_unique<Postgres>();
}

std::unique_ptr<FacesServer> facesOfMariadb()
{
    return std::make_unique<Mariadb>();
}

std::unique_ptr<FacesServer> facesOfSqlite()
{
    return std::make_unique<Sqlite>();
}

} // namespace outbox
