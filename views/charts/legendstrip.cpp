// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/legendstrip.h"

#include "views/theme/theme.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace outbox {

namespace {

constexpr int swatch = 24; ///< long enough for the strokes of a line
constexpr int swatchGap = 5;
constexpr int between = 16;

} // namespace

LegendStrip::LegendStrip(const QString &title, QWidget *parent) : QWidget(parent), m_title(title)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void LegendStrip::setEntries(const QList<LegendEntry> &entries, const QString &moment,
                             const QString &earlier)
{
    const bool isAsHigh = m_earlier.isEmpty() == earlier.isEmpty();
    m_moment = moment;
    m_earlier = earlier;
    m_entries = entries;
    if (!isAsHigh)
        updateGeometry();
    update();
}

QSize LegendStrip::sizeHint() const
{
    const int lines = m_earlier.isEmpty() ? 1 : 2;
    return {200, lines * fontMetrics().height() + 2};
}

void LegendStrip::paintEvent(QPaintEvent * /*event*/)
{
    const Inks &ink = theme::inks();
    QPainter painter(this);
    const QFont titleFont = theme::scaledFont(font(), 1.0, QFont::DemiBold);
    const QString title = m_moment.isEmpty() ? m_title : m_title + u' ' + m_moment;
    const int earlierWidth
        = m_earlier.isEmpty() ? 0 : swatch + swatchGap + fontMetrics().horizontalAdvance(m_earlier);
    const int titleWidth = std::max(QFontMetrics(titleFont).horizontalAdvance(title), earlierWidth);
    const QFont numbers = theme::scaledFont(theme::numberFont(font()), 1.0, QFont::DemiBold);
    const QFontMetrics numberMetrics(numbers);

    // Values keep a place of fixed width, so that names do not walk while numbers change.
    const int valueWidth = numberMetrics.horizontalAdvance(QStringLiteral("00,000"));
    int needed = titleWidth;
    for (const LegendEntry &entry : m_entries) {
        const int named = fontMetrics().horizontalAdvance(entry.name) + swatchGap + valueWidth;
        needed += between + swatch + swatchGap
            + std::max(named, fontMetrics().horizontalAdvance(entry.before));
    }
    const bool names = needed <= width();

    painter.setFont(titleFont);
    painter.setPen(ink.text);
    const int high = m_earlier.isEmpty() ? height() : height() / 2;
    painter.drawText(QRect(0, 0, width(), high), Qt::AlignLeft | Qt::AlignVCenter, title);
    if (!m_earlier.isEmpty()) {
        painter.setFont(font());
        painter.setPen(theme::earlierPen({ink.secondary}));
        painter.drawLine(QPointF(0, high * 1.5), QPointF(swatch, high * 1.5));
        painter.setPen(ink.secondary);
        painter.drawText(QRect(swatch + swatchGap, high, width(), high),
                         Qt::AlignLeft | Qt::AlignVCenter, m_earlier);
    }

    int right = width();
    for (auto entry = m_entries.crbegin(); entry != m_entries.crend(); ++entry) {
        const int nameWidth = names ? fontMetrics().horizontalAdvance(entry->name) + swatchGap : 0;
        const int taken = std::max({valueWidth, numberMetrics.horizontalAdvance(entry->value),
                                    fontMetrics().horizontalAdvance(entry->before) - nameWidth});
        const int left = right - taken - nameWidth - swatch - swatchGap;
        if (left < titleWidth + between)
            break;
        painter.setPen(theme::pen(entry->style, 2));
        painter.drawLine(QPointF(left, high / 2.0), QPointF(left + swatch, high / 2.0));
        int x = left + swatch + swatchGap;
        if (names) {
            painter.setFont(font());
            painter.setPen(ink.secondary);
            painter.drawText(QRect(x, 0, nameWidth, high), Qt::AlignLeft | Qt::AlignVCenter,
                             entry->name);
            x += nameWidth;
        }
        painter.setFont(numbers);
        painter.setPen(ink.text);
        painter.drawText(QRect(x, 0, right - x, high), Qt::AlignLeft | Qt::AlignVCenter,
                         entry->value);
        if (!m_earlier.isEmpty()) {
            painter.setFont(font());
            painter.setPen(theme::earlierPen(entry->style));
            painter.drawLine(QPointF(left, high * 1.5), QPointF(left + swatch, high * 1.5));
            painter.setPen(ink.secondary);
            const int begin = left + swatch + swatchGap;
            painter.drawText(QRect(begin, high, right - begin, high),
                             Qt::AlignLeft | Qt::AlignVCenter, entry->before);
        }
        right = left - between;
    }
}

} // namespace outbox
