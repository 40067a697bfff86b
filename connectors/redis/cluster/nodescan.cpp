// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/redis/cluster/nodescan.h"

#include <QByteArrayList>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr char partOfCursor = '|';

QString walkingThroughNodes()
{
    return u"looking through the keys of all nodes"_s;
}

Failure slotsWereMoved()
{
    return fail(Error::Kind::Unreachable, walkingThroughNodes(),
                u"slots of the Cluster were moved meanwhile"_s, {}, u"Look again"_s);
}

} // namespace

Result<NodePlace> placeOfWalk(ClusterLink &link, const QByteArray &cursor)
{
    const bool isBegin = cursor.isEmpty() || cursor == "0";
    if (isBegin)
        link.doubtMap(); // nothing that this walk asks for would tell that it is out of date
    const auto primaries = TRY(link.allNodes());
    if (isBegin)
        return NodePlace{primaries.first(), 0, "0"};
    const QByteArrayList parts = cursor.split(partOfCursor);
    const qsizetype number = parts.value(1).toLongLong();
    if (parts.size() != 3 || parts.first() != link.map().fingerprint() || number < 0
        || number >= primaries.size())
        return slotsWereMoved();
    return NodePlace{primaries.at(number), number, parts.at(2)};
}

Result<QByteArray> cursorBehind(ClusterLink &link, const NodePlace &place)
{
    const QByteArray before = link.map().fingerprint();
    const auto cursorAt = [&](qsizetype number, const QByteArray &cursor) -> QByteArray {
        return before + partOfCursor + QByteArray::number(number) + partOfCursor + cursor;
    };
    if (place.cursor != "0")
        return cursorAt(place.number, place.cursor);
    link.doubtMap();
    const auto primaries = TRY(link.allNodes());
    if (link.map().fingerprint() != before)
        return slotsWereMoved();
    return place.number + 1 < primaries.size() ? cursorAt(place.number + 1, "0") : QByteArray("0");
}

} // namespace outbox
