// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One message from every side, as commands show it.
#pragma once

#include "app/operations/core/operatorsession.h"
#include "models/ids.h"
#include "models/system/systemview.h"

namespace outbox {

/// Row, task and what else is known of the id, judged. Looks only; in the operator's room. What
/// cannot be read is told in the answer.
[[nodiscard]] IdVerdict seenMessage(OperatorSession &session, const MessageId &id);

} // namespace outbox
