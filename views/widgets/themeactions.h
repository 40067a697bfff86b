// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The three entries of the View menu that choose the colours.
#pragma once

#include "views/theme/theme.h"

#include <functional>

class QObject;

namespace outbox {

class Actions;

/// Adds them to the registry; `owner` owns their group, `chosen` is called with what a person took.
void addThemeActions(Actions &actions, QObject *owner,
                     const std::function<void(ThemeChoice)> &chosen);

} // namespace outbox
