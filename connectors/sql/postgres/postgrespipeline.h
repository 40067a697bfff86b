// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Statements that are sent ahead of their answers, in libpq's pipeline mode. The connection is in
// that mode only while an answer is to come: an idle one would not hear the server's farewell.
#pragma once

#include "connectors/sql/session/sqlsession.h"

#include <QHash>
#include <QQueue>

struct pg_conn;
struct pg_result;

namespace outbox {

/// What was sent in one call is a flight: its statements stand or fall together, and what happens
/// to one flight does not touch the next one.
class PostgresPipeline
{
public:
    /// Begins on a new connection, or on none.
    void start(pg_conn *connection);
    /// From now on no statement is kept prepared: behind a pooler the next one may meet another
    /// session.
    void keepNothing() { m_keeps = false; }
    /// How many flights wait for their answers.
    [[nodiscard]] int underWay() const { return static_cast<int>(m_flights.size()); }

    /// False where the connection did not take it; then it is of no use any more.
    [[nodiscard]] bool send(const QList<SqlText> &statements);
    /// Takes note of what PQgetResult gave for the first flight, nullptr included; true when that
    /// was the last of the flight.
    [[nodiscard]] bool endsWith(const pg_result *result);
    /// Draws the consequences of the error that the last flight ended in, for the statements that
    /// are kept, and for what the error means.
    void learnFrom(Error &error);
    /// The statement that ended that flight.
    [[nodiscard]] const QString &failed() const { return m_failed; }

private:
    struct Flight
    {
        QStringList texts; ///< for each command
        QStringList prepares; ///< for each command the text that it prepares, or nothing
        qsizetype at = 0; ///< the command whose results are coming
        bool reuses = false; ///< a statement that an earlier flight prepared
    };

    [[nodiscard]] bool sendOnce(const SqlText &sql, Flight &flight);
    [[nodiscard]] bool sendKept(const SqlText &sql, Flight &flight);

    pg_conn *m_connection = nullptr;
    QQueue<Flight> m_flights;
    QHash<QString, QByteArray> m_names; ///< text → name of the prepared statement
    bool m_keeps = true; ///< false once the server forgot, as it does behind a pooler
    int m_generation = 0;
    bool m_lastReused = false;
    QString m_failed;
};

} // namespace outbox
