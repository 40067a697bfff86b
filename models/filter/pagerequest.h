// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The question for one page of rows.
#pragma once

#include "models/filter/filter.h"
#include "models/ids.h"
#include "models/message/messagestate.h"

#include <QDateTime>
#include <QList>

#include <algorithm>
#include <optional>
#include <tuple>

namespace outbox {

/// What a page is asked for.
struct PageRequest
{
    QList<MessageState> states; ///< empty = all
    Filter filter; ///< of rows; only those that match
    /// What times in `filter` count from; its zone is that of times that name none.
    QDateTime at;
    QList<MessageId> ids; ///< only these rows; empty = all
    std::optional<double> processedWithinSeconds; ///< only rows marked since; needs the time of it
    bool newestFirst = true;
    int limit = 500;
    int payloadPrefixBytes = 64; ///< a list never fetches whole payloads
    /// For a plan. In SQLite each row is read whole for it; in MariaDB those that nobody holds are
    /// locked for the length of the statement, since nothing else tells them from the others.
    bool withVersions = false;
    QString after; ///< cursor of the previous page; empty = from the start
    /// How many rows are read at most for one page where the filter must be searched for in them.
    /// A search in the background asks again with `after` until there is no next page.
    int searchRows = 20'000;
    bool keepsPayload = false; ///< what was read of payloads for the filter stays in the rows

    /// By hand: Qt 6.4 gives the null pointers of two empty lists of an enum to memcmp.
    bool operator==(const PageRequest &other) const
    {
        const auto rest = [](const PageRequest &one) {
            return std::tie(one.filter, one.at, one.ids, one.processedWithinSeconds,
                            one.newestFirst, one.limit, one.payloadPrefixBytes, one.withVersions,
                            one.after, one.searchRows, one.keepsPayload);
        };
        return std::equal(states.begin(), states.end(), other.states.begin(), other.states.end())
            && rest(*this) == rest(other);
    }
};

} // namespace outbox
