// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/system/shapefile.h"

#include <QFile>
#include <QJsonDocument>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Result<OutboxShape> readShapeFile(const QString &path)
{
    const auto unread = [&path](const QString &why) {
        return fail(Error::Kind::Invalid, u"reading the shape in "_s + path, why);
    };
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
