// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designs/designdesk.h"

#include "connectors/redis/dedupkeys.h"
#include "connectors/sql/deduptable.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Result<void> DesignDesk::open(const DesignPlace &place, StoreAccess access)
{
    const bool looks = access == StoreAccess::Look;
    if (auto opened = m_documents.open(looks ? place.look : place.act, place.shape); !opened)
        return opened;
    if (place.design == Design::DedupStore) {
        if (auto opened = openDone(place, access); !opened)
            return opened;
    }
    if (looks)
        return {};
    if (!place.actRedis) {
        return fail(Error::Kind::Unsupported, u"opening the queue"_s, u"no Redis was named"_s, {},
                    u"Give --redis URL"_s);
    }
    return m_queue.open(*place.actRedis, place.sessionName);
}

Result<void> DesignDesk::openDone(const DesignPlace &place, StoreAccess access)
{
    const QString doing = u"opening the dedup store"_s;
    const bool looks = access == StoreAccess::Look;
    m_done.reset();
    if (place.doneTable) {
        auto table = std::make_unique<DedupTable>();
        if (auto opened = table->open(looks ? place.look : place.act, *place.doneTable); !opened)
            return opened;
        m_done = std::move(table);
    } else if (place.doneKeys && place.lookRedis && place.actRedis) {
        auto keys = std::make_unique<DedupKeys>();
        const auto opened
            = keys->open(looks ? *place.lookRedis : *place.actRedis,
                         looks ? RedisConnection::Access::Look : RedisConnection::Access::Act,
                         place.sessionName, *place.doneKeys);
        if (!opened)
            return opened;
        m_done = std::move(keys);
    } else if (!looks) {
        return fail(Error::Kind::Invalid, doing, u"no store was named"_s, {},
                    u"Give --done-table NAME, or --done-prefix PREFIX with --redis URL"_s);
    }
    if (!looks && !m_done->trust().holds) {
        return fail(Error::Kind::Refused, doing, m_done->trust().words, {},
                    u"Name a store whose reads are never stale and whose records last"_s);
    }
    return {};
}

std::optional<StoreTrust> DesignDesk::trust() const
{
    return m_done ? std::optional(m_done->trust()) : std::nullopt;
}

Result<QHash<QString, bool>> DesignDesk::areDone(const QStringList &incoming)
{
    QHash<QString, bool> done;
    if (!m_done || incoming.isEmpty())
        return done;
    const auto have = m_done->have(incoming);
    if (!have)
        return passOn(have);
    for (const QString &id : incoming)
        done.insert(id, have->contains(id));
    return done;
}

} // namespace outbox
