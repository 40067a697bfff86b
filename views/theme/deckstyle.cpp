// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/deckstyle.h"

#include "views/theme/theme.h"

#include <QPainter>
#include <QPlainTextEdit>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTextDocument>
#include <QTextEdit>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using theme::paintRounded;

constexpr int fieldPadding = 8; ///< from the edge of a field to its text
constexpr int lineMargin = 2; ///< that QLineEdit leaves beside its text, with a frame or without
constexpr int choiceMargin = 1; ///< the same that Fusion leaves in a list of choices
constexpr int spinEdge = 5; ///< how far from the edge the text of a spin box stands in Fusion

/// `rect` with its leading edge at this distance from that of the whole control.
QRect begunAt(QRect rect, int distance, const QStyleOption *option)
{
    if (option->direction == Qt::RightToLeft)
        rect.setRight(option->rect.right() - distance);
    else
        rect.setLeft(option->rect.left() + distance);
    return rect;
}

/// True of a tool button that opens a menu as a whole.
bool opensMenu(const QStyleOption *option)
{
    const auto *tool = qstyleoption_cast<const QStyleOptionToolButton *>(option);
    return tool != nullptr && tool->features.testFlag(QStyleOptionToolButton::HasMenu)
        && !tool->features.testFlag(QStyleOptionToolButton::MenuButtonPopup);
}

/// The edge of a control that has not the keys.
QColor edge(bool enabled)
{
    return enabled ? theme::inks().outline : theme::inks().border;
}

/// A frame round a field of many lines is the edge of a control; another one only parts things.
bool takesText(const QWidget *widget)
{
    const auto *text = qobject_cast<const QPlainTextEdit *>(widget);
    const auto *rich = qobject_cast<const QTextEdit *>(widget);
    return (text != nullptr && !text->isReadOnly()) || (rich != nullptr && !rich->isReadOnly());
}

void button(const QStyleOption *option, QPainter *painter)
{
    const Inks &ink = theme::inks();
    const auto *pushed = qstyleoption_cast<const QStyleOptionButton *>(option);
    const bool enabled = option->state.testFlag(QStyle::State_Enabled);
    const bool down = option->state & (QStyle::State_Sunken | QStyle::State_On);
    const bool hovered = enabled && option->state.testFlag(QStyle::State_MouseOver);
    const bool focused = enabled && option->state.testFlag(QStyle::State_HasFocus);
    const bool isDefault
        = pushed != nullptr && pushed->features.testFlag(QStyleOptionButton::DefaultButton);
    QColor fill = option->palette.color(QPalette::Button);
    if (down)
        fill = ink.selected;
    else if (hovered)
        fill = ink.hover;
    theme::paintControl(painter, option->rect, fill,
                        enabled && isDefault ? ink.accent : edge(enabled), focused);
}

void checkBox(const QStyleOption *option, QPainter *painter)
{
    const Inks &ink = theme::inks();
    const bool enabled = option->state.testFlag(QStyle::State_Enabled);
    const bool marked = option->state.testFlag(QStyle::State_HasFocus)
        || option->state.testFlag(QStyle::State_MouseOver);
    QColor line = marked && enabled ? ink.accent : ink.secondary;
    if (!enabled)
        line = ink.border;
    const QRect box = option->rect.adjusted(0, 0, -1, -1);
    paintRounded(painter, box, option->palette.color(QPalette::Base), line, 3);
    if (option->state.testFlag(QStyle::State_Off))
        return;
    const QString mark = option->state.testFlag(QStyle::State_NoChange) ? u"dash"_s : u"tick"_s;
    const int side = box.width() - 4;
    painter->drawPixmap(box.topLeft() + QPoint(2, 2),
                        theme::glyph(mark, enabled ? ink.accent : ink.secondary, side,
                                     painter->device()->devicePixelRatioF()));
}

void radioButton(const QStyleOption *option, QPainter *painter)
{
    const Inks &ink = theme::inks();
    const bool enabled = option->state.testFlag(QStyle::State_Enabled);
    const bool marked = option->state.testFlag(QStyle::State_HasFocus)
        || option->state.testFlag(QStyle::State_MouseOver);
    QColor line = marked && enabled ? ink.accent : ink.secondary;
    if (!enabled)
        line = ink.border;
    const QRect ring = option->rect.adjusted(0, 0, -1, -1);
    paintRounded(painter, ring, option->palette.color(QPalette::Base), line, ring.width() / 2.0);
    if (option->state.testFlag(QStyle::State_On)) {
        const int inset = ring.width() / 4;
        const QRect dot = ring.adjusted(inset, inset, -inset, -inset);
        const QColor fill = enabled ? ink.accent : ink.secondary;
        paintRounded(painter, dot, fill, fill, dot.width() / 2.0);
    }
}

