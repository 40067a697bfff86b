// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/stepstrip.h"

#include "views/theme/theme.h"

#include <QPainter>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int circleSide = 20; ///< of the circle with the number
constexpr int stepGap = 7;
constexpr int lineLength = 28; ///< between two steps

} // namespace

StepStrip::StepStrip(const QStringList &steps, QWidget *parent) : QWidget(parent), m_steps(steps)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setStep(0);
}

void StepStrip::setStep(int step)
{
    m_step = step;
    setAccessibleName(
        tr("Step %1 of %2: %3").arg(step + 1).arg(m_steps.size()).arg(m_steps.value(step)));
    update();
}

QSize StepStrip::sizeHint() const
{
    int width = 0;
    for (const QString &one : m_steps)
        width += circleSide + stepGap + fontMetrics().horizontalAdvance(one) + lineLength
            + 2 * stepGap;
    return {width, std::max(circleSide, fontMetrics().height()) + 6};
}

void StepStrip::paintEvent(QPaintEvent * /*event*/)
{
    const Inks &ink = theme::inks();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    int left = 0;
    for (int at = 0; at < m_steps.size(); ++at) {
        const bool here = at == m_step;
        const bool past = at < m_step;
        const QRect circle(left, (height() - circleSide) / 2, circleSide, circleSide);
        painter.setPen(QPen(here || past ? ink.accent : ink.border, 1.2));
        painter.setBrush(here ? ink.accent : QColor(Qt::transparent));
        painter.drawEllipse(QRectF(circle).adjusted(0.5, 0.5, -0.5, -0.5));
        if (past) {
            painter.drawPixmap(
                circle.adjusted(4, 4, -4, -4).topLeft(),
                theme::glyph(u"tick"_s, ink.accent, circleSide - 8, devicePixelRatioF()));
        } else {
            painter.setPen(here ? ink.base : ink.secondary);
            painter.setFont(theme::scaledFont(font(), 0.9, QFont::DemiBold));
            painter.drawText(circle, Qt::AlignCenter, QString::number(at + 1));
        }
        left += circleSide + stepGap;
        const QString &name = m_steps.at(at);
        painter.setFont(theme::scaledFont(font(), 1, here ? QFont::DemiBold : QFont::Normal));
        painter.setPen(here ? ink.text : ink.secondary);
        const int width = painter.fontMetrics().horizontalAdvance(name);
        painter.drawText(QRect(left, 0, width + 2, height()), Qt::AlignVCenter | Qt::AlignLeft,
                         name);
        left += width + stepGap;
        if (at + 1 < m_steps.size()) {
            painter.setPen(QPen(ink.border, 1));
            painter.drawLine(left, height() / 2, left + lineLength, height() / 2);
            left += lineLength + stepGap;
        }
    }
}

} // namespace outbox
