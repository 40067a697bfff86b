// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Messages as a small shop would send them: several types, payloads worth looking at.
#pragma once

#include "app/demo/uuidsource.h"

#include <QByteArray>
#include <QRandomGenerator>
#include <QString>
#include <QStringList>

namespace outbox {

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
    [[nodiscard]] static QStringList types();

private:
    UuidSource m_ids;
    QRandomGenerator m_random = QRandomGenerator::securelySeeded();
    qint64 m_order = 10'000;
};

} // namespace outbox
