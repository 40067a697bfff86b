// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A search through the tasks of a queue: how far it is and what it has found.
#pragma once

#include "models/filter/taskfilter.h"
#include "models/message/taskwalk.h"

#include <QDateTime>

#include <optional>

namespace outbox {

struct TaskSearchView
{
    enum class State {
        Running,
        Paused, ///< what one go may read is read; it goes on when a person says so
        Stopped, ///< by a person
        Failed, ///< `error` says why; it may go on
        Full, ///< more are found than a list holds
        Complete, ///< all tasks are read
    };

    TaskRequest request;
    State state = State::Running;
    TasksFound found;
    double seconds = 0; ///< since the last start
    QDateTime at; ///< of the last answer
    std::optional<Error> error;

    [[nodiscard]] bool isRunning() const { return state == State::Running; }
    [[nodiscard]] bool mayGoOn() const
    {
        return state == State::Paused || state == State::Stopped || state == State::Failed;
    }
};

} // namespace outbox
