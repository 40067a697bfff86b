// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/chipcounts.h"

#include "models/message/messagestate.h"
#include "models/phrases.h"
#include "views/tables/statechips.h"

#include <QDateTime>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

void showCounts(StateChips &chips, const OutboxSnapshot &counts,
                const std::optional<ExactCount> &counted)
{
    const auto show = [&](MessageState state, const std::optional<qint64> &count) {
        const QString name = word(state);
        const QString note = counts.notes.value(name);
        QString tip = note;
        if (counted && (count || counted->rows.contains(state))) {
            tip += (tip.isEmpty() ? u""_s : u"\n"_s)
                + StateChips::tr("%1 at %2, counted one by one")
                      .arg(countText(counted->rows.value(state)),
                           momentText(counted->at, QDateTime::currentDateTimeUtc()));
        }
        QString text;
        if (count)
            text = countText(*count, counts.isExact(name));
        chips.setCount(name, text, tip);
    };
    show(MessageState::Pending, counts.pending);
    show(MessageState::Waiting, counts.waiting);
    show(MessageState::Locked, counts.locked);
    show(MessageState::Processed, counts.processed);
    show(MessageState::Failed, counts.failed);
    show(MessageState::Parked, counts.parked);
    show(MessageState::Unknown, counts.unknown);
}

} // namespace outbox
