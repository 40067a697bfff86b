// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/galeraworld.h"

#include "connectors/sql/driver/mariadbclient.h"
#include "tests/support/filebytes.h"
#include "tests/support/freeport.h"
#include "tests/support/patience.h"

#include <QFile>
#include <QFileInfo>
#include <QSqlError>
#include <QSqlQuery>

#include <functional>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString makingCluster = u"making a Galera cluster"_s;
const QString provider = u"/usr/lib/galera/libgalera_smm.so"_s;
const QString clusterId = u"5e5f0d2e-0d6e-11f0-8a5b-3b1c5d7f9a01"_s;
constexpr int readyWithinMs = 30'000;

QString memberId(int which)
{
    return u"%1-0d6e-11f0-8a5b-3b1c5d7f9a01"_s.arg(which + 1, 8, 16, QChar(u'0'));
}

Result<void> writeForServer(const QString &path, const QByteArray &text)
{
    if (!writeFile(path, text))
        return fail(Error::Kind::Unreachable, makingCluster, path + u" cannot be written"_s);
    // The server may be another user.
    QFile::setPermissions(path,
                          QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup
                              | QFile::WriteGroup | QFile::ReadOther | QFile::WriteOther);
    return {};
}

/// Asks until it is so.
Result<void> untilIsSo(const QString &what, const std::function<bool()> &isSo)
{
    if (QTest::qWaitFor(isSo, patient(readyWithinMs)))
        return {};
    return fail(Error::Kind::Timeout, makingCluster, what);
}

} // namespace

QStringList GaleraWorld::arguments(int which) const
{
    QStringList addresses;
    for (const Node &one : m_nodes)
        addresses += u"127.0.0.1:%1"_s.arg(one.groupPort);
    const QString group = addresses.at(which);
    const QStringList options{u"base_host=127.0.0.1"_s,
                              u"base_port=%1"_s.arg(m_nodes.at(size_t(which)).groupPort),
                              u"gmcast.listen_addr=tcp://"_s + group,
                              u"ist.recv_addr=127.0.0.1:%1"_s.arg(freePort()),
                              u"gcache.size=8M"_s,
                              u"pc.recovery=true"_s,
                              u"pc.announce_timeout=PT1S"_s,
                              u"gmcast.peer_timeout=PT1S"_s,
                              u"gmcast.time_wait=PT1S"_s,
                              u"evs.keepalive_period=PT0.3S"_s,
                              u"evs.suspect_timeout=PT1S"_s,
                              u"evs.inactive_timeout=PT3S"_s,
                              u"evs.inactive_check_period=PT0.2S"_s,
                              u"evs.join_retrans_period=PT0.3S"_s};
    return PrivateMariadb::listensOn(m_nodes.at(size_t(which)).port)
        + QStringList{u"--binlog-format=ROW"_s,
                      u"--innodb-autoinc-lock-mode=2"_s,
                      u"--wsrep-on=ON"_s,
                      u"--wsrep-provider="_s + provider,
                      u"--wsrep-cluster-name=outboxdeck"_s,
                      u"--wsrep-cluster-address=gcomm://"_s + addresses.join(u','),
                      u"--wsrep-node-name=node%1"_s.arg(which),
                      u"--wsrep-node-address=127.0.0.1"_s,
                      u"--wsrep-sst-receive-address=127.0.0.1:%1"_s.arg(freePort()),
                      u"--wsrep-start-position="_s + clusterId + u":0"_s,
                      u"--wsrep-provider-options="_s + options.join(u';')};
}

Result<void> GaleraWorld::writeState(int which) const
{
    const QString folder = m_nodes.at(size_t(which)).server.dataFolder();
    TRY(writeForServer(folder + u"/grastate.dat"_s,
                       u"# GALERA saved state\nversion: 2.1\nuuid:    %1\nseqno:   0\n"
                       "safe_to_bootstrap: 0\n"_s.arg(clusterId)
                           .toUtf8()));
    QString view = u"my_uuid: %1\n#vwbeg\nview_id: 3 %2 3\nbootstrap: 0\n"_s.arg(memberId(which),
                                                                                 memberId(0));
    for (int member = 0; member < nodes; ++member)
        view += u"member: %1 0\n"_s.arg(memberId(member));
    return writeForServer(folder + u"/gvwstate.dat"_s, (view + u"#vwend\n"_s).toUtf8());
}

