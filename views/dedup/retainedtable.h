// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table of kept ids on the Dedup page.
#pragma once

#include "models/message/task.h"

#include <QWidget>

#include <optional>

class QDateTime;

namespace outbox {

class Card;
class LiveTable;
class RetainedModel;

class RetainedTable : public QWidget
{
    Q_OBJECT

public:
    explicit RetainedTable(QWidget *parent = nullptr);

    /// The first page, by expiry.
    void setPage(const TaskPage &page);
    void setStale(const std::optional<QDateTime> &asOf);

signals:
    /// A person wants to know about this id.
    void idChosen(const QString &id);

private:
    RetainedModel *m_model;
    LiveTable *m_table;
    Card *m_card;
};

} // namespace outbox
