// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/catalog/oldsnapshots.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int askEveryMs = 10'000;

} // namespace

std::optional<LockHolder> OldSnapshots::oldest(SqlSession &session, const Dialect &dialect)
{
    const SqlText sql = dialect.oldestSnapshot();
    if (sql.text.isEmpty())
        return std::nullopt;
    if (!m_askAgain.hasExpired())
        return m_oldest;
    m_askAgain = QDeadlineTimer(askEveryMs);
    m_oldest.reset();
    const auto found = session.query(sql, u"asking for old snapshots"_s);
    if (found && found->size() == 1) {
        m_oldest = LockHolder{static_cast<qint64>(found->number(0, 0).value_or(0)),
                              found->text(0, 1), found->number(0, 2), false, 0};
    }
    return m_oldest;
}

} // namespace outbox
