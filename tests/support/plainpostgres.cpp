// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/plainpostgres.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Result<void> PlainPostgres::open(const PrivatePostgres &server)
{
    return open(server.url());
}

Result<void> PlainPostgres::open(const QString &url)
{
    m_connection.reset(PQconnectdb(url.toUtf8().constData()));
    if (PQstatus(m_connection.get()) == CONNECTION_OK)
        return {};
    return fail(Error::Kind::Unreachable, u"connecting to PostgreSQL"_s, complaint());
}

QString PlainPostgres::complaint() const
{
    return QString::fromUtf8(PQerrorMessage(m_connection.get())).trimmed();
}

Result<PgResult> PlainPostgres::checked(PGresult *raw, const QByteArray &what) const
{
    PgResult result(raw);
    const ExecStatusType status = PQresultStatus(raw);
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK)
        return result;
    return fail(Error::Kind::Constraint, u"running "_s + QString::fromUtf8(what), complaint());
}

Result<PgResult> PlainPostgres::run(const QByteArray &sql)
{
    return checked(PQexec(m_connection.get(), sql.constData()), sql);
}

Result<void> PlainPostgres::prepare(const char *name, const QByteArray &sql)
{
    const auto prepared
        = checked(PQprepare(m_connection.get(), name, sql.constData(), 1, nullptr), sql);
    return prepared ? Result<void>() : passOn(prepared);
}

Result<PgResult> PlainPostgres::runPrepared(const char *name, qint64 number)
{
    const QByteArray text = QByteArray::number(number);
    const char *value = text.constData();
    constexpr int binary = 1;
    return checked(PQexecPrepared(m_connection.get(), name, 1, &value, nullptr, nullptr, binary),
                   name);
}

Result<qint64> PlainPostgres::number(const QByteArray &sql)
{
    const auto result = run(sql);
    if (!result)
        return passOn(result);
    return QByteArray(PQgetvalue(result->get(), 0, 0)).toLongLong();
}

Result<void> PlainPostgres::send(const QByteArray &sql)
{
    if (PQsendQuery(m_connection.get(), sql.constData()) == 1)
        return {};
    return fail(Error::Kind::Unreachable, u"sending "_s + QString::fromUtf8(sql), complaint());
}

bool PlainPostgres::isBusy()
{
    // A connection that is lost is not busy: `take` says what became of it.
    return PQconsumeInput(m_connection.get()) == 1 && PQisBusy(m_connection.get()) == 1;
}

Result<void> PlainPostgres::take()
{
    Result<void> done;
    while (PGresult *raw = PQgetResult(m_connection.get())) {
        if (const auto result = checked(raw, "what was sent"); !result && done)
            done = passOn(result);
    }
    return done;
}

} // namespace outbox
