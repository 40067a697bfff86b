// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/sources/target.h"

#include "app/settings/folders.h"
#include "app/settings/profilestore.h"
#include "connectors/redis/endpoint.h"
#include "connectors/secrets/secretstore.h"
#include "connectors/sql/driver/databaseurl.h"
#include "connectors/sql/driver/sqldatabases.h"
#include "models/localtime.h"

#include <QCommandLineParser>
#include <QFile>
#include <QFileInfo>
#include <QHash>
#include <QJsonDocument>
#include <QRegularExpression>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 largestShape = qint64{1024} * 1024;

tl::unexpected<Error> misread(const QString &option, const QString &text, const QString &hint = {})
{
    return fail(Error::Kind::Invalid, u"reading "_s + option, text, {}, hint);
}

/// A password in a URL is taken out before anybody can show it: arguments stand in `ps` for all to
/// see.
Result<void> wipePasswords(Target &target, const std::function<void(const QString &)> &warn)
{
    Profile &profile = target.profile;
    const auto tell = [&](const QString &option, const QString &variable) {
        warn(u"the password in "_s + option + u" can be seen by every user of this machine; use "_s
             + variable + u" or a password file"_s);
    };
    if (!profile.databaseUrl.isEmpty()) {
        const auto url = TRY(DatabaseUrl::fromUrl(profile.databaseUrl));
        if (url.passwordInUrl) {
            target.secrets.database = url.password;
            profile.databaseUrl = url.shown();
            tell(u"--database"_s, databaseOf(url.dialect).passwordVariable);
        }
    }
    if (!profile.redisUrl.isEmpty()) {
        const auto endpoint = TRY(RedisEndpoint::fromUrl(profile.redisUrl));
        if (endpoint.passwordInUrl) {
            target.secrets.redis = endpoint.password;
            if (endpoint.sentinels)
                target.secrets.sentinel = endpoint.sentinels->password;
            profile.redisUrl = endpoint.shown();
            tell(u"--redis"_s,
                 endpoint.password.isEmpty() ? u"REDIS_SENTINEL_PASSWORD"_s : u"REDIS_PASSWORD"_s);
        }
    }
    return {};
}

/// A place for a password, and the option that names a file with it.
struct Wanted
{
    SecretName name;
    QString option;
    QString *place;
};

/// The files that the command line names for passwords.
QMap<SecretName, QString> passwordFilesOf(const QList<Wanted> &wanted,
                                          const QCommandLineParser &parser)
{
    QMap<SecretName, QString> files;
    for (const Wanted &one : wanted) {
        if (parser.isSet(one.option))
            files.insert(one.name, parser.value(one.option));
    }
    return files;
}

/// Those that a system is looked at with.
QList<Wanted> lookingPasswords(Target &target)
{
    return {{SecretName::DatabasePassword, u"password-file"_s, &target.secrets.database},
            {SecretName::RedisPassword, u"redis-password-file"_s, &target.secrets.redis},
            {SecretName::SentinelPassword, u"redis-sentinel-password-file"_s,
             &target.secrets.sentinel}};
}

/// Fills the places that are empty still, as far as somebody knows the password.
Result<void> findPasswords(const QList<Wanted> &wanted, const QMap<SecretName, QString> &files,
                           const QString &databaseUrl)
{
    const auto url = DatabaseUrl::fromUrl(databaseUrl);
    const QString ofServer = url ? databaseOf(url->dialect).passwordVariable : QString();
    for (const Wanted &one : wanted) {
        if (!one.place->isEmpty())
            continue;
        *one.place = TRY(ofServer.isEmpty() ? findSecret(one.name, files)
                                            : findSecret(one.name, files, ofServer));
    }
    return {};
}

} // namespace

