// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What SqliteDialect says of one row: claimed alone, and a failed try noted in it.
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/sqlite/sqlitedialect.h"
#include "connectors/sql/sqlite/sqlitetexts.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

SqlText SqliteDialect::firstDue(const ClaimScope &scope) const
{
    return u"SELECT "_s + sqlite::textOf(m_shape.keyColumn)
        + claimed({1, scope.parked, {}, 0, scope.queues});
}

SqlText SqliteDialect::claimOnly(const QString &key, qint64 mostPayloadBytes) const
{
    return u"SELECT "_s + claimCells(mostPayloadBytes) + wanted({}) + u" AND "_s
        + sqlite::aliased(m_shape.keyColumn) + u" = "_s + SqlFragment::of(key);
}

std::optional<SqlText> SqliteDialect::noteFailure(const QString &key, const QString &reason) const
{
    QList<SqlFragment> sets;
    if (!m_shape.attemptsColumn.isEmpty()) {
        const QString name = quotedName(m_shape.attemptsColumn);
        sets += name + u" = ifnull("_s + name + u", 0) + 1"_s;
    }
    if (!m_shape.errorColumn.isEmpty())
        sets += quotedName(m_shape.errorColumn) + u" = "_s + SqlFragment::of(reason);
    if (sets.isEmpty())
        return std::nullopt;
    return u"UPDATE "_s + tableName() + u" AS t SET "_s + SqlFragment::joined(sets, u", "_s)
        + u" WHERE "_s + states().due(u"t."_s) + u" AND "_s + sqlite::aliased(m_shape.keyColumn)
        + u" = "_s + SqlFragment::of(key);
}

} // namespace outbox
