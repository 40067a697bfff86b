// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/operations/replay.h"

namespace outbox {

std::unique_ptr<Operation> operationFor(Verb verb)
{
    switch (verb) {
    case Verb::Replay:
        return std::make_unique<Replay>();
    default:
        return {};
    }
}

} // namespace outbox
