// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The small flat buttons above a table: paging, live, refresh; and beside details: links.
#pragma once

#include "views/theme/theme.h"
#include "views/widgets/boxes.h"

#include <QAction>
#include <QBoxLayout>
#include <QToolButton>

namespace outbox {

/// `name` is the objectName, `icon` a name of resources/icons, `text` what it says and is called.
[[nodiscard]] inline QToolButton *pageButton(const QString &name, const QString &icon,
                                             const QString &text)
{
    auto *button = new QToolButton;
    button->setText(text);
    setNames(button, name, text);
    button->setIcon(theme::icon(icon));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setAutoRaise(true);
    return button;
}

/// A link to another page, hidden until there is something behind it: for menus, and for a button
/// (`linkButton`). `name` is the objectName.
[[nodiscard]] inline QAction *linkAction(const QString &name, const QString &icon,
                                         const QString &text, const QString &tip, QObject *parent)
{
    auto *link = new QAction(theme::icon(icon), text, parent);
    link->setObjectName(name);
    link->setToolTip(tip);
    link->setVisible(false);
    return link;
}

/// A button that does what the link does, and is there while it is.
[[nodiscard]] inline QToolButton *linkButton(QAction *link)
{
    auto *button = new QToolButton;
    button->setDefaultAction(link);
    setNames(button, link->objectName() + QStringLiteral("Button"), link->text());
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setAutoRaise(true);
    button->setVisible(link->isVisible());
    QObject::connect(link, &QAction::visibleChanged, button,
                     [link, button] { button->setVisible(link->isVisible()); });
    return button;
}

/// Buttons of these links side by side, as high as they are, also while all are hidden.
[[nodiscard]] inline QWidget *linkRow(const QList<QAction *> &links)
{
    auto *row = new QWidget;
    auto *box = boxOn<QHBoxLayout>(row, 4);
    for (QAction *link : links) {
        QToolButton *button = linkButton(link);
        row->setMinimumHeight(button->sizeHint().height());
        box->addWidget(button);
    }
    return row;
}

} // namespace outbox
