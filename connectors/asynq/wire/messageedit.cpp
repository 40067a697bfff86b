// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/wire/messageedit.h"

#include "connectors/asynq/wire/enqueuecommand.h"
#include "connectors/asynq/wire/taskmessage.h"

#include <QByteArrayView>
#include <QList>

#include <algorithm>

namespace outbox::asynq {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr quint64 typeNumber = 1; ///< of the fields in task.proto
constexpr quint64 payloadNumber = 2;
constexpr quint64 lengthDelimited = 2;

/// Where a field of a message stands, its tag with it.
struct FieldSpan
{
    quint64 number = 0;
    qsizetype from = 0;
    qsizetype to = 0; ///< one behind
};

/// The number at `at`, which moves behind it.
std::optional<quint64> varintAt(const QByteArray &bytes, qsizetype &at)
{
    quint64 number = 0;
    for (int shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
        const auto byte = static_cast<quint8>(bytes.at(at));
        ++at;
        number |= static_cast<quint64>(byte & 0x7fU) << shift;
        if (byte < 0x80)
            return number;
    }
    return std::nullopt;
}

/// Moves `at` behind the value of a field of this wire type, or into a group, or out of one.
bool passValue(const QByteArray &bytes, quint64 wireType, qsizetype &at, int &depth)
{
    switch (wireType) {
    case 0:
        return varintAt(bytes, at).has_value();
    case 1:
        at += 8;
        break;
    case lengthDelimited: {
        const auto length = varintAt(bytes, at);
        if (!length || *length > static_cast<quint64>(bytes.size() - at))
            return false;
        at += static_cast<qsizetype>(*length);
        break;
    }
    case 3:
        ++depth;
        break;
    case 4:
        --depth;
        break;
    case 5:
        at += 4;
        break;
    default:
        return false;
    }
    return depth >= 0 && at <= bytes.size();
}

std::optional<FieldSpan> fieldAt(const QByteArray &bytes, qsizetype from)
{
    FieldSpan span{0, from, from};
    int depth = 0;
    do {
        const auto tag = varintAt(bytes, span.to);
        if (!tag || !passValue(bytes, *tag & 7U, span.to, depth))
            return std::nullopt;
        if (span.number == 0)
            span.number = *tag >> 3;
    } while (depth > 0);
    return span.number > 0 ? std::optional(span) : std::nullopt;
}

void appendVarint(QByteArray &bytes, quint64 number)
{
    for (; number >= 0x80; number >>= 7)
        bytes += static_cast<char>((number & 0x7fU) | 0x80U);
    bytes += static_cast<char>(number);
}

/// Fields that are to be written, in ascending order; one that is empty is left out, as asynq does.
class FreshFields
{
public:
    void add(quint64 number, const QByteArray &value) { m_fields += {number, value}; }
    [[nodiscard]] bool has(quint64 number) const
    {
        return std::any_of(m_fields.begin(), m_fields.end(),
                           [number](const auto &field) { return field.first == number; });
    }
    /// Those that stand before, or in the place of, a field of this number.
    void writeUpTo(quint64 number, QByteArray &bytes)
    {
        for (; m_next < m_fields.size() && m_fields.at(m_next).first <= number; ++m_next) {
            const auto &[own, value] = m_fields.at(m_next);
            if (value.isEmpty())
                continue;
            appendVarint(bytes, (own << 3) | lengthDelimited);
            appendVarint(bytes, static_cast<quint64>(value.size()));
            bytes += value;
        }
    }

private:
    QList<std::pair<quint64, QByteArray>> m_fields;
    qsizetype m_next = 0;
};

QString whyNotThisType(const std::optional<QString> &type)
{
    if (!type)
        return {};
    if (type->trimmed().isEmpty())
        return u"the task type is blank"_s;
    return type->isValidUtf16() ? QString() : u"the task type cannot be written as UTF-8"_s;
}

} // namespace

Result<QByteArray> withContent(const QByteArray &stored, const std::optional<QString> &type,
                               const std::optional<QByteArray> &payload)
{
    const QString doing = u"changing the message of a task"_s;
    auto wanted = TRY(decode(stored));
    if (const QString why = whyNotThisType(type); !why.isEmpty())
        return fail(Error::Kind::Invalid, doing, why);
    FreshFields fresh;
    if (type) {
        fresh.add(typeNumber, type->toUtf8());
        wanted.type = *type;
    }
    if (payload) {
        fresh.add(payloadNumber, *payload);
        wanted.payload = *payload;
    }
    QByteArray bytes;
    for (qsizetype at = 0; at < stored.size();) {
        const auto field = fieldAt(stored, at);
        if (!field)
            return fail(Error::Kind::Protocol, doing, u"its fields cannot be told apart"_s);
        fresh.writeUpTo(field->number, bytes);
        if (!fresh.has(field->number))
            bytes.append(QByteArrayView(stored).sliced(field->from, field->to - field->from));
        at = field->to;
    }
    fresh.writeUpTo(payloadNumber, bytes);
    if (bytes.size() > maxMessageBytes) {
        return fail(Error::Kind::Invalid, doing,
                    u"the message is larger than the 512 MiB that Redis takes"_s);
    }
    const auto made = decode(bytes);
    if (!made || *made != wanted)
        return fail(Error::Kind::Protocol, doing, u"its fields cannot be changed one by one"_s);
    return bytes;
}

} // namespace outbox::asynq
