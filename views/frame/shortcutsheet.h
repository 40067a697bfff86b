// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// F1: every shortcut there is, and what can be written in a filter.
#pragma once

#include <QList>
#include <QString>

#include <utility>

class QDialog;
class QWidget;

namespace outbox {

/// Keys and what they do, line by line, with those that are no actions and examples of filters, in
/// a window that deletes itself when it is closed. `lines` are those of the registry of actions.
[[nodiscard]] QDialog *shortcutSheet(const QList<std::pair<QString, QString>> &lines,
                                     QWidget *parent = nullptr);

} // namespace outbox
