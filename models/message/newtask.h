// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A task that an operator makes by hand.
#pragma once

#include "models/message/task.h"

namespace outbox {

struct NewTask
{
    EnqueueRequest request;
    qint64 delaySeconds = 0; ///< before it may run; 0: at once

    bool operator==(const NewTask &) const = default;
};

} // namespace outbox
