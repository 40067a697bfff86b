// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/frame/welcomeview.h"

#include "models/plaintext.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/card.h"

#include <QBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QPushButton *cardButton(const QString &name, const QString &icon, const QString &text)
{
    auto *button = new QPushButton(theme::icon(icon), text);
    setNames(button, name, text);
    button->setMinimumHeight(32);
    return button;
}

/// A card with a sentence, room, and one thing to press at its foot.
Card *wayIn(const QString &title, QLabel *sentence, const QList<QWidget *> &foot)
{
    auto *card = new Card(title);
    card->setMinimumWidth(240);
    card->setMaximumWidth(320);
    wrapLines(sentence);
    sentence->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    card->body()->addWidget(sentence, 1);
    for (QWidget *one : foot)
        card->body()->addWidget(one);
    return card;
}

} // namespace

WelcomeView::WelcomeView(QWidget *parent)
    : QWidget(parent), m_demo(cardButton(u"welcomeDemo"_s, u"play"_s, tr("Try the demo"))),
      m_connect(cardButton(u"welcomeConnect"_s, u"connection"_s, tr("Connect"))),
      m_import(cardButton(u"welcomeImport"_s, u"add"_s, tr("Import URL"))), m_url(new QLineEdit),
      m_demoText(plainLabel({}, true)),
      m_demoPromise(tr("A throwaway outbox, a private Redis, a writer, a worker and the relay. "
                       "Nothing stays behind."))
{
    setObjectName(u"welcomeView"_s);
    setFocusProxy(m_demo);
    m_demo->setDefault(true);
    setNames(m_url, u"welcomeUrl"_s, tr("Address to import"));
    m_url->setPlaceholderText(u"postgresql://\u2026 redis://\u2026"_s);
    m_import->setEnabled(false);
    QLabel *title = plainLabel(tr("Outbox Deck"));
    title->setFont(theme::scaledFont(font(), 2, QFont::DemiBold));
    QLabel *subtitle
        = plainLabel(tr("See where every message of your transactional outbox is."), true);
    subtitle->setFont(theme::scaledFont(font(), 1.15));
    auto *cards = boxOn<QHBoxLayout>(nullptr, 14);
    cards->addStretch();
    cards->addWidget(wayIn(tr("Look around"), m_demoText, {m_demo}), 1);
    cards->addWidget(wayIn(tr("Your system"),
                           plainLabel(tr("Name a database and a Redis. Looking takes no locks and "
                                         "writes nothing."),
                                      true),
                           {m_connect}),
                     1);
    cards->addWidget(
        wayIn(tr("From an address"),
              plainLabel(tr("Paste what your service uses: the URL of its database, of "
                            "its Redis, or both. Passwords are taken out and kept in "
                            "memory only."),
                         true),
              {m_url, m_import}),
        1);
    cards->addStretch();
    auto *column = boxOn<QVBoxLayout>(this, 6, {24, 24, 24, 24});
    column->addStretch(2);
    column->addWidget(title, 0, Qt::AlignHCenter);
    column->addWidget(subtitle, 0, Qt::AlignHCenter);
    column->addSpacing(24);
    column->addLayout(cards);
    column->addStretch(3);
    connect(m_demo, &QPushButton::clicked, this, &WelcomeView::demoAsked);
    connect(m_connect, &QPushButton::clicked, this, &WelcomeView::connectAsked);
    connect(m_import, &QPushButton::clicked, this, [this] { emit importAsked(m_url->text()); });
    connect(m_url, &QLineEdit::returnPressed, m_import, &QPushButton::click);
    connect(m_url, &QLineEdit::textChanged, m_import,
            [this](const QString &text) { m_import->setEnabled(text.contains("://"_L1)); });
    setDemoProblem({});
}

void WelcomeView::setDemoProblem(const QString &sentence)
{
    m_demoText->setText(sentence.isEmpty() ? m_demoPromise : shownText(sentence, Lines::Many));
    m_demo->setEnabled(sentence.isEmpty());
}

} // namespace outbox
