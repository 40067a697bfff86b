// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Conditions of SQL put together, and shortened where a part is always true or never. Pure text.
#pragma once

#include <QString>
#include <QStringList>

namespace outbox::conditions {

inline const QString sqlTrue = QStringLiteral("true");
inline const QString sqlFalse = QStringLiteral("false");

[[nodiscard]] QString opposite(const QString &condition);
[[nodiscard]] QString both(const QStringList &conditions); ///< all of them
[[nodiscard]] QString either(const QStringList &conditions); ///< at least one

} // namespace outbox::conditions
