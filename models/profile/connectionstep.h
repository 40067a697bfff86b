// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// One step of trying out a connection, as the connection manager shows it.
#pragma once

#include <QList>
#include <QString>

namespace outbox {

struct ConnectionStep
{
    enum class State { Ok, Failed, Skipped, Running };
    QString name; ///< "resolve host", "log in" …
    State state = State::Running;
    double ms = 0; ///< how long it took; 0 where it did not run
    QString text; ///< what was found, or why it failed and what to do
    bool isOfQueue = false; ///< of the connection to Redis; else of that to the database

    bool operator==(const ConnectionStep &) const = default;
};

} // namespace outbox
