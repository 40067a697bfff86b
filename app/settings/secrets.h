// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The passwords of one opened profile, in memory only.
#pragma once

#include <QString>

namespace outbox {

/// Where a URL carries no password, these are used. Never saved, logged or shown.
struct Secrets
{
    QString databasePassword;
    QString redisPassword;

    bool operator==(const Secrets &) const = default;
};

} // namespace outbox
