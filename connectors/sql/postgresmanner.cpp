// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a PostgreSQL session is set to once it is open.
#include "connectors/sql/outboxstore.h"
#include "connectors/sql/postgressession.h"

#include <libpq-fe.h>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Result<void> PostgresSession::takeTextsAsBytes(const QString &doing)
{
    // A server that does not know the encoding of its texts would else check them for us, and fail
    // whole answers for one of them.
    const char *encoding = PQparameterStatus(m_connection, "server_encoding");
    if (qstrcmp(encoding, "SQL_ASCII") != 0)
        return {};
    auto taken = plain(u"SET client_encoding TO 'SQL_ASCII'"_s, doing);
    if (!taken)
        close();
    return taken;
}

Result<bool> PostgresSession::isGuarded(const QString &doing)
{
    const auto rows = query({u"SELECT (current_setting('transaction_read_only') = 'on' AND"
                             " current_setting('default_transaction_read_only') = 'on' AND"
                             " current_setting('statement_timeout') <> '0')::text"_s,
                             {}},
                            doing);
    if (!rows)
        return passOn(rows);
    return rows->size() == 1 && rows->bytes(0, 0) == "true";
}

Result<void> PostgresSession::guard(const StoreSettings &settings, const QString &doing)
{
    const auto atOnce = isGuarded(doing);
    if (!atOnce)
        return passOn(atOnce);
    if (*atOnce)
        return {};
    // A pooler in between may drop the options of the startup.
    const auto set = query({u"SELECT set_config('default_transaction_read_only', 'on', false),"
                            " set_config('statement_timeout', $1::text, false),"
                            " set_config('jit', 'off', false)"_s,
                            {QString::number(settings.statementTimeoutMs)}},
                           doing);
    if (!set)
        return passOn(set);
    const auto now = isGuarded(doing);
    if (!now)
        return passOn(now);
    if (!*now) {
        return fail(Error::Kind::Refused, doing,
                    u"the server keeps the session neither read-only nor to a deadline"_s, {},
                    u"A pooler may drop the session's settings: connect to the server itself, or"
                    " through a pool of sessions."_s);
    }
    return {};
}

} // namespace outbox
