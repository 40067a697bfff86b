// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/mariadb/mariadbservers.h"

#include "connectors/sql/driver/mariadbclient.h"

#include <QHash>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int donorState = 2;
constexpr int syncedState = 4;

/// What any account may ask for, also at a node outside of its cluster.
const QString askingWhatItIs
    = u"SELECT VARIABLE_NAME, VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS"
      " WHERE VARIABLE_NAME IN ('WSREP_READY', 'WSREP_LOCAL_STATE', 'WSREP_LOCAL_RECV_QUEUE',"
      " 'WSREP_CLUSTER_STATE_UUID', 'SLAVES_RUNNING')"
      " UNION ALL SELECT VARIABLE_NAME, VARIABLE_VALUE FROM information_schema.GLOBAL_VARIABLES"
      " WHERE VARIABLE_NAME IN ('READ_ONLY', 'WSREP_ON', 'WSREP_PROVIDER', 'GTID_SLAVE_POS')"_s;

/// Seconds_Behind_Master among the columns of SHOW ALL SLAVES STATUS, which are only ever added to.
constexpr qsizetype secondsBehind = 34;

std::optional<StandbyState> lagOfNode(const MetMariadb &met)
{
    // One that is in step holds the others up before it falls behind.
    if (met.state == syncedState || (met.state == donorState && met.waiting == 0))
        return StandbyState{0.0, {}};
    return StandbyState{
        std::nullopt,
        u"it is a node with wsrep_local_state %1 that has %2 transactions to apply"_s.arg(met.state)
            .arg(met.waiting)};
}

/// nullopt where it follows nobody: nothing can be newer than what it has.
std::optional<StandbyState> lagOfReplica(SqlSession &session, bool hasFollowed,
                                         const QString &doing)
{
    const auto rows = session.query({u"SHOW ALL SLAVES STATUS"_s, {}}, doing);
    // Few accounts may ask; a server that replicates, or did, shows it to all.
    if (!rows && rows.error().kind == Error::Kind::Refused && !hasFollowed)
        return std::nullopt;
    if (!rows)
        return StandbyState{std::nullopt, rows.error().text};
    if (rows->size() == 0)
        return std::nullopt;
    double longest = 0;
    for (qsizetype row = 0; row < rows->size(); ++row) { // it may follow several
        const std::optional<double> lag
            = rows->columns > secondsBehind ? rows->number(row, secondsBehind) : std::nullopt;
        if (!lag)
            return StandbyState{std::nullopt, u"it does not follow its primary now"_s};
        longest = std::max(longest, *lag);
    }
    return StandbyState{longest, {}};
}

} // namespace

bool MetMariadb::isBehind() const
{
    return isReadOnly || (isNode && state != syncedState);
}

QList<DatabaseServer> mariadbServers(const DatabaseUrl &url)
{
    if (!url.hasSeveralHosts()) {
        const QString port = url.port > 0 ? QString::number(url.port) : QString();
        return QList<DatabaseServer>{DatabaseServer{url.hostOrSocket(), {}, port}};
    }
    const QStringList ports = url.options.value(u"port"_s).split(u',');
    QList<DatabaseServer> servers;
    for (const QString &host : url.host.split(u','))
        servers += DatabaseServer{host, {}, ports.value(servers.size())};
    return servers;
}

MetMariadb nodeOutside()
{
    MetMariadb met;
    met.isNode = true;
    met.isReady = false;
    return met;
}

Result<MetMariadb> meetMariadb(SqlSession &session, const QString &doing)
{
    const auto told = session.query({askingWhatItIs, {}}, doing);
    if (!told && told.error().code == nodeNotReadyCode)
        return nodeOutside();
    if (!told)
        return passOn(told);
    MetMariadb met;
    QHash<QString, QString> said;
    for (qsizetype row = 0; row < told->size(); ++row)
        said.insert(told->text(row, 0).toUpper(), told->text(row, 1).toUpper());
    met.isReadOnly = said.value(u"READ_ONLY"_s, u"OFF"_s) != u"OFF";
    met.hasFollowed
        = said.value(u"SLAVES_RUNNING"_s).toInt() > 0 || !said.value(u"GTID_SLAVE_POS"_s).isEmpty();
    // Without a provider the switch does nothing: it is a server like any other.
    const QString provider = said.value(u"WSREP_PROVIDER"_s);
    met.isNode = said.value(u"WSREP_ON"_s) == u"ON" && !provider.isEmpty() && provider != u"NONE";
    if (met.isNode) {
        met.isReady = said.value(u"WSREP_READY"_s) == u"ON";
        met.state = said.value(u"WSREP_LOCAL_STATE"_s).toInt();
        met.waiting = said.value(u"WSREP_LOCAL_RECV_QUEUE"_s).toLongLong();
        met.cluster = said.value(u"WSREP_CLUSTER_STATE_UUID"_s).toLower();
    }
    return met;
}

