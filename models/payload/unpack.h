// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bytes taken out of what they are packed in, with a bound: a few bytes may stand for gigabytes.
#pragma once

#include "models/result.h"

#include <QByteArray>
#include <QByteArrayView>

namespace outbox {

// Each fails with Invalid where the bytes are not this format from the first to the last one, and
// with Unsupported where more than `most` bytes would come out, or more memory would be needed
// than is given; nothing that was unpacked is answered then. Pure; any thread.

/// One or several members of gzip, each with its checksum (RFC 1952).
[[nodiscard]] Result<QByteArray> unpackGzip(QByteArrayView packed, qsizetype most);
/// One stream of zlib with its checksum (RFC 1950).
[[nodiscard]] Result<QByteArray> unpackZlib(QByteArrayView packed, qsizetype most);
/// One or several frames of Zstandard (RFC 8878) whose window is 32 MiB at most.
[[nodiscard]] Result<QByteArray> unpackZstd(QByteArrayView packed, qsizetype most);
/// Both alphabets, lines and their missing end allowed; at least eight characters (RFC 4648).
[[nodiscard]] Result<QByteArray> unpackBase64(QByteArrayView text, qsizetype most);

} // namespace outbox
