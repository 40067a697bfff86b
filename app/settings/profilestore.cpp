// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/profilestore.h"

#include "app/settings/jsonfile.h"

#include <QDir>
#include <QFileInfo>
#include <QLockFile>
#include <QStorageInfo>
#include <QUrl>
#include <QUrlQuery>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int lockPatienceMs = 3000;

bool holdsPassword(const QString &url)
{
    const QUrl parsed(url);
    if (!parsed.isValid()) // multi-host forms of libpq, which QUrl does not know
        return url.section(u"://"_s, 1).section(u'@', 0, 0).contains(u':') && url.contains(u'@');
    return !parsed.password().isEmpty() || QUrlQuery(parsed).hasQueryItem(u"password"_s);
}

/// Of the JSON of a profile, also those that are written where they say something only: what was
/// emptied is to go.
QStringList knownMembers()
{
    Profile full;
    full.mostItems = 1;
    full.status = StatusTable();
    full.shape = OutboxShape();
    full.design = DesignProfile();
    for (QString *text : {&full.group, &full.actingUser, &full.actingRedisUser, &full.taskId,
                          &full.source, &full.timeZone})
        *text = u"said"_s;
    full.alsoTaskIds = QStringList{u"said"_s};
    full.decoder = QStringList{u"said"_s};
    full.protobuf.descriptorSet = u"said"_s;
    return full.toJson().keys();
}

/// `profile` over what stood there, so that members of a newer version survive.
QJsonObject entryOf(const Profile &profile, QJsonObject former)
{
    for (const QString &known : knownMembers())
        former.remove(known);
    const QJsonObject ours = profile.toJson();
    for (auto member = ours.begin(); member != ours.end(); ++member)
        former.insert(member.key(), member.value());
    return former;
}

qsizetype indexOf(const QJsonArray &entries, const QString &name)
{
    for (qsizetype i = 0; i < entries.size(); ++i) {
        if (entries.at(i).toObject().value("name"_L1).toString() == name)
            return i;
    }
    return -1;
}

QString lockPath(const QString &file)
{
    QDir().mkpath(QFileInfo(file).absolutePath());
    return file + u".lock"_s;
}

/// A lock is a file of its own, which a full disk or a folder of another user does not take.
Failure notLocked(const QString &doing, const QString &file, QLockFile::LockError error)
{
    const QString folder = QFileInfo(file).absolutePath();
    if (error == QLockFile::LockFailedError)
        return fail(Error::Kind::Timeout, doing, u"another program holds %1"_s.arg(file));
    if (error == QLockFile::PermissionError) {
        return fail(Error::Kind::Refused, doing, u"nothing may be written in %1"_s.arg(folder), {},
                    u"The folder must be writable for you."_s);
    }
    constexpr qint64 smallestFile = 4096;
    if (QStorageInfo(folder).bytesAvailable() < smallestFile) {
        return fail(Error::Kind::Refused, doing, u"the disk of %1 is full"_s.arg(folder), {},
                    u"Make room, then save again."_s);
    }
    return fail(Error::Kind::Refused, doing, u"%1 cannot be written"_s.arg(file));
}

} // namespace

ProfileStore::ProfileStore(QString file) : m_file(std::move(file))
{ }

Result<void> ProfileStore::load()
{
    take({});
    const auto document = readJsonFile(m_file);
    if (document && (document->isArray() || document->isNull())) {
        take(document->array());
        return {};
    }
    if (!document && document.error().kind != Error::Kind::Invalid)
        return passOn(document);
    const auto aside = TRY(moveAside(m_file));
    Error error{Error::Kind::Invalid,
                u"reading %1"_s.arg(m_file),
                u"it is no list of profiles"_s,
                {},
                u"It was kept as %1; the list starts empty."_s.arg(aside),
                -1};
    if (!document) {
        error.text = document.error().text;
        error.position = document.error().position;
    }
    return Failure(error);
}

std::optional<Profile> ProfileStore::find(const QString &name) const
{
    for (const Profile &profile : m_profiles) {
        if (profile.name == name)
            return profile;
    }
    return std::nullopt;
}

Result<void> ProfileStore::put(const Profile &profile, const QString &formerName)
{
    const QString doing = u"saving profile \"%1\""_s.arg(profile.name);
    if (profile.name.trimmed().isEmpty())
        return fail(Error::Kind::Invalid, doing, u"a profile needs a name"_s);
    if (holdsPassword(profile.databaseUrl) || holdsPassword(profile.redisUrl)) {
        return fail(Error::Kind::Refused, doing, u"a URL holds a password"_s, {},
                    u"Profiles are saved without secrets; take it out of the URL."_s);
    }
    QLockFile lock(lockPath(m_file));
    if (!lock.tryLock(lockPatienceMs))
        return notLocked(doing, m_file, lock.error());
    TRY(load());
    QJsonArray entries = m_entries;
    const qsizetype at = indexOf(entries, formerName.isEmpty() ? profile.name : formerName);
    const qsizetype sameName = indexOf(entries, profile.name);
    if (sameName >= 0 && sameName != at)
        return fail(Error::Kind::Conflict, doing, u"another profile has this name"_s);
    if (at < 0)
        entries += entryOf(profile, {});
    else
        entries.replace(at, entryOf(profile, entries.at(at).toObject()));
    return save(entries);
}

Result<void> ProfileStore::remove(const QString &name)
{
    QLockFile lock(lockPath(m_file));
    if (!lock.tryLock(lockPatienceMs))
        return notLocked(u"removing profile \"%1\""_s.arg(name), m_file, lock.error());
    TRY(load());
    const qsizetype at = indexOf(m_entries, name);
    if (at < 0)
        return {};
    QJsonArray entries = m_entries;
    entries.removeAt(at);
    return save(entries);
}

Result<void> ProfileStore::save(const QJsonArray &entries)
{
    TRY(writeJsonFile(m_file, QJsonDocument(entries)));
    take(entries);
    return {};
}

void ProfileStore::take(const QJsonArray &entries)
{
    m_entries = entries;
    m_profiles.clear();
    m_problems.clear();
    for (const auto &entry : entries) {
        auto profile = Profile::fromJson(entry.toObject());
        if (profile)
            m_profiles += *profile;
        else
            m_problems += profile.error();
    }
}

} // namespace outbox
