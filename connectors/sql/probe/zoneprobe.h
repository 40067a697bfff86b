// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// In which zone a table's times without zone are: its newest rows beside the server's clock tell,
// or a person is asked.
#pragma once

#include "connectors/sql/driver/databaseurl.h"
#include "models/result.h"
#include "models/shape/catalog.h"

#include <optional>

namespace outbox {

class SqlSession;

/// What was seen. Microseconds since 1970; times without zone are counted as if they were UTC.
struct ZoneEvidence
{
    QString column; ///< whose newest time it is
    std::optional<qint64> newest; ///< nullopt: no row has one
    qint64 now = 0; ///< by the server's clock
    QString databaseZone; ///< that of the server, or of the machine; empty: it has no name we know
    std::optional<qint64> databaseOffset; ///< how far its local time is ahead of UTC now
    std::optional<qint64> soonestDue; ///< the least time from a row's creation until it is due
    bool isUtcByCustom = false; ///< the library that writes it writes UTC, as a rule
};

struct ZoneOpinion
{
    QString zone; ///< empty: it is not clear
    QString reason;
    QString question;

    bool operator==(const ZoneOpinion &) const = default;
};

/// Clear is what lies within minutes of the server's clock in UTC or in the database's own zone,
/// and in no other of the two. Pure.
[[nodiscard]] ZoneOpinion zoneBy(const ZoneEvidence &evidence);

/// Puts the zone of the times of a finding into it, or a question. Reads at most 1,000 rows of the
/// table; fails where the connection does.
[[nodiscard]] Result<void> lookAtZone(SqlSession &session, const CatalogTable &table,
                                      const DatabaseUrl &url, ProbeFinding &finding);

/// Such a question begins with it.
inline constexpr QLatin1StringView zoneQuestion("In which time zone ");

} // namespace outbox
