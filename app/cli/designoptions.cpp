// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/designoptions.h"

#include "app/system/opening.h"

#include <QCommandLineParser>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

DocumentShape shapeOf(const QCommandLineParser &parser, const Target &target)
{
    DocumentShape shape;
    shape.table = TableName::fromText(target.profile.table);
    const auto take = [&parser](const QString &option, QString &place) {
        if (parser.isSet(option))
            place = parser.value(option);
    };
    take(u"id-column"_s, shape.idColumn);
    take(u"version-column"_s, shape.versionColumn);
    take(u"document-column"_s, shape.documentColumn);
    take(u"changed-column"_s, shape.changedColumn);
    take(u"messages-member"_s, shape.messagesMember);
    take(u"time-member"_s, shape.timeMember);
    if (parser.isSet(u"map"_s))
        shape.mapPath = parser.value(u"map"_s).split(u'.');
    return shape;
}

} // namespace

void addDesignOptions(QCommandLineParser &parser)
{
    parser.addOptions({
        {u"design"_s, u"entity, store or tokens (entity): where it is kept what is done."_s,
         u"NAME"_s, u"entity"_s},
        {u"id-column"_s, u"Column with the id of a document (id)."_s, u"NAME"_s},
        {u"version-column"_s, u"Column that changes with every write (version)."_s, u"NAME"_s},
        {u"document-column"_s, u"Column with the document in JSON (document)."_s, u"NAME"_s},
        {u"changed-column"_s, u"Column with the time of the last write (none)."_s, u"NAME"_s},
        {u"map"_s, u"Where the map is in a document, a.b for a path (OutboxState)."_s, u"PATH"_s},
        {u"messages-member"_s, u"Member of an entry with its messages (OutgoingMessages)."_s,
         u"NAME"_s},
        {u"time-member"_s, u"Member of an entry with the time it was made (none)."_s, u"NAME"_s},
    });
}

Result<DesignPlace> designPlaceOf(const QCommandLineParser &parser, const Target &target,
                                  const Secrets &acting)
{
    if (target.profile.databaseUrl.isEmpty()) {
        return fail(Error::Kind::Invalid, u"reading the command line"_s, u"no database was named"_s,
                    {}, u"Give --database URL and --table NAME"_s);
    }
    const auto design = designFromWord(parser.value(u"design"_s));
    if (!design) {
        return fail(Error::Kind::Invalid, u"reading --design"_s,
                    u"\"%1\" is no design"_s.arg(parser.value(u"design"_s)), {},
                    u"Name entity, store or tokens"_s);
    }
    DesignPlace place;
    place.design = *design;
    place.shape = shapeOf(parser, target);
    place.rules.queue.text = target.profile.queue;
    place.rules.retentionSeconds = target.profile.retentionSeconds;
    place.sessionName = sessionName(u"outboxctl"_s);
    auto look = storeSettingsOf(target.profile, target.secrets, StoreAccess::Look, u"outboxctl"_s);
    if (!look)
        return passOn(look);
    place.look = *look;
    auto act = storeSettingsOf(target.profile, acting, StoreAccess::Act, u"outboxctl"_s);
    if (!act)
        return passOn(act);
    place.act = *act;
    if (target.profile.redisUrl.isEmpty())
        return place;
    auto lookRedis = redisOf(target.profile, target.secrets);
    if (!lookRedis)
        return passOn(lookRedis);
    place.lookRedis = *lookRedis;
    auto actRedis = actingRedisOf(target.profile, acting);
    if (!actRedis)
        return passOn(actRedis);
    place.actRedis = *actRedis;
    return place;
}

Target documentTargetOf(const Target &target)
{
    Target documents = target;
    OutboxShape shape;
    shape.table = TableName::fromText(target.profile.table);
    documents.profile.shape = shape;
    return documents;
}

} // namespace outbox
