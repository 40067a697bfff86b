// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/profile/profile.h"

#include "models/commandwords.h"
#include "models/enumtext.h"
#include "models/localtime.h"

#include <QJsonArray>
#include <QList>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// A member of the JSON and its place; what is not there keeps what the place holds.
template <typename Part> struct Member
{
    QString name;
    QString Part::*place;
};

const QList<Member<DocumentShape>> &documentMembers()
{
    static const QList<Member<DocumentShape>> members{
        {u"id"_s, &DocumentShape::idColumn},
        {u"version"_s, &DocumentShape::versionColumn},
        {u"document"_s, &DocumentShape::documentColumn},
        {u"changed"_s, &DocumentShape::changedColumn},
        {u"messages"_s, &DocumentShape::messagesMember},
        {u"time"_s, &DocumentShape::timeMember},
        {u"message_id"_s, &DocumentShape::idMember},
        {u"message_type"_s, &DocumentShape::typeMember},
        {u"message_payload"_s, &DocumentShape::payloadMember},
        {u"message_queue"_s, &DocumentShape::queueMember},
        {u"message_token"_s, &DocumentShape::tokenMember},
    };
    return members;
}

const QList<Member<DoneTable>> &tableMembers()
{
    static const QList<Member<DoneTable>> members{
        {u"id"_s, &DoneTable::idColumn},
        {u"time"_s, &DoneTable::timeColumn},
        {u"attempt"_s, &DoneTable::attemptColumn},
        {u"incoming"_s, &DoneTable::incomingColumn},
    };
    return members;
}

Failure unreadDesign(const QString &why, const QString &hint = {})
{
    return fail(Error::Kind::Invalid, u"reading the design of a system"_s, why, {}, hint);
}

/// Only what differs from the usual name is written.
template <typename Part>
void write(QJsonObject &json, const QList<Member<Part>> &members, const Part &part)
{
    const Part usual;
    for (const auto &[name, place] : members) {
        if (part.*place != usual.*place)
            json[name] = part.*place;
    }
}

template <typename Part>
Result<void> read(const QJsonObject &json, const QString &where, const QList<Member<Part>> &members,
                  Part &part)
{
    for (const auto &[name, place] : members) {
        const QJsonValue value = json.value(name);
        if (value.isUndefined())
            continue;
        if (!value.isString())
            return unreadDesign(u"\"%1\" of \"%2\" is no text"_s.arg(name, where));
        part.*place = value.toString();
    }
    part.table = TableName::fromText(json.value("table"_L1).toString());
    if (part.table.table.isEmpty())
        return unreadDesign(u"\"%1\" needs a \"table\""_s.arg(where));
    return {};
}

Result<void> readMap(const QJsonObject &json, DocumentShape &shape)
{
    const QJsonValue map = json.value("map"_L1);
    if (map.isUndefined())
        return {};
    shape.mapPath.clear();
    const QJsonArray names = map.toArray();
    for (const auto &name : names) {
        if (name.toString().isEmpty())
            return unreadDesign(u"\"map\" has a name that is empty, or no text"_s);
        shape.mapPath += name.toString();
    }
    if (shape.mapPath.isEmpty())
        return unreadDesign(u"\"map\" is a list of names of members, outermost first"_s);
    return {};
}

Result<void> readKeys(const QJsonObject &json, DesignProfile &profile)
{
    if (!json.contains("done_keys"_L1))
        return {};
    const QJsonObject keys = json.value("done_keys"_L1).toObject();
    profile.doneKeys = DoneKeys{keys.value("prefix"_L1).toString().toUtf8(),
                                keys.value("ttl_ms"_L1).toInteger(0)};
    if (profile.doneKeys->ttlMs < 0)
        return unreadDesign(u"\"ttl_ms\" is negative"_s, u"0 is for ever"_s);
    return {};
}

QJsonObject documentsJson(const DocumentShape &shape)
{
    QJsonObject json{{u"table"_s, shape.table.text()}};
    write(json, documentMembers(), shape);
    if (shape.mapPath != DocumentShape().mapPath)
        json["map"_L1] = QJsonArray::fromStringList(shape.mapPath);
    return json;
}

} // namespace

QJsonObject DesignProfile::toJson() const
{
    QJsonObject json{{u"kind"_s, word(design)}, {u"documents"_s, documentsJson(documents)}};
    if (doneTable) {
        QJsonObject table{{u"table"_s, doneTable->table.text()}};
        write(table, tableMembers(), *doneTable);
        json["done_table"_L1] = table;
    }
    if (doneKeys) {
        json["done_keys"_L1] = QJsonObject{{u"prefix"_s, QString::fromUtf8(doneKeys->prefix)},
                                           {u"ttl_ms"_s, doneKeys->ttlMs}};
    }
    return json;
}

