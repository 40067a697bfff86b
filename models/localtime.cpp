// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/localtime.h"

#include <QDateTime>
#include <QRegularExpression>
#include <QTimeZone>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 usPerMinute = 60 * usPerSecond;
constexpr qint64 usPerDay = qint64{24} * 60 * usPerMinute;

/// "+05:30", "UTC+5:30", "-3": how far its local time is ahead of UTC; nullopt for other texts.
std::optional<qint64> fixedOffset(const QString &text)
{
    static const QRegularExpression form(u"^(?:UTC|GMT)?([+-])(\\d{1,2})(?::?([0-5]\\d))?$"_s,
                                         QRegularExpression::CaseInsensitiveOption);
    const auto match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    const qint64 minutes = match.capturedView(2).toInt() * 60 + match.capturedView(3).toInt();
    constexpr qint64 most = qint64{14} * 60;
    if (minutes > most)
        return std::nullopt;
    return (match.capturedView(1) == u"-" ? -minutes : minutes) * usPerMinute;
}

QDateTime timeAt(qint64 us)
{
    return QDateTime::fromMSecsSinceEpoch(us / 1000, Qt::UTC);
}

} // namespace

Result<QString> timeZoneNamed(const QString &text)
{
    const QString name = text.trimmed();
    static const QStringList utc{u"UTC"_s,  u"Z"_s,   u"Etc/UTC"_s, u"Etc/GMT"_s, u"GMT"_s,
                                 u"Zulu"_s, u"UCT"_s, u"Etc/UCT"_s, u"GMT0"_s,    u"Etc/Zulu"_s};
    if (utc.contains(name, Qt::CaseInsensitive))
        return u"UTC"_s;
    if (const auto offset = fixedOffset(name)) {
        if (*offset == 0)
            return u"UTC"_s;
        const qint64 minutes = std::abs(*offset) / usPerMinute;
        return u"UTC%1%2:%3"_s.arg(QChar(*offset < 0 ? u'-' : u'+'))
            .arg(minutes / 60, 2, 10, QChar(u'0'))
            .arg(minutes % 60, 2, 10, QChar(u'0'));
    }
    if (!name.isEmpty() && QTimeZone::isTimeZoneIdAvailable(name.toLatin1()))
        return name;
    QString near;
    const QList<QByteArray> all = QTimeZone::availableTimeZoneIds();
    for (const QByteArray &id : all) {
        const QString known = QString::fromLatin1(id);
        if (known.compare(name, Qt::CaseInsensitive) == 0)
            return known;
        if (near.isEmpty() && name.size() > 2
            && known.section(u'/', -1).compare(QString(name).replace(u' ', u'_'),
                                               Qt::CaseInsensitive)
                == 0)
            near = known;
    }
    return fail(Error::Kind::Invalid, u"reading the time zone"_s,
                u"\"%1\" is no time zone"_s.arg(name), {},
                near.isEmpty() ? u"Write UTC, a name such as Europe/Berlin, or +05:30"_s
                               : u"Did you mean %1?"_s.arg(near));
}

ClockPieces zoneClock(const QString &name, qint64 from, qint64 to)
{
    if (name == u"UTC")
        return utcClock();
    if (const auto fixed = fixedOffset(name))
        return {ClockPiece{0, *fixed, {}}};
    const QTimeZone zone(name.toLatin1());
    if (!zone.isValid())
        return utcClock();
    ClockPieces clock{{0, zone.offsetFromUtc(timeAt(from)) * usPerSecond, {}}};
    for (const QTimeZone::OffsetData &one : zone.transitions(timeAt(from), timeAt(to))) {
        const qint64 at = one.atUtc.toMSecsSinceEpoch() * 1000;
        const qint64 shift = one.offsetFromUtc * usPerSecond;
        if (at > from && shift != clock.constLast().shift)
            clock += {at, shift, {}};
    }
    return clock;
}

ClockPieces momentPieces(const ClockPieces &clock, Reading reading)
{
    ClockPieces pieces{{0, -clock.constFirst().shift, {}}};
    for (qsizetype i = 1; i < clock.size(); ++i) {
        const qint64 at = clock.at(i).from;
        const qint64 before = clock.at(i - 1).shift;
        const qint64 after = clock.at(i).shift;
        const bool isGap = after > before;
        if (reading == Reading::Earlier && isGap)
            pieces += {at + before, 0, at};
        const bool atOldTime = reading == Reading::Earlier && !isGap;
        pieces += {at + (atOldTime ? before : after), -after, {}};
    }
    return pieces;
}

ClockPieces firstLocalPieces(const ClockPieces &clock)
{
    ClockPieces pieces{clock.constFirst()};
    for (qsizetype i = 1; i < clock.size(); ++i) {
        const qint64 at = clock.at(i).from;
        const qint64 before = clock.at(i - 1).shift;
        const qint64 after = clock.at(i).shift;
        if (after < before) { // all of the doubled hour was before
            pieces += {at, 0, at + before};
            pieces += {at + before - after, after, {}};
        } else { // the gap is the change itself
            pieces += {at + 1, after, {}};
        }
    }
    return pieces;
}

qint64 through(const ClockPieces &pieces, qint64 time)
{
    const auto later = std::find_if(pieces.begin() + 1, pieces.end(),
                                    [time](const ClockPiece &one) { return one.from > time; });
    const ClockPiece &piece = *(later - 1);
    return piece.fixed ? *piece.fixed : time + piece.shift;
}

namespace {

ClockPieces clockAround(qint64 time, const QString &zone)
{
    return zoneClock(zone, time - 3 * usPerDay, time + 3 * usPerDay);
}

} // namespace

qint64 momentOf(qint64 local, const QString &zone, Reading reading)
{
    return through(momentPieces(clockAround(local, zone), reading), local);
}

qint64 localOf(qint64 moment, const QString &zone)
{
    return through(clockAround(moment, zone), moment);
}

qint64 firstLocalOf(qint64 moment, const QString &zone)
{
    return through(firstLocalPieces(clockAround(moment, zone)), moment);
}

} // namespace outbox
