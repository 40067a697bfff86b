// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/opening.h"

#include "connectors/secrets/secretstore.h"
#include "models/shape/missingtable.h"

#include <QSysInfo>

#include <array>

#include <pwd.h>
#include <unistd.h>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// From here on a table is recognized, and needs nobody to look at it (shapes.md 5.6). A hair
/// below, since what is subtracted and added on the way is rounded.
constexpr double certain = 0.9 - 1e-6;

/// As the system knows who runs this process; their number where they have no name.
QString systemUser()
{
    constexpr std::size_t mostBytes = std::size_t{16} * 1024;
    std::array<char, mostBytes> texts{};
    passwd entry{};
    passwd *found = nullptr;
    const uid_t user = geteuid();
    if (getpwuid_r(user, &entry, texts.data(), texts.size(), &found) == 0 && found
        && *found->pw_name)
        return QString::fromLocal8Bit(found->pw_name);
    return u"uid-"_s + QString::number(user);
}

} // namespace

QString operatorName()
{
    QString user = qEnvironmentVariable("USER");
    if (user.isEmpty())
        user = qEnvironmentVariable("LOGNAME");
    if (user.isEmpty()) // a service, a container or a cron job
        user = systemUser();
    return QString(user + u'@' + QSysInfo::machineHostName()).simplified().replace(u' ', u'-');
}

QString sessionName(const QString &program)
{
    // A Redis client name may hold no blanks; PostgreSQL cuts at 63 bytes.
    const QString name = program + u'/' + operatorName();
    return name.simplified().replace(u' ', u'-').left(60);
}

AuditEntry entryAbout(AuditEntry::Kind kind, const Profile &profile, const QString &face,
                      const QString &target)
{
    AuditEntry entry;
    entry.kind = kind;
    entry.who = operatorName();
    entry.face = face;
    entry.profile = profile.name;
    entry.environment = profile.environment;
    entry.target = target;
    return entry;
}

LogInNames logInNamesOf(const Profile &profile)
{
    const auto database = DatabaseUrl::fromUrl(profile.databaseUrl);
    const auto redis = RedisEndpoint::fromUrl(profile.redisUrl);
    return {database ? database->user : QString(), redis ? redis->user : QString()};
}

Result<StoreSettings> storeSettingsOf(const Profile &profile, const ProfilePasswords &secrets,
                                      StoreAccess access, const QString &program)
{
    auto url = TRY(DatabaseUrl::fromUrl(profile.databaseUrl));
    const bool asActor = access == StoreAccess::Act && !profile.actingUser.isEmpty();
    if (asActor)
        url.user = profile.actingUser;
    if (asActor || url.password.isEmpty())
        url.password = secrets.database;
    StoreSettings settings;
    settings.url = url;
    settings.access = access;
    settings.applicationName = sessionName(program);
    return settings;
}

Result<RedisEndpoint> redisOf(const Profile &profile, const ProfilePasswords &secrets)
{
    if (profile.isDatabaseOnly()) {
        return fail(Error::Kind::Invalid, u"opening the queue"_s, noRedisAddress.toString(), {},
                    u"Set one under Connections, or give --redis URL"_s);
    }
    auto endpoint = RedisEndpoint::fromUrl(profile.redisUrl);
    if (endpoint && endpoint->password.isEmpty())
        endpoint->password = secrets.redis;
    if (endpoint && endpoint->sentinels && endpoint->sentinels->password.isEmpty()) {
        endpoint->sentinels->password = secrets.sentinel;
        if (secrets.sentinel.isEmpty()) // the form may stay empty
            endpoint->sentinels->password = TRY(findSecret(SecretName::SentinelPassword));
    }
    return endpoint;
}

Result<RedisEndpoint> actingRedisOf(const Profile &profile, const ProfilePasswords &secrets)
{
    auto endpoint = redisOf(profile, secrets);
    if (endpoint && !profile.actingRedisUser.isEmpty()) {
        endpoint->user = profile.actingRedisUser;
        endpoint->password = secrets.redis;
    }
    return endpoint;
}

Result<OutboxShape> takeShape(OutboxStore &store, const Profile &profile, MappingGuess *guess)
{
    const auto take = [&store, &profile](const OutboxShape &shape) -> Result<OutboxShape> {
        const OutboxShape chosen = profile.refined(shape);
        if (const QString why = chosen.whyNoTaskIds(); !why.isEmpty())
            return fail(Error::Kind::Invalid, u"choosing the ids of tasks"_s, why);
        TRY(store.use(chosen));
        return store.shape();
    };
    if (profile.shape)
        return take(*profile.shape);
    const TableName table = TableName::fromText(profile.table);
    const auto findings = TRY(store.probe(table));
    if (findings.isEmpty()) {
        return fail(Error::Kind::Invalid, u"looking for the outbox"_s,
                    u"there is no table \"%1\", or we may not see it"_s.arg(profile.table),
                    noTableCode,
                    u"Name it with --table, or see what is there with: outboxctl probe"_s);
    }
    ProbeFinding best = findings.first();
    if (best.confidence >= certain)
        best.shape.confirmed = u"recognized, %1 % sure"_s.arg(qRound(best.confidence * 100));
    if (guess)
        *guess = {best.confidence, best.questions.size()};
    return take(best.shape);
}

QString whyNotWrite(const OutboxShape &shape)
{
    return shape.confirmed.isEmpty()
        ? u"the mapping of %1 is a guess that nobody has confirmed"_s.arg(shape.table.text())
        : QString();
}

Result<void> mayWrite(const OutboxShape &shape, const QString &doing)
{
    const QString why = whyNotWrite(shape);
    if (why.isEmpty())
        return {};
    return fail(
        Error::Kind::Refused, doing, why, {},
        u"Look at it: in the console under Connections, Outbox, Probe and map, or as probe --json "
        "prints it and give it with --shape"_s);
}

} // namespace outbox