Result<DesignProfile> DesignProfile::fromJson(const QJsonObject &json)
{
    DesignProfile profile;
    const QString kind = json.value("kind"_L1).toString();
    const auto known = designFromWord(kind);
    if (!known) {
        return unreadDesign(u"\"%1\" is no design"_s.arg(kind),
                            u"known values: entity, store, tokens"_s);
    }
    profile.design = *known;
    const QJsonObject documents = json.value("documents"_L1).toObject();
    TRY(read(documents, u"documents"_s, documentMembers(), profile.documents));
    TRY(readMap(documents, profile.documents));
    if (json.contains("done_table"_L1)) {
        profile.doneTable.emplace();
        const QJsonObject table = json.value("done_table"_L1).toObject();
        TRY(read(table, u"done_table"_s, tableMembers(), *profile.doneTable));
    }
    TRY(readKeys(json, profile));
    constexpr qint64 noRetention = 0; // the profile around it knows the retention
    if (const QString why = profile.problem(noRetention); !why.isEmpty())
        return unreadDesign(why);
    return profile;
}

QString DesignProfile::problem(qint64 retentionSeconds) const
{
    const std::pair<QString, QString> needed[] = {{documents.idColumn, u"id"_s},
                                                  {documents.versionColumn, u"version"_s},
                                                  {documents.documentColumn, u"document"_s},
                                                  {documents.messagesMember, u"messages"_s},
                                                  {documents.idMember, u"message_id"_s}};
    if (documents.table.table.isEmpty())
        return u"the table of the documents has no name"_s;
    for (const auto &[value, name] : needed) {
        if (value.isEmpty())
            return u"\"%1\" of \"documents\" is empty"_s.arg(name);
    }
    if (design == Design::EntityState && (doneTable || doneKeys))
        return u"the design \"entity\" has no store beside its documents"_s;
    if (doneTable && doneKeys)
        return u"\"done_table\" and \"done_keys\" exclude each other"_s;
    if (doneTable && (doneTable->table.table.isEmpty() || doneTable->idColumn.isEmpty()))
        return u"\"done_table\" needs a table and its column with the id"_s;
    if (doneKeys && doneKeys->prefix.isEmpty())
        return u"the prefix of the keys is empty"_s;
    if (design == Design::DedupStore && doneKeys && doneKeys->ttlMs > 0
        && doneKeys->ttlMs / 1000 < retentionSeconds) {
        return u"the keys are kept shorter than the retention: a copy that comes late would run "
               "again"_s;
    }
    return {};
}

namespace {

constexpr auto environments = enumTexts<Environment>({
    {Environment::Development, u"development", "Development"},
    {Environment::Staging, u"staging", "Staging"},
    {Environment::Production, u"production", "Production"},
    {Environment::Demo, u"demo", "Demo"},
    {Environment::Unsaid, u"unsaid", "Not set"},
});

} // namespace

QString word(Environment environment)
{
    return environments.word(environment);
}

QString label(Environment environment)
{
    return environments.label(environment, "outbox::Environment");
}

std::optional<Environment> environmentFromWord(QStringView text)
{
    return environments.fromWord(text);
}

OutboxShape Profile::refined(OutboxShape mapping) const
{
    if (!taskId.isEmpty())
        mapping.taskId = taskId;
    if (!source.isEmpty())
        mapping.source = source;
    if (!alsoTaskIds.isEmpty())
        mapping.alsoTaskIds = alsoTaskIds;
    if (!timeZone.isEmpty())
        mapping.setTimeZone(timeZone);
    return mapping;
}

QJsonObject Profile::toJson() const
{
    QJsonObject json{{u"name"_s, name},
                     {u"environment"_s, word(environment)},
                     {u"database"_s, databaseUrl},
                     {u"table"_s, table},
                     {u"redis"_s, redisUrl},
                     {u"queue"_s, queue},
                     {u"retention_s"_s, retentionSeconds},
                     {u"read_only"_s, readOnly},
                     {u"refresh_ms"_s, refreshMs}};
    if (!group.isEmpty())
        json["group"_L1] = group;
    if (!actingUser.isEmpty())
        json["acting_user"_L1] = actingUser;
    if (!actingRedisUser.isEmpty())
        json["acting_redis_user"_L1] = actingRedisUser;
    if (mostItems != Profile().mostItems)
        json["most_items"_L1] = mostItems;
    if (status) {
        json["status"_L1] = QJsonObject{{u"table"_s, status->table.text()},
                                        {u"id"_s, status->idColumn},
                                        {u"column"_s, status->statusColumn},
                                        {u"done"_s, status->done}};
    }
    if (!taskId.isEmpty())
        json["task_id"_L1] = taskId;
    if (!source.isEmpty())
        json["source"_L1] = source;
    if (!alsoTaskIds.isEmpty())
        json["also_task_ids"_L1] = QJsonArray::fromStringList(alsoTaskIds);
    if (!timeZone.isEmpty())
        json["time_zone"_L1] = timeZone;
    if (!masks.isEmpty())
        json["masks"_L1] = QJsonArray::fromStringList(masks.texts());
    if (!decoder.isEmpty())
        json["decoder"_L1] = QJsonArray::fromStringList(decoder);
    if (!protobuf.isEmpty())
        json["protobuf"_L1] = protobuf.toJson();
    if (shape)
        json["shape"_L1] = shape->toJson();
    if (design)
        json["design"_L1] = design->toJson();
    return json;
}

