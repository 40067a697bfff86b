// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The small flat buttons above a table: paging, live, refresh.
#pragma once

#include "views/theme/theme.h"
#include "views/widgets/boxes.h"

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

} // namespace outbox
