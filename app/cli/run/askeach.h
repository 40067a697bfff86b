// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Many systems asked at once by one command: each in a room of its own, a few at a time.
#pragma once

#include "app/system/fleet/systemquestion.h"

#include <functional>
#include <memory>

namespace outbox {

/// A room of its own for one question of the command line.
[[nodiscard]] QuestionPlace ownPlace();

/// Asks `count` questions, made by `make` one by one when their turn comes, and returns when all
/// have ended. A system that does not answer keeps one of the rooms from the others until its
/// deadline, and nothing else.
void askEach(qsizetype count,
             const std::function<std::unique_ptr<SystemQuestion>(qsizetype at)> &make);

} // namespace outbox
