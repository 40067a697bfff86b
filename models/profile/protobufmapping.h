// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which messages of protobuf the payloads of a system are, and the file that describes them.
#pragma once

#include "models/result.h"

#include <QJsonObject>
#include <QMap>
#include <QString>
#include <QStringList>

namespace outbox {

struct ProtobufMapping
{
    QString descriptorSet; ///< the path of a file that protoc wrote; empty: there is none
    /// `invoice.created=shop.v1.InvoiceCreated`: type of row, full name of its message. `*` is
    /// every other type; a name alone is that, too.
    QStringList messages;

    [[nodiscard]] bool isEmpty() const { return descriptorSet.isEmpty() && messages.isEmpty(); }
    /// Names of messages by types of rows; what is wrong is left out.
    [[nodiscard]] QMap<QString, QString> byType() const;
    /// What is wrong with it, for people; empty: nothing.
    [[nodiscard]] QString problem() const;

    [[nodiscard]] QJsonObject toJson() const;
    /// Fails with Invalid where a member cannot be understood, or has a `problem`.
    [[nodiscard]] static Result<ProtobufMapping> fromJson(const QJsonObject &json);
    bool operator==(const ProtobufMapping &) const = default;
};

/// One line of each, without blanks around it and empty ones.
[[nodiscard]] QStringList messageLines(const QString &text);

} // namespace outbox
