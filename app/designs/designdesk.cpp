// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designs/designdesk.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Result<void> DesignDesk::open(const DesignPlace &place, StoreAccess access)
{
    const bool looks = access == StoreAccess::Look;
    if (auto opened = m_documents.open(looks ? place.look : place.act, place.shape); !opened)
        return opened;
    if (looks)
        return {};
    if (!place.actRedis) {
        return fail(Error::Kind::Unsupported, u"opening the queue"_s, u"no Redis was named"_s, {},
                    u"Give --redis URL"_s);
    }
    return m_queue.open(*place.actRedis, place.sessionName);
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
