// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/crash/relaycrew.h"

#include <QDeadlineTimer>
#include <QFileInfo>

#include <csignal>

namespace outbox::crash {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int lost = 5; ///< the exit code of `relaychild` where Redis has lost what it was given
constexpr int noticesWithinMs = 3000; ///< when there is work
constexpr int metWithinMs = 5000;

Failure endedByItself(RelayProcess &relay)
{
    return fail(Error::Kind::Protocol, u"soaking"_s,
                u"a relay ended with %1: "_s.arg(relay.end())
                    + QString::fromUtf8(relay.complaints()));
}

} // namespace

RelayCrew::RelayCrew(const TestOutbox &fixture, ClaimOptions manner)
    : m_fixture(fixture), m_manner(std::move(manner)),
      m_relays(static_cast<size_t>(m_manner.relays + (m_manner.hasGuest ? 1 : 0)))
{ }

Result<void> RelayCrew::startAll()
{
    Result<void> started;
    for (int which = 0; started && which < count(); ++which)
        started = start(which);
    return started;
}

Result<void> RelayCrew::start(int which, bool keepOn)
{
    auto &relay = m_relays.at(static_cast<size_t>(which));
    relay = std::make_unique<RelayProcess>();
    if (isGuest(which))
        return startGuest(*relay);
    m_lives += m_folder.filePath(u"%1-relay-%2"_s.arg(m_lives.size()).arg(which));
    QStringList options = m_manner.forAll + m_manner.forDiarists;
    options += {u"--log"_s, m_lives.last()};
    if (keepOn)
        options += u"--keep-on"_s;
    if (auto started = relay->start(m_fixture, options); !started)
        return started;
    return relay->heard("ready\n") ? Result<void>() : endedByItself(*relay);
}

Result<void> RelayCrew::startGuest(RelayProcess &relay)
{
    const QStringList options
        = m_manner.forAll + QStringList{u"--poll"_s, u"5ms"_s, u"--retention"_s, u"1h"_s};
    const QByteArray before = metBy();
    if (auto started = relay.startCtl(m_fixture, options); !started)
        return started;
    if (!relay.heard("to queue"))
        return endedByItself(relay);
    // From now on it knows this Redis.
    const QDeadlineTimer deadline(metWithinMs);
    while (metBy() == before && relay.isRunning() && !deadline.hasExpired())
        relay.listen();
    return relay.isRunning() ? Result<void>() : endedByItself(relay);
}

QByteArray RelayCrew::metBy() const
{
    RedisConnection hand;
    if (!hand.open(m_fixture.redis(), RedisConnection::Access::Act, u"crew"_s))
        return {};
    const auto fence
        = hand.command({"HGETALL", "asynq:{default}:outboxdeck"}, u"looking for the guest"_s);
    QByteArray guests;
    for (qsizetype at = 0; fence && at + 1 < fence->elements.size(); at += 2) {
        const QByteArray &field = fence->elements.at(at).bytes;
        if (field.startsWith("r:") && !field.startsWith("r:crash-"))
            guests += field + '=' + fence->elements.at(at + 1).bytes + ' ';
    }
    return guests;
}

void RelayCrew::tell(int which, int signal)
{
    at(which).tell(signal);
}

void RelayCrew::tellAll(int signal)
{
    for (const auto &relay : m_relays)
        relay->tell(signal);
}

Result<void> RelayCrew::awaitEnd(int which, int signal)
{
    // outboxctl ends with 4 where a server is away before it has begun, with 75 where one stands
    // still; a service manager starts it again, and so do we.
    const int code = at(which).end();
    const bool isEnd = signal == SIGKILL ? code == -1 : code == 0 || code == 3;
    if (isEnd || (isGuest(which) && (code == 4 || code == 75)))
        return {};
    return endedByItself(at(which));
}

Result<int> RelayCrew::endAfterLoss()
{
    int noticed = 0;
    for (int which = 0; which < count(); ++which) {
        RelayProcess &relay = at(which);
        const bool hasSaid = relay.heard("lost what it was given", noticesWithinMs); // or its end
        relay.tell(SIGTERM);
        const int code = relay.end();
        if (code == -1 || (!isGuest(which) && code != 0 && code != 3 && code != lost))
            return endedByItself(relay);
        noticed += hasSaid || code == lost ? 1 : 0;
    }
    return noticed;
}

Result<void> RelayCrew::startAfterLoss()
{
    for (int which = 0; which < count(); ++which) {
        auto started = start(which);
        if (!started && isGuest(which)) // it had not heard of the loss before, and says so first
            started = start(which);
        if (!started)
            return started;
    }
    return {};
}

Result<void> RelayCrew::finish()
{
    for (int which = 0; which < count(); ++which) {
        tell(which, SIGTERM);
        if (auto ended = awaitEnd(which, SIGTERM); !ended)
            return ended;
    }
    if (auto started = start(0, false); !started) // an unfinished claim would be left to it
        return started;
    return at(0).end() == 0 ? Result<void>() : endedByItself(at(0));
}

qint64 RelayCrew::written() const
{
    qint64 bytes = 0;
    for (const QString &life : m_lives)
        bytes += QFileInfo(life).size();
    return bytes;
}

void RelayCrew::listen()
{
    for (const auto &relay : m_relays)
        relay->listen();
}

} // namespace outbox::crash
