// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Help menu: keys, the language of filters, and what this program is.
#pragma once

class QWidget;

namespace outbox {

class Actions;

/// Adds its entries to the registry, which belongs to `window`; so does what they open, which
/// deletes itself when it is closed.
void addHelpActions(Actions &actions, QWidget *window);

} // namespace outbox
