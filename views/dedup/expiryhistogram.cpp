// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dedup/expiryhistogram.h"

#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/system/axisticks.h"
#include "views/theme/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <cmath>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int axisWidth = 44;
constexpr qint64 hourMs = 3'600'000;

} // namespace

ExpiryHistogram::ExpiryHistogram(QWidget *parent) : QWidget(parent)
{
    setObjectName(u"expiryHistogram"_s);
    setAccessibleName(tr("Ids that expire in each of the next 24 hours"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void ExpiryHistogram::setHours(const QDateTime &from, const QList<qint64> &perHour)
{
    m_from = from;
    m_hours = perHour;
    m_largest = 0;
    qint64 sum = 0;
    qsizetype busiest = 0;
    for (qsizetype hour = 0; hour < perHour.size(); ++hour) {
        sum += perHour.at(hour);
        if (perHour.at(hour) > m_largest) {
            m_largest = perHour.at(hour);
            busiest = hour;
        }
    }
    setAccessibleDescription(sum == 0 ? tr("No id expires in this time")
                                      : tr("%1 ids in all; most, %2, in hour %3")
                                            .arg(countText(sum), countText(m_largest))
                                            .arg(busiest + 1));
    update();
}

void ExpiryHistogram::setStale(bool stale)
{
    m_stale = stale;
    update();
}

QSize ExpiryHistogram::sizeHint() const
{
    return {480, 170};
}

QSize ExpiryHistogram::minimumSizeHint() const
{
    return {260, 110};
}

QRectF ExpiryHistogram::plot() const
{
    return QRectF(rect()).adjusted(axisWidth, 8, -8, -fontMetrics().height() - 8);
}

QRectF ExpiryHistogram::bar(qsizetype hour) const
{
    const QRectF area = plot();
    const double step = area.width() / static_cast<double>(std::max<qsizetype>(1, m_hours.size()));
    const double top = valueTicks(static_cast<double>(m_largest), AxisUnit::Count, 3).last().value;
    const double height = static_cast<double>(m_hours.at(hour)) / top * area.height();
    return {area.left() + static_cast<double>(hour) * step + 1.5, area.bottom() - height,
            std::max(1.0, step - 3), height};
}

void ExpiryHistogram::paintEvent(QPaintEvent * /*event*/)
{
    const Inks &ink = theme::inks();
    QPainter painter(this);
    const QRectF area = plot();
    if (m_hours.isEmpty()) {
        painter.setPen(ink.secondary);
        painter.drawText(rect(), Qt::AlignCenter, tr("Not read yet"));
        return;
    }
    const QList<Tick> ticks = valueTicks(static_cast<double>(m_largest), AxisUnit::Count, 3);
    for (const Tick &tick : ticks) {
        const double y
            = std::round(area.bottom() - tick.value / ticks.last().value * area.height());
        painter.setPen(tick.value > 0 ? ink.grid : ink.border);
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(ink.secondary);
        painter.drawText(QRectF(0, y - 10, axisWidth - 7, 20), Qt::AlignRight | Qt::AlignVCenter,
                         tick.label);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_stale ? theme::appearance(HealthLevel::Unknown).color : ink.accent);
    for (qsizetype hour = 0; hour < m_hours.size(); ++hour) {
        if (m_hours.at(hour) == 0)
            continue;
        QRectF one = bar(hour);
        one.setTop(std::min(one.top(), one.bottom() - 2));
        const double corner = std::min(2.5, one.height() / 2);
        painter.drawRoundedRect(one, corner, corner);
    }
    painter.setPen(ink.secondary);
    const double hours = static_cast<double>(m_hours.size());
    for (qsizetype hour = 0; hour <= m_hours.size(); hour += 6) {
        const double x = area.left() + static_cast<double>(hour) / hours * area.width();
        const QString text = hour == 0
            ? tr("now")
            : m_from.addMSecs(hour * hourMs).toLocalTime().toString(u"HH:mm"_s);
        const double width = 60;
        const double begin = std::clamp(x - width / 2, area.left() - 12, area.right() + 8 - width);
        painter.drawText(QRectF(begin, area.bottom() + 4, width, fontMetrics().height() + 2),
                         hour == 0                    ? Qt::AlignLeft
                             : hour == m_hours.size() ? Qt::AlignRight
                                                      : Qt::AlignHCenter,
                         text);
    }
}

bool ExpiryHistogram::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const QRectF area = plot();
    const double share = (help->pos().x() - area.left()) / std::max(1.0, area.width());
    if (m_hours.isEmpty() || share < 0 || share >= 1) {
        QToolTip::hideText();
        return true;
    }
    const auto hour = static_cast<qsizetype>(share * static_cast<double>(m_hours.size()));
    const auto moment = [&](qsizetype at) {
        return m_from.addMSecs(at * hourMs).toLocalTime().toString(u"HH:mm"_s);
    };
    QToolTip::showText(
        help->globalPos(),
        plainTooltip(tr("%1 ids expire between %2 and %3")
                         .arg(countText(m_hours.at(hour)), moment(hour), moment(hour + 1))),
        this);
    return true;
}

} // namespace outbox
