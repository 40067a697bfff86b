// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designs/designoperation.h"

#include "app/designs/designplace.h"
#include "app/designs/forceexecution.h"
#include "app/designs/purgeentries.h"
#include "app/designs/settleentries.h"
#include "models/designs/designselection.h"

namespace outbox {

Result<std::unique_ptr<Operation>> designOperationFor(const OperationRequest &request,
                                                      const OperatorSessionSettings &settings)
{
    const QString &kind = request.selection.kind;
    const bool settles
        = kind == designselection::undispatched || kind == designselection::unsettled;
    const bool purges = request.verb == Verb::Purge && kind == designselection::entries;
    const bool forces = request.verb == Verb::Replay && kind == designselection::tokens;
    if (!settings.profile.design || !request.undoOf.isEmpty() || !(settles || purges || forces))
        return nullptr;
    auto place = designPlaceOf(settings.profile, settings.look, settings.act.value_or(Secrets()),
                               settings.face);
    if (!place)
        return passOn(place);
    if (purges)
        return std::make_unique<PurgeEntries>(*place);
    if (forces)
        return std::make_unique<ForceExecution>(*place);
    SettleEntries::Terms terms;
    terms.leftovers = kind == designselection::unsettled;
    return std::make_unique<SettleEntries>(*place, terms);
}

} // namespace outbox
