// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/frame/messagebar.h"

#include "models/plaintext.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/card.h"
#include "views/widgets/tabplace.h"

#include <QBoxLayout>
#include <QEvent>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

MessageBar::MessageBar(QWidget *parent) : QWidget(parent), m_place(new TabPlace(this))
{
    setObjectName(u"messageBar"_s);
    boxOn<QVBoxLayout>(this, 6, {14, 10, 14, 0});
    setVisible(false);
}

void MessageBar::add(const InlineMessage &message)
{
    const auto same = [&](const InlineMessage &one) { return one.id == message.id; };
    const auto found = std::find_if(m_messages.begin(), m_messages.end(), same);
    if (found == m_messages.end())
        m_messages.prepend(message);
    else if (*found == message)
        return;
    else
        *found = message;
    build();
}

void MessageBar::remove(const QString &id)
{
    if (m_messages.removeIf([&](const InlineMessage &one) { return one.id == id; }) > 0)
        build();
}

void MessageBar::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        build();
}

void MessageBar::build()
{
    while (QLayoutItem *item = layout()->takeAt(0)) {
        // A button of this row may be what called us.
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    const qsizetype shown = m_all ? m_messages.size() : std::min(most, m_messages.size());
    for (qsizetype i = 0; i < shown; ++i)
        layout()->addWidget(row(m_messages.at(i)));
    const int hidden = static_cast<int>(m_messages.size() - shown);
    if (hidden > 0) {
        auto *more = new QToolButton;
        more->setAutoRaise(true);
        more->setObjectName(u"moreMessages"_s);
        more->setText(tr("%n more", nullptr, hidden));
        connect(more, &QToolButton::clicked, this, [this] {
            m_all = true;
            build();
        });
        layout()->addWidget(more);
    }
    m_place->gather();
    if (m_messages.size() <= most)
        m_all = false;
    setVisible(!m_messages.isEmpty());
}

QWidget *MessageBar::row(const InlineMessage &message)
{
    auto *card = new Card({});
    card->setObjectName(u"message"_s);
    auto *line = boxOn<QHBoxLayout>(nullptr, 10);
    Appearance appearance = theme::appearance(message.level);
    if (message.level == HealthLevel::Ok)
        appearance = {theme::inks().accent, u"info"_s, tr("Information")};
    auto *glyph = new QLabel;
    glyph->setPixmap(theme::glyph(appearance.glyph, appearance.color, 18, devicePixelRatioF()));
    glyph->setAccessibleName(appearance.word);
    QLabel *text = plainLabel(shownText(message.text, Lines::Many));
    text->setObjectName(u"messageText"_s);
    wrapLines(text);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    line->addWidget(glyph);
    line->addWidget(text, 1);
    for (const auto &[act, words] : message.acts) {
        auto *button = new QPushButton(buttonText(words));
        setNames(button, act, shownText(words));
        connect(button, &QPushButton::clicked, this,
                [this, id = message.id, act = act] { emit actAsked(id, act); });
        line->addWidget(button);
    }
    auto *close = new QToolButton;
    close->setIcon(theme::icon(u"close"_s));
    close->setAutoRaise(true);
    close->setAccessibleName(tr("Dismiss this message"));
    close->setToolTip(plainTooltip(tr("Dismiss")));
    connect(close, &QToolButton::clicked, this, [this, id = message.id] {
        remove(id);
        emit closed(id);
    });
    line->addWidget(close);
    card->body()->addLayout(line);
    return card;
}

} // namespace outbox
