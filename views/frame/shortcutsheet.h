// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// F1: every shortcut there is, read from the registry of actions.
#pragma once

#include <QList>
#include <QString>

#include <utility>

class QDialog;
class QWidget;

namespace outbox {

/// Keys and what they do, line by line, in a window that deletes itself when it is closed.
[[nodiscard]] QDialog *shortcutSheet(const QList<std::pair<QString, QString>> &lines,
                                     QWidget *parent = nullptr);

} // namespace outbox
