// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/jsonfile.h"

#include "app/settings/privatefile.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QJsonParseError>
#include <QSaveFile>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr auto ownerOnly = QFile::ReadOwner | QFile::WriteOwner;

} // namespace

Result<QJsonDocument> readJsonFile(const QString &path)
{
    const QString doing = u"reading %1"_s.arg(path);
    QFile file(path);
    if (!file.exists())
        return QJsonDocument();
    if (!file.open(QIODevice::ReadOnly))
        return fail(Error::Kind::Refused, doing, file.errorString());
    const QByteArray bytes = file.readAll();
    if (bytes.trimmed().isEmpty())
        return QJsonDocument();
    QJsonParseError fault;
    QJsonDocument document = QJsonDocument::fromJson(bytes, &fault);
    if (fault.error != QJsonParseError::NoError) {
        auto failure = fail(Error::Kind::Invalid, doing, fault.errorString());
        failure.value().position = fault.offset;
        return failure;
    }
    return document;
}

Result<void> writeJsonFile(const QString &path, const QJsonDocument &document)
{
    const QString doing = u"writing %1"_s.arg(path);
    TRY(ensurePrivateFolder(QFileInfo(path).absolutePath()));
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || !file.setPermissions(ownerOnly))
        return fail(Error::Kind::Refused, doing, file.errorString());
    // commit() alone is content with a file whose last bytes a full disk did not take: the one
    // before would be replaced by an empty one.
    const QByteArray bytes = document.toJson();
    if (file.write(bytes) != bytes.size() || !file.flush() || !file.commit())
        return fail(Error::Kind::Refused, doing, file.errorString());
    return {};
}

Result<QString> moveAside(const QString &path)
{
    const QString stamp = QDateTime::currentDateTimeUtc().toString(u"yyyyMMdd-HHmmss-zzz"_s);
    const QString aside = path + u".damaged-"_s + stamp;
    QFile file(path);
    if (!file.rename(aside))
        return fail(Error::Kind::Refused, u"moving %1 aside"_s.arg(path), file.errorString());
    return aside;
}

} // namespace outbox
