// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/asynq/wire/relayfield.h"

#include "models/plaintext.h"

#include <QByteArrayList>
#include <QHash>
#include <QUrl>

#include <algorithm>

namespace outbox::asynq {

namespace {

constexpr qsizetype mostHostCharacters = 64;
constexpr qsizetype mostVersionCharacters = 24;
constexpr qsizetype mostNameBytes = 64;
constexpr qint64 mostWorkers = 100'000;
constexpr qint64 mostBatchRows = 1'000'000'000;
constexpr qint64 lastSecond = 253'402'300'799; ///< of the year 9999
constexpr qsizetype relayWords = 8;

/// As one word; "-" where there is nothing to say.
QByteArray encodedWord(const QString &text, qsizetype mostCharacters)
{
    const QByteArray word = QUrl::toPercentEncoding(text.left(mostCharacters));
    return word.isEmpty() ? QByteArray("-") : word;
}

QString decodedWord(const QByteArray &word, qsizetype mostCharacters)
{
    return plainText(QUrl::fromPercentEncoding(word).left(mostCharacters));
}

QByteArray secondOf(const QDateTime &moment)
{
    return QByteArray::number(moment.isValid() ? moment.toSecsSinceEpoch() : qint64{0});
}

/// A whole number from 0 to `most`.
std::optional<qint64> boundedNumber(const QByteArray &word, qint64 most)
{
    bool isNumber = false;
    const qint64 number = word.toLongLong(&isNumber);
    return isNumber && number >= 0 && number <= most ? std::optional(number) : std::nullopt;
}

bool isRelayName(const QByteArray &name)
{
    return !name.isEmpty() && name.size() <= mostNameBytes
        && std::all_of(name.cbegin(), name.cend(), [](char one) {
               return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z')
                   || (one >= '0' && one <= '9') || one == '-' || one == '_';
           });
}

} // namespace

QByteArray relayValue(const RelayAbout &about)
{
    const QByteArrayList words{"1",
                               encodedWord(about.host, mostHostCharacters),
                               encodedWord(about.version, mostVersionCharacters),
                               QByteArray::number(about.worker),
                               secondOf(about.started),
                               QByteArray::number(about.batch),
                               about.bySchedule ? "s" : "a",
                               secondOf(about.ended)};
    QByteArray value = words.join(' ');
    if (value.size() <= mostRelayBytes)
        return value;
    RelayAbout shorter = about; // a name of letters that take nine bytes each
    shorter.host = about.host.left(mostHostCharacters / 4);
    shorter.version = about.version.left(mostVersionCharacters / 4);
    return relayValue(shorter);
}

std::optional<RelayAbout> relayAbout(const QByteArray &value)
{
    if (value.size() > mostRelayBytes)
        return std::nullopt;
    const QByteArrayList words = value.split(' ');
    if (words.size() < relayWords || words.at(0) != "1")
        return std::nullopt;
    const auto worker = boundedNumber(words.at(3), mostWorkers);
    const auto started = boundedNumber(words.at(4), lastSecond);
    const auto batch = boundedNumber(words.at(5), mostBatchRows);
    const auto ended = boundedNumber(words.at(7), lastSecond);
    const bool isKnownManner = words.at(6) == "a" || words.at(6) == "s";
    RelayAbout about;
    about.host = decodedWord(words.at(1), mostHostCharacters);
    about.version = decodedWord(words.at(2), mostVersionCharacters);
    if (!worker || !started || !batch || !ended || !isKnownManner || about.host.isEmpty()
        || about.version.isEmpty())
        return std::nullopt;
    about.worker = static_cast<int>(*worker);
    about.batch = static_cast<int>(*batch);
    about.bySchedule = words.at(6) == "s";
    about.started = QDateTime::fromSecsSinceEpoch(*started, Qt::UTC);
    if (*ended > 0)
        about.ended = QDateTime::fromSecsSinceEpoch(*ended, Qt::UTC);
    return about;
}

QList<RelayEntry> relaysIn(const RedisReply &scan)
{
    constexpr qint64 microsecondsPerSecond = 1'000'000;
    const QList<RedisReply> pairs = scan.elements.value(1).elements;
    QHash<QByteArray, QByteArray> abouts;
    for (qsizetype at = 0; at + 1 < pairs.size(); at += 2) {
        if (pairs.at(at).bytes.startsWith("h:"))
            abouts.insert(pairs.at(at).bytes.mid(2), pairs.at(at + 1).bytes);
    }
    QList<RelayEntry> relays;
    for (qsizetype at = 0; at + 1 < pairs.size(); at += 2) {
        const QByteArray name = pairs.at(at).bytes.mid(2);
        const auto batch
            = boundedNumber(pairs.at(at + 1).bytes, lastSecond * microsecondsPerSecond);
        if (!pairs.at(at).bytes.startsWith("r:") || !isRelayName(name) || !batch)
            continue;
        relays += RelayEntry{QString::fromLatin1(name), relayAbout(abouts.value(name)),
                             QDateTime::fromMSecsSinceEpoch(*batch / 1000, Qt::UTC)};
    }
    return relays;
}

bool isWhole(const RedisReply &scan)
{
    return scan.elements.value(0).bytes == "0";
}

} // namespace outbox::asynq
