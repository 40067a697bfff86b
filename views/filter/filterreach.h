// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Who finds what a filter asks for, in words.
#pragma once

#include "models/filter/checks.h"
#include "models/message/message.h"

#include <QString>

namespace outbox {

struct ReachWords
{
    QString who; ///< "SQL", "scan"
    QString why; ///< a sentence
};

[[nodiscard]] ReachWords wordsOf(FilterReach reach, FilterSubject subject);
/// As far as the filter alone tells.
[[nodiscard]] FilterReach reachOf(const CheckNode &checks, FilterSubject subject);

} // namespace outbox
