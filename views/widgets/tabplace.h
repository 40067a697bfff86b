// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where parts that are made later stand in the order of the Tab key.
#pragma once

#include <QList>
#include <QWidget>

namespace outbox {

/// What comes into a window that is there already is the last that the Tab key reaches in it,
/// wherever it stands. Made first in a widget whose parts come later, this one keeps their place.
/// It is never shown. Lives in the GUI thread.
class TabPlace : public QWidget
{
public:
    /// Owned by `around`, whose parts it is for.
    explicit TabPlace(QWidget *around) : QWidget(around)
    {
        setFocusPolicy(Qt::TabFocus); // Qt orders only what takes the keys
        hide();
    }

    /// The parts of the parent are reached here, in the order in which they came.
    void gather()
    {
        const QWidget *around = parentWidget();
        QList<QWidget *> parts;
        for (QWidget *one = nextInFocusChain(); one != this; one = one->nextInFocusChain()) {
            if (around->isAncestorOf(one) && one->focusPolicy() != Qt::NoFocus
                && one->focusProxy() == nullptr)
                parts += one;
        }
        QWidget *before = this;
        for (QWidget *one : parts) {
            setTabOrder(before, one);
            before = one;
        }
    }
};

} // namespace outbox
