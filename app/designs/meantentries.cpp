// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designs/meantentries.h"

#include "app/operations/core/planning.h"
#include "models/operations/designselection.h"
#include "models/phrases.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Result<void> takeMeant(const OperatorSession &session, const DesignPlace &place,
                       const Selection &selection, EachEntry each, Plan &plan,
                       const TakeEntry &take)
{
    DocumentStores stores;
    const std::stop_callback broken(session.stop(), [&stores] { stores.interrupt(); });
    TRY(stores.open(place, StoreAccess::ReadOnly));
    DocumentReader look(stores, place.design, session.stop());
    const auto isMeant = [&selection](const SeenEntry &seen) {
        return designselection::means(selection, seen.document, seen.entry.incoming);
    };
    if (selection.rows.isEmpty()) {
        const qsizetype most = session.profile().mostItems;
        const auto all = (look.*each)([&](const SeenEntry &seen) -> Result<bool> {
            if (!isMeant(seen))
                return true;
            if (plan.items.size() == most)
                return false;
            const auto taken = take(seen, false);
            return taken ? Result<bool>(true) : Result<bool>(passOn(taken));
        });
        if (!all)
            return passOn(all);
        if (!*all)
            plan.warnings += cutWarning(session.profile());
    }
    for (const QString &document : designselection::documentsOf(selection)) {
        TRY(unlessStopped(session));
        const auto found = TRY(look.entriesOf(document));
        for (const SeenEntry &seen : found) {
            if (!isMeant(seen))
                continue;
            TRY(take(seen, true));
        }
    }
    return unlessStopped(session);
}

QString meantText(const Selection &selection, const QString &ofAll)
{
    if (selection.rows.isEmpty())
        return ofAll;
    return u"entries of %1 documents"_s.arg(
        countText(designselection::documentsOf(selection).size()));
}

} // namespace outbox
