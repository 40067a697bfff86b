// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designs/designoperation.h"

#include "app/designs/designplace.h"
#include "app/designs/forceexecution.h"
#include "app/designs/purgeentries.h"
#include "app/designs/settleentries.h"

namespace outbox {

Result<std::unique_ptr<Operation>> designOperationFor(const OperationRequest &request,
                                                      const OperatorSessionSettings &settings)
{
    const Meant &meant = request.selection.meant;
    const bool settles
        = meant == Meant(DocumentPart::Undispatched) || meant == Meant(DocumentPart::Unsettled);
    const bool purges = request.verb == Verb::Purge && meant == Meant(DocumentPart::Entries);
    const bool forces = request.verb == Verb::Replay && meant == Meant(DocumentPart::Tokens);
    if (!settings.profile.design || !request.undoOf.isEmpty() || !(settles || purges || forces))
        return nullptr;
    auto place = TRY(designPlaceOf(settings.profile, settings.look,
                                   settings.act.value_or(Secrets()), settings.face));
    if (purges)
        return std::make_unique<PurgeEntries>(place);
    if (forces)
        return std::make_unique<ForceExecution>(place);
    SettleEntries::Terms terms;
    terms.leftovers = meant == Meant(DocumentPart::Unsettled);
    return std::make_unique<SettleEntries>(place, terms);
}

} // namespace outbox
