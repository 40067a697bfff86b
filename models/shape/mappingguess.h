// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How sure the program is of a mapping that nobody has confirmed: numbers that are read by it are
// no facts.
#pragma once

#include <QtGlobal>

#include <optional>

namespace outbox {

struct MappingGuess
{
    std::optional<double> confidence; ///< 0 to 1; nullopt: it was saved without being confirmed
    qsizetype questions = 0; ///< that only a person can answer

    bool operator==(const MappingGuess &) const = default;
};

} // namespace outbox
