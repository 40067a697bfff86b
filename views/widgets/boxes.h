// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What nearly every widget is given when it is made: a box for its parts, and its names.
#pragma once

#include <QAbstractButton>
#include <QBoxLayout>
#include <QMargins>
#include <QSplitter>
#include <QString>
#include <QWidget>

#include <initializer_list>

namespace outbox {

/// A column or a row on `widget`, or on none yet, with its spacing and its margins.
template <typename Box> Box *boxOn(QWidget *widget, int spacing, const QMargins &margins = {})
{
    auto *box = new Box(widget);
    box->setContentsMargins(margins);
    box->setSpacing(spacing);
    return box;
}

/// Adds these to a column or a row, in their order.
inline void addWidgets(QBoxLayout *box, std::initializer_list<QWidget *> widgets)
{
    for (QWidget *one : widgets)
        box->addWidget(one);
}

/// Two widgets above one another with a line between them that a person moves; the numbers say how
/// they share the room.
[[nodiscard]] inline QSplitter *splitOf(const QString &name, QWidget *above, int aboveShare,
                                        QWidget *below, int belowShare)
{
    auto *split = new QSplitter(Qt::Vertical);
    split->setObjectName(name);
    split->setChildrenCollapsible(false);
    split->setHandleWidth(10);
    split->addWidget(above);
    split->addWidget(below);
    split->setStretchFactor(0, aboveShare);
    split->setStretchFactor(1, belowShare);
    return split;
}

/// No wider than so many letters of its own font, in any size.
inline void setMostLetters(QWidget *widget, int letters)
{
    widget->setMaximumWidth(letters * widget->fontMetrics().averageCharWidth());
}

/// The words of a button or an action without the sign that marks its key.
[[nodiscard]] inline QString spokenWords(const QString &text)
{
    QString words;
    for (qsizetype at = 0; at < text.size(); ++at) {
        if (text.at(at) == u'&' && at + 1 < text.size())
            ++at; // && is an ampersand
        words += text.at(at);
    }
    return words;
}

/// `name` is for tests and styles, `spoken` for screen readers; of a button it may be its text.
inline void setNames(QWidget *widget, const QString &name, const QString &spoken)
{
    const auto *button = qobject_cast<const QAbstractButton *>(widget);
    const bool isText = button != nullptr && button->text() == spoken;
    widget->setObjectName(name);
    widget->setAccessibleName(isText ? spokenWords(spoken) : spoken);
}

} // namespace outbox
