// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/outbox/chosenmessage.h"

#include "models/filter/rowfilter.h"
#include "views/message/messagepanel.h"
#include "views/outbox/rowspane.h"
#include "views/tables/livetable.h"

#include <utility>

namespace outbox {

namespace {

constexpr qint64 askAgainMs = 10'000; ///< a task moves without its row

/// What stands under the row as it was seen; ages grow by themselves.
OutboxRow withoutAges(OutboxRow row)
{
    row.message.ageSeconds.reset();
    if (row.message.lockedBy)
        row.message.lockedBy->sinceSeconds.reset();
    return row;
}

} // namespace

ChosenMessage::ChosenMessage(RowsPane *rows, MessagePanel *panel, QObject *parent)
    : QObject(parent), m_rows(rows), m_panel(panel)
{
    connect(m_rows->table(), &LiveTable::rowChosen, this,
            [this](const QModelIndex &index) { show(m_rows->model()->row(index.row()).message); });
}

void ChosenMessage::setFilter(const Filter &filter)
{
    m_typed = idAlone(filter);
    m_isFiltered = !filter.isEmpty();
    m_isOther = true;
}

void ChosenMessage::forget()
{
    m_panel->clear();
    m_typed.reset();
    m_isFiltered = m_isOther = false;
    m_last.reset();
}

void ChosenMessage::show(const Message &message)
{
    m_panel->showRow(message);
    const int row = m_rows->model()->rowOf(message.id);
    m_last = row < 0 ? std::nullopt : std::optional(withoutAges(m_rows->model()->row(row)));
    m_sinceAsked.start();
    emit asked(message.id);
}

void ChosenMessage::followPage()
{
    if (m_rows->isAwaiting())
        return;
    const OutboxModel *model = m_rows->model();
    const int row = model->rowOf(m_panel->shownId());
    if (std::exchange(m_isOther, false) && row < 0)
        return showAnother();
    if (m_panel->shownId().isEmpty())
        return;
    if (row >= 0)
        m_panel->showRow(model->row(row).message);
    const auto now = row < 0 ? std::nullopt : std::optional(withoutAges(model->row(row)));
    if (std::exchange(m_last, now) == now && !m_sinceAsked.hasExpired(askAgainMs))
        return;
    m_sinceAsked.start();
    emit asked(m_panel->shownId());
}

/// The message that was shown is not among the rows of a new question.
void ChosenMessage::showAnother()
{
    m_panel->clear();
    const OutboxModel *model = m_rows->model();
    if (m_isFiltered && model->rowCount() == 1) {
        m_rows->table()->selectRow(0);
    } else if (m_typed && model->rowCount() == 0) {
        Message typed; // it may have been delivered, and its row deleted
        typed.id = *m_typed;
        show(typed);
    }
}

} // namespace outbox