void headerSection(const QStyleOption *option, QPainter *painter)
{
    const Inks &ink = theme::inks();
    painter->fillRect(option->rect,
                      option->state.testFlag(QStyle::State_MouseOver) ? ink.hover : ink.window);
    painter->setPen(ink.border);
    painter->drawLine(option->rect.bottomLeft(), option->rect.bottomRight());
    const QRect rect = option->rect.adjusted(0, 5, 0, -5);
    painter->drawLine(rect.topRight(), rect.bottomRight());
}

void tab(const QStyleOption *option, QPainter *painter)
{
    const Inks &ink = theme::inks();
    const bool chosen = option->state.testFlag(QStyle::State_Selected);
    const QRect rect = option->rect;
    if (!chosen && option->state.testFlag(QStyle::State_MouseOver))
        painter->fillRect(rect.adjusted(0, 2, 0, -2), ink.hover);
    if (chosen)
        painter->fillRect(QRect(rect.left() + 4, rect.bottom() - 1, rect.width() - 8, 2),
                          ink.accent);
}

} // namespace

DeckStyle::DeckStyle() : QProxyStyle(QStyleFactory::create(u"Fusion"_s))
{ }

void DeckStyle::polish(QWidget *widget)
{
    QProxyStyle::polish(widget);
    const auto *text = qobject_cast<const QPlainTextEdit *>(widget);
    if (text == nullptr || !takesText(text))
        return;
    QTextDocument *document = text->document();
    const qreal margin = fieldPadding - text->frameWidth();
    if (qFuzzyCompare(document->documentMargin(), margin))
        return;
    const bool canUndo = document->isUndoRedoEnabled();
    document->setUndoRedoEnabled(false); // a margin is no step that a person takes back
    document->setDocumentMargin(margin);
    document->setUndoRedoEnabled(canUndo);
}

QRect DeckStyle::subElementRect(SubElement element, const QStyleOption *option,
                                const QWidget *widget) const
{
    const QRect rect = QProxyStyle::subElementRect(element, option, widget);
    const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option);
    if (element != SE_LineEditContents || frame == nullptr || frame->lineWidth <= 0)
        return rect;
    constexpr int beside = fieldPadding - lineMargin;
    return {option->rect.left() + beside, rect.top(), option->rect.width() - 2 * beside,
            rect.height()};
}

