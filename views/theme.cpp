// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/theme.h"

#include "views/deckstyle.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontMetrics>
#include <QPalette>

#include <utility>

namespace outbox::theme {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The hues of the table; each is readable on every background of its tone (tested).
enum class Hue { Blue, Slate, Amber, Orange, Green, Red, Purple, Grey, Teal };

QColor hue(Hue which, Tone tone)
{
    const bool light = tone == Tone::Light;
    switch (which) {
    case Hue::Blue:
        return light ? QColor(0x0b57d0U) : QColor(0x8ab4f8U);
    case Hue::Slate:
        return light ? QColor(0x4a6a85U) : QColor(0xa9c0d3U);
    case Hue::Amber:
        return light ? QColor(0x8a5a00U) : QColor(0xfdd663U);
    case Hue::Orange:
        return light ? QColor(0xa84300U) : QColor(0xffb07cU);
    case Hue::Green:
        return light ? QColor(0x137333U) : QColor(0x81c995U);
    case Hue::Red:
        return light ? QColor(0xb3261eU) : QColor(0xf28b82U);
    case Hue::Purple:
        return light ? QColor(0x7b1fa2U) : QColor(0xd7aefbU);
    case Hue::Teal:
        return light ? QColor(0x00696bU) : QColor(0x78d9d4U);
    case Hue::Grey:
        break;
    }
    return light ? QColor(0x666666U) : QColor(0xa8adb3U);
}

QString translated(const char *text)
{
    return QCoreApplication::translate("outbox::Theme", text);
}

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
                            QColor(0xebedf0U), QColor(0x1f2328U), QColor(0x59616bU),
                            QColor(0x0b57d0U)};
    static const Inks dark{QColor(0x17181aU), QColor(0x1e1f22U), QColor(0x26282cU),
                           QColor(0x28374fU), QColor(0x2a2c31U), QColor(0x34373cU),
                           QColor(0x2b2e32U), QColor(0xe3e5e8U), QColor(0xa8adb3U),
                           QColor(0x8ab4f8U)};
    return tone == Tone::Light ? light : dark;
}

Look look(MessageState state, Tone tone)
{
    switch (state) {
    case MessageState::Pending:
        return {hue(Hue::Blue, tone), u"ring"_s, label(state)};
    case MessageState::Waiting:
        return {hue(Hue::Slate, tone), u"clock"_s, label(state)};
    case MessageState::Locked:
        return {hue(Hue::Amber, tone), u"lock"_s, label(state)};
    case MessageState::Processed:
        return {hue(Hue::Green, tone), u"tick"_s, label(state)};
    case MessageState::Failed:
        return {hue(Hue::Red, tone), u"cross"_s, label(state)};
    case MessageState::Parked:
        return {hue(Hue::Purple, tone), u"parking"_s, label(state)};
    case MessageState::Unknown:
        break;
    }
    return {hue(Hue::Grey, tone), u"question"_s, label(state)};
}

Look look(TaskState state, Tone tone)
{
    switch (state) {
    case TaskState::Pending:
        return {hue(Hue::Blue, tone), u"ring"_s, label(state)};
    case TaskState::Active:
        return {hue(Hue::Amber, tone), u"running"_s, label(state)};
    case TaskState::Scheduled:
        return {hue(Hue::Slate, tone), u"clock"_s, label(state)};
    case TaskState::Retry:
        return {hue(Hue::Orange, tone), u"retry"_s, label(state)};
    case TaskState::Archived:
        return {hue(Hue::Red, tone), u"cross"_s, label(state)};
    case TaskState::Completed:
        return {hue(Hue::Green, tone), u"tick"_s, label(state)};
    case TaskState::Aggregating:
        return {hue(Hue::Teal, tone), u"group"_s, label(state)};
    case TaskState::Stub:
    case TaskState::Orphan:
    case TaskState::WrongType:
        return {hue(Hue::Red, tone), u"damaged"_s, label(state)};
    case TaskState::None:
        break;
    }
    return {hue(Hue::Grey, tone), u"dash"_s, label(state)};
}

Look look(HealthLevel level, Tone tone)
{
    switch (level) {
    case HealthLevel::Ok:
        return {hue(Hue::Green, tone), u"healthy"_s, translated("Healthy")};
    case HealthLevel::Watch:
        return {hue(Hue::Amber, tone), u"warning"_s, translated("Watch")};
    case HealthLevel::Stalled:
        return {hue(Hue::Orange, tone), u"stalled"_s, translated("Stalled")};
    case HealthLevel::Broken:
        return {hue(Hue::Red, tone), u"broken"_s, translated("Broken")};
    case HealthLevel::Unknown:
        break;
    }
    return {hue(Hue::Grey, tone), u"question"_s, translated("Unknown")};
}

Look look(RelayState state, Tone tone)
{
    switch (state) {
    case RelayState::Stopped:
        return {hue(Hue::Grey, tone), u"stop"_s, label(state)};
    case RelayState::Starting:
        return {hue(Hue::Blue, tone), u"clock"_s, label(state)};
    case RelayState::Running:
        return {hue(Hue::Green, tone), u"running"_s, label(state)};
    case RelayState::Paused:
        return {hue(Hue::Amber, tone), u"pause"_s, label(state)};
    case RelayState::Draining:
        return {hue(Hue::Blue, tone), u"drain"_s, label(state)};
    case RelayState::BackingOff:
        return {hue(Hue::Orange, tone), u"retry"_s, label(state)};
    case RelayState::Stopping:
        return {hue(Hue::Amber, tone), u"stop"_s, label(state)};
    case RelayState::Failed:
        break;
    }
    return {hue(Hue::Red, tone), u"broken"_s, label(state)};
}

QColor band(Environment environment)
{
    switch (environment) {
    case Environment::Production:
        return hue(Hue::Red, Tone::Light);
    case Environment::Staging:
        return hue(Hue::Amber, Tone::Light);
    case Environment::Development:
        return hue(Hue::Green, Tone::Light);
    case Environment::Demo:
        return hue(Hue::Blue, Tone::Light);
    case Environment::Unsaid:
        break;
    }
    return QColor(0x5f6368U);
}

QColor series(Series which, Tone tone)
{
    switch (which) {
    case Series::In:
        return hue(Hue::Purple, tone);
    case Series::Out:
        return hue(Hue::Teal, tone);
    case Series::Lag:
        return hue(Hue::Orange, tone);
    case Series::Backlog:
        break;
    }
    return hue(Hue::Blue, tone);
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

} // namespace outbox::theme
