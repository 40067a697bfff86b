// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme/theme.h"

#include "views/theme/deckstyle.h"
#include "views/theme/spokentips.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontMetrics>
#include <QPainter>
#include <QPalette>

#include <utility>

namespace outbox::theme {

using namespace Qt::Literals::StringLiterals;

namespace {

struct Current
{
    ThemeChoice choice = ThemeChoice::System;
    Tone tone = Tone::Light;
};

Current &current()
{
    static Current state;
    return state;
}

Tone platformTone()
{
    // Asked once, before the first palette of our own hides what the platform said.
    static const Tone found = QApplication::palette().color(QPalette::Window).lightness() < 128
        ? Tone::Dark
        : Tone::Light;
    return found;
}

QPalette paletteFor(Tone tone)
{
    const Inks &ink = inks(tone);
    const bool light = tone == Tone::Light;
    const QColor button = light ? QColor(0xffffffU) : QColor(0x2b2d31U);
    const QColor faded = light ? QColor(0x8c939bU) : QColor(0x73787fU);
    QPalette palette(button, ink.window);
    const auto set = [&palette](QPalette::ColorRole role, const QColor &color, const QColor &off) {
        palette.setColor(QPalette::Active, role, color);
        palette.setColor(QPalette::Inactive, role, color);
        palette.setColor(QPalette::Disabled, role, off);
    };
    set(QPalette::Window, ink.window, ink.window);
    set(QPalette::Base, ink.base, ink.window);
    set(QPalette::AlternateBase, ink.alternate, ink.alternate);
    set(QPalette::Button, button, ink.window);
    set(QPalette::WindowText, ink.text, faded);
    set(QPalette::Text, ink.text, faded);
    set(QPalette::ButtonText, ink.text, faded);
    set(QPalette::BrightText, light ? QColor(0xb3261eU) : QColor(0xf28b82U), faded);
    set(QPalette::PlaceholderText, ink.secondary, faded);
    set(QPalette::ToolTipBase, light ? QColor(0x26282cU) : QColor(0x34373cU), ink.base);
    set(QPalette::ToolTipText, QColor(0xf3f4f6U), faded);
    set(QPalette::Highlight, ink.selected, ink.hover);
    set(QPalette::HighlightedText, ink.text, faded);
    set(QPalette::Link, ink.accent, faded);
    set(QPalette::LinkVisited, ink.accent, faded);
    set(QPalette::Light, light ? QColor(0xffffffU) : QColor(0x3a3d42U), ink.window);
    set(QPalette::Midlight, light ? QColor(0xeceef1U) : QColor(0x313439U), ink.window);
    set(QPalette::Mid, ink.border, ink.border);
    set(QPalette::Dark, light ? QColor(0xb9bec5U) : QColor(0x101113U), ink.border);
    set(QPalette::Shadow, light ? QColor(0x8c939bU) : QColor(0x000000U), ink.border);
    return palette;
}

} // namespace

void apply(ThemeChoice choice)
{
    const Tone system = platformTone();
    current().choice = choice;
    current().tone = choice == ThemeChoice::System ? system
        : choice == ThemeChoice::Dark              ? Tone::Dark
                                                   : Tone::Light;
    if (qobject_cast<DeckStyle *>(QApplication::style()) == nullptr)
        QApplication::setStyle(new DeckStyle);
    speakTipsPlainly();
    QApplication::setPalette(paletteFor(current().tone));
}

ThemeChoice choice()
{
    return current().choice;
}

Tone tone()
{
    return current().tone;
}

const Inks &inks(Tone tone)
{
    static const Inks light{QColor(0xf6f7f9U), QColor(0xffffffU), QColor(0xf3f4f6U),
                            QColor(0xdce8fbU), QColor(0xeceff3U), QColor(0xdfe3e8U),
                            QColor(0x7a818aU), QColor(0xebedf0U), QColor(0x1f2328U),
                            QColor(0x59616bU), QColor(0x0b57d0U)};
    static const Inks dark{QColor(0x17181aU), QColor(0x1e1f22U), QColor(0x26282cU),
                           QColor(0x28374fU), QColor(0x2a2c31U), QColor(0x34373cU),
                           QColor(0x82878eU), QColor(0x2b2e32U), QColor(0xe3e5e8U),
                           QColor(0xa8adb3U), QColor(0x8ab4f8U)};
    return tone == Tone::Light ? light : dark;
}

QFont numberFont(const QFont &like)
{
    const QFontMetrics metrics(like);
    const int width = metrics.horizontalAdvance(u'0');
    for (char16_t digit = u'1'; digit <= u'9'; ++digit) {
        if (metrics.horizontalAdvance(QChar(digit)) != width)
            return fixedFont(like);
    }
    return like;
}

QFont fixedFont(const QFont &like)
{
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    if (like.pointSizeF() > 0)
        font.setPointSizeF(like.pointSizeF());
    else
        font.setPixelSize(like.pixelSize());
    return font;
}

QFont scaledFont(const QFont &like, qreal factor, QFont::Weight weight)
{
    QFont font = like;
    if (like.pointSizeF() > 0)
        font.setPointSizeF(like.pointSizeF() * factor);
    else
        font.setPixelSize(qRound(like.pixelSize() * factor));
    font.setWeight(weight);
    return font;
}

int rowHeight(const QFontMetrics &metrics)
{
    return qMax(22, metrics.height() + 6);
}

void paintRounded(QPainter *painter, const QRect &rect, const QColor &fill, const QColor &line,
                  qreal radius, qreal width)
{
    const qreal inset = width / 2;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(line, width));
    painter->setBrush(fill);
    painter->drawRoundedRect(QRectF(rect).adjusted(inset, inset, -inset, -inset), radius, radius);
    painter->restore();
}

void paintControl(QPainter *painter, const QRect &rect, const QColor &fill, const QColor &line,
                  bool focused, qreal radius)
{
    paintRounded(painter, rect, fill, focused ? inks().accent : line, radius, focused ? 2 : 1);
}

} // namespace outbox::theme
