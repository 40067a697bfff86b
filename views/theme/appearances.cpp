// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table half of the theme: each meaning with its colour, glyph and word.
#include "models/translation.h"
#include "views/theme/theme.h"

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

/// Strokes of lines, each told from the others at a glance.
QList<qreal> strokes()
{
    return {5, 2.5};
}
QList<qreal> points()
{
    return {1.5, 2};
}
QList<qreal> strokesAndPoints()
{
    return {6, 2, 1.5, 2};
}

constexpr Translation themeText("outbox::Theme");

} // namespace

Appearance appearance(MessageState state, Tone tone)
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

Appearance appearance(TaskState state, Tone tone)
{
    switch (state) {
    case TaskState::Pending:
        return {hue(Hue::Blue, tone), u"ring"_s, label(state)};
    case TaskState::Active:
        return {hue(Hue::Teal, tone), u"running"_s, label(state)};
    case TaskState::Scheduled:
        return {hue(Hue::Slate, tone), u"clock"_s, label(state)};
    case TaskState::Retry:
        return {hue(Hue::Amber, tone), u"retry"_s, label(state)};
    case TaskState::Archived:
        return {hue(Hue::Red, tone), u"cross"_s, label(state)};
    case TaskState::Completed:
        return {hue(Hue::Green, tone), u"tick"_s, label(state)};
    case TaskState::Aggregating:
        return {hue(Hue::Purple, tone), u"group"_s, label(state)};
    case TaskState::Stub:
    case TaskState::Orphan:
    case TaskState::WrongType:
        return {hue(Hue::Red, tone), u"damaged"_s, label(state)};
    case TaskState::None:
        break;
    }
    return {hue(Hue::Grey, tone), u"dash"_s, label(state)};
}

Appearance appearance(HealthLevel level, Tone tone)
{
    switch (level) {
    case HealthLevel::Ok:
        return {hue(Hue::Green, tone), u"healthy"_s, themeText("Healthy")};
    case HealthLevel::Watch:
        return {hue(Hue::Amber, tone), u"warning"_s, themeText("Watch")};
    case HealthLevel::Stalled:
        return {hue(Hue::Orange, tone), u"stalled"_s, themeText("Stalled")};
    case HealthLevel::Broken:
        return {hue(Hue::Red, tone), u"broken"_s, themeText("Broken")};
    case HealthLevel::Unknown:
        break;
    }
    return {hue(Hue::Grey, tone), u"question"_s, themeText("Unknown")};
}

Appearance appearance(RelayState state, Tone tone)
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

Appearance appearance(Outcome outcome, Tone tone)
{
    const auto as = [&](Hue which, const QString &glyph) {
        return Appearance{hue(which, tone), glyph, label(outcome)};
    };
    switch (outcome) {
    case Outcome::Done:
        return as(Hue::Green, u"tick"_s);
    case Outcome::SecondExecution:
        return as(Hue::Orange, u"retry"_s);
    case Outcome::InFlight:
        return as(Hue::Blue, u"running"_s);
    case Outcome::RefusedUntil:
        return as(Hue::Slate, u"clock"_s);
    case Outcome::Claimed:
        return as(Hue::Amber, u"lock"_s);
    case Outcome::Unfinished:
        return as(Hue::Amber, u"running"_s);
    case Outcome::Changed:
        return as(Hue::Purple, u"refresh"_s);
    case Outcome::InDoubt:
        return as(Hue::Orange, u"question"_s);
    case Outcome::Collision:
    case Outcome::Blocked:
        return as(Hue::Red, u"damaged"_s);
    case Outcome::Dead:
    case Outcome::Failed:
        return as(Hue::Red, u"cross"_s);
    case Outcome::NotOffered:
    case Outcome::Cancelled:
        return as(Hue::Grey, u"stop"_s);
    case Outcome::NotAllowed:
        return as(Hue::Red, u"lock"_s);
    case Outcome::NothingToDo:
    case Outcome::Gone:
        return as(Hue::Grey, u"dash"_s);
    case Outcome::Unknown:
        break;
    }
    return as(Hue::Grey, u"question"_s);
}

Appearance appearance(Activity::State state, Tone tone)
{
    switch (state) {
    case Activity::State::Running:
        return {hue(Hue::Blue, tone), u"running"_s, label(state)};
    case Activity::State::Done:
        return {hue(Hue::Green, tone), u"tick"_s, label(state)};
    case Activity::State::Partly:
        return {hue(Hue::Amber, tone), u"warning"_s, label(state)};
    case Activity::State::Failed:
        return {hue(Hue::Red, tone), u"cross"_s, label(state)};
    case Activity::State::Refused:
        return {hue(Hue::Slate, tone), u"lock"_s, label(state)};
    case Activity::State::InDoubt:
        return {hue(Hue::Orange, tone), u"question"_s, label(state)};
    case Activity::State::Cancelled:
        return {hue(Hue::Slate, tone), u"stop"_s, label(state)};
    case Activity::State::Undone:
        return {hue(Hue::Grey, tone), u"undo"_s, label(state)};
    case Activity::State::RecordChanged:
        return {hue(Hue::Red, tone), u"warning"_s, label(state)};
    case Activity::State::Noted:
        break;
    }
    return {hue(Hue::Grey, tone), u"info"_s, label(state)};
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

LineStyle lineStyle(Series which, Tone tone)
{
    switch (which) {
    case Series::In:
        return {hue(Hue::Orange, tone), strokes()};
    case Series::Out:
        return {hue(Hue::Teal, tone)};
    case Series::Lag:
        return {hue(Hue::Purple, tone), strokes()};
    case Series::Backlog:
        break;
    }
    return {hue(Hue::Blue, tone)};
}

LineStyle lineStyle(TaskState state, Tone tone)
{
    const QColor color = appearance(state, tone).color;
    switch (state) {
    case TaskState::Active:
        return {color, strokes()};
    case TaskState::Retry:
        return {color, points()};
    case TaskState::Archived:
        return {color, strokesAndPoints()};
    default:
        return {color};
    }
}

QPen pen(const LineStyle &style, qreal width)
{
    QPen made(style.color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    if (!style.dashes.isEmpty()) {
        made.setCapStyle(Qt::FlatCap); // round ends would fill the gaps
        made.setDashPattern(style.dashes);
    }
    return made;
}

QPen earlierPen(const LineStyle &style)
{
    QPen made(style.color, 1, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin);
    made.setDashPattern({1, 3});
    return made;
}

} // namespace outbox::theme
