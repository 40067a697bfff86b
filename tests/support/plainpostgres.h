// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A bare libpq session, with nothing of ours between.
#pragma once

#include "app/demo/privateserver.h"

#include <libpq-fe.h>

#include <memory>

namespace outbox {

struct FreeResult
{
    void operator()(PGresult *result) const { PQclear(result); }
};
using PgResult = std::unique_ptr<PGresult, FreeResult>;

class PlainPostgres
{
public:
    [[nodiscard]] Result<void> open(const PrivatePostgres &server);
    /// The same by a URL, which names a database.
    [[nodiscard]] Result<void> open(const QString &url);
    void close() { m_connection.reset(); }
    /// One statement or several; the result of the last one.
    [[nodiscard]] Result<PgResult> run(const QByteArray &sql);
    [[nodiscard]] Result<void> prepare(const char *name, const QByteArray &sql);
    /// With one number as parameter; binary results.
    [[nodiscard]] Result<PgResult> runPrepared(const char *name, qint64 number);
    [[nodiscard]] Result<qint64> number(const QByteArray &sql);
    /// Begins a statement and leaves the server alone with it: nothing else may be run before its
    /// end was taken.
    [[nodiscard]] Result<void> send(const QByteArray &sql);
    /// Whether the server is still at what was sent. Does not wait.
    [[nodiscard]] bool isBusy();
    /// Waits until what was sent is done.
    [[nodiscard]] Result<void> take();

private:
    struct Finish
    {
        void operator()(PGconn *connection) const { PQfinish(connection); }
    };
    [[nodiscard]] Result<PgResult> checked(PGresult *raw, const QByteArray &what) const;
    [[nodiscard]] QString complaint() const;

    std::unique_ptr<PGconn, Finish> m_connection;
};

} // namespace outbox
