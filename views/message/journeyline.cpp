// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/message/journeyline.h"

#include "models/payload/celltext.h"
#include "models/plaintext.h"
#include "views/widgets/boxes.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QApplication>
#include <QClipboard>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int lineInset = 3; ///< between the frame of a point and its texts
constexpr int textDistance = 8; ///< at least, between the texts of two points

/// A picture with a text, for assistive technology; else it would be a widget of no kind.
QAccessibleInterface *journeyInterface(const QString &key, QObject *object)
{
    auto *line = key == u"outbox::JourneyLine"_s ? qobject_cast<JourneyLine *>(object) : nullptr;
    return line ? new QAccessibleWidget(line, QAccessible::Graphic) : nullptr;
}

} // namespace

Appearance pointAppearance(TimelinePoint::Kind kind)
{
    using Kind = TimelinePoint::Kind;
    switch (kind) {
    case Kind::Written:
        return theme::appearance(MessageState::Pending);
    case Kind::Parked:
        return theme::appearance(MessageState::Parked);
    case Kind::Processed:
        return theme::appearance(MessageState::Processed);
    case Kind::Claimed:
        return theme::appearance(MessageState::Locked);
    case Kind::Failed:
        return theme::appearance(MessageState::Failed);
    case Kind::Queued:
        return theme::appearance(TaskState::Pending);
    case Kind::Running:
        return theme::appearance(TaskState::Active);
    case Kind::Grouped:
        return theme::appearance(TaskState::Aggregating);
    case Kind::LastTry:
        return theme::appearance(TaskState::Retry);
    case Kind::Dead:
        return theme::appearance(TaskState::Archived);
    case Kind::Done:
        return theme::appearance(TaskState::Completed);
    case Kind::TokenTaken:
        return {theme::inks().secondary, u"lock"_s, {}};
    case Kind::Dispatched:
        return theme::appearance(MessageState::Processed);
    case Kind::DoneMark:
        return theme::appearance(TaskState::Completed);
    case Kind::KeptOut:
        return {theme::inks().secondary, u"dedup"_s, {}};
    case Kind::Operation:
        return {theme::inks().secondary, u"activity"_s, {}};
    case Kind::Now:
        return {theme::inks().accent, u"down"_s, {}};
    case Kind::Due:
    case Kind::NextTry:
    case Kind::LeaseEnd:
    case Kind::Deadline:
    case Kind::KeptUntil:
        break;
    }
    return theme::appearance(TaskState::Scheduled);
}

