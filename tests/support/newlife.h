// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A test that empties Redis between two cases ends one life of it. What relays remember of that
// life in their state folder must go with it, or the next relay rightly says that tasks were lost.
#pragma once

#include "app/settings/folders.h"

#include <QDir>

namespace outbox
{

/// What relays know of the lives of queues is gone from `stateFolder`.
[[nodiscard]] inline bool forgetLives(const QString &stateFolder)
{
    return QDir(Folders::standard({}, stateFolder).relaysFolder()).removeRecursively();
}

}
