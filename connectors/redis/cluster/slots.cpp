// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/redis/cluster/slots.h"

#include <array>

namespace outbox {

namespace {

constexpr std::array<quint16, 256> crcOfBytes = [] {
    constexpr unsigned polynomial = 0x1021;
    std::array<quint16, 256> table{};
    for (std::size_t byte = 0; byte < table.size(); ++byte) {
        unsigned crc = static_cast<unsigned>(byte) << 8U;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc & 0x8000U) != 0 ? (crc << 1U) ^ polynomial : crc << 1U;
        table[byte] = static_cast<quint16>(crc & 0xFFFFU);
    }
    return table;
}();

} // namespace

quint16 crc16(QByteArrayView bytes)
{
    unsigned crc = 0;
    for (const char byte : bytes) {
        const std::size_t at = ((crc >> 8U) ^ static_cast<unsigned char>(byte)) & 0xFFU;
        crc = ((crc << 8U) ^ crcOfBytes[at]) & 0xFFFFU;
    }
    return static_cast<quint16>(crc);
}

QByteArrayView hashedPart(QByteArrayView key)
{
    const qsizetype begin = key.indexOf('{');
    const qsizetype end = begin < 0 ? -1 : key.indexOf('}', begin + 1);
    return end > begin + 1 ? key.sliced(begin + 1, end - begin - 1) : key;
}

int slotOf(QByteArrayView key)
{
    return crc16(hashedPart(key)) % slotCount;
}

} // namespace outbox
