// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The relay's log: steps as a table, with pause and copy.
#pragma once

#include "models/relay/relaystep.h"

#include <QWidget>

class QToolButton;

namespace outbox {

class LiveTable;
class RelayLogModel;

class RelayLogPane : public QWidget
{
    Q_OBJECT

public:
    explicit RelayLogPane(QWidget *parent = nullptr);

    /// While the log is paused, steps are kept back and shown when it goes on.
    void add(const QList<RelayStep> &steps);
    void clear();

private:
    void setPaused(bool paused);
    void copy();

    RelayLogModel *m_model;
    LiveTable *m_table;
    QToolButton *m_pause;
    QList<RelayStep> m_heldBack;
};

} // namespace outbox
