// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What `Selection::kind` says when something inside documents is meant. Then `rows` are documents
// (none: all of them) and `tasks` the incoming messages whose entries are meant (none: every one).
// As many messages as documents are pairs: each is meant in its own document alone.
#pragma once

#include "models/operations/selection.h"

#include <QString>
#include <QStringList>

namespace outbox::designselection {

inline const QString undispatched = QStringLiteral("K29");
inline const QString unsettled = QStringLiteral("K15, K29"); ///< leftovers too
inline const QString entries = QStringLiteral("entries"); ///< what may be purged
inline const QString tokens = QStringLiteral("tokens"); ///< `tasks` are tokens

/// Whether the entry of `incoming` in `document`, one of the selection's documents, is meant.
[[nodiscard]] inline bool means(const Selection &selection, const QString &document,
                                const QString &incoming)
{
    if (selection.tasks.isEmpty())
        return true;
    if (selection.rows.size() != selection.tasks.size())
        return selection.tasks.contains(TaskId{incoming});
    for (qsizetype i = 0; i < selection.rows.size(); ++i) {
        if (selection.rows.at(i).text == document && selection.tasks.at(i).text == incoming)
            return true;
    }
    return false;
}

/// Each of the selection's documents once.
[[nodiscard]] inline QStringList documentsOf(const Selection &selection)
{
    QStringList documents;
    for (const MessageId &document : selection.rows)
        documents += document.text;
    documents.removeDuplicates();
    return documents;
}

} // namespace outbox::designselection
