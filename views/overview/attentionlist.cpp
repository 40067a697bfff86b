// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/overview/attentionlist.h"

#include "models/plaintext.h"
#include "views/theme/theme.h"
#include "views/widgets/card.h"

#include <QBoxLayout>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QLabel>
#include <QToolButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

AttentionList::AttentionList(QWidget *parent) : QWidget(parent)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    build();
}

void AttentionList::setCauses(const QList<HealthCause> &causes, bool known)
{
    const QList<HealthCause> shown = causes.mid(0, most);
    if (shown == m_causes && known == m_known)
        return;
    m_known = known;
    m_causes = shown;
    build();
}

void AttentionList::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        build();
}

void AttentionList::build()
{
    while (QLayoutItem *item = layout()->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    auto *rows = static_cast<QVBoxLayout *>(layout());
    if (m_causes.isEmpty())
        rows->addWidget(plainLabel(m_known ? tr("Nothing needs attention.")
                                           : tr("Not known while a source does not answer."),
                                   true));
    for (const HealthCause &cause : std::as_const(m_causes)) {
        auto *row = new QWidget;
        auto *line = new QHBoxLayout(row);
        line->setContentsMargins(0, 0, 0, 0);
        line->setSpacing(8);
        const Appearance appearance = theme::appearance(cause.level);
        auto *glyph = new QLabel;
        glyph->setPixmap(theme::glyph(appearance.glyph, appearance.color, 16, devicePixelRatioF()));
        glyph->setAccessibleName(appearance.word);
        glyph->setToolTip(plainTooltip(appearance.word));
        line->addWidget(glyph, 0, Qt::AlignTop);
        QLabel *text = plainLabel(shownText(cause.text));
        wrapLines(text);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
        line->addWidget(text, 1);
        if (!cause.filter.isEmpty()) {
            auto *show = new QToolButton;
            show->setText(tr("Show"));
            show->setAutoRaise(true);
            show->setObjectName(u"showCause"_s);
            show->setAccessibleName(tr("Show: %1").arg(shownText(cause.text)));
            show->setToolTip(plainTooltip(tr("Show %1").arg(cause.filter)));
            connect(show, &QToolButton::clicked, this,
                    [this, filter = cause.filter] { emit showAsked(filter); });
            line->addWidget(show, 0, Qt::AlignTop);
        }
        if (!cause.remedy.isEmpty()) {
            auto *copy = new QToolButton;
            copy->setText(tr("Copy SQL"));
            copy->setAutoRaise(true);
            copy->setObjectName(u"copyRemedy"_s);
            copy->setAccessibleName(tr("Copy the statement that repairs it"));
            copy->setToolTip(plainTooltip(cause.remedy));
            connect(copy, &QToolButton::clicked, this,
                    [remedy = cause.remedy] { QGuiApplication::clipboard()->setText(remedy); });
            line->addWidget(copy, 0, Qt::AlignTop);
        }
        rows->addWidget(row);
    }
    rows->addStretch();
}

} // namespace outbox
