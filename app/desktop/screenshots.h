// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Draws every page, light and dark, and every dialog into PNG files.
#pragma once

#include <QString>

#include <functional>

namespace outbox {

class Desktop;

/// Waits until each page has something to show, then draws. Works offscreen; in the GUI thread.
/// `finished` is called when all pictures are in `folder`, or with the problem why not; empty: all
/// went well.
void takeScreenshots(Desktop &desktop, const QString &folder,
                     std::function<void(const QString &problem)> finished);

} // namespace outbox
