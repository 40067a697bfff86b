// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/relay/parking/parkingcache.h"

namespace outbox {

Result<bool> ParkingCache::refresh(Time now)
{
    constexpr int readEveryMs = 5000;
    using std::chrono::floor, std::chrono::milliseconds;
    if (m_readAt && floor<milliseconds>(now - *m_readAt).count() <= readEveryMs)
        return false;
    if (const auto written = write(); !written) {
        if (!m_readAt)
            return passOn(written);
        m_readAt = now;
        return false;
    }
    auto rows = TRY(m_place.rows());
    m_readAt = now;
    m_rows = std::move(rows);
    m_ids.clear();
    for (const ParkedRow &row : std::as_const(m_rows))
        m_ids += row.id;
    return true;
}

Result<void> ParkingCache::write()
{
    auto written = m_unwritten.isEmpty() ? Result<void>() : m_place.put(m_unwritten);
    if (written)
        m_unwritten.clear();
    return written;
}

void ParkingCache::add(const ParkedRow &row)
{
    m_rows += row;
    m_ids += row.id;
    m_unwritten += row;
}

} // namespace outbox