namespace {

/// What cannot be understood must not count for nothing: a secret would be seen.
Result<PayloadMasks> masksFrom(const QJsonObject &json, const QString &profile)
{
    const QJsonValue value = json.value("masks"_L1);
    if (value.isUndefined())
        return PayloadMasks::none();
    const QString doing = u"reading profile \"%1\""_s.arg(profile);
    QStringList paths;
    const QJsonArray list = value.toArray();
    for (const auto &path : list) {
        if (path.toString().trimmed().isEmpty())
            return fail(Error::Kind::Invalid, doing, u"a path of \"masks\" is empty, or no text"_s);
        paths += path.toString();
    }
    if (paths.isEmpty())
        return fail(Error::Kind::Invalid, doing, u"\"masks\" is a list of paths"_s);
    auto masks = PayloadMasks::fromTexts(paths);
    if (!masks) {
        Error error = masks.error();
        error.doing = doing;
        error.text = u"\"masks\": "_s + error.text;
        return Failure(error);
    }
    return masks;
}

} // namespace

Result<Profile> Profile::fromJson(const QJsonObject &json)
{
    Profile profile;
    profile.name = json.value("name"_L1).toString();
    if (profile.name.isEmpty())
        return fail(Error::Kind::Invalid, u"reading a profile"_s, u"\"name\" is missing"_s);
    const QString environment = json.value("environment"_L1).toString(u"unsaid"_s);
    const auto known = environmentFromWord(environment);
    if (!known) {
        return fail(Error::Kind::Invalid, u"reading profile \"%1\""_s.arg(profile.name),
                    u"environment \"%1\" is not known"_s.arg(environment));
    }
    profile.environment = *known;
    profile.group = json.value("group"_L1).toString();
    profile.databaseUrl = json.value("database"_L1).toString();
    profile.table = json.value("table"_L1).toString(profile.table);
    profile.redisUrl = json.value("redis"_L1).toString();
    profile.queue = json.value("queue"_L1).toString(profile.queue);
    profile.retentionSeconds = json.value("retention_s"_L1).toInteger(profile.retentionSeconds);
    profile.readOnly = json.value("read_only"_L1).toBool(profile.readOnly);
    profile.refreshMs = json.value("refresh_ms"_L1).toInt(profile.refreshMs);
    profile.actingUser = json.value("acting_user"_L1).toString();
    profile.actingRedisUser = json.value("acting_redis_user"_L1).toString();
    profile.mostItems = qMax(1, json.value("most_items"_L1).toInt(profile.mostItems));
    if (const QJsonObject status = json.value("status"_L1).toObject(); !status.isEmpty()) {
        StatusTable table;
        table.table = TableName::fromText(status.value("table"_L1).toString());
        table.idColumn = status.value("id"_L1).toString();
        table.statusColumn = status.value("column"_L1).toString();
        table.done = status.value("done"_L1).toString(table.done);
        if (table.table.table.isEmpty() || table.idColumn.isEmpty()
            || table.statusColumn.isEmpty()) {
            return fail(Error::Kind::Invalid, u"reading profile \"%1\""_s.arg(profile.name),
                        u"\"status\" needs \"table\", \"id\" and \"column\""_s);
        }
        profile.status = table;
    }
    profile.taskId = json.value("task_id"_L1).toString();
    profile.source = json.value("source"_L1).toString();
    const QJsonArray others = json.value("also_task_ids"_L1).toArray();
    for (const auto &pattern : others)
        profile.alsoTaskIds += pattern.toString();
    if (json.contains("time_zone"_L1)) {
        profile.timeZone = TRY(timeZoneNamed(json.value("time_zone"_L1).toString()));
    }
    profile.masks = TRY(masksFrom(json, profile.name));
    if (json.contains("decoder"_L1)) {
        const auto decoder = commandFrom(json.value("decoder"_L1));
        if (!decoder) {
            return fail(Error::Kind::Invalid, u"reading profile \"%1\""_s.arg(profile.name),
                        u"\"decoder\" is a program and its arguments"_s);
        }
        profile.decoder = *decoder;
    }
    if (json.contains("protobuf"_L1)) {
        profile.protobuf = TRY(ProtobufMapping::fromJson(json.value("protobuf"_L1).toObject()));
    }
    if (json.contains("shape"_L1)) {
        profile.shape = TRY(OutboxShape::fromJson(json.value("shape"_L1).toObject()));
    }
    if (json.contains("design"_L1)) {
        auto design = TRY(DesignProfile::fromJson(json.value("design"_L1).toObject()));
        if (const QString why = design.problem(profile.retentionSeconds); !why.isEmpty())
            return fail(Error::Kind::Invalid, u"reading profile \"%1\""_s.arg(profile.name), why);
        profile.design = design;
    }
    return profile;
}

} // namespace outbox
