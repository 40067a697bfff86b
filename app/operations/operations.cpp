// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// From a verb to its operation.
#include "app/operations/verbs/verbs.h"

namespace outbox {

std::unique_ptr<Operation> operationFor(Verb verb)
{
#define OUTBOX_VERB_CASE(name)                                                                     \
    case Verb::name:                                                                               \
        return make##name();
    switch (verb) {
        OUTBOX_VERBS(OUTBOX_VERB_CASE)
    }
#undef OUTBOX_VERB_CASE
    return {};
}

} // namespace outbox
