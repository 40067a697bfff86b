// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One id of a person: its row, its task, and where else it stands.
#pragma once

#include "app/system/databasefeed.h"
#include "app/system/queuefeed.h"
#include "app/system/sources/target.h"
#include "models/system/systemview.h"

#include <QObject>

#include <memory>

namespace outbox {

/// Asks first for the row, which may name a queue, then for the task there, and tells both at once.
/// Then it looks through all of the system in a room of its own, and asks again where that found
/// something. Lives in the asker's thread and never waits but in its destructor, for a room that is
/// woken.
class IdQuestion : public QObject
{
    Q_OBJECT

public:
    /// The feeds outlive this. Where messages wait in documents the queue alone knows the id.
    IdQuestion(const Target &target, DatabaseFeed &database, QueueFeed &queue);
    ~IdQuestion() override;

    /// An older question is dropped.
    void ask(const MessageId &id);

signals:
    /// Not judged yet.
    void answered(const outbox::IdVerdict &facts);

private:
    void takeRow(const MessageId &id, const Result<std::optional<Message>> &row);
    void takeTask(const QueueName &queue, const TaskId &id,
                  const Result<std::optional<Task>> &task);

    class Places;

    DatabaseFeed &m_database;
    QueueFeed &m_queue;
    QueueName m_ownQueue; ///< of rows that name none
    bool m_hasRows;
    std::optional<IdVerdict> m_asked; ///< what is known so far of the id under way
    MessageId m_key; ///< by which its row is looked for
    bool m_isRowIn = false;
    MessageId m_told; ///< the id that was answered last
    std::unique_ptr<Places> m_places;
};

} // namespace outbox
