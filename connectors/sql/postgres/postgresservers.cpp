// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/postgres/postgresservers.h"

#include "connectors/sql/driver/sqlerror.h"
#include "connectors/sql/postgres/postgrestexts.h"
#include "connectors/sql/session/sqlsession.h"

#include <QElapsedTimer>
#include <QStringList>

#include <libpq-fe.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Whether it is a standby, whether something comes from its primary, and the seconds it is behind
/// what came.
const QString standbyLag
    = u"SELECT pg_is_in_recovery()::text, (EXISTS (SELECT FROM pg_stat_wal_receiver))::text,"
      " CASE WHEN pg_last_wal_replay_lsn() >= pg_last_wal_receive_lsn() THEN '0'"
      " ELSE extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::text END"_s;

struct FreeAddresses
{
    void operator()(addrinfo *first) const { ::freeaddrinfo(first); }
};

/// The addresses of a name, where it has several; else libpq may find the one itself.
QStringList addressesOf(const QString &host)
{
    if (host.isEmpty() || host.startsWith(u'/') || host.startsWith(u'@'))
        return {};
    addrinfo wanted{};
    wanted.ai_family = AF_UNSPEC;
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo *first = nullptr;
    if (::getaddrinfo(host.toUtf8().constData(), nullptr, &wanted, &first) != 0)
        return {};
    const std::unique_ptr<addrinfo, FreeAddresses> all(first);
    QStringList addresses;
    for (const addrinfo *one = all.get(); one; one = one->ai_next) {
        std::array<char, NI_MAXHOST> text{};
        if (::getnameinfo(one->ai_addr, one->ai_addrlen, text.data(),
                          static_cast<socklen_t>(text.size()), nullptr, 0, NI_NUMERICHOST)
            == 0)
            addresses += QString::fromLatin1(text.data());
    }
    addresses.removeDuplicates();
    return addresses.size() > 1 ? addresses : QStringList();
}

/// What a try to connect came to.
struct PostgresTry
{
    pg_conn *connection = nullptr; ///< the caller ends it
    QString said; ///< where there is none
    bool isLate = false;
};

/// The time counts from where the name is looked up: libpq waits for that, and nothing ends it.
PostgresTry tryOnce(const StoreSettings &settings, PostgresStartup startup, int milliseconds)
{
    const auto words = postgresWords(settings, startup);
    QList<const char *> names;
    QList<const char *> values;
    for (const auto &[name, value] : words) {
        names += name.constData();
        values += value.constData();
    }
    names += nullptr;
    values += nullptr;
    pg_conn *connection = PQconnectStartParams(names.constData(), values.constData(), 0);
    const QDeadlineTimer deadline(milliseconds);
    // libpq begins as if it had asked for leave to write.
    PostgresPollingStatusType next = PGRES_POLLING_WRITING;
    bool isLate = false;
    while (PQstatus(connection) != CONNECTION_BAD && next != PGRES_POLLING_FAILED && !isLate) {
        if (next == PGRES_POLLING_OK)
            return {connection, {}, false};
        const auto events = static_cast<short>(next == PGRES_POLLING_READING ? POLLIN : POLLOUT);
        pollfd socket{PQsocket(connection), events, 0}; // it may be another one each time
        const int ready = ::poll(&socket, 1, static_cast<int>(deadline.remainingTime()));
        if (ready < 0 && errno == EINTR)
            continue;
        isLate = ready == 0;
        if (!isLate)
            next = PQconnectPoll(connection);
    }
    const QString said = connection ? QString::fromUtf8(PQerrorMessage(connection)) : QString();
    PQfinish(connection);
    return {nullptr, said, isLate};
}

/// The settings for one server alone.
StoreSettings settingsFor(StoreSettings settings, const DatabaseServer &server)
{
    settings.url.host = server.host;
    settings.url.port = server.port.toInt();
    settings.url.options.remove(u"port"_s);
    settings.url.options[u"hostaddr"_s] = server.address;
    return settings;
}

/// One server alone, with the parameters of a session where it takes them.
PostgresTry tryServer(const StoreSettings &whole, const DatabaseServer &server, int milliseconds)
{
    StoreSettings settings = settingsFor(whole, server);
    // It is judged here; the environment may wish for something else.
    settings.url.options[u"target_session_attrs"_s] = u"any"_s;
    PostgresTry tried = tryOnce(settings, PostgresStartup::WithParameters, milliseconds);
    if (!tried.connection
        && tried.said.contains("startup parameter"_L1)) // a pooler that takes none
        tried = tryOnce(settings, PostgresStartup::WithoutParameters, milliseconds);
    if (tried.isLate)
        tried.said = u"connection to %1 failed: timeout expired"_s.arg(server.shown());
    return tried;
}

Error earlierPrimary(const QString &doing, const MetServer &met, const ServerMemory &memory)
{
    return {Error::Kind::Unreachable, doing,
            u"%1 is an earlier primary, on timeline %2 where %3 was met"_s.arg(
                met.name, QString::number(met.timeline), QString::number(memory.timeline)),
            noPrimaryCode,
            u"What was committed on the later timeline is missing there. Where an older state "
            "was restored on purpose, start the relay again"_s};
}

} // namespace

bool isEarlier(const MetServer &met, const ServerMemory &memory)
{
    return met.timeline > 0 && met.timeline < memory.timeline
        && (met.system == memory.system || memory.system.isEmpty());
}

