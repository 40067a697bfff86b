// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which commands only look (law L3): everything else is refused on a ReadOnly connection.
#pragma once

#include <QByteArrayList>

namespace outbox {

/// True when the command is on the list of reads that are also harmless to the server: KEYS,
/// MONITOR, EVAL and whatever this list has never heard of are not.
[[nodiscard]] bool onlyReads(const QByteArrayList &command);

} // namespace outbox
