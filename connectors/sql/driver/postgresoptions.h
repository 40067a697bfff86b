// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a PostgreSQL session is opened, and what it is set to.
#pragma once

#include <QByteArray>
#include <QList>
#include <QPair>
#include <QString>

namespace outbox {

struct StoreSettings;

/// What every statement of a session runs with: name and value, in their order.
using PostgresParameters = QList<QPair<QString, QString>>;
[[nodiscard]] PostgresParameters postgresParameters(const StoreSettings &settings);

/// Whether the parameters go with the connection. A pooler may refuse that, and drops them at best.
enum class PostgresStartup { WithParameters, WithoutParameters };
/// The words that libpq connects with.
[[nodiscard]] QList<QPair<QByteArray, QByteArray>> postgresWords(const StoreSettings &settings,
                                                                 PostgresStartup startup);

} // namespace outbox
