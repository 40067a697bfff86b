// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Paints an id in the fixed-width font, cut in the middle: ids differ at their ends.
#pragma once

#include "views/theme/theme.h"

#include <QStyledItemDelegate>

namespace outbox {

class IdDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        QStyledItemDelegate::initStyleOption(option, index);
        option->font = theme::fixedFont(option->font);
        option->fontMetrics = QFontMetrics(option->font);
        option->textElideMode = Qt::ElideMiddle;
    }
};

} // namespace outbox
