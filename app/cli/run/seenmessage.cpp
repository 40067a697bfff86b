// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run/seenmessage.h"

#include "app/operations/core/rowselection.h"
#include "app/system/jobs/idsearch.h"
#include "app/system/jobs/rowandtask.h"
#include "connectors/sql/outbox/parkedrows.h"
#include "models/system/verdict.h"

namespace outbox {

IdVerdict seenMessage(OperatorSession &session, const MessageId &id)
{
    const auto findRow = [&session](const MessageId &key) -> Result<std::optional<Message>> {
        auto *const store = TRY(session.rows());
        return store->find(key);
    };
    IdVerdict verdict = rowAndTask(findRow, session.tasks(), session.shape(),
                                   QueueName{session.profile().queue}, id);
    if (verdict.row) {
        const auto parked = parkedRowsOf(session);
        if (parked)
            markParked(*verdict.row, *parked);
        else
            verdict.rowError = parked.error();
    }
    IdSearch search;
    search.setSystem({session.profile(), session.settings().look, session.settings().stateFolder},
                     session.shape(), session.face());
    verdict = search.search(verdict, session.stop());
    return judged(verdict, verdictTermsOf(session));
}

} // namespace outbox
