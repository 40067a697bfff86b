// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The menus of the demo: which design is shown and which others there are; what can be broken, and
// what is broken now.
#pragma once

#include "views/widgets/formfields.h"

#include <QList>
#include <QMenu>
#include <QString>

namespace outbox {

// The data of an entry is the value of its choice. `about` of a choice says what will happen and
// what to look at.

/// The demo's menu of designs; `shown` is the value of the one that the demo shows now.
[[nodiscard]] QMenu *demoMenu(const QList<NamedChoice> &designs, const QString &shown,
                              QWidget *parent = nullptr);

/// The menu of what can be broken; the name of an entry is the value, too.
[[nodiscard]] QMenu *breakMenu(const QList<NamedChoice> &entries, QWidget *parent = nullptr);

} // namespace outbox
