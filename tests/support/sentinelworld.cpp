// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/sentinelworld.h"

#include "tests/support/filebytes.h"
#include "tests/support/freeport.h"
#include "tests/support/patience.h"

#include <QTest>

#include <algorithm>
#include <csignal>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int worldPatienceMs = 30'000;
/// Behind lines, where connections of nodes and sentinels come from. All others come from
/// 127.0.0.1.
const QString insideAddress = u"127.0.0.2"_s;

/// The value behind this name in a reply of pairs.
QByteArray valueIn(const RedisReply &reply, const QByteArray &name)
{
    for (qsizetype i = 1; i < reply.elements.size(); i += 2) {
        if (reply.elements.at(i - 1).bytes == name)
            return reply.elements.at(i).bytes;
    }
    return {};
}

} // namespace

PrivateSentinel::PrivateSentinel()
{
    m_deathSignal = SIGKILL;
}

Result<void> PrivateSentinel::start(quint16 masterPort, const SentinelStart &how)
{
    const QString doing = u"starting a private sentinel"_s;
    m_port = freePort();
    m_how = how;
    const bool isTls = how.tls.isUsed() && !how.isPlain;
    const QString watched = u"main 127.0.0.1 %1 %2"_s.arg(masterPort).arg(how.quorum);
    QString lines = (isTls ? u"port 0\ntls-port %1\n"_s : u"port %1\n"_s).arg(m_port);
    for (qsizetype i = 0; i + 1 < how.tls.settings.size(); i += 2)
        lines += how.tls.settings.at(i) + u' ' + how.tls.settings.at(i + 1) + u'\n';
    lines += u"bind 127.0.0.1\ndir %1\nsentinel monitor %2\n"
             "sentinel down-after-milliseconds main 1000\nsentinel failover-timeout main 20000\n"_s
                 .arg(folder(), watched);
    if (how.epoch > 0)
        lines += u"sentinel config-epoch main %1\n"_s.arg(how.epoch);
    if (!how.from.isEmpty()) // else it tells others that it listens there
        lines += u"bind-source-addr %1\nsentinel announce-ip 127.0.0.1\n"_s.arg(how.from);
    const QString file = m_folder.filePath(u"sentinel.conf"_s); // which it writes itself, too
    if (!writeFile(file, lines.toUtf8()))
        return fail(Error::Kind::Refused, doing, u"its configuration could not be written"_s);
    TRY(launch(u"redis-server"_s, {file, u"--sentinel"_s}, doing));
    for (int tries = 0; tries < 1000 && isRunning(); ++tries) {
        if (ask({"PING"}))
            return {};
        m_process->waitForFinished(10);
    }
    return fail(Error::Kind::Unreachable, doing, u"it did not open its port"_s);
}

QString PrivateSentinel::url() const
{
    return m_how.tls.isUsed() && !m_how.isPlain
        ? u"rediss://%1?%2"_s.arg(at().text(), m_how.tls.options)
        : QString(u"redis://"_s + at().text());
}

QString PrivateSentinel::urlOfMaster() const
{
    if (!m_how.tls.isUsed())
        return u"redis+sentinel://%1/main/0"_s.arg(at().text());
    return u"rediss+sentinel://%1/main/0?%2%3"_s.arg(
        at().text(), m_how.tls.options, m_how.isPlain ? u"&sentinel_tls=no"_s : QString());
}

Result<RedisReply> PrivateSentinel::ask(const RedisCommand &command) const
{
    RedisConnection hand;
    const auto endpoint = TRY(RedisEndpoint::fromUrl(url()));
    TRY(hand.open(endpoint, RedisConnection::Access::Act, u"hand"_s));
    return hand.command(command, u"asking a sentinel by hand"_s);
}

quint16 PrivateSentinel::masterPort() const
{
    const auto reply = ask({"SENTINEL", "get-master-addr-by-name", "main"});
    return reply && reply->elements.size() == 2 ? reply->elements.last().bytes.toUShort()
                                                : quint16{0};
}

QStringList SentinelWorld::arguments(std::size_t number, std::optional<std::size_t> behind) const
{
    QStringList options{u"--repl-diskless-sync-delay"_s, u"0"_s};
    if (m_lines.empty()) {
        options += m_tls.arguments(port(number));
    } else { // it has no port but that of its line, which leads to its socket
        options += {u"--replica-announce-ip"_s,   u"127.0.0.1"_s,
                    u"--replica-announce-port"_s, QString::number(port(number)),
                    u"--bind-source-addr"_s,      insideAddress};
    }
    if (behind)
        options += {u"--replicaof"_s, u"127.0.0.1"_s, QString::number(port(*behind))};
    return options;
}

Result<quint16> SentinelWorld::makePort(std::size_t number)
{
    if (m_lines.empty())
        return freePort();
    FaultProxy &line = *m_lines.at(number);
    if (!line.start({m_nodes.at(number)->socketPath(), 0}))
        return fail(Error::Kind::Unreachable, u"making a line"_s, u"no port is free"_s);
    return line.port();
}

