// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/outboxcounts.h"

#include "models/phrases.h"
#include "views/statechips.h"

#include <QSet>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

void showCounts(StateChips &chips, const OutboxSnapshot &counts)
{
    const auto show = [&](MessageState state, const std::optional<qint64> &count) {
        const QString name = word(state);
        const QString note = counts.notes.value(name);
        QString text;
        if (count)
            text = note.isEmpty() || counts.exact ? countText(*count) : u'~' + countText(*count);
        chips.setCount(name, text, note);
    };
    show(MessageState::Pending, counts.pending);
    show(MessageState::Waiting, counts.waiting);
    show(MessageState::Locked, counts.locked);
    show(MessageState::Processed, counts.processed);
    show(MessageState::Failed, counts.failed);
}

qsizetype newOnTop(const OutboxModel &model, const QList<OutboxRow> &rows)
{
    QSet<MessageId> known;
    known.reserve(model.rows().size());
    for (const OutboxRow &row : model.rows())
        known.insert(row.message.id);
    qsizetype count = 0;
    while (count < rows.size() && !known.contains(rows.at(count).message.id))
        ++count;
    return count;
}

} // namespace outbox
