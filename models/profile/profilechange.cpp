// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/profile/profile.h"

#include "models/phrases.h"
#include "models/profile/profilepasswords.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QMap>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int longestValue = 200;
constexpr int longestSentence = 4000;

QString valueText(const QJsonValue &value)
{
    if (value.isString()) {
        QString shown = value.toString();
        passwordTakenFrom(shown);
        return clipped(shown, longestValue);
    }
    // Of an array: as it stands in the file.
    QByteArray text = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
    text = text.sliced(1, text.size() - 2);
    return clipped(QString::fromUtf8(text), longestValue);
}

/// Each member of the whole tree by its path: "shape.processed.column".
void collect(const QString &path, const QJsonValue &value, QMap<QString, QString> &members)
{
    if (!value.isObject()) {
        members.insert(path, valueText(value));
        return;
    }
    const QJsonObject object = value.toObject();
    for (auto member = object.begin(); member != object.end(); ++member)
        collect(path.isEmpty() ? member.key() : path + u'.' + member.key(), member.value(),
                members);
}

QMap<QString, QString> membersOf(const Profile &profile)
{
    QMap<QString, QString> members;
    collect({}, profile.toJson(), members);
    return members;
}

} // namespace

QString profileChange(const std::optional<Profile> &before, const std::optional<Profile> &after)
{
    if (!after)
        return u"Profile removed"_s;
    const QMap<QString, QString> is = membersOf(*after);
    const QMap<QString, QString> was = before ? membersOf(*before) : QMap<QString, QString>();
    QStringList parts;
    for (auto member = is.cbegin(); member != is.cend(); ++member) {
        const auto old = was.constFind(member.key());
        if (old == was.cend())
            parts += u"%1 = %2"_s.arg(member.key(), member.value());
        else if (*old != member.value())
            parts += u"%1: %2 -> %3"_s.arg(member.key(), *old, member.value());
    }
    for (auto member = was.cbegin(); member != was.cend(); ++member) {
        if (!is.contains(member.key()))
            parts += u"%1 = %2 removed"_s.arg(member.key(), member.value());
    }
    const QString title = before ? u"Profile changed"_s : u"Profile added"_s;
    return clipped(parts.isEmpty() ? title : QString(title + u": "_s + parts.join(u"; "_s)),
                   longestSentence);
}

} // namespace outbox
