// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What failed and what is stuck, looked at slowly while somebody looks at its groups.
#pragma once

#include "app/system/sources/outboxsource.h"
#include "app/system/sources/poller.h"
#include "connectors/asynq/observe/inspector.h"
#include "connectors/room.h"
#include "models/groups/failuresample.h"
#include "models/profile/profile.h"
#include "models/profile/profilepasswords.h"
#include "models/system/snapshots.h"

#include <QObject>

#include <atomic>
#include <memory>

namespace outbox {

/// A look takes at most so many rows or tasks.
constexpr int mostFailedItems = 2'000;

/// What looks at rows keep in their room.
struct FailedRows
{
    OutboxSource source;
    QString searched; ///< a scope that no index finds in time: the newest rows are read for it
    std::atomic_bool stopped{false};

    /// From any thread: the look under way ends with the page it reads.
    void interrupt() noexcept
    {
        stopped = true;
        source.interrupt();
    }
    void close() { source.close(); }
};

/// Rows in the scope of the question, the newest first, by pages of their keys: prefixes alone, no
/// payload. Where a page takes too long, the newest 20,000 rows are read instead. Blocking; the
/// source is open and has its shape. Fails with what the database said, Cancelled when interrupted.
[[nodiscard]] Result<FailureSample> readRowsOf(FailedRows &rows, const FailureQuestion &question,
                                               const QDateTime &now);

/// Tasks in the scope of the question, in turns from all queues (32 at most, `usual` among them),
/// by pages of their containers. Blocking; the inspector is open.
[[nodiscard]] Result<FailureSample> readTasksOf(AsynqInspector &inspector, const QueueName &usual,
                                                const FailureQuestion &question,
                                                const QDateTime &now);

/// Looks at once, and again every 30 seconds. Lives in the asker's thread.
class FailureFeed : public QObject
{
    Q_OBJECT

public:
    /// Another question; what is under way for the one before is dropped.
    void show(const FailureQuestion &question);
    /// Nobody looks any more: nothing is asked, and the session is closed.
    void hide();
    /// Looks now, where somebody looks at all.
    void refreshNow();
    /// While false it looks only when it is told to.
    void setRunning(bool running);

signals:
    void taken(const outbox::FailureSample &sample);
    void failed(const outbox::Error &error);
    /// After each look: milliseconds, and what went over its connection.
    void looked(double tookMs, const outbox::Traffic &traffic);

protected:
    explicit FailureFeed(QObject *parent);

    [[nodiscard]] const FailureQuestion &question() const { return m_question; }
    /// Asks once; `answer` is given the run that it was asked in.
    virtual void ask(quint64 run) = 0;
    virtual void closeSession() = 0;
    virtual void interrupt() { }
    using Sample = Measured<Result<FailureSample>>; ///< what a room answers
    void answer(quint64 run, const Result<FailureSample> &sample);

private:
    FailureQuestion m_question;
    Poller m_poller;
    quint64 m_run = 0; ///< the answer to an older question is dropped
    bool m_shown = false;
    bool m_running = true;
};

/// Rows of the outbox, in a session of its own that only looks.
class RowFailures : public FailureFeed
{
    Q_OBJECT

public:
    /// `stateFolder` is where parked rows are that no table keeps; empty is the user's.
    RowFailures(Profile profile, ProfilePasswords secrets, QString stateFolder,
                QObject *parent = nullptr);
    ~RowFailures() override;

    /// Nothing is read before it is known.
    void setShape(const OutboxShape &shape);
    /// Tells how many there are where a look does not see all of them.
    void setCounts(const OutboxSnapshot &counts) { m_counts = counts; }

protected:
    void ask(quint64 run) override;
    void closeSession() override;
    void interrupt() override;

private:
    [[nodiscard]] FailureSample withTotal(FailureSample sample) const;

    Profile m_profile;
    ProfilePasswords m_secrets;
    QString m_stateFolder;
    std::optional<OutboxShape> m_shape;
    OutboxSnapshot m_counts;
    std::unique_ptr<Room<FailedRows>> m_room; ///< made for the first look; its thread ends first
};

/// Tasks of the queues, over a connection of its own.
class TaskFailures : public FailureFeed
{
    Q_OBJECT

public:
    TaskFailures(Profile profile, ProfilePasswords secrets, QObject *parent = nullptr);

protected:
    void ask(quint64 run) override;
    void closeSession() override;

private:
    Profile m_profile;
    ProfilePasswords m_secrets;
    std::unique_ptr<Room<AsynqInspector>> m_room; ///< as above
};

} // namespace outbox
