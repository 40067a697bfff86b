// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/gauge.h"

#include "models/health/health.h"
#include "models/phrases.h"
#include "views/theme/theme.h"

#include <QCoreApplication>
#include <QLocale>
#include <QPainter>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int barHeight = 8;

QString words(const GaugeBar &bar)
{
    return bar.seconds ? spanText(*bar.seconds)
                       : QCoreApplication::translate("outbox::Gauge", "not known");
}

} // namespace

Gauge::Gauge(QWidget *parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void Gauge::setBars(const QList<GaugeBar> &bars)
{
    const bool resized = bars.size() != m_bars.size();
    m_bars = bars;
    QStringList parts;
    for (const GaugeBar &bar : bars)
        parts.append(bar.name + u' ' + words(bar));
    setAccessibleDescription(parts.join(u", "_s));
    if (resized)
        updateGeometry();
    update();
}

void Gauge::setStale(bool stale)
{
    m_stale = stale;
    update();
}

int Gauge::rowHeight() const
{
    return fontMetrics().height() + barHeight + 10;
}

QSize Gauge::sizeHint() const
{
    return {260, static_cast<int>(m_bars.size()) * rowHeight()};
}

QSize Gauge::minimumSizeHint() const
{
    return {160, sizeHint().height()};
}

void Gauge::paintEvent(QPaintEvent * /*event*/)
{
    const Inks &ink = theme::inks();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    double longest = 0;
    for (const GaugeBar &bar : m_bars)
        longest = std::max(longest, bar.seconds.value_or(0));
    int top = 0;
    for (const GaugeBar &bar : m_bars) {
        const QRect text(0, top, width(), fontMetrics().height());
        const QString value = words(bar);
        const int gap = fontMetrics().horizontalAdvance(u' ');
        const int room = width() - fontMetrics().horizontalAdvance(value) - gap;
        painter.setPen(ink.secondary);
        painter.drawText(text, Qt::AlignLeft,
                         fontMetrics().elidedText(bar.name, Qt::ElideRight, room));
        const bool grey = m_stale || !bar.seconds;
        const QColor alarm = theme::appearance(bar.level).color;
        painter.setPen(grey ? theme::appearance(HealthLevel::Unknown).color
                           : bar.level > HealthLevel::Ok ? alarm
                                                         : ink.text);
        painter.drawText(text, Qt::AlignRight, value);

        const QRectF track(0, text.bottom() + 4.0, width(), barHeight);
        painter.setPen(Qt::NoPen);
        painter.setBrush(ink.grid);
        painter.drawRoundedRect(track, barHeight / 2.0, barHeight / 2.0);
        if (bar.seconds.value_or(0) > 0 && longest > 0) {
            QRectF filled = track;
            // Something is never drawn as nothing: a sliver stays visible.
            filled.setWidth(std::max<double>(barHeight, track.width() * *bar.seconds / longest));
            painter.setBrush(m_stale ? theme::appearance(HealthLevel::Unknown).color
                                 : bar.level > HealthLevel::Ok ? alarm
                                                               : ink.accent);
            painter.drawRoundedRect(filled, barHeight / 2.0, barHeight / 2.0);
        }
        top += rowHeight();
    }
}

DedupMargin dedupMargin(std::optional<double> retentionSeconds,
                        std::optional<double> worstDelaySeconds,
                        std::optional<double> oldestPendingSeconds,
                        const std::optional<QDateTime> &seenSince)
{
    const auto tr
        = [](const char *text) { return QCoreApplication::translate("outbox::DedupMargin", text); };
    std::optional<double> worst = worstDelaySeconds;
    if (oldestPendingSeconds.value_or(0) > 0) // nothing that waits is no delay that was seen
        worst = std::max(worst.value_or(0), *oldestPendingSeconds);
    const QString since
        = seenSince ? aboutMomentText(*seenSince, QDateTime::currentDateTimeUtc()) : QString();
    DedupMargin margin;
    const double retryAfter = HealthLimits().retryAfter;
    const bool isShort = retentionSeconds && *retentionSeconds < retryAfter;
    if (!retentionSeconds || (!worst && !isShort)) {
        margin.sentence = tr("The margin is not known yet: no delay was seen.");
    } else if (oldestPendingSeconds && *oldestPendingSeconds > *retentionSeconds) {
        margin.level = HealthLevel::Broken;
        margin.sentence = tr("The oldest pending row is older than ids are kept: duplicates are "
                             "possible now.");
    } else if (isShort) {
        margin.level = HealthLevel::Watch;
        margin.sentence = tr("Ids are kept for less time than a relay may wait before it sends a "
                             "batch again (%1).")
                              .arg(spanText(retryAfter));
    } else if (*worst < 1) {
        margin.level = HealthLevel::Ok;
        margin.sentence = seenSince
            ? tr("No delay of a second or more was seen since %1.").arg(since)
            : tr("No delay of a second or more is known.");
    } else {
        const double times = *retentionSeconds / *worst;
        margin.level = times < 2 ? HealthLevel::Watch : HealthLevel::Ok;
        const QString shown = times >= 1000 ? tr("more than %1").arg(countText(1000))
                                            : QLocale().toString(times, 'f', times < 10 ? 1 : 0);
        const QString delay
            = seenSince ? tr("%1, seen since %2").arg(spanText(*worst), since) : spanText(*worst);
        margin.sentence
            = (times < 2 ? tr("The %1 window is only %2 times the worst relay delay (%3).")
                         : tr("The %1 window is %2 times the worst relay delay (%3)."))
                  .arg(spanText(*retentionSeconds), shown, delay);
    }
    const HealthLevel alarm = margin.level > HealthLevel::Ok ? margin.level : HealthLevel::Ok;
    margin.bars
        = {{tr("Ids kept"), retentionSeconds, isShort ? alarm : HealthLevel::Ok},
           {seenSince ? tr("Worst relay delay since %1").arg(since) : tr("Worst relay delay"),
            worst, isShort ? HealthLevel::Ok : alarm},
           {tr("Oldest pending"), oldestPendingSeconds,
            margin.level == HealthLevel::Broken ? alarm : HealthLevel::Ok}};
    return margin;
}

} // namespace outbox
