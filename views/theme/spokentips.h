// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a tooltip says is read aloud as plain text.
#pragma once

#include <QString>

class QWidget;

namespace outbox::theme {

/// From now on a widget with a tooltip and no description of its own is described by the tooltip's
/// words. Without that Qt hands out the tooltip as it is, with its markup. Once for a program; in
/// the GUI thread, before its widgets are made.
void speakTipsPlainly();
/// Gives a widget a description of its own; empty: from now on its tooltip is that again. A screen
/// reader is told only where the description changes.
void setSpoken(QWidget *widget, const QString &words);

} // namespace outbox::theme
