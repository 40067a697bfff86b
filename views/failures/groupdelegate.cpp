// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/failures/groupdelegate.h"

#include "models/tables/groupmodel.h"
#include "views/charts/sparkline.h"
#include "views/theme/theme.h"

#include <QApplication>
#include <QPainter>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int pictureWidth = 84;
constexpr int groupInset = 6;

QColor troubleInk()
{
    return theme::appearance(MessageState::Failed).color;
}

void paintShare(QPainter *painter, const QRect &room, const QStyleOptionViewItem &cell,
                const FailureGroup &group)
{
    const QString widest = u"under 1 %"_s;
    const int words = cell.fontMetrics.horizontalAdvance(widest) + groupInset;
    const QRectF whole(room.left(), room.center().y() - 3, qMax(0, room.width() - words), 7);
    const QRectF part(whole.topLeft(), QSizeF(qMax(2.0, whole.width() * group.share), 7));
    painter->setPen(Qt::NoPen);
    painter->setBrush(theme::inks().grid);
    painter->drawRoundedRect(whole, 2, 2);
    painter->setBrush(troubleInk());
    painter->drawRoundedRect(part, 2, 2);
    painter->setPen(cell.palette.color(QPalette::Text));
    painter->drawText(room.adjusted(int(whole.width()) + groupInset, 0, 0, 0),
                      Qt::AlignVCenter | Qt::AlignLeft, cell.text);
}

void paintTrend(QPainter *painter, const QRect &room, const FailureGroup &group)
{
    // A column stands for each part of the time; the places are numbers, not times.
    Sparkline::Line line{{LineSegment()}, troubleInk()};
    for (int i = 0; i < group.trend.size(); ++i)
        line.segments.first() += QPointF(i, group.trend.at(i));
    Sparkline::paint(painter, room.adjusted(0, 3, 0, -3), QDateTime::fromMSecsSinceEpoch(0),
                     QDateTime::fromMSecsSinceEpoch(FailureGroup::buckets - 1), {line});
}

} // namespace

void GroupDelegate::initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const auto group = index.data(RowRole).value<FailureGroup>();
    const bool isMissing = (index.column() == GroupModel::Type && group.type.isEmpty())
        || (index.column() == GroupModel::Cause && group.cause.isEmpty())
        || (index.column() == GroupModel::Queue && group.queue.isEmpty());
    if (isMissing) {
        option->palette.setColor(QPalette::Text, theme::inks().secondary);
        option->palette.setColor(QPalette::HighlightedText, theme::inks().secondary);
    }
}

void GroupDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                          const QModelIndex &index) const
{
    if (index.column() != GroupModel::Share && index.column() != GroupModel::Trend)
        return QStyledItemDelegate::paint(painter, option, index);
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    QStyleOptionViewItem empty = cell;
    empty.text.clear();
    QStyle *style = cell.widget ? cell.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &empty, painter, cell.widget);
    const auto group = index.data(RowRole).value<FailureGroup>();
    const QRect room = cell.rect.adjusted(groupInset, 0, -groupInset, 0);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setFont(cell.font);
    if (index.column() == GroupModel::Share)
        paintShare(painter, room, cell, group);
    else if (!group.trend.isEmpty())
        paintTrend(painter, room, group);
    painter->restore();
}

QSize GroupDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    if (index.column() == GroupModel::Share)
        size.rwidth() = pictureWidth + option.fontMetrics.horizontalAdvance(u"under 1 %"_s);
    if (index.column() == GroupModel::Trend)
        size.setWidth(pictureWidth);
    return size;
}

} // namespace outbox
