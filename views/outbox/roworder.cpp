// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/outbox/roworder.h"

#include "models/tables/outboxmodel.h"
#include "views/tables/livetable.h"

namespace outbox {

RowOrder::RowOrder(LiveTable *table, OutboxModel *model, QObject *parent)
    : QObject(parent), m_table(table), m_model(model)
{
    connect(m_table, &LiveTable::orderAsked, this, &RowOrder::turn);
}

void RowOrder::restore(bool oldestFirst)
{
    const bool before = m_isOldestFirst;
    m_isChosen = oldestFirst;
    show(false);
    if (m_isOldestFirst != before)
        emit turned();
}

void RowOrder::show(bool oldestFirst)
{
    m_isOldestFirst = (oldestFirst || m_isChosen) && mayBeOffered();
    tell();
}

void RowOrder::turn()
{
    if (!isOffered())
        return;
    m_isOldestFirst = !m_isOldestFirst;
    m_isChosen = m_isOldestFirst;
    tell();
    emit chosen(m_isChosen);
    emit turned();
}

void RowOrder::setByTime(bool isByTime)
{
    if (m_isByTime == isByTime)
        return;
    m_isByTime = isByTime;
    judge();
}

void RowOrder::setIndexed(bool hasIndex)
{
    if (m_hasIndex == hasIndex)
        return;
    m_hasIndex = hasIndex;
    judge();
}

void RowOrder::forget()
{
    m_isByTime.reset();
    m_hasIndex = true;
    m_isChosen = m_isOldestFirst = false;
    tell();
}

/// What is not offered any more is not shown any more.
void RowOrder::judge()
{
    const bool isGone = m_isOldestFirst && !mayBeOffered();
    if (isGone)
        m_isOldestFirst = false;
    tell();
    if (isGone)
        emit turned();
}

void RowOrder::tell()
{
    const std::optional<bool> newestFirst
        = isOffered() ? std::optional(!m_isOldestFirst) : std::nullopt;
    m_model->setOrder(newestFirst);
    m_table->setOrder(newestFirst ? OutboxModel::Created : -1,
                      m_isOldestFirst ? Qt::AscendingOrder : Qt::DescendingOrder);
    m_table->setAccessibleDescription(!newestFirst       ? QString()
                                          : *newestFirst ? tr("The newest rows come first.")
                                                         : tr("The oldest rows come first."));
    emit changed();
}

} // namespace outbox
