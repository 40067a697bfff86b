// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// How well colours are told apart: contrast as WCAG 2 has it, and distance, for usual eyes and for
// those that do not see red or green.
#pragma once

#include <QColor>

#include <algorithm>
#include <array>
#include <cmath>

namespace outbox {

/// Red, green and blue as light, from 0 to 1.
using LightParts = std::array<double, 3>;

inline LightParts lightOf(const QColor &color)
{
    const auto linear = [](double part) {
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return {linear(color.redF()), linear(color.greenF()), linear(color.blueF())};
}

inline double luminance(const QColor &color)
{
    const LightParts light = lightOf(color);
    return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
}

/// WCAG 2: from 1 (the same) to 21 (black on white).
inline double contrast(const QColor &one, const QColor &other)
{
    const double a = luminance(one);
    const double b = luminance(other);
    return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
}

enum class Vision { Usual, NoRed, NoGreen };

/// How much light of a color reaches somebody; the matrices are those of Machado, Oliveira and
/// Fernandes (2009) for a full deficiency.
inline LightParts lightSeen(const QColor &color, Vision vision)
{
    using Row = std::array<double, 3>;
    constexpr std::array<Row, 3> usual{Row{1, 0, 0}, Row{0, 1, 0}, Row{0, 0, 1}};
    constexpr std::array<Row, 3> noRed{Row{0.152286, 1.052583, -0.204868},
                                       Row{0.114503, 0.786281, 0.099216},
                                       Row{-0.003882, -0.048116, 1.051998}};
    constexpr std::array<Row, 3> noGreen{Row{0.367322, 0.860646, -0.227968},
                                         Row{0.280085, 0.672501, 0.047413},
                                         Row{-0.011820, 0.042940, 0.968881}};
    const std::array<Row, 3> &rows = vision == Vision::NoRed ? noRed
        : vision == Vision::NoGreen                          ? noGreen
                                                             : usual;
    const LightParts light = lightOf(color);
    LightParts seen{};
    for (size_t at = 0; at < seen.size(); ++at) {
        const Row &row = rows.at(at);
        seen.at(at)
            = std::clamp(row[0] * light[0] + row[1] * light[1] + row[2] * light[2], 0.0, 1.0);
    }
    return seen;
}

/// Delta E of CIE 1976; 2 is just seen side by side, 25 is told apart in two thin lines.
inline double distance(const QColor &one, const QColor &other, Vision vision)
{
    const auto lab = [vision](const QColor &color) {
        const LightParts light = lightSeen(color, vision);
        const auto root = [](double part) {
            return part > 0.008856 ? std::cbrt(part) : 7.787 * part + 16.0 / 116;
        };
        const double x
            = root((0.4124564 * light[0] + 0.3575761 * light[1] + 0.1804375 * light[2]) / 0.95047);
        const double y = root(0.2126729 * light[0] + 0.7151522 * light[1] + 0.0721750 * light[2]);
        const double z
            = root((0.0193339 * light[0] + 0.1191920 * light[1] + 0.9503041 * light[2]) / 1.08883);
        return LightParts{116 * y - 16, 500 * (x - y), 200 * (y - z)};
    };
    const LightParts a = lab(one);
    const LightParts b = lab(other);
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

} // namespace outbox
