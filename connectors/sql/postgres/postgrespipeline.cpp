// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/postgres/postgrespipeline.h"

#include "connectors/sql/postgres/postgresvalues.h"

#include <QCryptographicHash>

#include <libpq-fe.h>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

void PostgresPipeline::start(pg_conn *connection)
{
    *this = {};
    m_connection = connection;
}

bool PostgresPipeline::send(const QList<SqlText> &statements)
{
    if (m_flights.isEmpty() && PQenterPipelineMode(m_connection) == 0)
        return false;
    Flight flight;
    for (const SqlText &sql : statements) {
        // BEGIN and COMMIT have nothing to be planned
        const bool sent
            = m_keeps && !sql.values.isEmpty() ? sendKept(sql, flight) : sendOnce(sql, flight);
        if (!sent)
            return false;
    }
    m_flights.enqueue(flight);
    return PQpipelineSync(m_connection) != 0;
}

bool PostgresPipeline::sendOnce(const SqlText &sql, Flight &flight)
{
    const PostgresValues values(sql.values);
    flight.prepares += QString();
    flight.texts += sql.text;
    return values.canBeSent()
        && PQsendQueryParams(m_connection, sql.text.toUtf8().constData(), values.count(), nullptr,
                             values.values(), values.lengths(), values.formats(),
                             PostgresValues::binary)
        != 0;
}

bool PostgresPipeline::sendKept(const SqlText &sql, Flight &flight)
{
    QByteArray &name = m_names[sql.text];
    if (name.isEmpty()) {
        const QByteArray text = sql.text.toUtf8();
        // Behind a pooler another client may have left a statement of this name: the text is in it.
        name = "outboxdeck_" + QCryptographicHash::hash(text, QCryptographicHash::Sha1).toHex()
            + '_' + QByteArray::number(m_generation);
        flight.prepares += sql.text;
        flight.texts += sql.text;
        if (PQsendPrepare(m_connection, name.constData(), text.constData(), 0, nullptr) == 0)
            return false;
    } else {
        flight.reuses = true;
    }
    const PostgresValues values(sql.values);
    flight.prepares += QString();
    flight.texts += sql.text;
    return values.canBeSent()
        && PQsendQueryPrepared(m_connection, name.constData(), values.count(), values.values(),
                               values.lengths(), values.formats(), PostgresValues::binary)
        != 0;
}

bool PostgresPipeline::endsWith(const PGresult *result)
{
    Flight &flight = m_flights.head();
    if (!result) {
        ++flight.at;
        return false;
    }
    switch (PQresultStatus(result)) {
    case PGRES_PIPELINE_SYNC:
        m_lastReused = m_flights.dequeue().reuses;
        if (m_flights.isEmpty())
            PQexitPipelineMode(m_connection);
        return true;
    case PGRES_COMMAND_OK:
    case PGRES_TUPLES_OK:
        return false;
    case PGRES_PIPELINE_ABORTED: // left out because of the one before
        m_names.remove(flight.prepares.value(flight.at));
        return false;
    default:
        m_failed = flight.texts.value(flight.at);
        m_names.remove(flight.prepares.value(flight.at)); // that one was not prepared
        return false;
    }
}

void PostgresPipeline::learnFrom(Error &error)
{
    if (error.code == u"26000" || error.code == u"42P05") {
        m_keeps = false;
        m_names.clear();
    } else if (error.code == u"0A000" && m_lastReused) {
        // "cached plan must not change result type"; its name stays taken on the server
        ++m_generation;
        m_names.clear();
        error.kind = Error::Kind::Invalid;
        error.hint = u"The table is not what it was: probe it again."_s;
    }
}

} // namespace outbox