std::optional<StandbyState> lagOf(SqlSession &session, const MetMariadb &met)
{
    if (!met.isBehind() && !met.hasOthers) // where there are others its role may change
        return std::nullopt;
    const QString doing = u"asking how far the server is behind"_s;
    const auto now = meetMariadb(session, doing);
    if (!now)
        return StandbyState{std::nullopt, now.error().text};
    if (!now->isBehind()) // somebody let it take writes again, or it is in step
        return std::nullopt;
    return now->isNode ? lagOfNode(*now) : lagOfReplica(session, now->hasFollowed, doing);
}

MariadbSearch::MariadbSearch(const StoreSettings &settings, ServerMemory &memory, QString doing)
    : m_settings(settings), m_memory(memory), m_doing(std::move(doing)),
      m_search(settings, memory, mariadbServers(settings.url), m_doing)
{ }

StoreSettings MariadbSearch::settings() const
{
    StoreSettings here = m_settings;
    here.connectTimeoutMs = m_search.patienceMs();
    if (m_search.hasOthers()) {
        here.url.host = m_search.server().host;
        here.url.port = m_search.server().port.toInt();
        here.url.options.remove(u"port"_s);
    }
    return here;
}

Error MariadbSearch::named(Error error) const
{
    // The search itself says it of a Timeout.
    if (m_search.hasOthers() && error.kind != Error::Kind::Timeout)
        error.text = name() + u": "_s + error.text;
    return error;
}

bool MariadbSearch::wants(const MetMariadb &met)
{
    return met.isReady && !met.isBehind();
}

bool MariadbSearch::takes(const MetMariadb &met)
{
    const bool mayWrite = m_settings.access != StoreAccess::ReadOnly;
    if (!met.isReady) {
        const QString why = name() + u" is no working node of its cluster now (wsrep_ready)"_s;
        const QString hint = u"Name other nodes as well; it comes back with the cluster"_s;
        if (mayWrite)
            m_search.turnDown(why, hint);
        else
            m_search.failed({Error::Kind::Unreachable, m_doing, why, nodeNotReadyCode, hint});
        return false;
    }
    // The only server there is says itself what it refuses. An account may have the right to write
    // to one that is read-only, and a proxy may ask a replica what it would not have it write.
    const bool isChosen = mayWrite && m_search.hasOthers();
    if (isChosen && met.isReadOnly) {
        m_search.turnDown(
            name() + u" is read-only"_s,
            u"Writing needs a server whose read_only is off: name its host as well, or "
            "wait until a replica is promoted"_s);
        return false;
    }
    if (isChosen && met.isNode && met.state != syncedState && met.state != donorState) {
        m_search.turnDown(
            u"%1 is not in step with its cluster (wsrep_local_state %2)"_s.arg(name()).arg(
                met.state),
            u"It catches up; name other nodes as well"_s);
        return false;
    }
    return m_search.takes(wants(met));
}

Result<void> MariadbSearch::remember(const MetMariadb &met)
{
    TRY(m_search.remember(met.cluster));
    m_memory.hasSeveralWriters = met.isNode;
    const bool isDonor = met.hasOthers && met.state == donorState;
    if (isDonor && m_settings.access == StoreAccess::Relay) {
        m_memory.news = u"MariaDB at %1 gives its data to another node (wsrep_local_state 2), and "
                        "may be slow: no node that is in step was found"_s.arg(met.name);
    }
    return {};
}

} // namespace outbox
