// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/catalog/lastmarked.h"

#include "connectors/sql/session/sqlsession.h"
#include "models/localtime.h"

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

// The longest delay is looked for among the newest rows: a few at the first look, which may be the
// only one, many by one that goes on, and a few again for what was marked since.
constexpr int firstRows = 100;
constexpr int newestMarked = 500;
constexpr int manyMarked = 20'000;
constexpr qint64 manyAfterMs = 10'000;
constexpr qint64 markedAgainAfterMs = 60'000;

} // namespace

void LastMarked::fill(OutboxSnapshot &snapshot, SqlSession &session, const Dialect &dialect,
                      DatabaseUrl::Dialect kind, IndexAdviser &indexes)
{
    const bool isFirst = !m_asked.isValid();
    if (!isFirst && !m_asked.hasExpired(m_isMany ? markedAgainAfterMs : manyAfterMs))
        return;
    m_asked.start();
    const int most = isFirst            ? firstRows
        : std::exchange(m_isMany, true) ? newestMarked
                                        : manyMarked;
    const SqlText sql = dialect.lastMarked(most);
    const QString mark = dialect.shape().processedWhenColumn();
    if (sql.text.isEmpty() || (!snapshot.exact && !indexes.hasIndex(session, dialect, kind, mark)))
        return;
    const auto rows = session.query(sql, u"reading when a row last left the outbox"_s);
    if (!rows || rows->size() == 0)
        return;
    const qint64 now = snapshot.at.toMSecsSinceEpoch() * 1000;
    if (const auto last = rows->integer(0, 0))
        snapshot.lastLeftSeconds = std::max(0.0, static_cast<double>(now - *last) / usPerSecond);
    const QString undecided = dialect.shape().zoneOf(mark).isEmpty() ? mark : QString();
    if (!undecided.isEmpty()) {
        snapshot.notes[u"worst_delay_s"_s]
            = u"not known: the time zone of \"%1\" (--time-zone)"_s.arg(undecided);
        return;
    }
    if (const auto longest = rows->integer(0, 1); longest && *longest >= 0)
        snapshot.worstDelaySeconds = static_cast<double>(*longest) / usPerSecond;
}

} // namespace outbox
