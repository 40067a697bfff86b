// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/mariadb/mariadblocks.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

QString mariadbLockNote(SqlSession &session)
{
    const QString blind = u"MariaDB does not tell which rows are held"_s;
    const auto held
        = session.query({u"SELECT COUNT(*), IFNULL(SUM(trx_rows_locked), 0),"
                         " IFNULL(MAX(TIMESTAMPDIFF(SECOND, trx_started, NOW())), 0)"
                         " FROM information_schema.INNODB_TRX WHERE trx_rows_locked > 0"_s,
                         {}},
                        u"asking for the locks of the server"_s);
    if (!held) {
        return held.error().kind == Error::Kind::Refused
            ? blind + u", and totals only to those with the right PROCESS"_s
            : blind;
    }
    if (held->text(0, 0) == u"0")
        return blind + u"; no transaction of the server holds any now"_s;
    return blind
        + u"; in all its tables %1 transactions hold %2 locks now, the oldest for %3 s"_s.arg(
            held->text(0, 0), held->text(0, 1), held->text(0, 2));
}

} // namespace outbox
