// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/sources/shapefile.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 largestShape = qint64{1024} * 1024;

} // namespace

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
