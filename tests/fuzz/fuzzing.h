// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The entry that every target has, and how it says that something does not hold.
#pragma once

#include <QByteArray>

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

namespace outbox::fuzz {

/// A copy: what reads over the end is noticed by the sanitizer.
inline QByteArray bytesOf(const std::uint8_t *data, std::size_t size)
{
    return {reinterpret_cast<const char *>(data), static_cast<qsizetype>(size)};
}

/// Ends the program where `holds` is false, in every build.
inline void demand(bool holds)
{
    if (!holds)
        __builtin_trap();
}

} // namespace outbox::fuzz
