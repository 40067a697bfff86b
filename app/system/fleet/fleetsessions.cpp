// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/fleet/fleetsessions.h"

#include <algorithm>
#include <utility>

namespace outbox {

std::shared_ptr<AsynqInspector> QueueConnections::at(const RedisEndpoint &endpoint)
{
    std::erase_if(m_known, [](const Known &one) { return one.tasks.expired(); });
    const auto known = std::find_if(m_known.begin(), m_known.end(), [&endpoint](const Known &one) {
        return one.endpoint == endpoint;
    });
    if (known != m_known.end())
        return known->tasks.lock();
    auto made = std::make_shared<AsynqInspector>();
    m_known.push_back({endpoint, made});
    return made;
}

SystemSessions::SystemSessions(std::shared_ptr<SharedSession> shared, QueueConnections &queues)
    : m_shared(std::move(shared)), m_queues(queues),
      m_outbox(std::make_unique<OutboxSource>(m_shared))
{ }

Result<OutboxShape> SystemSessions::recognize(const StoreSettings &settings, const Target &target,
                                              bool anew)
{
    const bool isNew = anew || !m_isKnown;
    if (isNew) // what was known of the table may be what failed
        m_outbox = std::make_unique<OutboxSource>(m_shared);
    auto shape = m_outbox->recognize(settings, target.stateFolder, target.profile, isNew);
    m_isKnown = shape.has_value();
    return shape;
}

AsynqInspector &SystemSessions::tasksAt(const RedisEndpoint &endpoint)
{
    m_tasks = m_queues.at(endpoint);
    return *m_tasks;
}

void FleetSessions::dropSystem(const FleetPlace &place)
{
    if (const auto at = m_addresses.find(place.address); at != m_addresses.end())
        at->second.systems.erase(place.system);
}

} // namespace outbox
