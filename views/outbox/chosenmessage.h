// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which message the details of the Outbox page speak of: the selected row as it is now, or the one
// id that was asked for, wherever its message is.
#pragma once

#include "models/filter/filter.h"
#include "models/tables/outboxmodel.h"

#include <QElapsedTimer>
#include <QObject>

#include <optional>

namespace outbox {

class MessagePanel;
class RowsPane;

class ChosenMessage : public QObject
{
    Q_OBJECT

public:
    /// Both outlive this.
    ChosenMessage(RowsPane *rows, MessagePanel *panel, QObject *parent = nullptr);

    /// Another question: what is shown now may not be in its answer.
    void setFilter(const Filter &filter);
    /// The rows were merged. The selected row is asked for again when it has changed or has left
    /// the page, and now and then: its task moves, too.
    void followPage();
    void forget();

signals:
    /// What the outbox and the queue say about this id is wanted.
    void asked(const outbox::MessageId &id);

private:
    void show(const Message &message);
    void showAnother();

    RowsPane *m_rows;
    MessagePanel *m_panel;
    std::optional<MessageId> m_typed; ///< the filter asks for this id and for nothing else
    bool m_isFiltered = false;
    bool m_isOther = false; ///< no page of the new filter has come yet
    std::optional<OutboxRow> m_last; ///< as the last page had it, without its ages
    QElapsedTimer m_sinceAsked;
};

} // namespace outbox
