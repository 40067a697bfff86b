// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/lastmarked.h"

#include "connectors/sql/sqlsession.h"

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int newestRows = 500; ///< the longest delay is looked for among these
constexpr double microsPerSecond = 1e6;

} // namespace

void LastMarked::fill(OutboxSnapshot &snapshot, SqlSession &session, const Dialect &dialect,
                      DatabaseUrl::Dialect kind)
{
    if (std::exchange(m_isAsked, true))
        return;
    const SqlText sql = dialect.lastMarked(newestRows);
    const QString mark = dialect.shape().processedWhenColumn();
    if (sql.text.isEmpty() || (!snapshot.exact && !hasIndex(session, dialect, kind, mark)))
        return;
    const auto rows = session.query(sql, u"reading when a row last left the outbox"_s);
    if (!rows || rows->size() == 0)
        return;
    const qint64 now = snapshot.at.toMSecsSinceEpoch() * 1000;
    if (const auto last = rows->integer(0, 0))
        snapshot.lastLeftSeconds
            = std::max(0.0, static_cast<double>(now - *last) / microsPerSecond);
    if (const auto longest = rows->integer(0, 1); longest && *longest >= 0)
        snapshot.worstDelaySeconds = static_cast<double>(*longest) / microsPerSecond;
}

} // namespace outbox
