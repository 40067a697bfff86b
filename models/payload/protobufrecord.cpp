// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/payload/protobufrecord.h"

#include <QList>

namespace outbox {

namespace {

constexpr int deepestGroup = 64;
constexpr int groupEnd = 4; ///< the mark behind a group, which is no field

struct RecordTag
{
    int field = 0;
    int wire = 0;
};

std::optional<RecordTag> takeTag(QByteArrayView source, qsizetype &at)
{
    const auto tag = takeVarint(source, at);
    const quint64 field = tag.value_or(0) >> 3;
    if (field == 0 || field > largestFieldNumber)
        return std::nullopt;
    return RecordTag{static_cast<int>(field), static_cast<int>(*tag & 7)};
}

/// All but groups.
bool takeValue(QByteArrayView source, qsizetype &at, int wire, WireRecord &record)
{
    std::optional<quint64> number;
    switch (wire) {
    case 0:
        number = takeVarint(source, at);
        break;
    case 1:
        number = takeFixed(source, at, 8);
        break;
    case 2:
        number = takeVarint(source, at);
        if (!number || *number > static_cast<quint64>(source.size() - at))
            return false;
        record.bytes = source.sliced(at, static_cast<qsizetype>(*number));
        at += record.bytes.size();
        break;
    case 5:
        number = takeFixed(source, at, 4);
        break;
    default:
        return false;
    }
    record.number = number.value_or(0);
    return number.has_value();
}

/// What stands in front of the mark that ends the group `field`.
std::optional<QByteArrayView> takeGroup(QByteArrayView source, qsizetype &at, int field)
{
    const qsizetype start = at;
    QList<int> open{field};
    while (at < source.size()) {
        const qsizetype mark = at;
        const auto tag = takeTag(source, at);
        if (!tag)
            return std::nullopt;
        WireRecord skipped;
        if (tag->wire == groupEnd) {
            if (open.takeLast() != tag->field)
                return std::nullopt;
            if (open.isEmpty())
                return source.sliced(start, mark - start);
        } else if (tag->wire == static_cast<int>(WireRecord::Kind::Group)) {
            if (open.size() >= deepestGroup)
                return std::nullopt;
            open += tag->field;
        } else if (!takeValue(source, at, tag->wire, skipped)) {
            return std::nullopt;
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<quint64> takeVarint(QByteArrayView source, qsizetype &at)
{
    quint64 number = 0;
    for (int shift = 0; shift < 70 && at < source.size(); shift += 7) {
        const auto byte = static_cast<quint8>(source.at(at++));
        if (shift == 63 && byte > 1)
            return std::nullopt;
        number |= quint64(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0)
            return number;
    }
    return std::nullopt;
}

std::optional<quint64> takeFixed(QByteArrayView source, qsizetype &at, int width)
{
    if (source.size() - at < width)
        return std::nullopt;
    quint64 number = 0;
    for (int byte = width - 1; byte >= 0; --byte)
        number = (number << 8) | static_cast<quint8>(source.at(at + byte));
    at += width;
    return number;
}

std::optional<WireRecord> takeRecord(QByteArrayView source, qsizetype &at)
{
    const auto tag = takeTag(source, at);
    if (!tag)
        return std::nullopt;
    WireRecord record;
    record.field = tag->field;
    record.kind = static_cast<WireRecord::Kind>(tag->wire);
    if (record.kind == WireRecord::Kind::Group) {
        const auto inside = takeGroup(source, at, tag->field);
        if (!inside)
            return std::nullopt;
        record.bytes = *inside;
        return record;
    }
    return takeValue(source, at, tag->wire, record) ? std::optional(record) : std::nullopt;
}

} // namespace outbox
