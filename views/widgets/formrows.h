// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the forms of dialogs are laid out.
#pragma once

#include "views/widgets/boxes.h"
#include "views/widgets/card.h"

#include <QBoxLayout>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>

namespace outbox {

/// A form on `page`, labels at the right of their column.
[[nodiscard]] inline QFormLayout *formOn(QWidget *page)
{
    auto *form = new QFormLayout(page);
    form->setContentsMargins(16, 16, 16, 16);
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(10);
    form->setLabelAlignment(Qt::AlignRight | Qt::AlignVCenter);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    return form;
}

/// A grey sentence under a field, in dialogs and pages that are wider than a column of text.
[[nodiscard]] inline QLabel *hint(const QString &text)
{
    QLabel *label = plainLabel(text, true);
    wrapLines(label);
    // A form gives it the height that it has at its least width: at 40 pixels that is a column.
    constexpr int leastWidth = 240;
    label->setMinimumWidth(leastWidth);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true); // a new policy knows nothing of it
    label->setSizePolicy(policy);
    return label;
}

/// A button of a dialog; Enter elsewhere does not press it.
[[nodiscard]] inline QPushButton *dialogButton(const QString &name, const QString &text)
{
    auto *one = new QPushButton(text);
    setNames(one, name, text);
    one->setAutoDefault(false);
    return one;
}

/// The foot of a dialog: what leaves stands first, what acts stands last.
[[nodiscard]] inline QHBoxLayout *buttonRow(std::initializer_list<QPushButton *> buttons)
{
    auto *row = new QHBoxLayout;
    row->addStretch();
    for (QPushButton *one : buttons)
        row->addWidget(one);
    return row;
}

} // namespace outbox