Result<qint64> durationMs(const QString &text, const QString &what)
{
    static const QRegularExpression form(
        u"^\\s*(?:\\d+(?:\\.\\d+)?|(?:\\d+(?:\\.\\d+)?(?:ms|s|m|h|d))+)\\s*$"_s);
    static const QRegularExpression part(u"(\\d+(?:\\.\\d+)?)(ms|s|m|h|d|)"_s);
    static const QHash<QString, double> units{{u"ms"_s, 1},        {u"s"_s, 1000},
                                              {u""_s, 1000},       {u"m"_s, 60'000},
                                              {u"h"_s, 3'600'000}, {u"d"_s, 86'400'000}};
    double sum = 0;
    for (auto parts = part.globalMatch(text); parts.hasNext();) {
        const auto one = parts.next();
        sum += one.captured(1).toDouble() * units.value(one.captured(2));
    }
    if (!form.match(text).hasMatch() || sum > 9e15) {
        auto failure = misread(what, u"\"%1\" is no duration"_s.arg(text),
                               u"Write 30s, 15m, 1h30m, 24h or 7d"_s);
        failure.value().position = 0;
        return failure;
    }
    return static_cast<qint64>(sum);
}

bool isDurationFault(const Error &error)
{
    return error.kind == Error::Kind::Invalid && error.position >= 0
        && error.doing.startsWith(u"reading --"_s);
}

void addTargetOptions(QCommandLineParser &parser)
{
    parser.addOptions({
        {u"profile"_s, u"A saved profile; the parts below override it."_s, u"NAME"_s},
        {u"database"_s, QString(databaseExamples() + u'.'), u"URL"_s},
        {u"table"_s, u"The outbox table (outbox)."_s, u"NAME"_s},
        {u"shape"_s, u"A mapping in JSON; without it the catalog is probed."_s, u"FILE"_s},
        {u"task-id"_s,
         u"The id of a row's task, with {id}, {source} and {born} in it (as the mapping says)."_s,
         u"TEMPLATE"_s},
        {u"source"_s, u"What tells this outbox from all others (made from the server's names)."_s,
         u"NAME"_s},
        {u"also-task-id"_s,
         u"The id under which another relay of this outbox writes; may be given more than once."_s,
         u"TEMPLATE"_s},
        {u"time-zone"_s,
         u"The zone of times without one: UTC, Europe/Berlin, +05:30 (as the mapping says)."_s,
         u"ZONE"_s},
        {u"redis"_s,
         u"redis://, rediss:// (TLS), redis+unix:///path?db=N, redis+sentinel://HOST,HOST/NAME or "
         "redis+cluster://HOST,HOST."_s,
         u"URL"_s},
        {u"queue"_s, u"The asynq queue (default)."_s, u"NAME"_s},
        {u"retention"_s, u"The dedup window (24h)."_s, u"DURATION"_s},
        {u"password-file"_s, u"A file whose first line is the database's password."_s, u"FILE"_s},
        {u"redis-password-file"_s, u"A file whose first line is Redis's password."_s, u"FILE"_s},
        {u"redis-sentinel-password-file"_s, u"The same for the sentinels of Redis."_s, u"FILE"_s},
        {u"config-dir"_s, u"Instead of the XDG configuration folder."_s, u"DIR"_s},
        {u"state-dir"_s, u"Instead of the XDG state folder."_s, u"DIR"_s},
    });
}

Result<Target> targetOf(const QCommandLineParser &parser,
                        const std::function<void(const QString &)> &warn)
{
    Target target;
    Profile &profile = target.profile;
    profile.name = u"command line"_s;
    target.stateFolder
        = Folders::standard(parser.value(u"config-dir"_s), parser.value(u"state-dir"_s)).state;
    if (parser.isSet(u"profile"_s)) {
        const Folders folders
            = Folders::standard(parser.value(u"config-dir"_s), parser.value(u"state-dir"_s));
        ProfileStore store(folders.profilesFile());
        TRY(store.load());
        const QString name = parser.value(u"profile"_s);
        const auto found = store.find(name);
        if (!found) {
            return misread(u"--profile"_s, u"there is no profile \"%1\""_s.arg(name),
                           u"Profiles are kept in "_s + folders.profilesFile());
        }
        profile = *found;
    }
    if (parser.isSet(u"database"_s))
        profile.databaseUrl = parser.value(u"database"_s);
    if (parser.isSet(u"redis"_s))
        profile.redisUrl = parser.value(u"redis"_s);
    if (parser.isSet(u"queue"_s))
        profile.queue = parser.value(u"queue"_s);
    if (parser.isSet(u"table"_s)) {
        profile.table = parser.value(u"table"_s);
        profile.shape.reset();
    }
    if (parser.isSet(u"retention"_s)) {
        const auto retention = TRY(durationMs(parser.value(u"retention"_s), u"--retention"_s));
        profile.retentionSeconds = retention / 1000;
    }
    if (parser.isSet(u"shape"_s)) {
        profile.shape = TRY(readShapeFile(parser.value(u"shape"_s)));
        if (profile.shape->confirmed.isEmpty())
            profile.shape->confirmed = u"given with --shape"_s;
        profile.table = profile.shape->table.text();
    }
    if (parser.isSet(u"task-id"_s))
        profile.taskId = parser.value(u"task-id"_s);
    if (parser.isSet(u"source"_s))
        profile.source = parser.value(u"source"_s);
    if (parser.isSet(u"also-task-id"_s))
        profile.alsoTaskIds = parser.values(u"also-task-id"_s);
    if (parser.isSet(u"time-zone"_s)) {
        profile.timeZone = TRY(timeZoneNamed(parser.value(u"time-zone"_s)));
    }
    if (profile.databaseUrl.isEmpty() && profile.redisUrl.isEmpty()) {
        return misread(u"the command line"_s, u"no system was named"_s,
                       u"Give --profile NAME, or --database URL and --redis URL"_s);
    }
    TRY(wipePasswords(target, warn));
    const QList<Wanted> wanted = lookingPasswords(target);
    TRY(findPasswords(wanted, passwordFilesOf(wanted, parser), target.profile.databaseUrl));
    return target;
}

Result<Target> targetOf(const Profile &profile, const QString &stateFolder,
                        const std::function<void(const QString &)> &warn)
{
    Target target{profile, {}, stateFolder};
    if (profile.databaseUrl.isEmpty() && profile.redisUrl.isEmpty()) {
        return fail(Error::Kind::Invalid, u"reading profile \"%1\""_s.arg(profile.name),
                    u"it names neither a database nor a Redis"_s);
    }
    TRY(wipePasswords(target, warn));
    TRY(findPasswords(lookingPasswords(target), {}, target.profile.databaseUrl));
    return target;
}

Result<void> takeEnvironment(Profile &profile, const QString &word)
{
    profile.readOnly = true;
    if (word.isEmpty())
        return {};
    const auto environment = environmentFromWord(word);
    if (!environment || *environment == Environment::Unsaid || *environment == Environment::Demo) {
        return misread(u"--environment"_s, u"\"%1\" is not known"_s.arg(word),
                       u"Write production, staging or development"_s);
    }
    profile.environment = *environment;
    profile.readOnly = *environment == Environment::Production;
    return {};
}

Result<ProfilePasswords> foundPasswords(const Profile &profile, const ProfilePasswords &known)
{
    Target target{profile, known, {}};
    TRY(findPasswords(lookingPasswords(target), {}, profile.databaseUrl));
    return target.secrets;
}

void addActingOptions(QCommandLineParser &parser)
{
    parser.addOptions({
        {u"acting-password-file"_s,
         u"The password of the role that the profile names for operations."_s, u"FILE"_s},
        {u"acting-redis-password-file"_s, u"That of its role in Redis."_s, u"FILE"_s},
    });
}

Result<ProfilePasswords> actingSecretsOf(const QCommandLineParser &parser, const Target &target)
{
    ProfilePasswords acting;
    const QList<Wanted> wanted{
        {SecretName::ActingDatabasePassword, u"acting-password-file"_s, &acting.database},
        {SecretName::ActingRedisPassword, u"acting-redis-password-file"_s, &acting.redis}};
    TRY(findPasswords(wanted, passwordFilesOf(wanted, parser), target.profile.databaseUrl));
    if (acting.database.isEmpty())
        acting.database = target.secrets.database;
    if (acting.redis.isEmpty())
        acting.redis = target.secrets.redis;
    acting.sentinel = target.secrets.sentinel;
    return acting;
}

Result<OutboxShape> readShapeFile(const QString &path)
{
    const auto unread = [&path](const QString &why) {
        return fail(Error::Kind::Invalid, u"reading the shape in "_s + path, why, {},
                    u"Export a mapping, or look at what probe --json prints, to see the form"_s);
    };
    const QFileInfo info(path);
    if (info.exists() && !info.isFile()) // reading a pipe might never end
        return unread(u"it is no regular file"_s);
    if (info.size() > largestShape)
        return unread(u"it is larger than any shape"_s);
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return unread(file.errorString());
    QJsonParseError parse;
    const QJsonDocument document = QJsonDocument::fromJson(file.readAll(), &parse);
    if (!document.isObject())
        return unread(parse.error == QJsonParseError::NoError ? u"it is no JSON object"_s
                                                              : parse.errorString());
    return OutboxShape::fromJson(document.object());
}

QByteArray shapeFileText(const OutboxShape &shape)
{
    return QJsonDocument(shape.toJson()).toJson();
}

} // namespace outbox
