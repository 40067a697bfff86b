// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One JSON document in one private file: read whole, written whole or not at all.
// Errors: Refused for a file that cannot be read or written, Invalid for what is no JSON.
#pragma once

#include "models/result.h"

#include <QJsonDocument>
#include <QString>

namespace outbox {

/// An absent or empty file is a null document. Fails with Invalid and the offset of the fault when
/// it is no JSON, and with Refused when it cannot be read.
[[nodiscard]] Result<QJsonDocument> readJsonFile(const QString &path);

/// Replaces the file atomically, mode 0600; makes its folder with mode 0700.
[[nodiscard]] Result<void> writeJsonFile(const QString &path, const QJsonDocument &document);

/// Gives a file that cannot be understood another name beside it, and answers that name.
[[nodiscard]] Result<QString> moveAside(const QString &path);

} // namespace outbox
