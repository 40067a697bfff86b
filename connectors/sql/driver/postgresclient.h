// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The client of PostgreSQL under a session: how one is opened, what it is set to, and what the
// server said as an Error.
#pragma once

#include "connectors/sql/driver/databaseurl.h"
#include "models/result.h"

#include <QByteArray>
#include <QList>
#include <QPair>
#include <QString>

namespace outbox {

struct StoreSettings;

/// Which of the servers of an address a session works with. The second word of the last two is
/// taken where the first cannot be had.
enum class ServerWish { Primary, PrimaryOrStandby, StandbyOrPrimary };
[[nodiscard]] ServerWish serverWish(const StoreSettings &settings);

/// Invalid where hosts and ports of a list do not fit, and where `target_session_attrs` contradicts
/// what sessions are for.
[[nodiscard]] Result<void> checkPostgresUrl(const DatabaseUrl &url, const QString &written,
                                            const QString &doing);

/// What every statement of a session runs with: name and value, in their order.
using PostgresParameters = QList<QPair<QString, QString>>;
[[nodiscard]] PostgresParameters postgresParameters(const StoreSettings &settings);

/// Whether the parameters go with the connection. A pooler may refuse that, and drops them at best.
enum class PostgresStartup { WithParameters, WithoutParameters };
/// The words that libpq connects with.
[[nodiscard]] QList<QPair<QByteArray, QByteArray>> postgresWords(const StoreSettings &settings,
                                                                 PostgresStartup startup);

/// `text` may hold several lines; the first one counts. An empty `state` means that the session
/// itself is gone.
[[nodiscard]] Error postgresError(const QString &doing, const QString &text, const QString &state);

/// What a statement of ours makes a boolean of, which fails, to say that it met a row that was
/// kept; `postgresError` knows it.
inline constexpr QLatin1StringView keptRowMark("outboxdeck: a row was kept");

/// libpq gives no SQLSTATE for a connection that was never made; that of a wrong password, and
/// `noPasswordCode`, are read off its words. `isOneHost`: `doing` says where, so that what libpq
/// says of it is left out.
[[nodiscard]] Error postgresConnectError(const QString &doing, const QString &text, bool isOneHost);

} // namespace outbox
