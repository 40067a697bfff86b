// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run/designoptions.h"

#include <QCommandLineParser>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// What the profile says, and what the options say otherwise.
DocumentShape shapeOf(const QCommandLineParser &parser, const Target &target)
{
    const auto &saved = target.profile.design;
    DocumentShape shape = saved ? saved->documents : DocumentShape();
    if (!saved || parser.isSet(u"table"_s))
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

Result<void> readStore(const QCommandLineParser &parser, qint64 retentionSeconds,
                       DesignProfile &design)
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
        design.doneTable = table;
        design.doneKeys.reset();
    }
    if (!parser.isSet(u"done-prefix"_s))
        return {};
    const auto ttl = TRY(durationMs(parser.value(u"done-ttl"_s), u"--done-ttl"_s));
    if (design.design == Design::DedupStore && ttl > 0 && ttl / 1000 < retentionSeconds) {
        return fail(Error::Kind::Invalid, u"reading --done-ttl"_s,
                    u"it is shorter than the retention: a copy that comes late would run again"_s,
                    {}, u"Make it at least as long as --retention"_s);
    }
    design.doneTable.reset();
    design.doneKeys = DoneKeys{parser.value(u"done-prefix"_s).toUtf8(), ttl};
    if (design.doneKeys->prefix.isEmpty())
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
                                  const ProfilePasswords &acting, std::optional<Design> design)
{
    if (target.profile.databaseUrl.isEmpty()) {
        return fail(Error::Kind::Invalid, u"reading the command line"_s, u"no database was named"_s,
                    {}, u"Give --database URL and --table NAME"_s);
    }
    Profile profile = target.profile;
    if (!design && profile.design && !parser.isSet(u"design"_s))
        design = profile.design->design;
    if (!design)
        design = designFromWord(parser.value(u"design"_s));
    if (!design) {
        return fail(Error::Kind::Invalid, u"reading --design"_s,
                    u"\"%1\" is no design"_s.arg(parser.value(u"design"_s)), {},
                    u"Name entity, store or tokens"_s);
    }
    DesignProfile named = profile.design.value_or(DesignProfile());
    named.design = *design;
    named.documents = shapeOf(parser, target);
    TRY(readStore(parser, profile.retentionSeconds, named));
    if (named.design == Design::EntityState) { // it asks no other store, whatever was named
        named.doneTable.reset();
        named.doneKeys.reset();
    }
    profile.design = named;
    return designPlaceOf(profile, target.secrets, acting, u"outboxctl"_s);
}

Target documentTargetOf(const QCommandLineParser &parser, const Target &target)
{
    Target documents = target;
    DesignProfile design;
    design.documents = shapeOf(parser, target);
    documents.profile.shape = documentsAsShape(design);
    return documents;
}

} // namespace outbox
