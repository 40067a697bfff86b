// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/charts/spanactions.h"

#include <QBoxLayout>
#include <QKeyEvent>
#include <QToolButton>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

SpanActions::SpanActions(QWidget *parent) : QWidget(parent), m_rows(new QToolButton)
{
    auto *zoom = new QToolButton;
    zoom->setText(tr("Zoom"));
    zoom->setObjectName(u"zoomSpan"_s);
    zoom->setAccessibleName(tr("Show the selected span on all charts"));
    m_rows->setText(tr("Rows of this span"));
    m_rows->setObjectName(u"rowsOfSpan"_s);
    m_rows->setAccessibleName(tr("Show the rows that were created in the selected span"));
    m_rows->hide();
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(zoom);
    layout->addWidget(m_rows);
    connect(zoom, &QToolButton::clicked, this, &SpanActions::zoomAsked);
    connect(m_rows, &QToolButton::clicked, this, &SpanActions::rowsAsked);
    hide();
}

void SpanActions::setRowsOffered(bool offered)
{
    m_rows->setVisible(offered);
}

void SpanActions::placeAt(const QPoint &top)
{
    adjustSize();
    const int room = std::max(0, parentWidget()->width() - width());
    move(std::clamp(top.x() - width() / 2, 0, room), top.y());
}

void SpanActions::keyPressEvent(QKeyEvent *event)
{
    auto *chosen = qobject_cast<QToolButton *>(focusWidget());
    if (chosen && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter))
        chosen->click();
    else
        QWidget::keyPressEvent(event);
}

} // namespace outbox
