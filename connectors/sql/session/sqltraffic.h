// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Counts the answer of a statement.
#pragma once

#include "connectors/sql/session/sqlsession.h"
#include "connectors/traffic.h"

namespace outbox {

/// The same rows, counted in the traffic of this thread.
[[nodiscard]] inline SqlRows counted(SqlRows rows)
{
    Traffic &traffic = trafficOfThread();
    ++traffic.statements;
    for (const QByteArray &cell : std::as_const(rows.cells))
        traffic.bytes += cell.size();
    return rows;
}

} // namespace outbox
