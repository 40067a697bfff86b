// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The task that was chosen: what is known of it, and what it carries.
#pragma once

#include "models/message/task.h"
#include "models/result.h"

#include <QTabWidget>

namespace outbox {

class PropertyList;
class PayloadView;

class TaskDetail : public QTabWidget
{
    Q_OBJECT

public:
    explicit TaskDetail(QWidget *parent = nullptr);

    /// A task was chosen: shows what its list knows, until `setTask` brings the rest.
    void choose(const Task &task);
    /// The whole task that was chosen; others are ignored.
    void setTask(const Task &task);
    void clear();
    /// What came of fetching it; that of others is ignored.
    void setWhole(const TaskId &id, const Result<Task> &task);

signals:
    /// The payload of the shown task is large, and wanted.
    void wholeAsked(const outbox::TaskId &id);
    /// It is wanted no longer: it was cancelled, or another task was chosen.
    void wholeNotWanted();

private:
    void show(const Task &task);

    TaskId m_id;
    PropertyList *m_facts;
    PayloadView *m_payload;
};

} // namespace outbox
