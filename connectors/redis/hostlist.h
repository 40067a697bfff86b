// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several hosts in one address, with commas between them: QUrl takes one host only.
// Errors: Invalid; the text at fault is not quoted, since a part of a password may stand there.
#pragma once

#include "models/result.h"

#include <QList>
#include <QString>
#include <QStringView>

namespace outbox {

struct HostPort
{
    QString host; ///< a name or an address; an IPv6 address without brackets
    quint16 port = 0;

    /// "host:port", an IPv6 address in brackets.
    [[nodiscard]] QString text() const;
    bool operator==(const HostPort &) const = default;
};

/// Reads `h1[:port],h2,[::1]:port`; a host without a port has `defaultPort`. Each is listed once.
[[nodiscard]] Result<QList<HostPort>> hostsOf(QStringView text, quint16 defaultPort);
/// The other way: "h1:port,h2:port".
[[nodiscard]] QString hostListText(const QList<HostPort> &hosts);

} // namespace outbox