JourneyLine::JourneyLine(QWidget *parent) : QWidget(parent)
{
    QAccessible::installFactory(journeyInterface); // which Qt takes once, however often it is given
    setNames(this, u"journeyLine"_s, tr("Line of time"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    hide();
}

void JourneyLine::setLine(const QList<TimelinePoint> &line, const QDateTime &now)
{
    if (line == m_line && now == m_now)
        return;
    const auto stays = [&](const TimelinePoint &point) {
        const TimelinePoint &before = m_line.at(m_chosen);
        const bool isNow = point.kind == TimelinePoint::Kind::Now;
        return point.kind == before.kind && point.from == before.from
            && (isNow || point.at == before.at);
    };
    if (m_chosen >= 0) {
        const auto found = std::find_if(line.cbegin(), line.cend(), stays);
        m_chosen = found == line.cend() ? -1 : static_cast<int>(found - line.cbegin());
    }
    m_line = line;
    m_now = now;
    setVisible(!line.isEmpty());
    describe();
    update();
}

QList<JourneyLine::Place> JourneyLine::places() const
{
    QList<Place> all;
    const auto count = static_cast<int>(m_line.size());
    const int high = fontMetrics().height();
    for (int at = 0; at < count; ++at) {
        const int left = width() * at / count;
        const int wide = std::max(width() * (at + 1) / count - left - textDistance, 0);
        Place place;
        if (at > 0) {
            const int before = width() * (at - 1) / count;
            place.gap = QRect(before + lineInset, lineInset,
                              std::max(left - before - textDistance, 0), high);
        }
        place.glyph = QRect(left + lineInset, lineInset + high, high, high);
        place.word = QRect(left + lineInset, lineInset + 2 * high, wide, high);
        place.time = QRect(left + lineInset, lineInset + 3 * high, wide, high);
        all += place;
    }
    return all;
}

QSize JourneyLine::sizeHint() const
{
    return {480, 4 * fontMetrics().height() + 2 * lineInset};
}

QSize JourneyLine::minimumSizeHint() const
{
    return {160, sizeHint().height()};
}

int JourneyLine::pointAt(int x) const
{
    const auto count = static_cast<int>(m_line.size());
    return count == 0 ? -1 : std::clamp(x * count / std::max(width(), 1), 0, count - 1);
}

void JourneyLine::choose(int point)
{
    if (point == m_chosen)
        return;
    m_chosen = point;
    describe();
    update();
}

/// The chosen point, or the whole line: a change of the description is read aloud.
void JourneyLine::describe()
{
    const QString text = m_chosen < 0
        ? shownText(timelineText(m_line, m_now), Lines::One, tipCharacters)
        : tr("Point %1 of %2: %3")
              .arg(m_chosen + 1)
              .arg(m_line.size())
              .arg(shownText(pointText(m_line.at(m_chosen), m_now)));
    if (text != accessibleDescription())
        setAccessibleDescription(text);
}

void JourneyLine::copy() const
{
    if (m_chosen < 0)
        QApplication::clipboard()->setText(timelineText(m_line, m_now));
    else if (m_line.at(m_chosen).at)
        QApplication::clipboard()->setText(exactTime(*m_line.at(m_chosen).at));
}

bool JourneyLine::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const int point = pointAt(help->pos().x());
    if (point >= 0)
        QToolTip::showText(help->globalPos(), plainTooltip(pointText(m_line.at(point), m_now)),
                           this);
    return true;
}

void JourneyLine::focusOutEvent(QFocusEvent *event)
{
    choose(-1);
    QWidget::focusOutEvent(event);
}

void JourneyLine::keyPressEvent(QKeyEvent *event)
{
    const int last = static_cast<int>(m_line.size()) - 1;
    if (event->matches(QKeySequence::Copy)) {
        copy();
        return;
    }
    switch (event->key()) {
    case Qt::Key_Left:
        choose(m_chosen < 0 ? last : std::max(m_chosen - 1, 0));
        return;
    case Qt::Key_Right:
        choose(std::min(m_chosen + 1, last));
        return;
    case Qt::Key_Home:
        choose(std::min(0, last));
        return;
    case Qt::Key_End:
        choose(last);
        return;
    case Qt::Key_Escape:
        if (m_chosen >= 0) {
            choose(-1);
            return;
        }
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void JourneyLine::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton)
        choose(pointAt(event->position().toPoint().x()));
    else
        QWidget::mousePressEvent(event);
}

void JourneyLine::paintEvent(QPaintEvent * /*event*/)
{
    const Inks &ink = theme::inks();
    const QColor grey = theme::appearance(HealthLevel::Unknown).color;
    const QList<Place> all = places();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto draw = [&](const QRect &where, const QString &text, const QColor &color) {
        painter.setPen(color);
        painter.drawText(where, static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter),
                         fontMetrics().elidedText(text, Qt::ElideRight, where.width()));
    };
    for (qsizetype at = 0; at < all.size(); ++at) {
        const TimelinePoint &point = m_line.at(at);
        const Place &place = all.at(at);
        if (at > 0) {
            const QRect &before = all.at(at - 1).glyph;
            const bool isFact = point.at && m_line.at(at - 1).at && !point.isFuture;
            painter.setPen(
                QPen(isFact ? ink.secondary : grey, 1.5, isFact ? Qt::SolidLine : Qt::DotLine));
            painter.drawLine(before.right() + lineInset, before.center().y(),
                             place.glyph.left() - lineInset, before.center().y());
            draw(place.gap, point.gap, ink.secondary);
        }
        const Appearance shown = pointAppearance(point.kind);
        painter.drawPixmap(place.glyph.topLeft(),
                           theme::glyph(shown.glyph, point.at ? shown.color : grey,
                                        place.glyph.width(), devicePixelRatioF()));
        draw(place.word, label(point.kind), ink.text);
        draw(place.time, pointTimeText(point, m_now), point.at ? ink.secondary : grey);
        if (hasFocus() && at == m_chosen) {
            painter.setPen(QPen(ink.accent, 1));
            painter.setBrush(Qt::NoBrush);
            const QRect frame = place.glyph | place.word | place.time;
            painter.drawRect(QRectF(frame).adjusted(-1.5, -1.5, 1.5, 1.5));
        }
    }
    if (hasFocus() && m_chosen < 0) {
        painter.setPen(QPen(ink.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

} // namespace outbox
