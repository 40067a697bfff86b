// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/pagingbar.h"

#include "views/widgets/boxes.h"
#include "views/widgets/card.h"
#include "views/widgets/pagebuttons.h"

#include <QBoxLayout>
#include <QLabel>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

PagingBar::PagingBar(const QString &name, const QString &back, const QString &on, QWidget *parent)
    : QWidget(parent), m_where(plainLabel({}, true)),
      m_back(pageButton(name + u"Back"_s, u"up"_s, back)),
      m_on(pageButton(name + u"On"_s, u"down"_s, on))
{
    setObjectName(name);
    auto *row = boxOn<QHBoxLayout>(this, 6);
    addWidgets(row, {m_where, m_back, m_on});
    connect(m_back, &QToolButton::clicked, this, [this] {
        m_pager.toPrevious();
        emit stepped();
    });
    connect(m_on, &QToolButton::clicked, this, [this] {
        m_pager.toNext();
        emit stepped();
    });
    wait();
}

void PagingBar::restart()
{
    m_pager.restart();
}

void PagingBar::wait()
{
    m_back->setEnabled(false);
    m_on->setEnabled(false);
}

void PagingBar::arrived(const QString &next, const QString &where)
{
    m_pager.setNext(next);
    m_where->setText(where);
    m_back->setEnabled(m_pager.hasPrevious());
    m_on->setEnabled(m_pager.hasNext());
}

} // namespace outbox