void DeckStyle::drawPrimitive(PrimitiveElement element, const QStyleOption *option,
                              QPainter *painter, const QWidget *widget) const
{
    const Inks &ink = theme::inks();
    switch (element) {
    case PE_PanelButtonCommand:
        button(option, painter);
        return;
    case PE_PanelLineEdit: {
        const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option);
        if (frame != nullptr && frame->lineWidth <= 0)
            break;
        theme::paintControl(painter, option->rect, option->palette.color(QPalette::Base),
                            edge(option->state.testFlag(State_Enabled)),
                            option->state.testFlag(State_HasFocus));
        return;
    }
    case PE_FrameFocusRect:
        // Fusion's own is next to invisible.
        paintRounded(painter, option->rect, Qt::transparent, ink.accent, 3);
        return;
    case PE_Frame: {
        painter->save();
        painter->setPen(takesText(widget) ? edge(option->state.testFlag(State_Enabled))
                                          : ink.border);
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        painter->restore();
        return;
    }
    case PE_FrameTabBarBase:
        painter->fillRect(
            QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1), ink.border);
        return;
    case PE_FrameStatusBarItem:
        return;
    case PE_IndicatorCheckBox:
        checkBox(option, painter);
        return;
    case PE_IndicatorRadioButton:
        radioButton(option, painter);
        return;
    case PE_PanelStatusBar:
        painter->fillRect(QRect(option->rect.topLeft(), QSize(option->rect.width(), 1)),
                          ink.border);
        return;
    case PE_FrameTabWidget:
        painter->fillRect(QRect(option->rect.left(), option->rect.top(), option->rect.width(), 1),
                          ink.border);
        return;
    default:
        break;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void DeckStyle::drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                            const QWidget *widget) const
{
    switch (element) {
    case CE_HeaderSection:
        headerSection(option, painter);
        return;
    case CE_HeaderEmptyArea:
        painter->fillRect(option->rect, theme::inks().window);
        painter->fillRect(
            QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
            theme::inks().border);
        return;
    case CE_TabBarTabShape:
        tab(option, painter);
        return;
    case CE_ProgressBarContents: {
        const auto *bar = qstyleoption_cast<const QStyleOptionProgressBar *>(option);
        if (bar == nullptr || bar->maximum > bar->minimum)
            break;
        // How far it is nobody knows: Fusion's stripes would walk for as long.
        painter->fillRect(option->rect, QBrush(theme::inks().accent, Qt::BDiagPattern));
        return;
    }
    default:
        break;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

QSize DeckStyle::sizeFromContents(ContentsType type, const QStyleOption *option,
                                  const QSize &contents, const QWidget *widget) const
{
    QSize size = QProxyStyle::sizeFromContents(type, option, contents, widget);
    const auto *pushed = qstyleoption_cast<const QStyleOptionButton *>(option);
    if (type == CT_PushButton && pushed != nullptr
        && !pushed->features.testFlag(QStyleOptionButton::Flat)) {
        constexpr int besideText = 12; // Fusion lets long words touch the edge
        size.setWidth(std::max(size.width(), contents.width() + 2 * besideText));
    }
    const auto *frame = qstyleoption_cast<const QStyleOptionFrame *>(option);
    if (type == CT_LineEdit && frame != nullptr && frame->lineWidth > 0)
        size.rwidth() += 2 * (fieldPadding - lineMargin - frame->lineWidth);
    const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option);
    if (type == CT_SpinBox && spin != nullptr && spin->frame)
        size.rwidth() += fieldPadding - spinEdge;
    if (type == CT_ToolButton && opensMenu(option)) {
        constexpr int forArrow = 4; // beside what Fusion leaves
        size.rwidth() += forArrow;
    }
    return size;
}

int DeckStyle::pixelMetric(PixelMetric metric, const QStyleOption *option,
                           const QWidget *widget) const
{
    switch (metric) {
    case PM_HeaderMargin:
        return 6;
    case PM_ScrollBarExtent:
        return 13;
    case PM_FocusFrameHMargin:
        return 5;
    case PM_TabBarTabHSpace:
        return 24;
    case PM_TabBarTabVSpace:
        return 12;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int DeckStyle::styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                         QStyleHintReturn *returned) const
{
    // Nothing here may move by itself: it would draw attention to what is no news.
    if (hint == SH_Widget_Animation_Duration)
        return 0;
    return QProxyStyle::styleHint(hint, option, widget, returned);
}

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
        theme::paintControl(painter, option->rect, option->palette.color(QPalette::Base),
                            edge(enabled), focused);
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
        theme::paintControl(painter, option->rect,
                            option->editable ? option->palette.color(QPalette::Base) : closed,
                            edge(enabled), focused);
    }
    const QRectF rect
        = style->subControlRect(QStyle::CC_ComboBox, option, QStyle::SC_ComboBoxArrow, widget);
    chevron(painter, rect.center(), enabled ? ink.secondary : ink.border);
}

} // namespace

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
    const auto *spin = qstyleoption_cast<const QStyleOptionSpinBox *>(option);
    const auto *combo = qstyleoption_cast<const QStyleOptionComboBox *>(option);
    const auto *bar = qstyleoption_cast<const QStyleOptionSlider *>(option);
    if (control != CC_ScrollBar || bar == nullptr) {
        const QRect rect = QProxyStyle::subControlRect(control, option, part, widget);
        if (control == CC_SpinBox && part == SC_SpinBoxEditField && spin != nullptr && spin->frame)
            return begunAt(rect, fieldPadding - lineMargin, option);
        if (control == CC_ComboBox && part == SC_ComboBoxEditField && combo != nullptr
            && combo->frame)
            return begunAt(rect, fieldPadding - (combo->editable ? lineMargin : choiceMargin),
                           option);
        return rect;
    }
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
