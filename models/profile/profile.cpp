// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/profile/profile.h"

#include "models/enumtext.h"
#include "models/localtime.h"

#include <QJsonArray>
#include <QList>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr auto environments = enumTexts<Environment>({
    {Environment::Development, u"development", "Development"},
    {Environment::Staging, u"staging", "Staging"},
    {Environment::Production, u"production", "Production"},
    {Environment::Demo, u"demo", "Demo"},
    {Environment::Unsaid, u"unsaid", "Not said"},
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
    if (shape)
        json["shape"_L1] = shape->toJson();
    if (design)
        json["design"_L1] = design->toJson();
    return json;
}

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
        const auto zone = TRY(timeZoneNamed(json.value("time_zone"_L1).toString()));
        profile.timeZone = zone;
    }
    if (json.contains("shape"_L1)) {
        auto shape = TRY(OutboxShape::fromJson(json.value("shape"_L1).toObject()));
        profile.shape = shape;
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
