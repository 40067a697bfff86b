// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/postgressnapshots.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int askEveryMs = 10'000;

} // namespace

std::optional<LockHolder> OldSnapshots::oldest(SqlSession &session)
{
    if (!m_askAgain.hasExpired())
        return m_oldest;
    m_askAgain = QDeadlineTimer(askEveryMs);
    m_oldest.reset();
    // A standby that reports its snapshots has a sender without a database.
    const auto found = session.query(
        {u"SELECT pid::text, application_name,"
         " extract(epoch FROM clock_timestamp() - xact_start)::text"
         " FROM pg_stat_activity"
         " WHERE pid <> pg_backend_pid() AND (datname = current_database() OR datname IS NULL)"
         " AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL)"
         " ORDER BY greatest(age(backend_xmin), age(backend_xid)) DESC, xact_start LIMIT 1"_s,
         {}},
        u"asking for old snapshots"_s);
    if (found && found->size() == 1) {
        m_oldest = LockHolder{static_cast<qint64>(found->number(0, 0).value_or(0)),
                              found->text(0, 1), found->number(0, 2), false, 0};
    }
    return m_oldest;
}

} // namespace outbox
