// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/timelinebar.h"

#include "models/payload/celltext.h"

#include <QSignalBlocker>
#include <QToolTip>

#include <algorithm>

namespace outbox {

namespace {

constexpr int steps = 1000;

}

TimelineBar::TimelineBar(const QString &name, QWidget *parent) : QSlider(Qt::Vertical, parent)
{
    setObjectName(name);
    setAccessibleName(tr("Position in time"));
    setRange(0, steps);
    setInvertedAppearance(true); // the newest are on top, as in the table
    setInvertedControls(true);
    setPageStep(steps / 20);
    setTracking(false);
    hide();
    connect(this, &QSlider::sliderMoved, this, [this](int value) {
        QToolTip::showText(QCursor::pos(), exactTime(timeAt(value)), this);
    });
    connect(this, &QSlider::valueChanged, this,
            [this](int value) { emit timeAsked(timeAt(value)); });
}

void TimelineBar::setSpan(const QDateTime &newest, const QDateTime &oldest)
{
    m_newest = newest;
    m_oldest = oldest;
    setVisible(newest.isValid() && oldest.isValid() && oldest < newest);
    if (isVisible())
        setToolTip(tr("From %1 down to %2").arg(exactTime(newest), exactTime(oldest)));
}

void TimelineBar::setHere(const QDateTime &time)
{
    if (!isVisibleTo(parentWidget()) || isSliderDown() || !time.isValid())
        return;
    const auto span = static_cast<double>(m_oldest.msecsTo(m_newest));
    const auto behind = static_cast<double>(time.msecsTo(m_newest));
    const QSignalBlocker quiet(this);
    setValue(static_cast<int>(std::clamp(behind / span, 0.0, 1.0) * steps));
    setAccessibleDescription(exactTime(time));
}

QDateTime TimelineBar::timeAt(int value) const
{
    return m_newest.addMSecs(-m_oldest.msecsTo(m_newest) * value / steps);
}

} // namespace outbox
