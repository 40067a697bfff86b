// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What `Selection::kind` says when something inside documents is meant. Then `rows` are documents
// (none: all of them) and `tasks` the incoming messages whose entries are meant (none: every one).
#pragma once

#include <QString>

namespace outbox::designselection {

inline const QString undispatched = QStringLiteral("K29");
inline const QString unsettled = QStringLiteral("K15, K29"); ///< leftovers too
inline const QString entries = QStringLiteral("entries"); ///< what may be purged
inline const QString tokens = QStringLiteral("tokens"); ///< `tasks` are tokens

} // namespace outbox::designselection
