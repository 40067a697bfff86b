// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/redis/cluster/slotmap.h"

#include "connectors/redis/cluster/slots.h"

#include <QByteArrayList>
#include <QCryptographicHash>

#include <algorithm>
#include <limits>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint16 noOwner = -1;
constexpr qsizetype mostNodes = 1000; ///< what a cluster is made for

Failure senselessMap()
{
    return fail(Error::Kind::Protocol, u"asking who has which slots"_s,
                u"the answer makes no sense"_s);
}

bool isPort(qint64 number)
{
    return number > 0 && number <= std::numeric_limits<quint16>::max();
}

/// The host is nil or empty where the node does not know it, and "?" where it was told not to say.
QString hostOr(const QByteArray &host, const HostPort &asked)
{
    return host.isEmpty() || host == "?" ? asked.host : QString::fromUtf8(host);
}

/// A node is { host, port, id, … }.
std::optional<HostPort> nodeIn(const RedisReply &reply, const HostPort &asked)
{
    const qint64 port = reply.elements.value(1).integer;
    if (reply.elements.size() < 2 || !isPort(port))
        return std::nullopt;
    return HostPort{hostOr(reply.elements.first().bytes, asked), static_cast<quint16>(port)};
}

/// What the words MOVED and ASK say.
struct SlotMove
{
    int slot = 0;
    HostPort to;
};

/// The reply is "`word` SLOT HOST:PORT".
std::optional<SlotMove> redirectionIn(const RedisReply &reply, const HostPort &asked,
                                      QByteArrayView word)
{
    const QByteArrayList words
        = reply.isError() ? reply.bytes.simplified().split(' ') : QByteArrayList();
    if (words.size() != 3 || words.first() != word)
        return std::nullopt;
    bool isSlot = false;
    const int slot = words.at(1).toInt(&isSlot);
    const qsizetype colon = words.at(2).lastIndexOf(':'); // an IPv6 address has more of them
    const int port = words.at(2).mid(colon + 1).toInt();
    if (!isSlot || slot < 0 || slot >= slotCount || colon < 0 || !isPort(port))
        return std::nullopt;
    return SlotMove{slot, {hostOr(words.at(2).left(colon), asked), static_cast<quint16>(port)}};
}

} // namespace

std::optional<HostPort> askIn(const RedisReply &reply, const HostPort &asked)
{
    const auto move = redirectionIn(reply, asked, "ASK");
    return move ? std::optional(move->to) : std::nullopt;
}

SlotMap::SlotMap() : m_owners(slotCount, noOwner)
{ }

Result<SlotMap> SlotMap::fromReply(const RedisReply &reply, const HostPort &asked)
{
    if (reply.kind != RedisReply::Kind::Array)
        return senselessMap();
    SlotMap map;
    for (const RedisReply &range : reply.elements) {
        if (range.elements.size() < 3)
            return senselessMap();
        const qint64 first = range.elements.at(0).integer;
        const qint64 last = range.elements.at(1).integer;
        const auto primary = nodeIn(range.elements.at(2), asked);
        if (!primary || first < 0 || last < first || last >= slotCount
            || map.m_nodes.size() >= mostNodes)
            return senselessMap();
        const qint16 place = map.placeOf(*primary);
        std::fill(map.m_owners.begin() + first, map.m_owners.begin() + last + 1, place);
        for (const RedisReply &copy : range.elements.mid(3)) {
            const auto replica = nodeIn(copy, asked);
            if (!replica)
                return senselessMap();
            QList<HostPort> &replicas = map.m_nodes[place].replicas;
            if (!replicas.contains(*replica))
                replicas += *replica;
        }
    }
    return map;
}

std::optional<HostPort> SlotMap::ownerOf(int slot) const
{
    const qint16 place = m_owners.at(slot);
    return place == noOwner ? std::nullopt : std::optional(m_nodes.at(place).primary);
}

QList<HostPort> SlotMap::primaries() const
{
    QList<HostPort> found;
    qint16 before = noOwner;
    for (const qint16 place : m_owners) {
        if (place != before && place != noOwner && !found.contains(m_nodes.at(place).primary))
            found += m_nodes.at(place).primary;
        before = place;
    }
    return found;
}

QList<HostPort> SlotMap::replicasOf(const HostPort &primary) const
{
    const auto node = std::find_if(m_nodes.cbegin(), m_nodes.cend(),
                                   [&](const Node &one) { return one.primary == primary; });
    return node == m_nodes.cend() ? QList<HostPort>() : node->replicas;
}

int SlotMap::countWithoutOwner() const
{
    return static_cast<int>(std::count(m_owners.cbegin(), m_owners.cend(), noOwner));
}

QByteArray SlotMap::fingerprint() const
{
    QByteArray text;
    for (int slot = 0; slot < slotCount; ++slot) {
        if (slot > 0 && m_owners.at(slot) == m_owners.at(slot - 1))
            continue;
        const auto owner = ownerOf(slot);
        text += QByteArray::number(slot) + ' ' + (owner ? owner->text().toUtf8() : QByteArray())
            + '\n';
    }
    return QCryptographicHash::hash(text, QCryptographicHash::Sha1).toHex().left(16);
}

void SlotMap::patch(int slot, const HostPort &owner)
{
    m_owners[slot] = placeOf(owner);
}

bool SlotMap::follow(const RedisReply &reply, const HostPort &asked)
{
    const auto move = redirectionIn(reply, asked, "MOVED");
    if (move)
        patch(move->slot, move->to);
    return move.has_value();
}

void SlotMap::forget(const HostPort &primary)
{
    std::replace(m_owners.begin(), m_owners.end(), placeOf(primary), noOwner);
}

qint16 SlotMap::placeOf(const HostPort &primary)
{
    const auto node = std::find_if(m_nodes.cbegin(), m_nodes.cend(),
                                   [&](const Node &one) { return one.primary == primary; });
    const auto place = static_cast<qint16>(node - m_nodes.cbegin());
    if (node != m_nodes.cend())
        return place;
    if (place >= mostNodes)
        return noOwner;
    m_nodes += Node{primary, {}};
    return place;
}

} // namespace outbox
