// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lives of receivers and relays of one message, and what became of its document and its output,
// counted from outside.
#pragma once

#include "models/designs/handlersteps.h"
#include "tests/connectors/sqlfixture.h"
#include "tests/crash/ground.h"

#include <QMap>

namespace outbox::crash {

/// What is tried: a design on a database, in its own order of steps or in a wrong one.
struct DesignCase
{
    Design design = Design::EntityState;
    DatabaseUrl::Dialect dialect = DatabaseUrl::Dialect::PostgreSql;
    QList<HandlerStep> steps; ///< empty: the order that holds
    QString done; ///< the other store: "table", "keys", "tokens table" or "tokens set"
    bool stale = false; ///< its reads are
    int ttlMs = 0; ///< keys: their records last so long, and a copy comes after that
};

/// One process of a cell.
struct Life
{
    int stopAt = -1; ///< number of the point; -1: it lives to its end
    bool relay = false; ///< the relay of documents, not the receiver
    bool goesOn = false; ///< it is not killed at its point, but goes on behind the next life
};

/// Runs cells, each with a document and a message of its own.
class TestDesign
{
public:
    TestDesign(Databases &databases, PrivateRedis &redis, DesignCase what);

    /// Tokens that were left over in all cells so far.
    [[nodiscard]] int garbage() const { return m_garbage; }
    /// The points that a receiver (or a relay, behind a receiver killed at `after`) passes.
    [[nodiscard]] QStringList points(bool relay = false, int after = -1);
    /// Runs the lives in their order; a second copy of the message comes at the end where
    /// `copyAtEnd`. Answers what is broken, in words: empty when every promise was kept.
    [[nodiscard]] QStringList broken(const QList<Life> &lives, bool copyAtEnd = true);

private:
    struct Running
    {
        std::unique_ptr<RelayProcess> process;
        Life life;
    };
    void begin();
    [[nodiscard]] std::unique_ptr<RelayProcess> start(const Life &life);
    void end(RelayProcess &process, QStringList &broken);
    void awaitExpiry();
    /// Receives what is in the queue: executes a message whose token it can consume.
    void receive();
    [[nodiscard]] bool consume(const QString &token);
    void judge(QStringList &broken);
    [[nodiscard]] QMap<QString, QByteArray> tasks();

    PrivateRedis &m_redis;
    DesignCase m_case;
    DatabaseUrl m_url;
    QString m_urlText;
    SideSession m_side;
    int m_number = 0;
    int m_garbage = 0;
    QMap<QByteArray, int> m_executed; ///< by payload, in this cell
};

} // namespace outbox::crash
