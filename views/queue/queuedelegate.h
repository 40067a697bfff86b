// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Paints the queues table: zeros step back, dead tasks and queues that nobody serves stand out.
#pragma once

#include <QStyledItemDelegate>

namespace outbox {

/// For a view on a QueueModel.
class QueueDelegate : public QStyledItemDelegate
{
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override;
};

} // namespace outbox
