// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A pgbouncer that belongs to one test, before a private PostgreSQL.
#pragma once

#include "app/demo/privateserver.h"

namespace outbox {

class PrivatePgbouncer : public PrivateServer
{
public:
    /// `mode` is transaction or session. `ignored` are the startup parameters that it drops; it
    /// refuses all others that it does not know.
    [[nodiscard]] Result<void> start(const PrivatePostgres &server, const QString &mode,
                                     int poolSize, const QString &ignored);
    /// The folder of its socket: the host to connect to.
    [[nodiscard]] QString host() const { return folder(); }
};

} // namespace outbox
