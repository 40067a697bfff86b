// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a PostgreSQL session is set to once it is open.
#include "connectors/sql/driver/storesettings.h"
#include "connectors/sql/session/postgressession.h"

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

Result<void> PostgresSession::findPooler(const QString &doing)
{
    const auto pid = TRY(query({u"SELECT pg_backend_pid()::text"_s, {}}, doing));
    m_isPooled = pid.size() == 1 && pid.text(0, 0).toInt() != PQbackendPID(m_connection);
    if (m_isPooled)
        m_pipeline.keepNothing();
    return {};
}

QList<SqlText> PostgresSession::withParameters(const QList<SqlText> &statements) const
{
    if (!m_isPooled || statements.isEmpty() || statements.first().text != "BEGIN"_L1)
        return statements;
    SqlText set;
    QStringList calls;
    for (const auto &[name, value] : m_parameters) {
        if (name.startsWith("default_transaction_"_L1))
            continue; // the transaction itself begins with these
        set.values += value;
        calls += u"set_config('%1', $%2::text, true)"_s.arg(name).arg(set.values.size());
    }
    set.text = u"SELECT "_s + calls.join(u", "_s);
    return QList<SqlText>{{m_begin, {}}, set} + statements.mid(1);
}

Result<SqlRows> PostgresSession::queryPooled(const SqlText &sql, const QString &doing)
{
    TRY(send({{u"BEGIN"_s, {}}, sql}, doing));
    // Both are on their way at once: one round trip. Behind an error the COMMIT rolls back.
    TRY(send({{u"COMMIT"_s, {}}}, doing));
    auto rows = receive(doing);
    if (!rows && !isUp())
        return rows;
    const auto committed = receive(doing);
    if (!rows)
        return rows;
    if (!committed)
        return passOn(committed);
    if (committed->command != "COMMIT")
        return fail(Error::Kind::Conflict, doing, u"the server rolled the transaction back"_s);
    return rows;
}

Result<void> PostgresSession::setParameter(const QString &name, const QString &value,
                                           const QString &doing)
{
    m_parameters.removeIf([&name](const auto &known) { return known.first == name; });
    m_parameters += {name, value};
    if (m_isPooled)
        return {};
    const auto set
        = query({u"SELECT set_config($1::text, $2::text, false)"_s, {name, value}}, doing);
    return set ? Result<void>() : Result<void>(passOn(set));
}

Result<bool> PostgresSession::isGuarded(const QString &doing)
{
    const auto rows = TRY(query({u"SELECT (current_setting('transaction_read_only') = 'on' AND"
                                 " current_setting('default_transaction_read_only') = 'on' AND"
                                 " current_setting('statement_timeout') <> '0')::text"_s,
                                 {}},
                                doing));
    return rows.size() == 1 && rows.bytes(0, 0) == "true";
}

Result<void> PostgresSession::guard(const StoreSettings &settings, const QString &doing)
{
    const auto atOnce = TRY(isGuarded(doing));
    if (atOnce)
        return {};
    // Something in between dropped the options of the startup; the session is ours all the same.
    TRY(query({u"SELECT set_config('default_transaction_read_only', 'on', false),"
               " set_config('statement_timeout', $1::text, false),"
               " set_config('jit', 'off', false)"_s,
               {QString::number(settings.statementTimeoutMs)}},
              doing));
    const auto now = TRY(isGuarded(doing));
    if (!now) {
        return fail(Error::Kind::Refused, doing,
                    u"the server keeps the session neither read-only nor to a deadline"_s, {},
                    u"A pooler may drop the session's settings: connect to the server itself, or"
                    " through a pool of sessions."_s);
    }
    return {};
}

} // namespace outbox
