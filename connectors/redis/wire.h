// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Puts commands into RESP form, one behind the other, in one buffer.
#pragma once

#include <QByteArray>
#include <QByteArrayView>

namespace outbox {

/// Append-only. A command is `begin(n)` and then exactly n arguments.
class RedisWire
{
public:
    void begin(qsizetype arguments);
    void add(QByteArrayView argument);
    void add(qint64 number);
    /// One argument of two parts.
    void add(QByteArrayView first, QByteArrayView second);
    /// Room for an argument of `size` bytes, to be filled at once: the pointer dies with the next
    /// call.
    [[nodiscard]] char *addSpace(qsizetype size);
    /// Arguments that were put into RESP form before, for what repeats from command to command.
    void addFormatted(QByteArrayView arguments) { m_bytes.append(arguments); }

    [[nodiscard]] qsizetype commands() const { return m_commands; }
    [[nodiscard]] const QByteArray &bytes() const { return m_bytes; }
    void reserve(qsizetype bytes) { m_bytes.reserve(bytes); }

private:
    void addHeader(char type, qsizetype number);

    QByteArray m_bytes;
    qsizetype m_commands = 0;
};

} // namespace outbox
