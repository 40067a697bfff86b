// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/message/comparedaxis.h"

#include "models/phrases.h"
#include "views/message/journeyline.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QPainter>

#include <algorithm>
#include <optional>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QAccessibleInterface *comparedInterface(const QString &key, QObject *object)
{
    auto *axis = key == u"outbox::ComparedAxis"_s ? qobject_cast<ComparedAxis *>(object) : nullptr;
    return axis ? new QAccessibleWidget(axis, QAccessible::Graphic) : nullptr;
}

/// Seconds after the beginning; nullopt: it is not drawn.
std::optional<double> drawnAt(const std::optional<ComparedStep::Station> &station)
{
    if (!station || station->point.isFuture || !station->afterSeconds)
        return std::nullopt;
    if (station->point.kind == TimelinePoint::Kind::Now || *station->afterSeconds < 0)
        return std::nullopt;
    return station->afterSeconds;
}

} // namespace

ComparedAxis::ComparedAxis(QWidget *parent) : QWidget(parent)
{
    QAccessible::installFactory(comparedInterface); // which Qt takes once
    setNames(this, u"comparedAxis"_s, tr("Both journeys on one axis of time"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    hide();
}

void ComparedAxis::setJourneys(const ComparedJourneys &journeys)
{
    m_journeys = journeys;
    m_seconds = 0;
    QStringList told;
    const QDateTime now = QDateTime::currentDateTimeUtc();
    for (const ComparedStep &step : journeys.steps) {
        for (const auto &station : {step.a, step.b})
            m_seconds = std::max(m_seconds, drawnAt(station).value_or(0));
        if (step.since) {
            told += tr("%1: A %2, B %3")
                        .arg(stepName(step), stationText(step.a, now), stationText(step.b, now));
        }
    }
    setAccessibleDescription(told.join(u"; "_s));
    setVisible(journeys.begin && m_seconds > 0);
    update();
}

QList<ComparedAxis::Place> ComparedAxis::places() const
{
    QList<Place> all;
    if (m_seconds <= 0)
        return all;
    const int high = fontMetrics().height();
    const double left = 2.0 * high;
    const double wide = std::max(width() - left - high, 1.0);
    for (qsizetype at = 0; at < m_journeys.steps.size(); ++at) {
        const ComparedStep &step = m_journeys.steps.at(at);
        for (const int row : {0, 1}) {
            const auto after = drawnAt(row == 0 ? step.a : step.b);
            if (!after)
                continue;
            all += Place{row, step.kind,
                         QPointF(left + wide * *after / m_seconds, high * (1.0 + 2.0 * row)),
                         at == m_journeys.widest};
        }
    }
    return all;
}

QSize ComparedAxis::sizeHint() const
{
    return {480, 6 * fontMetrics().height()};
}

QSize ComparedAxis::minimumSizeHint() const
{
    return {160, sizeHint().height()};
}

void ComparedAxis::paintEvent(QPaintEvent * /*event*/)
{
    const Inks &ink = theme::inks();
    const int high = fontMetrics().height();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QList<Place> all = places();
    std::stable_sort(all.begin(), all.end(), [](const Place &one, const Place &other) {
        return one.at.x() < other.at.x();
    });
    for (const int row : {0, 1}) {
        painter.setPen(ink.text);
        painter.drawText(QRectF(0, high * (0.5 + 2.0 * row), high * 1.5, high),
                         static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter),
                         row == 0 ? u"A"_s : u"B"_s);
        const Place *before = nullptr;
        for (const Place &place : std::as_const(all)) {
            if (place.row != row)
                continue;
            if (before) { // the widest is thicker as well as of another colour
                painter.setPen(
                    QPen(place.isWidest ? ink.accent : ink.secondary, place.isWidest ? 4 : 1.5));
                painter.drawLine(before->at, place.at);
            }
            before = &place;
        }
    }
    for (const Place &place : std::as_const(all)) {
        const Appearance shown = pointAppearance(place.kind);
        painter.drawPixmap(place.at - QPointF(high / 2.0, high / 2.0),
                           theme::glyph(shown.glyph, shown.color, high, devicePixelRatioF()));
    }
    painter.setPen(ink.secondary);
    const QRectF foot(2.0 * high, high * 4.5, width() - 2.0 * high, high);
    const QString begin = m_journeys.begin ? label(*m_journeys.begin) : QString();
    painter.drawText(foot, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), begin);
    painter.drawText(foot, static_cast<int>(Qt::AlignRight | Qt::AlignVCenter),
                     tr("%1 later").arg(spanText(m_seconds)));
}

} // namespace outbox
