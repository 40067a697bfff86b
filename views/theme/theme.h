// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one table from meaning to colour, glyph and word, and the palettes, fonts and icons around
// it.
#pragma once

#include "models/message/messagestate.h"
#include "models/operations/auditentry.h"
#include "models/operations/outcome.h"
#include "models/profile/profile.h"
#include "models/relay/relaystep.h"
#include "models/system/healthreport.h"

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QList>
#include <QPen>
#include <QPixmap>
#include <QString>

class QFontMetrics;
class QPainter;
class QRect;

namespace outbox {

/// What a person chose; System follows the platform's palette.
enum class ThemeChoice { System, Light, Dark };

/// Which of the two palettes is meant.
enum class Tone { Light, Dark };

/// How one meaning looks. Never the colour alone: the glyph and the word say the same.
struct Appearance
{
    QColor color;
    QString glyph; ///< name of an icon in resources/icons
    QString word; ///< for people

    bool operator==(const Appearance &) const = default;
};

/// The surfaces and inks of one tone; everything a painter of ours needs besides `Appearance`.
struct Inks
{
    QColor window; ///< behind cards
    QColor base; ///< cards, tables, fields
    QColor alternate; ///< every second row
    QColor selected; ///< selected row; state colours stay readable on it
    QColor hover;
    QColor border; ///< hairlines, and the edge of what is disabled
    QColor outline; ///< edge of fields, buttons and chips: 3:1 on each ground
    QColor grid; ///< lines inside charts
    QColor text;
    QColor secondary; ///< secondary facts
    QColor accent; ///< the one accent: focus, links, chosen things
};

/// How a line of a chart is told from the others: by its colour, and by its strokes where colours
/// look alike to somebody.
struct LineStyle
{
    QColor color;
    QList<qreal> dashes = {}; ///< strokes and gaps, in widths of the pen; empty: unbroken

    bool operator==(const LineStyle &) const = default;
};

/// All functions belong to the GUI thread.
namespace theme {

/// Sets style, palette and icons of the application; may be called again at any time.
void apply(ThemeChoice choice);
[[nodiscard]] ThemeChoice choice();
[[nodiscard]] Tone tone();

[[nodiscard]] const Inks &inks(Tone tone);
[[nodiscard]] inline const Inks &inks()
{
    return inks(tone());
}

[[nodiscard]] Appearance appearance(MessageState state, Tone tone = theme::tone());
[[nodiscard]] Appearance appearance(TaskState state, Tone tone = theme::tone());
[[nodiscard]] Appearance appearance(HealthLevel level, Tone tone = theme::tone());
[[nodiscard]] Appearance appearance(RelayState state, Tone tone = theme::tone());
[[nodiscard]] Appearance appearance(Outcome outcome, Tone tone = theme::tone());
[[nodiscard]] Appearance appearance(Activity::State state, Tone tone = theme::tone());

/// Background of the environment band; its text is white in both tones.
[[nodiscard]] QColor band(Environment environment);

/// Lines that are no state.
enum class Series { In, Out, Lag, Backlog };
/// In each chart the strokes of any two lines differ.
[[nodiscard]] LineStyle lineStyle(Series which, Tone tone = theme::tone());
[[nodiscard]] LineStyle lineStyle(TaskState state, Tone tone = theme::tone());
/// Of this width in pixels.
[[nodiscard]] QPen pen(const LineStyle &style, qreal width);
/// Of the same line at an earlier time: its colour, thinner and dotted.
[[nodiscard]] QPen earlierPen(const LineStyle &style);

/// An icon of resources/icons in the colour of the text; follows every later change of theme.
[[nodiscard]] QIcon icon(const QString &name);
/// The glyph in one colour. `side` in device-independent pixels.
[[nodiscard]] QPixmap glyph(const QString &name, const QColor &color, int side, qreal pixelRatio);

/// The application's font where its digits are of one width, else the fixed one, in the same size.
[[nodiscard]] QFont numberFont(const QFont &like);
/// Fixed-width font in the same size, for ids and payloads.
[[nodiscard]] QFont fixedFont(const QFont &like);
/// The same font, larger by `factor` and in `weight`.
[[nodiscard]] QFont scaledFont(const QFont &like, qreal factor,
                               QFont::Weight weight = QFont::Normal);
/// Height of a table row: 22 px at the default font.
[[nodiscard]] int rowHeight(const QFontMetrics &metrics);
/// A filled panel with round corners and a line of `width` pixels: cards, buttons, fields, boxes.
void paintRounded(QPainter *painter, const QRect &rect, const QColor &fill, const QColor &line,
                  qreal radius = 5, qreal width = 1);
/// The same for what takes the keys: the line is thicker and has the accent while it has them.
void paintControl(QPainter *painter, const QRect &rect, const QColor &fill, const QColor &line,
                  bool focused, qreal radius = 5);

} // namespace theme

} // namespace outbox