Result<void> SentinelWorld::start(int replicas, const RedisTls &tls)
{
    m_tls = tls;
    for (std::size_t number = 0; number <= static_cast<std::size_t>(replicas); ++number) {
        m_nodes.push_back(std::make_unique<PrivateRedis>());
        m_ports.push_back(TRY(makePort(number)));
        const auto behind = number > 0 ? std::optional<std::size_t>(0) : std::nullopt;
        TRY(m_nodes.back()->start(arguments(number, behind)));
    }
    const QString doing = u"starting a world of sentinels"_s;
    // Before they are watched: a sentinel looks for replicas once in 10 s.
    if (!QTest::qWaitFor([this] { return haveCaughtUp(0); }, patient(worldPatienceMs)))
        return fail(Error::Kind::Timeout, doing, u"the replicas do not catch up"_s);
    for (std::size_t number = 0; number < sentinels; ++number) {
        m_sentinels.push_back(std::make_unique<PrivateSentinel>());
        SentinelStart how;
        how.tls = tls;
        how.from = m_lines.empty() ? QString() : insideAddress;
        TRY(m_sentinels.back()->start(m_ports.front(), how));
    }
    if (!QTest::qWaitFor([this] { return knowEachOther(); }, patient(worldPatienceMs)))
        return fail(Error::Kind::Timeout, doing, u"the sentinels do not find each other"_s);
    return {};
}

Result<void> SentinelWorld::startBehindLines(int replicas)
{
    for (int number = 0; number <= replicas; ++number)
        m_lines.push_back(std::make_unique<FaultProxy>());
    return start(replicas);
}

void SentinelWorld::part(std::size_t number)
{
    FaultLine line;
    line.cutsOff = insideAddress;
    m_lines.at(number)->set(line);
}

void SentinelWorld::join(std::size_t number)
{
    m_lines.at(number)->set(FaultLine());
}

QString SentinelWorld::url() const
{
    QList<HostPort> hosts;
    for (const auto &one : m_sentinels)
        hosts += one->at();
    return m_tls.isUsed()
        ? u"rediss+sentinel://%1/main/0?%2"_s.arg(hostListText(hosts), m_tls.options)
        : u"redis+sentinel://%1/main/0"_s.arg(hostListText(hosts));
}

RedisEndpoint SentinelWorld::endpoint() const
{
    return RedisEndpoint::fromUrl(url()).value();
}

bool SentinelWorld::failOver()
{
    return m_sentinels.front()->ask({"SENTINEL", "FAILOVER", "main"}).has_value();
}

std::optional<std::size_t> SentinelWorld::master() const
{
    const quint16 named = m_sentinels.front()->masterPort();
    const bool isAgreed
        = std::all_of(m_sentinels.cbegin(), m_sentinels.cend(),
                      [named](const auto &one) { return one->masterPort() == named; });
    const auto at = std::find(m_ports.cbegin(), m_ports.cend(), named);
    if (!isAgreed || at == m_ports.cend())
        return std::nullopt;
    return static_cast<std::size_t>(at - m_ports.cbegin());
}

bool SentinelWorld::isWhole() const
{
    const auto now = master();
    return now && haveCaughtUp(*now) && knowEachOther();
}

Result<void> SentinelWorld::revive(std::size_t number, std::size_t behind)
{
    return m_nodes.at(number)->begin(arguments(number, behind));
}

bool SentinelWorld::haveCaughtUp(std::size_t with) const
{
    RedisConnection hand;
    const auto endpoint = RedisEndpoint::fromUrl(m_nodes.at(with)->url());
    if (!endpoint || !hand.open(*endpoint, RedisConnection::Access::ReadOnly, u"hand"_s))
        return false;
    const auto info = hand.command({"INFO", "replication"}, u"asking the master"_s);
    return info && info->bytes.count("state=online") == static_cast<qsizetype>(m_nodes.size()) - 1;
}

bool SentinelWorld::knowEachOther() const
{
    return std::all_of(m_sentinels.cbegin(), m_sentinels.cend(), [this](const auto &one) {
        const auto master = one->ask({"SENTINEL", "master", "main"});
        const auto replicas = one->ask({"SENTINEL", "replicas", "main"});
        if (!master || !replicas
            || valueIn(*master, "num-other-sentinels").toUInt() != sentinels - 1
            || replicas->elements.size() != static_cast<qsizetype>(m_nodes.size()) - 1)
            return false;
        return std::all_of(replicas->elements.cbegin(), replicas->elements.cend(),
                           [](const RedisReply &replica) {
                               return valueIn(replica, "flags") == "slave"
                                   && valueIn(replica, "master-link-status") == "ok";
                           });
    });
}

} // namespace outbox
