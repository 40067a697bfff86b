// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The demo's menu of designs: which one is shown, and which others there are.
#pragma once

#include "views/frame/breakmenu.h"

#include <QMenu>

namespace outbox {

class DemoMenu : public QMenu
{
    Q_OBJECT

public:
    /// `shown` is the id of the entry that the demo shows now.
    DemoMenu(const QList<BreakEntry> &designs, const QString &shown, QWidget *parent = nullptr);

signals:
    /// Another design than the one that is shown.
    void designAsked(const QString &id);
};

} // namespace outbox
