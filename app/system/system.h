// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One opened profile: its database and its queues, looked at live, joined and judged.
#pragma once

#include "app/system/databasefeed.h"
#include "app/system/designfeed.h"
#include "app/system/idquestion.h"
#include "app/system/jobs/exactcounter.h"
#include "app/system/jobs/payloadfetcher.h"
#include "app/system/jobs/rowsearch.h"
#include "app/system/jobs/taskfetcher.h"
#include "app/system/queuefeed.h"
#include "app/system/systemjudge.h"
#include "app/system/tasksearch.h"
#include "models/filter/pagerequest.h"
#include "models/system/historyevent.h"
#include "models/system/systemview.h"

#include <QObject>
#include <QTimer>

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
    System(Profile profile, ProfilePasswords secrets, SystemHistory &history,
           const QString &stateFolder = {}, QObject *parent = nullptr);

    [[nodiscard]] const Profile &profile() const { return m_target.profile; }
    [[nodiscard]] const ProfilePasswords &secrets() const { return m_target.secrets; }
    [[nodiscard]] const QString &stateFolder() const { return m_target.stateFolder; }
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
    [[nodiscard]] const SystemHistory &history() const { return m_judge.history(); }
    /// What is to be shown now; `changed` tells of another.
    [[nodiscard]] const SystemSnapshot &snapshot() const { return m_snapshot; }

    void open() { setPaused(false); }
    void refreshNow();
    /// Stops all looking; what is under way still answers.
    void setPaused(bool paused);
    [[nodiscard]] bool isPaused() const { return m_judge.isPaused(); }
    /// What the relay started here has to say to the judgement; nullopt: none was started yet.
    /// `retentionSeconds` is what it gives ids, while it runs.
    void setRelay(std::optional<RelayState> state, const std::optional<Error> &error,
                  std::optional<qint64> retentionSeconds);
    /// What ids are given now: by the relay here while it runs, else as the profile says.
    [[nodiscard]] qint64 retentionSeconds() const { return m_judge.input().retentionSeconds; }
    /// Something happened that charts are to show; `text` is one sentence for people, without ids.
    void addEvent(HistoryEvent::Kind kind, const QString &text);
    /// One row with its whole payload, its task and the verdict on its id; answered by idAnswered.
    void askId(const MessageId &id) { m_ids.ask(id); }

signals:
    void healthTaken(const outbox::HealthReport &report);
    /// A source answered or failed, or both were silent for a second: after it was remembered and
    /// judged, so that figures, lines and sentence are of one moment.
    void changed(const outbox::SystemSnapshot &snapshot);
    /// It is in the history already.
    void happened(const outbox::HistoryEvent &event);
    /// Rows at once, joined with what is known of their ids; again when the queue has answered.
    void rowsJoined(const outbox::OutboxPageView &view);
    void idAnswered(const outbox::IdVerdict &verdict);

private:
    void joinLooks();
    /// A source that was lost, or is back, is an event.
    void tellAway(HistoryEvent::Kind kind, const SourceHealth &before, const SourceHealth &now);
    /// Judges as soon as both sources were asked, and shows what there is.
    void tell();
    void show();
    void joinRows(const PageRequest &request, const MessagePage &page);
    void joinGlances(quint64 token, const QueueName &queue,
                     const QHash<TaskId, TaskGlance> &glances);
    /// Rows and their tasks as far as they are known, and of those the ones that match.
    void tellRows();
    /// The queue that the row names, or the profile's.
    [[nodiscard]] QueueName queueOf(const Message &row) const
    {
        return {row.queue.isEmpty() ? m_target.profile.queue : row.queue};
    }

    Target m_target;
    SystemJudge m_judge;
    SystemSnapshot m_snapshot;
    OutboxPageView m_joining;
    quint64 m_joinToken = 0; ///< a glance for an older page is dropped
    QTimer m_tick; ///< silence must be judged too
    DatabaseFeed m_database;
    QueueFeed m_queue;
    TaskSearch m_taskSearch{m_queue};
    ExactCounter m_exact;
    PayloadFetcher m_payloads;
    RowSearch m_search;
    TaskFetcher m_tasks;
    IdQuestion m_ids;
    std::unique_ptr<DesignFeed> m_documents;
};

} // namespace outbox
