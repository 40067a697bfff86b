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

void LegendStrip::setEntries(const QList<LegendEntry> &entries, const QString &moment)
{
    m_moment = moment;
    m_entries = entries;
    update();
}

QSize LegendStrip::sizeHint() const
{
    return {200, fontMetrics().height() + 2};
}

void LegendStrip::paintEvent(QPaintEvent * /*event*/)
{
    const Inks &ink = theme::inks();
    QPainter painter(this);
    const QFont titleFont = theme::scaledFont(font(), 1.0, QFont::DemiBold);
    const QString title = m_moment.isEmpty() ? m_title : m_title + u' ' + m_moment;
    const int titleWidth = QFontMetrics(titleFont).horizontalAdvance(title);
    const QFont numbers = theme::scaledFont(theme::numberFont(font()), 1.0, QFont::DemiBold);
    const QFontMetrics numberMetrics(numbers);

    // Values keep a place of fixed width, so that names do not walk while numbers change.
    const int valueWidth = numberMetrics.horizontalAdvance(QStringLiteral("00,000"));
    int needed = titleWidth;
    for (const LegendEntry &entry : m_entries)
        needed += between + swatch + 2 * swatchGap + fontMetrics().horizontalAdvance(entry.name)
            + valueWidth;
    const bool names = needed <= width();

    painter.setFont(titleFont);
    painter.setPen(ink.text);
    painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, title);

    int right = width();
    for (auto entry = m_entries.crbegin(); entry != m_entries.crend(); ++entry) {
        const int nameWidth = names ? fontMetrics().horizontalAdvance(entry->name) + swatchGap : 0;
        const int taken = std::max(valueWidth, numberMetrics.horizontalAdvance(entry->value));
        const int left = right - taken - nameWidth - swatch - swatchGap;
        if (left < titleWidth + between)
            break;
        painter.setPen(theme::pen(entry->style, 2));
        painter.drawLine(QPointF(left, height() / 2.0), QPointF(left + swatch, height() / 2.0));
        int x = left + swatch + swatchGap;
        if (names) {
            painter.setFont(font());
            painter.setPen(ink.secondary);
            painter.drawText(QRect(x, 0, nameWidth, height()), Qt::AlignLeft | Qt::AlignVCenter,
                             entry->name);
            x += nameWidth;
        }
        painter.setFont(numbers);
        painter.setPen(ink.text);
        painter.drawText(QRect(x, 0, right - x, height()), Qt::AlignLeft | Qt::AlignVCenter,
                         entry->value);
        right = left - between;
    }
}

} // namespace outbox
