// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One opened profile: its database and its queues, looked at live, joined and judged.
#pragma once

#include "app/system/databasefeed.h"
#include "app/system/designfeed.h"
#include "app/system/jobs/exactcounter.h"
#include "app/system/jobs/idplaces.h"
#include "app/system/jobs/payloadfetcher.h"
#include "app/system/jobs/rowsearch.h"
#include "app/system/jobs/taskfetcher.h"
#include "app/system/queuefeed.h"
#include "app/system/tasksearch.h"
#include "models/filter/pagerequest.h"
#include "models/health/health.h"
#include "models/system/systemhistory.h"
#include "models/system/systemview.h"

#include <QElapsedTimer>
#include <QObject>

#include <memory>

namespace outbox {

/// Lives in the GUI thread and never waits. Everything here only reads. The two feeds are public to
/// whoever shows their answers; what needs both sources is joined here.
class System : public QObject
{
    Q_OBJECT

public:
    /// `history` is written with each look, and outlives this.
    /// `stateFolder` is where parked rows are that no table keeps; empty is the user's.
    System(Profile profile, Secrets secrets, SystemHistory &history,
           const QString &stateFolder = {}, QObject *parent = nullptr);

    [[nodiscard]] const Profile &profile() const { return m_profile; }
    [[nodiscard]] const Secrets &secrets() const { return m_secrets; }
    [[nodiscard]] DatabaseFeed &database() { return m_database; }
    [[nodiscard]] QueueFeed &queue() { return m_queue; }
    /// Counts the rows where a look only estimates them.
    [[nodiscard]] ExactCounter &exactCounter() { return m_exact; }
    /// Searches all rows for what no index finds; what it finds comes by `rowsJoined`.
    [[nodiscard]] RowSearch &search() { return m_search; }
    /// Brings large tasks, of which a look takes no payload.
    [[nodiscard]] TaskFetcher &tasks() { return m_tasks; }
    /// Searches the tasks of a queue for what a filter asks.
    [[nodiscard]] TaskSearch &taskSearch() { return m_taskSearch; }
    /// nullptr where messages wait in rows. Where there is one, the database feed asks nothing.
    [[nodiscard]] DesignFeed *documents() { return m_documents.get(); }
    /// Where the messages wait: one of the two.
    [[nodiscard]] MessageSource &messages();
    /// Brings large payloads, of which a look takes the beginning only.
    [[nodiscard]] PayloadFetcher &payloads() { return m_payloads; }
    [[nodiscard]] const SystemHistory &history() const { return m_history; }
    /// What is to be shown now; `changed` tells of another.
    [[nodiscard]] const SystemSnapshot &snapshot() const { return m_snapshot; }

    void open();
    void refreshNow();
    /// Stops all looking; what is under way still answers.
    void setPaused(bool paused);
    [[nodiscard]] bool isPaused() const { return m_paused; }
    /// What the relay started here has to say to the judgement; nullopt: none was started yet.
    /// `retentionSeconds` is what it gives ids, while it runs.
    void setRelay(std::optional<RelayState> state, const std::optional<Error> &error,
                  std::optional<qint64> retentionSeconds);
    /// What ids are given now: by the relay here while it runs, else as the profile says.
    [[nodiscard]] qint64 retentionSeconds() const { return m_input.retentionSeconds; }
    /// One row with its whole payload, its task and the verdict on its id; answered by idAnswered.
    void askId(const MessageId &id);

signals:
    void healthTaken(const outbox::HealthReport &report);
    /// A source answered or failed, or both were silent for a second: after it was remembered and
    /// judged, so that figures, lines and sentence are of one moment.
    void changed(const outbox::SystemSnapshot &snapshot);
    /// Rows at once, joined with what is known of their ids; again when the queue has answered.
    void rowsJoined(const outbox::OutboxPageView &view);
    void idAnswered(const outbox::IdVerdict &verdict);

private:
    void joinLooks();
    /// Judges as soon as both sources were asked, and shows what there is.
    void tell();
    void judge();
    void show();
    void joinRows(const PageRequest &request, const MessagePage &page);
    void joinGlances(quint64 token, const QueueName &queue,
                     const QHash<TaskId, TaskGlance> &glances);
    /// Rows and their tasks as far as they are known, and of those the ones that match.
    void tellRows();
    void takeRow(const MessageId &id, const Result<std::optional<Message>> &row);
    void takeTask(const QueueName &queue, const TaskId &id,
                  const Result<std::optional<Task>> &task);
    [[nodiscard]] double now() const;
    /// The queue that the row names, or the profile's.
    [[nodiscard]] QueueName queueOf(const Message &row) const;

    /// The id that is being asked for: first its row, which may name a queue, then its task there.
    struct Pending
    {
        IdVerdict verdict;
        MessageId key; ///< by which its row is looked for
        bool rowIn = false;
    };

    Profile m_profile;
    Secrets m_secrets;
    QElapsedTimer m_clock;
    bool m_paused = false;
    SystemHistory &m_history;
    HealthWatch m_watch;
    FailureShare m_attempts;
    HealthInput m_input; ///< ages are filled in when it is judged
    SystemSnapshot m_snapshot;
    std::optional<double> m_pausedAt;
    double m_outboxAt = 0;
    double m_queueAt = 0;
    double m_dedupAt = 0;
    double m_redisAt = 0;
    OutboxPageView m_joining;
    quint64 m_joinToken = 0; ///< a glance for an older page is dropped
    std::optional<Pending> m_asked;
    MessageId m_told; ///< the id that was answered last
    QTimer m_judge; ///< silence must be judged too
    DatabaseFeed m_database;
    QueueFeed m_queue;
    TaskSearch m_taskSearch{m_queue};
    ExactCounter m_exact;
    PayloadFetcher m_payloads;
    RowSearch m_search;
    TaskFetcher m_tasks;
    IdPlaces m_places;
    std::unique_ptr<DesignFeed> m_documents;
};

} // namespace outbox
