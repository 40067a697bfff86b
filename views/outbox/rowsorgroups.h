// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows, or the groups of those that failed, in one place; a button goes from one to the other.
#pragma once

#include <QStackedWidget>

class QToolButton;

namespace outbox {

class FailuresPane;
class FilterBar;

class RowsOrGroups : public QStackedWidget
{
    Q_OBJECT

public:
    /// Takes the widget with the rows, which is shown first, and again when a filter is applied;
    /// that of a group is.
    RowsOrGroups(QWidget *rows, FilterBar *filter, QWidget *parent = nullptr);

    /// Back to the rows, and no group of the system before stays.
    void forget();

    [[nodiscard]] FailuresPane *groups() const { return m_groups; }
    /// To be put where there is room.
    [[nodiscard]] QToolButton *button() const { return m_button; }

private:
    FailuresPane *m_groups;
    QToolButton *m_button;
};

} // namespace outbox
