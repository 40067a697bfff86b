// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which rows of the Outbox page come first, the newest or the oldest: as a person chose it, or as a
// link shows them.
#pragma once

#include <QObject>

#include <optional>

namespace outbox {

class LiveTable;
class OutboxModel;

/// Draws the arrow in the header of the time column, which turns the order. It is offered where
/// pages come in the order of time, and an index has that. Lives in the GUI thread.
class RowOrder : public QObject
{
    Q_OBJECT

public:
    /// Both outlive this.
    RowOrder(LiveTable *table, OutboxModel *model, QObject *parent = nullptr);

    [[nodiscard]] bool isOldestFirst() const { return m_isOldestFirst; }
    /// Whether a person may turn it.
    [[nodiscard]] bool isOffered() const { return m_isByTime.value_or(false) && m_hasIndex; }
    /// What was chosen for the system that is open now.
    void restore(bool oldestFirst);
    /// As a link wants the rows, as far as that can be had; false: as they were chosen. The choice
    /// stays. The asker asks for the rows.
    void show(bool oldestFirst);
    void turn();
    /// Whether pages come in the order of time, as one of them said.
    void setByTime(bool isByTime);
    /// Whether an index has the order of pages, where the table is so large that it counts.
    void setIndexed(bool hasIndex);
    /// Another system comes.
    void forget();

signals:
    /// The rows are to be asked for in the other order.
    void turned();
    /// A person chose this for the system that is open.
    void chosen(bool oldestFirst);
    /// What is offered, or which rows come first, is another now.
    void changed();

private:
    [[nodiscard]] bool mayBeOffered() const { return m_isByTime.value_or(true) && m_hasIndex; }
    void judge();
    void tell();

    LiveTable *m_table;
    OutboxModel *m_model;
    std::optional<bool> m_isByTime; ///< nullopt: no page has said it yet
    bool m_hasIndex = true;
    bool m_isChosen = false; ///< the oldest first
    bool m_isOldestFirst = false;
};

} // namespace outbox
