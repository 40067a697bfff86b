// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A place in the window as words of a command line: what opens it there again.
#pragma once

#include "models/ids.h"
#include "models/message/task.h"
#include "models/profile/profile.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace outbox {

/// What is empty is not named.
struct WindowLink
{
    QString page; ///< one of `pageWords`
    QString filter; ///< in the language of the page
    QString id; ///< of a message; on the Queue page of a task

    bool operator==(const WindowLink &) const = default;
};

/// What the pages are called in links, each at the place of its number in the window.
[[nodiscard]] QStringList pageWords();
/// "documents" is the page in the place of the outbox. nullopt: no page is called so.
[[nodiscard]] std::optional<int> pageOfWord(const QString &word);

/// Arguments of outboxdeck, not quoted: "--profile", "orders", "--page", "outbox" … Passwords are
/// no part of them.
[[nodiscard]] QStringList windowArguments(const Profile &profile, const WindowLink &link);
/// "outboxdeck --profile orders --page outbox --id 7e57…": the line that shows these rows in a
/// window, quoted for a POSIX shell. Empty where there are none, or more than a filter can name.
[[nodiscard]] QString windowLine(const QList<MessageId> &rows, const Profile &profile);
/// The same of tasks, all of them in the queue of the first.
[[nodiscard]] QString windowLine(const QList<Task> &tasks, const Profile &profile);

} // namespace outbox
