// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/queue/queuedelegate.h"

#include "models/tables/queuemodel.h"
#include "views/theme/theme.h"

namespace outbox {

namespace {

/// The colour of a cell where it is not that of text.
QColor inkOf(const QueueSnapshot &queue, const QModelIndex &index)
{
    switch (index.column()) {
    case QueueModel::Name:
        return queue.paused ? theme::appearance(RelayState::Paused).color : QColor();
    case QueueModel::ServedBy:
        if (queue.servers && *queue.servers == 0)
            return theme::appearance(HealthLevel::Broken).color;
        return queue.servers ? QColor() : theme::inks().secondary;
    case QueueModel::Dead:
        return queue.archived > 0 ? theme::appearance(TaskState::Archived).color
                                  : theme::inks().secondary;
    case QueueModel::Oldest:
        return {};
    default:
        return index.data(SortRole).toLongLong() == 0 ? theme::inks().secondary : QColor();
    }
}

} // namespace

void QueueDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const auto queue = index.data(RowRole).value<QueueSnapshot>();
    const QColor ink = inkOf(queue, index);
    if (ink.isValid()) {
        option->palette.setColor(QPalette::Text, ink);
        option->palette.setColor(QPalette::HighlightedText, ink);
    }
    if (index.column() == QueueModel::ServedBy && queue.servers && *queue.servers == 0)
        option->font.setBold(true);
    if (index.column() == QueueModel::Name && queue.paused) {
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->icon = theme::icon(QStringLiteral("pause"));
        option->decorationSize = {14, 14};
        option->decorationPosition = QStyleOptionViewItem::Right;
    }
}

} // namespace outbox
