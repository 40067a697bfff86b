// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/shape/keytime.h"

#include <algorithm>

namespace outbox {

namespace {

constexpr qsizetype uuidLetters = 36;
constexpr qsizetype ulidLetters = 26;
constexpr qsizetype ulidTimeLetters = 10;

std::optional<qint64> timeInUuid(const QString &key)
{
    for (qsizetype place = 0; place < key.size(); ++place) {
        const QChar letter = key.at(place).toLower();
        const bool isDash = place == 8 || place == 13 || place == 18 || place == 23;
        const bool isHex = (letter >= u'0' && letter <= u'9') || (letter >= u'a' && letter <= u'f');
        if (isDash ? letter != u'-' : !isHex)
            return std::nullopt;
    }
    const QChar variant = key.at(19).toLower();
    if (key.at(14) != u'7' || !QStringView(u"89ab").contains(variant))
        return std::nullopt;
    return QString(key.left(8) + key.mid(9, 4)).toLongLong(nullptr, 16);
}

/// Five bits a letter; more than 48 bits of time are no ULID.
std::optional<qint64> timeInUlid(const QString &key)
{
    constexpr QStringView letters = u"0123456789abcdefghjkmnpqrstvwxyz";
    qint64 ms = 0;
    for (qsizetype place = 0; place < key.size(); ++place) {
        const qsizetype value = letters.indexOf(key.at(place).toLower());
        if (value < 0 || (place == 0 && value > 7))
            return std::nullopt;
        if (place < ulidTimeLetters)
            ms = 32 * ms + value;
    }
    return ms;
}

} // namespace

std::optional<qint64> timeInKey(const QString &key)
{
    const auto isAscii = [](QChar letter) { return letter.unicode() < 128; };
    if (!std::all_of(key.cbegin(), key.cend(), isAscii))
        return std::nullopt;
    if (key.size() == uuidLetters)
        return timeInUuid(key);
    return key.size() == ulidLetters ? timeInUlid(key) : std::nullopt;
}

bool areKeysOfTime(const QStringList &keys)
{
    const qsizetype letters = keys.value(0).size();
    const auto hasTime = [letters](const QString &key) {
        return key.size() == letters && timeInKey(key).has_value();
    };
    const auto isSmall = [](const QString &key) { return key == key.toLower(); };
    const auto isLarge = [](const QString &key) { return key == key.toUpper(); };
    return std::all_of(keys.cbegin(), keys.cend(), hasTime)
        && (std::all_of(keys.cbegin(), keys.cend(), isSmall)
            || std::all_of(keys.cbegin(), keys.cend(), isLarge));
}

} // namespace outbox
