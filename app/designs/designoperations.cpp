// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designs/designoperations.h"

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
                                   settings.act.value_or(ProfilePasswords()), settings.face));
    if (purges)
        return makePurgeEntries(std::move(place));
    if (forces)
        return makeForceExecution(std::move(place));
    return makeSettleEntries(std::move(place), meant == Meant(DocumentPart::Unsettled));
}

} // namespace outbox
