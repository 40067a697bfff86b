// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a PostgreSQL session asks for when it connects: rights, deadlines, a name, keepalives.
#pragma once

#include <QString>

namespace outbox {

struct StoreSettings;

/// Connect options for QPSQL. No value of `settings` may hold a semicolon.
[[nodiscard]] QString postgresOptions(const StoreSettings &settings);

} // namespace outbox
