// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/statedelegate.h"

#include <QApplication>
#include <QPainter>

namespace outbox {

namespace {

constexpr int cellGlyphSide = 14;
constexpr int cellGap = 6;
constexpr int cellInset = 6;

} // namespace

StateDelegate::StateDelegate(int stateRole, QObject *parent)
    : QStyledItemDelegate(parent), m_stateRole(stateRole)
{ }

StateDelegate::StateDelegate(int stateRole, Words words, QObject *parent)
    : QStyledItemDelegate(parent), m_stateRole(stateRole), m_words(words)
{ }

std::optional<Appearance> StateDelegate::appearanceOf(const QVariant &state)
{
    const QMetaType type = state.metaType();
    if (type == QMetaType::fromType<MessageState>())
        return theme::appearance(state.value<MessageState>());
    if (type == QMetaType::fromType<TaskState>())
        return theme::appearance(state.value<TaskState>());
    if (type == QMetaType::fromType<HealthLevel>())
        return theme::appearance(state.value<HealthLevel>());
    if (type == QMetaType::fromType<RelayState>())
        return theme::appearance(state.value<RelayState>());
    if (type == QMetaType::fromType<Outcome>())
        return theme::appearance(state.value<Outcome>());
    if (type == QMetaType::fromType<Activity::State>())
        return theme::appearance(state.value<Activity::State>());
    return std::nullopt;
}

int StateDelegate::widthOf(const QVariant &state, const QFontMetrics &metrics)
{
    const std::optional<Appearance> appearance = appearanceOf(state);
    return appearance ? widthOfWords(appearance->word, metrics) : 0;
}

int StateDelegate::widthOfWords(const QString &words, const QFontMetrics &metrics)
{
    return 2 * cellInset + cellGlyphSide + cellGap + metrics.horizontalAdvance(words);
}

void StateDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option,
                          const QModelIndex &index) const
{
    const std::optional<Appearance> appearance = appearanceOf(index.data(m_stateRole));
    if (!appearance) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QString text = m_words == Words::Cell ? cell.text : appearance->word;
    cell.text.clear();
    cell.icon = {};
    QStyle *style = cell.widget ? cell.widget->style() : QApplication::style();
    style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);

    const qreal ratio = painter->device()->devicePixelRatioF();
    const QRect inside = cell.rect.adjusted(cellInset, 0, -cellInset, 0);
    const QPoint corner(inside.left(), inside.center().y() - cellGlyphSide / 2 + 1);
    painter->save();
    painter->drawPixmap(corner,
                        theme::glyph(appearance->glyph, appearance->color, cellGlyphSide, ratio));
    const QRect words = inside.adjusted(cellGlyphSide + cellGap, 0, 0, 0);
    if (words.width() > 0) {
        painter->setFont(cell.font);
        painter->setPen(appearance->color);
        painter->drawText(words, Qt::AlignVCenter | Qt::AlignLeft,
                          cell.fontMetrics.elidedText(text, Qt::ElideRight, words.width()));
    }
    painter->restore();
}

QSize StateDelegate::sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    QSize size = QStyledItemDelegate::sizeHint(option, index);
    if (const std::optional<Appearance> appearance = appearanceOf(index.data(m_stateRole))) {
        const QString words
            = m_words == Words::Cell ? index.data(Qt::DisplayRole).toString() : appearance->word;
        size.setWidth(qMax(size.width(), widthOfWords(words, option.fontMetrics)));
    }
    return size;
}

} // namespace outbox
