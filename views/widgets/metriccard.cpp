// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/metriccard.h"

#include "models/plaintext.h"
#include "views/theme/spokentips.h"
#include "views/theme/theme.h"
#include "views/widgets/card.h"

#include <QCoreApplication>
#include <QPainter>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int cardMargin = 14;

QFont valueFont(const QFont &like)
{
    return theme::numberFont(theme::scaledFont(like, 1.9, QFont::DemiBold));
}

} // namespace

QString asOfText(const QDateTime &taken)
{
    return taken.isValid() ? QCoreApplication::translate("outbox::Stale", "as of %1")
                                 .arg(taken.toLocalTime().toString(u"HH:mm:ss"_s))
                           : QCoreApplication::translate("outbox::Stale", "not read yet");
}

MetricCard::MetricCard(const QString &title, QWidget *parent)
    : QAbstractButton(parent), m_title(title)
{
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    describe();
}

void MetricCard::setTitle(const QString &title)
{
    m_title = title;
    describe();
    update();
}

void MetricCard::setValue(const std::optional<QString> &value, const QString &fact)
{
    m_value = value;
    m_fact = shownText(fact);
    describe();
    update();
}

void MetricCard::setLines(const QDateTime &from, const QDateTime &to,
                          const QList<Sparkline::Line> &lines)
{
    m_from = from;
    m_to = to;
    m_lines = lines;
    update();
}

void MetricCard::setValueColor(const QColor &color)
{
    m_color = color;
    update();
}

void MetricCard::setStale(const std::optional<QDateTime> &asOf, const QString &reason)
{
    if (asOf == m_stale && shownText(reason) == m_reason)
        return;
    if (!m_stale)
        m_tip = toolTip();
    m_stale = asOf;
    m_reason = shownText(reason);
    setToolTip(m_stale && !m_reason.isEmpty() ? plainTooltip(m_reason) : m_tip);
    describe();
    update();
}

QString MetricCard::staleText() const
{
    if (!m_stale)
        return {};
    return m_reason.isEmpty() ? asOfText(*m_stale) : asOfText(*m_stale) + u" \u00b7 "_s + m_reason;
}

void MetricCard::describe()
{
    // Qt tells a screen reader of each setting, also of the same words: only what changes is told.
    const QString name = tr("%1: %2").arg(m_title, m_value.value_or(tr("not known")));
    if (name != accessibleName())
        setAccessibleName(name);
    theme::setSpoken(this, m_stale ? staleText() : m_fact);
}

QSize MetricCard::sizeHint() const
{
    const int value = QFontMetrics(valueFont(font())).height();
    return {220, 2 * fontMetrics().height() + value + 26};
}

QSize MetricCard::minimumSizeHint() const
{
    return {150, sizeHint().height()};
}

void MetricCard::enterEvent(QEnterEvent * /*event*/)
{
    update();
}

void MetricCard::leaveEvent(QEvent * /*event*/)
{
    update();
}

void MetricCard::paintEvent(QPaintEvent * /*event*/)
{
    const Inks &ink = theme::inks();
    QPainter painter(this);
    const bool leads = isEnabled() && focusPolicy() != Qt::NoFocus; // to what it counts
    theme::paintControl(&painter, rect(), isDown() ? ink.selected : ink.base,
                        underMouse() ? ink.accent
                            : leads  ? ink.outline
                                     : ink.border,
                        hasFocus(), cardCorner);
    const QRect inside = rect().adjusted(cardMargin, 10, -cardMargin, -10);
    const int line = fontMetrics().height();

    painter.setPen(ink.secondary);
    painter.drawText(QRect(inside.left(), inside.top(), inside.width(), line), Qt::AlignLeft,
                     fontMetrics().elidedText(m_title, Qt::ElideRight, inside.width()));

    const QFont big = valueFont(font());
    const QFontMetrics bigMetrics(big);
    const QString value = m_value.value_or(u"\u2013"_s);
    painter.setFont(big);
    painter.setPen(m_stale || !m_value     ? theme::appearance(MessageState::Unknown).color
                       : m_color.isValid() ? m_color
                                           : ink.text);
    const QRect valueRect(inside.left(), inside.top() + line + 2, inside.width(),
                          bigMetrics.height());
    painter.drawText(valueRect, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), value);

    painter.setFont(font());
    painter.setPen(ink.secondary);
    const QString fact = m_stale ? staleText() : m_fact;
    painter.drawText(QRect(inside.left(), inside.bottom() - line + 1, inside.width(), line),
                     Qt::AlignLeft, fontMetrics().elidedText(fact, Qt::ElideRight, inside.width()));

    const int taken = bigMetrics.horizontalAdvance(value) + 18;
    const QRectF room(inside.left() + std::max(taken, inside.width() * 45 / 100),
                      valueRect.top() + 4.0, 0, valueRect.height() - 2.0);
    if (inside.right() - room.left() > 30) {
        painter.setOpacity(m_stale ? 0.45 : 1.0);
        Sparkline::paint(&painter, QRectF(room.topLeft(), QPointF(inside.right(), room.bottom())),
                         m_from, m_to, m_lines);
    }
}

} // namespace outbox
