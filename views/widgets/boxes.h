// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What nearly every widget is given when it is made: a box for its parts, and its names.
#pragma once

#include <QBoxLayout>
#include <QMargins>
#include <QString>
#include <QWidget>

namespace outbox {

/// A column or a row on `widget`, or on none yet, with its spacing and its margins.
template <typename Box> Box *boxOn(QWidget *widget, int spacing, const QMargins &margins = {})
{
    auto *box = new Box(widget);
    box->setContentsMargins(margins);
    box->setSpacing(spacing);
    return box;
}

/// `name` is for tests and styles, `spoken` for screen readers.
inline void setNames(QWidget *widget, const QString &name, const QString &spoken)
{
    widget->setObjectName(name);
    widget->setAccessibleName(spoken);
}

} // namespace outbox
