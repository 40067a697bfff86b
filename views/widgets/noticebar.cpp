// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/widgets/noticebar.h"

#include "views/theme/theme.h"
#include "views/widgets/card.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int noticeGlyphSide = 16;

Appearance appearanceOf(NoticeBar::Tone tone)
{
    switch (tone) {
    case NoticeBar::Tone::Warning:
        return theme::appearance(HealthLevel::Watch);
    case NoticeBar::Tone::Problem:
        return theme::appearance(HealthLevel::Broken);
    case NoticeBar::Tone::Info:
        break;
    }
    return {theme::inks().accent, u"info"_s, {}};
}

} // namespace

NoticeBar::NoticeBar(const QString &name, QWidget *parent)
    : QWidget(parent), m_text(new QLabel), m_action(new QPushButton)
{
    setObjectName(name);
    m_text->setTextFormat(Qt::PlainText);
    wrapLines(m_text);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_action->setObjectName(name + u"Action"_s);
    m_action->setCursor(Qt::PointingHandCursor);
    m_action->hide();
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(36, 5, 8, 5);
    row->addWidget(m_text, 1);
    row->addWidget(m_action);
    connect(m_action, &QPushButton::clicked, this, &NoticeBar::actionAsked);
    hide();
}

void NoticeBar::say(Tone tone, const QString &text, const QString &action)
{
    m_tone = tone;
    m_text->setText(text);
    m_action->setText(action);
    m_action->setAccessibleName(action);
    m_action->setVisible(!action.isEmpty());
    show();
    update();
}

QString NoticeBar::text() const
{
    return m_text->text();
}

void NoticeBar::paintEvent(QPaintEvent *)
{
    const Appearance appearance = appearanceOf(m_tone);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor fill = appearance.color;
    fill.setAlphaF(0.09F);
    QColor line = appearance.color;
    line.setAlphaF(0.35F);
    painter.setPen(line);
    painter.setBrush(fill);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
    painter.drawPixmap(
        12, (height() - noticeGlyphSide) / 2,
        theme::glyph(appearance.glyph, appearance.color, noticeGlyphSide, devicePixelRatioF()));
}

} // namespace outbox
