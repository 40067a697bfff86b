// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which entries a selection of documents means, see `DocumentPart`.
#pragma once

#include "models/operations/selection.h"

#include <QString>
#include <QStringList>

namespace outbox::designselection {

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