Result<void> seekLaterPrimary(const StoreSettings &settings, const MetServer &met,
                              ServerMemory &memory)
{
    if (!settings.url.hasSeveralHosts() || met.timeline <= 0)
        return {};
    // Of all, names included: a session stands, and does not need them.
    const QDeadlineTimer deadline(settings.connectTimeoutMs);
    const QList<DatabaseServer> servers = postgresServers(settings.url, deadline);
    for (const DatabaseServer &server : servers) {
        if (server.shown() == met.name || deadline.hasExpired())
            continue;
        // What is learnt of the others is nobody's but where it matters: a standby that stands
        // still is to be asked in its turn by the next search.
        const auto known = std::make_shared<ServerMemory>();
        known->system = met.system;
        known->timeline = met.timeline;
        StoreSettings there = settingsFor(settings, server);
        there.connectTimeoutMs = std::min(settings.connectTimeoutMs, serverPatienceMs);
        there.statementTimeoutMs = std::min(settings.statementTimeoutMs, serverPatienceMs);
        there.servers = known;
        SocketBreaker breaker;
        const auto session = makePostgresSession(breaker);
        // It opens with a primary that is no earlier one; a relay's with no other cluster's.
        if (!session->open(there) || known->system != met.system || known->timeline <= met.timeline)
            continue;
        memory.timeline = std::max(memory.timeline, known->timeline);
        memory.news = known->news;
        return tl::unexpected(earlierPrimary(u"asking for a later primary"_s, met, memory));
    }
    return {};
}

std::optional<StandbyState> askStandby(SqlSession &session)
{
    const auto rows = session.query({standbyLag, {}}, u"asking how far the standby is"_s);
    if (!rows)
        return StandbyState{std::nullopt, rows.error().text};
    if (rows->size() == 1 && rows->bytes(0, 0) != "true") // it was promoted
        return std::nullopt;
    const std::optional<double> lag = rows->size() == 1 ? rows->number(0, 2) : std::nullopt;
    if (rows->size() == 1 && rows->bytes(0, 1) != "true")
        return StandbyState{std::nullopt, u"nothing comes from its primary"_s};
    return StandbyState{lag, lag ? QString() : u"it has replayed no transaction yet"_s};
}

QList<DatabaseServer> postgresServers(const DatabaseUrl &url, const QDeadlineTimer &deadline)
{
    const QString listed = url.options.value(u"hostaddr"_s);
    const QStringList addresses = listed.isEmpty() ? QStringList() : listed.split(u',');
    const QStringList hosts = url.host.split(u',');
    const QStringList ports = url.options.value(u"port"_s).split(u',');
    const qsizetype count
        = url.host.isEmpty() ? std::max<qsizetype>(1, addresses.size()) : hosts.size();
    QList<DatabaseServer> servers;
    for (qsizetype i = 0; i < count; ++i) {
        DatabaseServer server{url.host.isEmpty() ? QString() : hosts.at(i), addresses.value(i),
                              url.port > 0 ? QString::number(url.port) : ports.value(i)};
        const QStringList several = server.address.isEmpty() && !deadline.hasExpired()
            ? addressesOf(server.host)
            : QStringList();
        for (const QString &address : several) {
            server.address = address;
            servers += server;
        }
        if (several.isEmpty())
            servers += server;
    }
    return servers;
}

PostgresSearch::PostgresSearch(const StoreSettings &settings, ServerMemory &memory, QString doing)
    : m_settings(settings), m_memory(memory), m_doing(std::move(doing)),
      m_wish(serverWish(settings)),
      m_search(settings, memory, postgresServers(settings.url), m_doing)
{ }

pg_conn *PostgresSearch::next()
{
    while (m_search.next()) {
        const int patience = m_search.patienceMs();
        QElapsedTimer clock;
        clock.start();
        const PostgresTry tried = tryServer(m_settings, m_search.server(), patience);
        if (tried.connection)
            return tried.connection;
        // A name may take longer to be looked up.
        m_search.unmet(postgresConnectError(m_doing, tried.said, !m_settings.url.hasSeveralHosts()),
                       tried.isLate || clock.hasExpired(patience));
    }
    return nullptr;
}

bool PostgresSearch::takes(const MetServer &met)
{
    if (m_wish == ServerWish::Primary && met.isStandby) {
        m_search.turnDown(name() + u" is a standby"_s,
                          u"Writing needs the primary: name its host as well, or wait until a "
                          "standby is one"_s);
        return false;
    }
    if (mustBeLatest() && isEarlier(met, m_memory)) {
        const Error earlier = earlierPrimary(m_doing, met, m_memory);
        m_search.turnDown(earlier.text, earlier.hint);
        return false;
    }
    return m_search.takes(wants(met));
}

Result<void> PostgresSearch::remember(const MetServer &met)
{
    const bool isOther
        = !m_memory.system.isEmpty() && !met.system.isEmpty() && met.system != m_memory.system;
    TRY(m_search.remember(met.system));
    if (met.timeline > m_memory.timeline && m_memory.timeline > 0 && !isOther) {
        m_memory.news = u"PostgreSQL is on timeline %1 now, and was on %2: %3 was promoted"_s.arg(
            QString::number(met.timeline), QString::number(m_memory.timeline), met.name);
    }
    if (met.timeline > 0)
        m_memory.timeline = met.timeline;
    return {};
}

} // namespace outbox
