// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/settings/descriptorfile.h"

#include <QFile>
#include <QFileInfo>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

Result<ProtobufSchema> readDescriptorFile(const QString &path)
{
    const QString doing = u"reading the descriptor set %1"_s.arg(path);
    if (!QFileInfo(path).isFile()) // a pipe would keep us waiting
        return fail(Error::Kind::Invalid, doing, u"there is no such file"_s);
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return fail(Error::Kind::Refused, doing, file.errorString());
    const QByteArray bytes = file.read(largestDescriptorSet + 1); // one more is refused
    if (file.error() != QFileDevice::NoError)
        return fail(Error::Kind::Refused, doing, file.errorString());
    auto schema = readDescriptorSet(bytes);
    if (!schema) {
        Error error = schema.error();
        error.doing = doing;
        return Failure(error);
    }
    return schema;
}

MessageTypes messageTypesOf(const ProtobufMapping &mapping)
{
    MessageTypes types;
    if (mapping.isEmpty())
        return types;
    types.messages = mapping.byType();
    auto schema = readDescriptorFile(mapping.descriptorSet);
    if (schema)
        types.schema = std::make_shared<const ProtobufSchema>(std::move(*schema));
    else
        types.problem = oneLine(schema.error());
    return types;
}

} // namespace outbox
