// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A window as it is painted, enlarged, so that letters and edges have pixels of their full colour,
// and what colours stand on what ground there.
#pragma once

#include "tests/support/contrast.h"

#include <QHash>
#include <QImage>
#include <QWidget>

#include <cmath>
#include <optional>

namespace outbox {

class PaintedWindow
{
public:
    /// What is written or drawn best, on the colour that most of a place has.
    struct Marks
    {
        QColor ground;
        QColor ink;
        double contrast = 1;
    };

    /// `part` of the window; all of it where it is empty.
    explicit PaintedWindow(QWidget *window, const QRect &part = {})
        : m_part(part.isEmpty() ? window->rect() : part.intersected(window->rect())),
          m_image(m_part.size() * scale, QImage::Format_RGB32)
    {
        m_image.setDevicePixelRatio(scale);
        m_image.fill(window->palette().color(QPalette::Window));
        window->render(&m_image, {}, QRegion(m_part));
    }

    /// In `place`, in pixels of the window. nullopt: nothing of it was painted, or one colour
    /// alone.
    [[nodiscard]] std::optional<Marks> marksIn(const QRect &place) const
    {
        const QRect pixels = pixelsOf(place);
        if (pixels.isEmpty())
            return std::nullopt;
        QHash<QRgb, int> counts;
        for (int y = pixels.top(); y <= pixels.bottom(); ++y) {
            const auto *line = reinterpret_cast<const QRgb *>(m_image.constScanLine(y));
            for (int x = pixels.left(); x <= pixels.right(); ++x)
                ++counts[line[x]];
        }
        QRgb ground = 0;
        for (auto one = counts.cbegin(); one != counts.cend(); ++one) {
            if (one.value() > counts.value(ground))
                ground = one.key();
        }
        // The rims of letters are mixed: each of their colours is rare.
        constexpr int seldom = 8;
        Marks marks{QColor(ground), {}, 1};
        for (auto one = counts.cbegin(); one != counts.cend(); ++one) {
            const double found = outbox::contrast(QColor(one.key()), marks.ground);
            if (one.value() >= seldom && found > marks.contrast) {
                marks.ink = QColor(one.key());
                marks.contrast = found;
            }
        }
        return marks.ink.isValid() ? std::optional(marks) : std::nullopt;
    }

    /// The best contrast of any pixel from `left` of the window on, `width` wide in the line `y`,
    /// against what is painted at `ground`.
    [[nodiscard]] double edgeAgainst(const QPoint &ground, int left, int width, int y) const
    {
        const QRect line = pixelsOf({left, y, width, 1});
        const QRect outside = pixelsOf({ground, QSize(1, 1)});
        if (line.isEmpty() || outside.isEmpty())
            return 21;
        const QColor there(m_image.pixel(outside.center()));
        double most = 1;
        for (int x = line.left(); x <= line.right(); ++x)
            most = std::max(most,
                            outbox::contrast(QColor(m_image.pixel(x, line.center().y())), there));
        return most;
    }

    [[nodiscard]] const QImage &image() const { return m_image; }

private:
    static constexpr int scale = 3;

    [[nodiscard]] QRect pixelsOf(const QRect &place) const
    {
        const QRect moved = place.translated(-m_part.topLeft());
        return QRect(moved.topLeft() * scale, moved.size() * scale).intersected(m_image.rect());
    }

    QRect m_part;
    QImage m_image;
};

} // namespace outbox
