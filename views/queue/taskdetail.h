// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The task that was chosen: what is known of it, and what it carries.
#pragma once

#include "models/message/task.h"
#include "models/operations/selection.h"
#include "models/payload/payloadmasks.h"
#include "models/result.h"

#include <QTabWidget>

class QAction;

namespace outbox {

class PropertyList;
class PayloadView;
class VerbBar;

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
    /// What of payloads is not to be seen.
    void setMasks(const PayloadMasks &masks);
    /// What came of fetching it; that of others is ignored.
    void setWhole(const TaskId &id, const Result<Task> &task);
    /// This row of the outbox is that of the task; that of others is ignored.
    void setRow(const TaskId &task, const MessageId &row);
    /// To what else there is of the task: visible while it is there. For the menu of the task.
    [[nodiscard]] QList<QAction *> links() const { return {m_showRow, m_showAlike}; }
    [[nodiscard]] PayloadView *payload() const { return m_payload; }
    /// Less than all that it shows, which scrolls.
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    /// The payload of the shown task is large, and wanted.
    void wholeAsked(const outbox::TaskId &id);
    /// It is wanted no longer: it was cancelled, or another task was chosen.
    void wholeNotWanted();
    /// Somebody sees the payload of this task unmasked; to be put on record.
    void payloadUnmasked(const outbox::QueueName &queue, const outbox::TaskId &id);
    /// The row of the task is to be shown.
    void rowAsked(const outbox::MessageId &row);
    /// What failed for this reason in the queue is to be shown.
    void failuresAsked(const outbox::QueueName &queue, const QString &cause);

private:
    void makeLinks();
    void show(const Task &task);
    /// The task alone.
    [[nodiscard]] Selection selection() const;
    /// Edit is there where the task can be edited in its state.
    void setState(TaskState state);

    TaskId m_id;
    QueueName m_queue;
    TaskState m_state = TaskState::None;
    PayloadMasks m_masks = PayloadMasks::none(); ///< until a system is opened
    QString m_cause; ///< of its last failure; empty: it has none, or is done
    MessageId m_row; ///< empty: there is none, or nobody has looked
    QAction *m_showRow;
    QAction *m_showAlike;
    PropertyList *m_facts;
    VerbBar *m_verbs; ///< Edit
    PayloadView *m_payload;
};

} // namespace outbox
