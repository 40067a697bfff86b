// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testpostgres.h"

#include <QFile>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

const QString poolerPort = u"6432"_s;

/// Leads to the pooler's own socket.
QString poolerLink(const PrivatePostgres &server)
{
    return server.socketFolder() + u"/.s.PGSQL."_s + poolerPort;
}

} // namespace

Result<void> TestPostgres::start(const QStringList &extraSettings, bool durable)
{
    TRY(PrivatePostgres::start(extraSettings, durable));
    return isDatabasePooled() ? startPooler() : Result<void>();
}

Result<void> TestPostgres::startPooler()
{
    constexpr int sessions = 2;
    TRY(m_pooler.start(*this, u"transaction"_s, sessions, u"options"_s));
    if (!QFile::link(m_pooler.host() + u"/.s.PGSQL.5432"_s, poolerLink(*this))) {
        return fail(Error::Kind::Refused, u"starting a private pgbouncer"_s,
                    u"its socket cannot be reached beside the server's"_s);
    }
    return {};
}

QString databaseUrlOf(const PrivatePostgres &server, const QString &database)
{
    const QString url = server.url(database);
    return QFile::exists(poolerLink(server)) ? QString(url + u"&port="_s + poolerPort) : url;
}

} // namespace outbox
