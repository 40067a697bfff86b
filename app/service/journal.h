// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether stderr is read by systemd's journal, and how loud a line is there.
#pragma once

#include <QByteArray>

namespace outbox {

/// The syslog levels that are used here.
enum class LogLevel {
    Error = 3,
    Warning = 4,
    Notice = 5, ///< normal, but worth to be found again
    Info = 6,
};

/// True where $JOURNAL_STREAM names the very file that stderr is: a line may then begin with
/// `<N>`. A stderr that was redirected since is not the journal.
[[nodiscard]] bool isStderrTheJournal();

} // namespace outbox
