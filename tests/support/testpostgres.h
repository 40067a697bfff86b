// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The PostgreSQL of a test; with OUTBOX_DATABASE=pgbouncer a pooler stands before it, and the code
// under test is told that one's address. A session of the test itself goes to the server all the
// same. So the same tests hold for both.
#pragma once

#include "app/demo/privateserver.h"
#include "tests/support/privatepgbouncer.h"

namespace outbox {

/// Where it is so, tests of other databases have nothing to say: their rows of data are left out.
[[nodiscard]] inline bool isDatabasePooled()
{
    return qEnvironmentVariable("OUTBOX_DATABASE") == QLatin1String("pgbouncer");
}

/// Errors: those of `PrivateServer`; Refused where the pooler cannot be reached beside the server.
class TestPostgres : public PrivatePostgres
{
public:
    /// As that of the server alone. The pooler has two sessions for each database, each of which
    /// is another client's from one transaction to the next.
    [[nodiscard]] Result<void> start(const QStringList &extraSettings = {}, bool durable = false);

private:
    [[nodiscard]] Result<void> startPooler();

    PrivatePgbouncer m_pooler;
};

/// What the code under test is told: the pooler where `server` has one, else the server itself.
/// Both are in one folder and differ by the port alone.
[[nodiscard]] QString databaseUrlOf(const PrivatePostgres &server,
                                    const QString &database = QStringLiteral("postgres"));

} // namespace outbox
