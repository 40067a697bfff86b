// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What all jobs in the background share: a room, one slice after another, and an end at any time.
#pragma once

#include "connectors/answer.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <utility>

namespace outbox {

/// Runs slices of work on a `State` that lives in a room. The state has `close()`, which ends its
/// session, and `interrupt()` where its server may stand still. Lives in its owner's thread and
/// never waits but in its destructor, for a room that is woken. Whatever is under way when a run
/// stops is not told any more.
template <typename State> class SlicedJob
{
public:
    /// The room gets this name when it is needed first.
    explicit SlicedJob(const QString &room) : m_name(room) { }
    ~SlicedJob() { interrupt(); } // closing the room would wait for a server that stands still

    /// Stops the run before, if any, and begins another.
    void start()
    {
        stop();
        m_isRunning = true;
    }
    /// Ends the run at once, and its session.
    void stop()
    {
        ++m_run;
        const bool isAsking = std::exchange(m_isAsking, false);
        if (!std::exchange(m_isRunning, false) || !m_room)
            return;
        if (isAsking)
            interrupt(); // an idle session ends properly, by the close below
        m_room->close();
    }
    [[nodiscard]] bool isRunning() const { return m_isRunning; }
    /// Another number after each `start` and `stop`.
    [[nodiscard]] quint64 run() const { return m_run; }

    /// Runs `slice(state)` in the room, and `take(answer)` here. Asks nothing where no run is under
    /// way: whoever was told of progress may have stopped it.
    template <typename Slice, typename Take> void ask(Slice slice, Take take)
    {
        if (!m_isRunning)
            return;
        if (!m_room)
            m_room = std::make_unique<Room<State>>(m_name);
        m_isAsking = true;
        answerTo(&m_asker, m_room->run(std::move(slice)),
                 [this, run = m_run, take = std::move(take)](const auto &answer) {
                     if (run != m_run)
                         return;
                     m_isAsking = false;
                     take(answer);
                 });
    }
    /// Runs `next()` here after so many milliseconds.
    template <typename Next> void rest(int milliseconds, Next next)
    {
        QTimer::singleShot(milliseconds, &m_asker, [this, run = m_run, next = std::move(next)] {
            if (run == m_run)
                next();
        });
    }

private:
    void interrupt()
    {
        if constexpr (requires(State & state) { state.interrupt(); }) {
            if (m_room)
                m_room->interrupt();
        }
    }

    QString m_name;
    QObject m_asker;
    quint64 m_run = 0;
    bool m_isRunning = false;
    bool m_isAsking = false; ///< a slice of this run is in the room
    std::unique_ptr<Room<State>> m_room; ///< last: its thread ends first
};

} // namespace outbox
