// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/outbox/parkedrows.h"

#include <optional>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

ParkedById parkedById(const QList<ParkedRow> &rows)
{
    ParkedById byId;
    byId.reserve(rows.size());
    for (const ParkedRow &row : rows)
        byId.insert(row.id, row);
    return byId;
}

QString parkedText(const ParkedRow &row)
{
    QString text = row.reason;
    if (row.attempts > 1)
        text += u"; after %1 tries"_s.arg(row.attempts);
    if (!row.by.isEmpty())
        text += u", by "_s + row.by;
    return text;
}

void markParked(Message &row, const ParkedById &parked)
{
    const auto found = parked.constFind(row.id);
    if (found == parked.constEnd() || row.state == MessageState::Processed
        || row.state == MessageState::Locked)
        return;
    row.state = MessageState::Parked;
    row.parkedSince = found->at.isValid() ? std::optional(found->at) : std::nullopt;
    row.note = parkedText(*found);
}

} // namespace outbox
