// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designs/designplace.h"

#include "app/settings/opening.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Result<DesignPlace> designPlaceOf(const Profile &profile, const Secrets &looking,
                                  const Secrets &acting, const QString &program)
{
    const QString doing = u"looking for the documents"_s;
    if (profile.databaseUrl.isEmpty()) {
        return fail(Error::Kind::Invalid, doing, u"no database was named"_s, {},
                    u"Give its URL and the table of the documents"_s);
    }
    if (!profile.design)
        return fail(Error::Kind::Invalid, doing, u"the profile names no design of documents"_s);
    if (const QString why = profile.design->problem(profile.retentionSeconds); !why.isEmpty())
        return fail(Error::Kind::Invalid, doing, why);
    DesignPlace place;
    place.design = profile.design->design;
    place.shape = profile.design->documents;
    place.doneTable = profile.design->doneTable;
    place.doneKeys = profile.design->doneKeys;
    place.rules.queue.text = profile.queue;
    place.rules.retentionSeconds = profile.retentionSeconds;
    place.sessionName = sessionName(program);
    place.look = TRY(storeSettingsOf(profile, looking, StoreAccess::ReadOnly, program));
    place.act = TRY(storeSettingsOf(profile, acting, StoreAccess::Act, program));
    if (profile.redisUrl.isEmpty())
        return place;
    place.lookRedis = TRY(redisOf(profile, looking));
    place.actRedis = TRY(actingRedisOf(profile, acting));
    return place;
}

OutboxShape documentsAsShape(const DesignProfile &design)
{
    OutboxShape shape;
    shape.table = design.documents.table;
    return shape;
}

} // namespace outbox
