// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/groupnotes.h"

#include "app/settings/jsonfile.h"

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

GroupNote noteFrom(const QJsonObject &json)
{
    return {json.value("group"_L1).toString(),
            json.value("note"_L1).toString().left(GroupNote::mostCharacters),
            json.value("who"_L1).toString().left(GroupNote::mostWhoCharacters),
            QDateTime::fromString(json.value("at"_L1).toString(), Qt::ISODate)};
}

QJsonObject jsonOf(const GroupNote &note)
{
    return {{u"group"_s, note.group},
            {u"note"_s, note.text},
            {u"who"_s, note.who},
            {u"at"_s, note.at.toUTC().toString(Qt::ISODate)}};
}

Result<QJsonObject> profilesIn(const QString &file)
{
    const auto document = TRY(readJsonFile(file));
    if (!document.isObject() && !document.isNull())
        return fail(Error::Kind::Invalid, u"reading %1"_s.arg(file), u"it is no JSON object"_s);
    return document.object();
}

QList<GroupNote> notesIn(const QJsonObject &profiles, const QString &profile)
{
    QList<GroupNote> notes;
    for (const auto &one : profiles.value(profile).toArray()) {
        const GroupNote note = noteFrom(one.toObject());
        if (!note.group.isEmpty() && !note.isEmpty() && notes.size() < mostGroupNotes)
            notes += note;
    }
    return notes;
}

} // namespace

Result<QList<GroupNote>> loadGroupNotes(const QString &file, const QString &profile)
{
    const auto profiles = TRY(profilesIn(file));
    return notesIn(profiles, profile);
}

Result<QList<GroupNote>> keepGroupNote(const QString &file, const QString &profile,
                                       const GroupNote &note)
{
    auto profiles = TRY(profilesIn(file));
    QList<GroupNote> notes = notesIn(profiles, profile);
    notes.removeIf([&note](const GroupNote &one) { return one.group == note.group; });
    if (!note.isEmpty())
        notes.prepend(note); // the newest first
    notes = notes.mid(0, mostGroupNotes);
    QJsonArray array;
    for (const GroupNote &one : std::as_const(notes))
        array += jsonOf(one);
    profiles.insert(profile, array);
    TRY(writeJsonFile(file, QJsonDocument(profiles)));
    return notes;
}

Result<void> moveGroupNotes(const QString &file, const QHash<QString, QString> &renamed,
                            const QStringList &deleted)
{
    const auto before = TRY(profilesIn(file));
    QJsonObject after = before;
    for (const QString &name : deleted)
        after.remove(name);
    for (auto one = renamed.cbegin(); one != renamed.cend(); ++one) {
        after.remove(one.key());
        after.remove(one.value());
    }
    for (auto one = renamed.cbegin(); one != renamed.cend(); ++one) {
        if (before.contains(one.key()))
            after.insert(one.value(), before.value(one.key()));
    }
    if (after == before)
        return {};
    return writeJsonFile(file, QJsonDocument(after));
}

} // namespace outbox
