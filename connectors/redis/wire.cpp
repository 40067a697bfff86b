// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/redis/wire.h"

#include <array>
#include <charconv>

namespace outbox {

void RedisWire::begin(qsizetype arguments)
{
    addHeader('*', arguments);
    ++m_commands;
}

void RedisWire::add(QByteArrayView argument)
{
    addHeader('$', argument.size());
    m_bytes.append(argument);
    m_bytes.append("\r\n", 2);
}

void RedisWire::add(qint64 number)
{
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.begin(), digits.end(), number).ptr;
    add(QByteArrayView(digits.data(), end - digits.data()));
}

void RedisWire::add(QByteArrayView first, QByteArrayView second)
{
    addHeader('$', first.size() + second.size());
    m_bytes.append(first);
    m_bytes.append(second);
    m_bytes.append("\r\n", 2);
}

char *RedisWire::addSpace(qsizetype size)
{
    addHeader('$', size);
    const qsizetype at = m_bytes.size();
    m_bytes.resize(at + size + 2);
    char *space = m_bytes.data() + at;
    space[size] = '\r';
    space[size + 1] = '\n';
    return space;
}

void RedisWire::addHeader(char type, qsizetype number)
{
    std::array<char, 24> text{};
    text[0] = type;
    char *end = std::to_chars(text.begin() + 1, text.end() - 2, number).ptr;
    *end++ = '\r';
    *end++ = '\n';
    m_bytes.append(text.data(), end - text.data());
}

} // namespace outbox
