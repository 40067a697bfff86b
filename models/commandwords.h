// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How files and JSON say a program that is to be started: ["program", "argument"].
#pragma once

#include <QJsonArray>
#include <QJsonValue>
#include <QString>
#include <QStringList>

#include <optional>

namespace outbox {

/// A program and its arguments; nullopt where it is no list of texts, or names no program.
[[nodiscard]] inline std::optional<QStringList> commandFrom(const QJsonValue &value)
{
    QStringList words;
    const QJsonArray list = value.toArray();
    for (const auto &word : list) {
        if (!word.isString())
            return std::nullopt; // left out, it would be another command
        words += word.toString();
    }
    if (words.isEmpty() || words.constFirst().isEmpty())
        return std::nullopt;
    return words;
}

} // namespace outbox
