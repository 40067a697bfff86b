// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Compare in the menu of a table: the two selected messages, or the selected one with another.
#pragma once

#include "models/comparison/comparison.h"

#include <QList>
#include <QObject>

#include <functional>

class QAction;

namespace outbox {

class LiveTable;

/// Belongs to its table, which has its model. Those who join pages find it there.
class CompareActions : public QObject
{
    Q_OBJECT

public:
    using IdOf = std::function<ComparedId(int row)>; ///< by the row of the table's model

    CompareActions(LiveTable *table, IdOf idOf);

    /// The selected messages where they are one or two; else none.
    [[nodiscard]] QList<ComparedId> chosen() const;

signals:
    /// Two messages are to be compared, or one with another that is asked for.
    void asked(const QList<outbox::ComparedId> &ids);

private:
    void follow();

    LiveTable *m_table;
    IdOf m_idOf;
    QAction *m_compare;
    QAction *m_compareWith;
};

} // namespace outbox
