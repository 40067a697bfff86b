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

/// The demo's menu of designs.
class DemoMenu : public QMenu
{
    Q_OBJECT

public:
    /// `shown` is the id of the entry that the demo shows now.
    DemoMenu(const QList<NamedChoice> &designs, const QString &shown, QWidget *parent = nullptr);

signals:
    /// Another design than the one that is shown.
    void designAsked(const QString &id);
};

/// `about` of an entry says what will happen and what to look at.
class BreakMenu : public QMenu
{
    Q_OBJECT

public:
    explicit BreakMenu(const QList<NamedChoice> &entries, QWidget *parent = nullptr);

    /// Marks an entry for as long as it is broken.
    void setBroken(const QString &id, bool broken);

signals:
    void breakAsked(const QString &id);
};

} // namespace outbox
