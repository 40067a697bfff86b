// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Keys that begin with the time when they were made, so that their order is that of time: uuids of
// version 7, and ULIDs.
#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace outbox {

/// Milliseconds since 1970; nullopt: it is a key of another kind.
[[nodiscard]] std::optional<qint64> timeInKey(const QString &key);
/// Whether all of them hold a time, and are written alike, so that their texts are ordered as it
/// is. True of no keys.
[[nodiscard]] bool areKeysOfTime(const QStringList &keys);

} // namespace outbox
