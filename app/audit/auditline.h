// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// An audit entry as a line of text that vouches for itself and for the line before it.
#pragma once

#include "models/operations/auditentry.h"
#include "models/result.h"

#include <QByteArray>
#include <QByteArrayView>

namespace outbox {

/// What `previous` says on the first line of a file.
[[nodiscard]] QByteArray firstPrevious();

/// The line of `entry`, without a line break; sets its hash. The hash is the last member and covers
/// the text before it, closed with a brace: `sed` and `sha256sum` can check it too.
[[nodiscard]] QByteArray sealed(AuditEntry &entry);

/// The members that say what stands before the line and whose it is, found without reading the rest
/// of it; empty where they are not there.
[[nodiscard]] QByteArray previousIn(QByteArrayView line);
[[nodiscard]] QString operationIn(QByteArrayView line);

/// Whether the line has its end, hash and brace; one that was cut off has not.
[[nodiscard]] bool isWhole(QByteArrayView line);

/// The hash that the line says of itself; empty for what has no such end: a line that was cut off,
/// or none of ours.
[[nodiscard]] QByteArray hashIn(QByteArrayView line);
/// Whether that is the hash of the line.
[[nodiscard]] bool isIntact(QByteArrayView line);
/// Fails with Invalid.
[[nodiscard]] Result<AuditEntry> entryOf(const QByteArray &line);

} // namespace outbox
