// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One opened profile: its reader and queue rooms, asked again and again, each answer a signal.
#pragma once

#include "app/system/secrets.h"
#include "models/profile.h"
#include "models/systemview.h"

#include <QObject>

#include <memory>

namespace outbox {

/// Lives in the GUI (or main) thread and never waits. Asks the next question after the last answer;
/// a look that costs more than a fifth of its interval slows itself. Everything here only reads.
class System : public QObject
{
    Q_OBJECT

public:
    System(Profile profile, Secrets secrets, QObject *parent = nullptr);
    ~System() override;

    [[nodiscard]] const Profile &profile() const;
    /// The shape in use; nullopt until the database was probed.
    [[nodiscard]] const std::optional<OutboxShape> &shape() const;

    void open();
    void refreshNow();
    /// Stops all timers; what is under way still answers.
    void setPaused(bool paused);
    [[nodiscard]] bool isPaused() const;

    /// The rows the Outbox page shows; asked at once and again every two refreshes while `live`.
    void showRows(const PageRequest &request, bool live);
    /// The tasks the Queue page shows; nullopt state = none.
    void showTasks(const QueueName &queue, std::optional<TaskState> state, const QString &after = {});
    /// One row with its whole payload, its task and the verdict on its id; answered by idAnswered.
    void askId(const MessageId &id);

signals:
    void databaseHealthChanged(const outbox::SourceHealth &health);
    void queueHealthChanged(const outbox::SourceHealth &health);
    void shapeKnown(const outbox::OutboxShape &shape, const QStringList &reasons);
    void outboxTaken(const outbox::OutboxSnapshot &snapshot);
    void queuesTaken(const QList<outbox::QueueSnapshot> &queues);
    void serversTaken(const QList<outbox::QueueServer> &servers,
                      const QList<outbox::QueueWorker> &workers);
    void dedupTaken(const outbox::DedupSnapshot &dedup);
    void redisFactsTaken(const outbox::RedisFacts &facts);
    void rowsTaken(const outbox::OutboxPageView &view);
    void rowsFailed(const outbox::Error &error);
    void tasksTaken(const outbox::QueueName &queue, outbox::TaskState state,
                    const outbox::TaskPage &page);
    void tasksFailed(const outbox::Error &error);
    void idAnswered(const outbox::IdVerdict &verdict);
    void refreshIntervalChanged(int milliseconds, bool slowed);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace outbox
