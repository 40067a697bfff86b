// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/demo/uuidsource.h"

#include <QByteArray>
#include <QDateTime>

namespace outbox {

namespace {

constexpr quint16 largestCounter = 0x0fff;
constexpr int roomToCount = 0x0400; ///< a fresh millisecond starts below it

} // namespace

QUuid UuidSource::next()
{
    const auto now = static_cast<quint64>(QDateTime::currentMSecsSinceEpoch());
    if (now > m_milliseconds) {
        m_milliseconds = now;
        m_counter = static_cast<quint16>(m_random.bounded(roomToCount));
    } else if (++m_counter > largestCounter) {
        ++m_milliseconds; // borrows from the future rather than give an id twice
        m_counter = 0;
    }
    const quint64 tail = m_random.generate64();
    QByteArray bytes(16, '\0');
    for (int i = 0; i < 6; ++i)
        bytes[i] = static_cast<char>(m_milliseconds >> (40 - 8 * i));
    bytes[6] = static_cast<char>(0x70 | (m_counter >> 8));
    bytes[7] = static_cast<char>(m_counter & 0xff);
    for (int i = 0; i < 8; ++i)
        bytes[8 + i] = static_cast<char>(tail >> (8 * i));
    bytes[8] = static_cast<char>((bytes[8] & 0x3f) | 0x80);
    return QUuid::fromRfc4122(bytes);
}

} // namespace outbox
