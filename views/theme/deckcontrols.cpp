// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The controls of the style that have parts: scroll bars without arrows, flat spin boxes, combo
// boxes and buttons with a menu.
#include "views/theme/deckstyle.h"

#include "views/theme/theme.h"

#include <QPainter>
#include <QStyleOption>

namespace outbox {

namespace {

/// A small arrow, down (1) or up (-1).
void chevron(QPainter *painter, const QPointF &middle, const QColor &color, int direction = 1)
{
    const QPointF points[]
        = {middle + QPointF(-3, -1.5 * direction), middle + QPointF(0, 1.5 * direction),
           middle + QPointF(3, -1.5 * direction)};
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(color, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter->drawPolyline(points, 3);
    painter->restore();
}

void spinBox(const QStyle *style, const QStyleOptionSpinBox *option, QPainter *painter,
             const QWidget *widget)
{
    const Inks &ink = theme::inks();
    const bool enabled = option->state.testFlag(QStyle::State_Enabled);
    const bool focused = enabled && option->state.testFlag(QStyle::State_HasFocus);
    if (option->frame) {
        paintRounded(painter, option->rect, option->palette.color(QPalette::Base),
                     focused ? ink.accent : ink.border);
    }
    const auto arrow
        = [&](QStyle::SubControl part, QAbstractSpinBox::StepEnabledFlag step, int direction) {
              const QRectF rect = style->subControlRect(QStyle::CC_SpinBox, option, part, widget);
              const bool possible = enabled && option->stepEnabled.testFlag(step);
              const bool held = possible && option->activeSubControls.testFlag(part);
              const QColor usual = possible ? ink.secondary : ink.border;
              chevron(painter, rect.center(), held ? ink.accent : usual, direction);
          };
    arrow(QStyle::SC_SpinBoxUp, QAbstractSpinBox::StepUpEnabled, -1);
    arrow(QStyle::SC_SpinBoxDown, QAbstractSpinBox::StepDownEnabled, 1);
}

void comboBox(const QStyle *style, const QStyleOptionComboBox *option, QPainter *painter,
              const QWidget *widget)
{
    const Inks &ink = theme::inks();
    const bool enabled = option->state.testFlag(QStyle::State_Enabled);
    const bool focused = enabled && option->state.testFlag(QStyle::State_HasFocus);
    const bool hovered = enabled && option->state.testFlag(QStyle::State_MouseOver);
    if (option->frame) {
        const QColor closed = hovered ? ink.hover : option->palette.color(QPalette::Button);
        paintRounded(painter, option->rect,
                     option->editable ? option->palette.color(QPalette::Base) : closed,
                     focused ? ink.accent : ink.border);
    }
    const QRectF rect
        = style->subControlRect(QStyle::CC_ComboBox, option, QStyle::SC_ComboBoxArrow, widget);
    chevron(painter, rect.center(), enabled ? ink.secondary : ink.border);
}

} // namespace

void paintRounded(QPainter *painter, const QRect &rect, const QColor &fill, const QColor &line,
                  qreal radius)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(line, 1));
    painter->setBrush(fill);
    painter->drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
    painter->restore();
}

bool opensMenu(const QStyleOption *option)
{
    const auto *tool = qstyleoption_cast<const QStyleOptionToolButton *>(option);
    return tool != nullptr && tool->features.testFlag(QStyleOptionToolButton::HasMenu)
        && !tool->features.testFlag(QStyleOptionToolButton::MenuButtonPopup);
}

void DeckStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex *option,
                                   QPainter *painter, const QWidget *widget) const
{
    const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option);
    if (control == CC_SpinBox && spin != nullptr) {
        spinBox(this, spin, painter, widget);
        return;
    }
    const auto *combo = qstyleoption_cast<const QStyleOptionComboBox *>(option);
    if (control == CC_ComboBox && combo != nullptr) {
        comboBox(this, combo, painter, widget);
        return;
    }
    if (opensMenu(option)) { // Fusion's arrow would stand below the words
        QStyleOptionToolButton bare = *qstyleoption_cast<const QStyleOptionToolButton *>(option);
        bare.features &= ~QStyleOptionToolButton::HasMenu;
        QProxyStyle::drawComplexControl(control, &bare, painter, widget);
        const QPointF middle(bare.rect.right() - 8, bare.rect.center().y() + 1);
        const bool enabled = bare.state.testFlag(State_Enabled);
        chevron(painter, middle, enabled ? theme::inks().secondary : theme::inks().border);
        return;
    }
    const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option);
    if (control != CC_ScrollBar || bar == nullptr) {
        QProxyStyle::drawComplexControl(control, option, painter, widget);
        return;
    }
    if (bar->maximum <= bar->minimum)
        return;
    const bool held = option->state.testFlag(State_Sunken)
        || (option->state.testFlag(State_MouseOver)
            && option->activeSubControls == SC_ScrollBarSlider);
    const QRectF slider = QRectF(subControlRect(control, option, SC_ScrollBarSlider, widget))
                              .adjusted(3, 3, -3, -3);
    QColor fill = theme::inks().secondary;
    fill.setAlpha(held ? 190 : 110);
    const double corner = std::min(slider.width(), slider.height()) / 2;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(Qt::NoPen);
    painter->setBrush(fill);
    painter->drawRoundedRect(slider, corner, corner);
    painter->restore();
}

QRect DeckStyle::subControlRect(ComplexControl control, const QStyleOptionComplex *option,
                                SubControl part, const QWidget *widget) const
{
    const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option);
    if (control != CC_ScrollBar || bar == nullptr)
        return QProxyStyle::subControlRect(control, option, part, widget);
    // No arrows: the groove is the whole bar.
    const bool upright = bar->orientation == Qt::Vertical;
    const int length = upright ? bar->rect.height() : bar->rect.width();
    const qint64 whole = qint64(bar->maximum) - bar->minimum + bar->pageStep;
    const auto share
        = static_cast<int>(qint64(length) * bar->pageStep / std::max<qint64>(1, whole));
    const int slider = std::clamp(share, std::min(28, length), length);
    const int begin = sliderPositionFromValue(bar->minimum, bar->maximum, bar->sliderPosition,
                                              length - slider, bar->upsideDown);
    const auto piece = [&](int from, int size) {
        const QRect rect = upright ? QRect(0, from, bar->rect.width(), size)
                                   : QRect(from, 0, size, bar->rect.height());
        return visualRect(bar->direction, bar->rect, rect.translated(bar->rect.topLeft()));
    };
    switch (part) {
    case SC_ScrollBarSlider:
        return piece(begin, slider);
    case SC_ScrollBarGroove:
        return piece(0, length);
    case SC_ScrollBarSubPage:
        return piece(0, begin);
    case SC_ScrollBarAddPage:
        return piece(begin + slider, length - begin - slider);
    default:
        return {};
    }
}

} // namespace outbox
