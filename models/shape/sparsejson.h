// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// JSON objects without their empty members; a bulk writes thousands of them.
#pragma once

#include <QJsonObject>
#include <QString>

namespace outbox {

/// What is empty is left out.
inline void put(QJsonObject &json, QLatin1StringView member, const QString &text)
{
    if (!text.isEmpty())
        json.insert(member, text);
}

} // namespace outbox