Result<void> GaleraWorld::start()
{
    if (!QFileInfo::exists(provider)) {
        return fail(Error::Kind::Unsupported, makingCluster, provider + u" is not installed"_s, {},
                    u"sudo apt-get install galera-4"_s);
    }
    for (Node &one : m_nodes) {
        one.port = freePort();
        one.groupPort = freePort();
    }
    PrivateMariadb &first = node(0);
    for (int which = 0; which < nodes; ++which) {
        TRY(which == 0 ? first.make(arguments(which))
                       : node(which).makeFrom(first, arguments(which)));
    }
    for (int which = 0; which < nodes; ++which) { // all data are alike up to here
        TRY(writeState(which));
    }
    for (Node &one : m_nodes) {
        TRY(one.server.begin());
    }
    for (Node &one : m_nodes) { // none of them greets before all are there
        TRY(one.server.awaitGreeting());
    }
    for (int which = 0; which < nodes; ++which) {
        TRY(awaitNodes(nodes, which));
    }
    return run(0,
               {u"CREATE DATABASE shop CHARACTER SET utf8mb4"_s, u"CREATE USER deck@'%'"_s,
                u"GRANT ALL ON shop.* TO deck@'%'"_s});
}

QString GaleraWorld::url(const QList<int> &order) const
{
    QStringList hosts;
    for (const int which : order)
        hosts += u"127.0.0.1:%1"_s.arg(portOf(which));
    return u"mysql://deck@%1/shop"_s.arg(hosts.join(u','));
}

Result<QStringList> GaleraWorld::ask(int which, const QString &sql)
{
    return inOneSession(which, {sql});
}

Result<QStringList> GaleraWorld::inOneSession(int which, const QStringList &statements)
{
    static int number = 0;
    const QString name = u"galera-%1"_s.arg(++number);
    const QString doing = u"asking node %1"_s.arg(which);
    QStringList answers;
    QString complaint;
    QString code;
    {
        QSqlDatabase database = mariadb::addConnection(name);
        database.setUserName(node(which).user());
        database.setConnectOptions(u"UNIX_SOCKET="_s + node(which).socketPath());
        if (!database.open()) {
            complaint = database.lastError().text();
        } else {
            for (const QString &statement : statements) {
                QSqlQuery query(database);
                if (!query.exec(statement)) {
                    complaint = statement + u": "_s + query.lastError().text();
                    code = query.lastError().nativeErrorCode();
                    break;
                }
                answers.clear();
                while (query.next())
                    answers += query.value(0).toString();
            }
        }
    }
    mariadb::removeConnection(name);
    if (!complaint.isEmpty())
        return fail(Error::Kind::Protocol, doing, complaint, code);
    return answers;
}

Result<void> GaleraWorld::run(int which, const QStringList &statements)
{
    TRY(inOneSession(which, statements));
    return {};
}

Result<void> GaleraWorld::makeOutbox(int which)
{
    return run(which,
               {u"CREATE TABLE shop.outbox (id bigint AUTO_INCREMENT PRIMARY KEY, type varchar(100)"
                " NOT NULL, payload longblob NOT NULL, created_at timestamp(6) NOT NULL"
                " DEFAULT CURRENT_TIMESTAMP(6), metadata text)"_s});
}

Result<void> GaleraWorld::isolate(int which)
{
    TRY(ask(which, u"SET GLOBAL wsrep_provider_options = 'gmcast.isolate=1'"_s));
    TRY(untilIsSo(u"a node is not cut off"_s, [this, which] {
        const auto ready = ask(which,
                               u"SELECT VARIABLE_VALUE FROM information_schema.GLOBAL_STATUS WHERE"
                               " VARIABLE_NAME = 'WSREP_READY'"_s);
        return ready && ready->value(0) == u"OFF";
    }));
    return awaitNodes(nodes - 1, (which + 1) % nodes);
}

Result<void> GaleraWorld::letBack(int which)
{
    TRY(ask(which, u"SET GLOBAL wsrep_provider_options = 'gmcast.isolate=0'"_s));
    return awaitNodes(nodes, which);
}

Result<void> GaleraWorld::awaitNodes(int count, int asked)
{
    return untilIsSo(u"the nodes do not find each other"_s, [this, count, asked] {
        const auto told = ask(asked,
                              u"SELECT GROUP_CONCAT(VARIABLE_VALUE ORDER BY VARIABLE_NAME) FROM"
                              " information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME IN"
                              " ('WSREP_CLUSTER_SIZE', 'WSREP_LOCAL_STATE', 'WSREP_READY')"_s);
        return told && told->value(0) == u"%1,4,ON"_s.arg(count);
    });
}

Result<QStringList> GaleraWorld::askInStep(int which, const QString &sql)
{
    return inOneSession(which, {u"SET SESSION wsrep_sync_wait = 1"_s, sql});
}

} // namespace outbox
