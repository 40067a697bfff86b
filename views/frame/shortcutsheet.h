// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// F1: every shortcut there is, read from the registry of actions.
#pragma once

#include <QDialog>

namespace outbox {

class ShortcutSheet : public QDialog
{
    Q_OBJECT

public:
    explicit ShortcutSheet(const QList<std::pair<QString, QString>> &lines,
                           QWidget *parent = nullptr);
};

} // namespace outbox
