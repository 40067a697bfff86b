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

Result<void> readStore(const QCommandLineParser &parser, DesignPlace &place)
{
    const QString doing = u"reading --done-prefix"_s;
    if (parser.isSet(u"done-table"_s) && parser.isSet(u"done-prefix"_s))
        return fail(Error::Kind::Invalid, doing, u"it excludes --done-table"_s);
    if (parser.isSet(u"done-table"_s)) {
        DoneTable table;
        table.table = TableName::fromText(parser.value(u"done-table"_s));
        if (parser.isSet(u"done-id-column"_s))
            table.idColumn = parser.value(u"done-id-column"_s);
        table.timeColumn = parser.value(u"done-time-column"_s);
        table.attemptColumn = parser.value(u"attempt-column"_s);
        table.incomingColumn = parser.value(u"incoming-column"_s);
        place.doneTable = table;
    }
    if (!parser.isSet(u"done-prefix"_s))
        return {};
    const auto ttl = durationMs(parser.value(u"done-ttl"_s), u"--done-ttl"_s);
    if (!ttl)
        return passOn(ttl);
    if (place.design == Design::DedupStore && *ttl > 0
        && *ttl / 1000 < place.rules.retentionSeconds) {
        return fail(Error::Kind::Invalid, u"reading --done-ttl"_s,
                    u"it is shorter than the retention: a copy that comes late would run again"_s,
                    {}, u"Make it at least as long as --retention"_s);
    }
    place.doneKeys = DoneKeys{parser.value(u"done-prefix"_s).toUtf8(), *ttl};
    if (place.doneKeys->prefix.isEmpty())
        return fail(Error::Kind::Invalid, doing, u"it is empty"_s);
    return {};
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
        {u"done-table"_s,
         u"store: table with the ids of messages that are done; tokens: with the tokens."_s,
         u"NAME"_s},
        {u"done-id-column"_s, u"Its column with the id (id)."_s, u"NAME"_s},
        {u"done-time-column"_s, u"Its column with the time (none)."_s, u"NAME"_s},
        {u"attempt-column"_s, u"tokens: its column with the attempt (none)."_s, u"NAME"_s},
        {u"incoming-column"_s, u"tokens: its column with the incoming message (none)."_s,
         u"NAME"_s},
        {u"done-prefix"_s,
         u"Redis instead. store: a prefix before each id; tokens: the name of their set."_s,
         u"TEXT"_s},
        {u"done-ttl"_s, u"How long such a key lasts; 0 = for ever (7d)."_s, u"DURATION"_s, u"7d"_s},
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
    if (auto read = readStore(parser, place); !read)
        return passOn(read);
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
