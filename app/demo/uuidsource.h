// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Ids as a modern writer makes them: UUIDs of version 7, which sort by time.
#pragma once

#include <QRandomGenerator>
#include <QUuid>

namespace outbox {

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

} // namespace outbox
