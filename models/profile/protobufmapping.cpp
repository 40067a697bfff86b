// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/profile/protobufmapping.h"

#include "models/payload/protobufschema.h"
#include "models/translation.h"

#include <QJsonArray>

#include <optional>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr Translation mappingPhrase("outbox::ProtobufMapping");

/// Type of row, name of message; nullopt: it is no such line.
std::optional<std::pair<QString, QString>> messageOf(const QString &line)
{
    const qsizetype equals = line.lastIndexOf(u'='); // a name has none
    const QString type = equals < 0 ? u"*"_s : line.first(equals).trimmed();
    const QString name = line.sliced(equals + 1).trimmed();
    if (type.isEmpty() || !isProtobufName(name, true))
        return std::nullopt;
    return std::pair(type, name);
}

} // namespace

QMap<QString, QString> ProtobufMapping::byType() const
{
    QMap<QString, QString> names;
    for (const QString &line : messages) {
        if (const auto one = messageOf(line))
            names.insert(one->first, one->second);
    }
    return names;
}

QString ProtobufMapping::problem() const
{
    QStringList types;
    for (const QString &line : messages) {
        const auto one = messageOf(line);
        if (!one)
            return mappingPhrase("\"%1\" is not TYPE=package.Message").arg(line);
        if (types.contains(one->first))
            return mappingPhrase("\"%1\" has two messages").arg(one->first);
        types += one->first;
    }
    if (!messages.isEmpty() && descriptorSet.isEmpty())
        return mappingPhrase("the messages need a descriptor set");
    if (messages.isEmpty() && !descriptorSet.isEmpty())
        return mappingPhrase("the descriptor set needs messages: TYPE=package.Message");
    return {};
}

QJsonObject ProtobufMapping::toJson() const
{
    return {{u"descriptor_set"_s, descriptorSet},
            {u"messages"_s, QJsonArray::fromStringList(messages)}};
}

Result<ProtobufMapping> ProtobufMapping::fromJson(const QJsonObject &json)
{
    const QString doing = u"reading \"protobuf\" of a profile"_s;
    ProtobufMapping mapping;
    mapping.descriptorSet = json.value("descriptor_set"_L1).toString();
    const QJsonArray lines = json.value("messages"_L1).toArray();
    for (const auto &line : lines) {
        if (!line.isString())
            return fail(Error::Kind::Invalid, doing, u"\"messages\" is a list of texts"_s);
        mapping.messages += line.toString();
    }
    if (const QString why = mapping.problem(); !why.isEmpty())
        return fail(Error::Kind::Invalid, doing, why);
    return mapping;
}

QStringList messageLines(const QString &text)
{
    QStringList lines;
    for (const QString &line : text.split(u'\n')) {
        if (const QString trimmed = line.trimmed(); !trimmed.isEmpty())
            lines += trimmed;
    }
    return lines;
}

} // namespace outbox
