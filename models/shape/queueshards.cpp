// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/shape/queueshards.h"

#include <QRegularExpression>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

tl::unexpected<Error> unreadShards(const QString &text, const QString &why)
{
    return fail(Error::Kind::Invalid, u"reading the queues of a mapping"_s,
                u"\"%1\": %2"_s.arg(text, why), {},
                u"Such as mail-{shard:16}, or mail-{shard:16 by:customer}"_s);
}

} // namespace

QString QueueShards::text() const
{
    return isEmpty() ? QString() : before + u"{shard:"_s + rule() + u'}' + after;
}

QString QueueShards::rule() const
{
    const QString number = QString::number(count);
    return byColumn.isEmpty() ? number : number + u" by:"_s + byColumn;
}

QString QueueShards::name(int shard) const
{
    return before + QString::number(shard) + after;
}

QStringList QueueShards::names() const
{
    QStringList all;
    all.reserve(count);
    for (int shard = 0; shard < count; ++shard)
        all += name(shard);
    return all;
}

QString QueueShards::nameFor(const QString &text) const
{
    return name(shardOf(shardHash(text.toUtf8()), count));
}

bool QueueShards::contains(const QString &queue) const
{
    for (int shard = 0; shard < count; ++shard) {
        if (name(shard) == queue)
            return true;
    }
    return false;
}

bool QueueShards::isTemplate(const QString &text)
{
    return text.contains(u'{') || text.contains(u'}');
}

Result<QueueShards> QueueShards::fromText(const QString &text)
{
    static const QRegularExpression whole(
        QRegularExpression::anchoredPattern(u"([^{}]*)\\{shard:([^{} ]*)( by:([^{}]*))?\\}(.*)"_s),
        QRegularExpression::DotMatchesEverythingOption);
    const auto match = whole.match(text);
    if (!match.hasMatch())
        return unreadShards(text, u"its braces hold no {shard:N} or {shard:N by:COLUMN}"_s);
    QueueShards shards;
    shards.before = match.captured(1);
    shards.after = match.captured(5);
    if (isTemplate(shards.after))
        return unreadShards(text, u"there is more than one pair of braces"_s);
    static const QRegularExpression digits(
        QRegularExpression::anchoredPattern(u"[1-9][0-9]{0,3}"_s));
    const QString number = match.captured(2);
    const int count = digits.match(number).hasMatch() ? number.toInt() : 0;
    if (count < 1 || count > most) {
        return unreadShards(
            text,
            u"\"%1\" is no number of queues from 1 to %2"_s.arg(number, QString::number(most)));
    }
    shards.count = count;
    shards.byColumn = match.captured(4);
    if (match.capturedLength(3) > 0 && shards.byColumn.trimmed().isEmpty())
        return unreadShards(text, u"there is no column behind \"by:\""_s);
    return shards;
}

quint64 shardHash(const QByteArray &bytes)
{
    constexpr quint64 start = 0xcbf2'9ce4'8422'2325;
    constexpr quint64 prime = 0x100'0000'01b3;
    quint64 hash = start;
    for (const char byte : bytes) {
        hash ^= quint64{static_cast<quint8>(byte)};
        hash *= prime;
    }
    return hash;
}

// From "A Fast, Minimal Memory, Consistent Hash Algorithm" (Lamping and Veach, 2014): a generator
// of random numbers, begun with the key, says at how many shards the key moves next. The last such
// number that is small enough is the shard. The quotient is that of doubles, as published: whole
// numbers would now and then say another shard.
int shardOf(quint64 hash, int shards)
{
    constexpr quint64 factor = 2'862'933'555'777'941'757;
    constexpr int unusedBits = 33;
    constexpr double range = 2'147'483'648.0; // 2^31: so many values has what is left of the number
    qint64 shard = 0;
    qint64 next = 0;
    while (next < shards) {
        shard = next;
        hash = hash * factor + 1;
        const double drawn = static_cast<double>((hash >> unusedBits) + 1);
        next = static_cast<qint64>(static_cast<double>(shard + 1) * (range / drawn));
    }
    return static_cast<int>(shard);
}

} // namespace outbox
