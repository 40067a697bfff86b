// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table outbox_parked for MariaDB, whose keys need a length.
#pragma once

#include <QString>

namespace outbox::mariadb {

/// CREATE TABLE and its grants, for an owner to run.
[[nodiscard]] QString createParked(const QString &table);

} // namespace outbox::mariadb
