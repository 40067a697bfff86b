// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Messages as a small shop would send them: several types, payloads worth looking at.
#pragma once

#include <QByteArray>
#include <QRandomGenerator>
#include <QString>
#include <QStringList>
#include <QUuid>

namespace outbox {

/// Ids as a modern writer makes them: UUIDs of version 7, which sort by time.
/// Each id is greater than the one before, also within a millisecond and when the clock steps back.
class UuidSource
{
public:
    [[nodiscard]] QUuid next();

private:
    quint64 m_milliseconds = 0;
    quint16 m_counter = 0; ///< 12 bits, in the place of rand_a
    QRandomGenerator m_random = QRandomGenerator::securelySeeded();
};

/// One message with the business fact it tells of.
struct DemoMessage
{
    QString id; ///< UUID, lower case
    QString type;
    QByteArray payload; ///< JSON
    QString recipient; ///< address or customer
    QString subject; ///< mail only; empty = the fact is an order
    qint64 cents = 0; ///< of the order
};

class DemoMessages
{
public:
    [[nodiscard]] DemoMessage next();
    /// Every type that `next` gives, the most frequent first.
    [[nodiscard]] static QStringList types()
    {
        return {QStringLiteral("email:deliver"), QStringLiteral("webhook:call"),
                QStringLiteral("invoice:issue"), QStringLiteral("sms:send")};
    }

private:
    UuidSource m_ids;
    QRandomGenerator m_random = QRandomGenerator::securelySeeded();
    qint64 m_order = 10'000;
};

} // namespace outbox
