// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/probe/zoneprobe.h"

#include "connectors/sql/dialect/knowntimes.h"
#include "connectors/sql/dialect/sqlflavor.h"
#include "connectors/sql/driver/sqldatabases.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/session/sqlsession.h"
#include "models/localtime.h"
#include "models/mapping/meaning.h"
#include "models/phrases.h"

#include <QDateTime>
#include <QTimeZone>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int newestLookedAt = 1000;
/// So young is the newest row of a table that is written to; half of what two zones differ by.
constexpr qint64 fresh = qint64{7} * 60 * usPerSecond;
constexpr qint64 clocksApart = 5 * usPerSecond;
constexpr qint64 zoneStep = qint64{15} * 60 * usPerSecond;

qint64 offsetAt(const QString &zone, qint64 now)
{
    return localOf(now, zone) - now;
}

/// Whether some zone is so far ahead of UTC that the time was just now there.
std::optional<qint64> offsetThatFits(qint64 newest, qint64 now)
{
    const qint64 ahead = newest - now + fresh;
    const qint64 steps = ahead / zoneStep - (ahead % zoneStep < 0 ? 1 : 0);
    const qint64 offset = steps * zoneStep;
    const qint64 age = now - (newest - offset);
    constexpr qint64 mostAhead = qint64{14} * 4;
    constexpr qint64 mostBehind = qint64{12} * 4;
    const bool isZone = steps <= mostAhead && steps >= -mostBehind;
    return isZone && age >= -clocksApart && age <= fresh ? std::optional(offset) : std::nullopt;
}

QString offsetText(qint64 offset)
{
    const qint64 minutes = std::abs(offset) / (60 * usPerSecond);
    return u"UTC%1%2:%3"_s.arg(QChar(offset < 0 ? u'-' : u'+'))
        .arg(minutes / 60, 2, 10, QChar(u'0'))
        .arg(minutes % 60, 2, 10, QChar(u'0'));
}

QString howToSay(const QString &databaseZone)
{
    QString zone = u"UTC"_s;
    if (!databaseZone.isEmpty() && databaseZone != u"UTC")
        zone += u" or "_s + databaseZone;
    return u" Say it with --time-zone, for instance "_s + zone + u'.';
}

ZoneOpinion askedForZone(const ZoneEvidence &evidence, const QString &why)
{
    return {{},
            {},
            zoneQuestion + u"are the times of "_s + inBackticks(evidence.column) + u"? "_s + why
                + howToSay(evidence.databaseZone)};
}

QString ago(qint64 us)
{
    return spanText(static_cast<double>(qMax<qint64>(0, us)) / 1e6);
}

} // namespace

ZoneOpinion zoneBy(const ZoneEvidence &evidence)
{
    const auto byCustom = [&evidence](const ZoneOpinion &otherwise) -> ZoneOpinion {
        if (!evidence.isUtcByCustom)
            return otherwise;
        return {u"UTC"_s,
                u"%1 has no time zone; the library that writes it writes UTC."_s.arg(
                    inBackticks(evidence.column)),
                {}};
    };
    if (!evidence.newest)
        return byCustom(askedForZone(evidence, u"No row has a time that tells."_s));
    const QString &zone = evidence.databaseZone;
    const auto offset = offsetThatFits(*evidence.newest, evidence.now);
    if (!offset) {
        return byCustom(
            askedForZone(evidence,
                         u"Its newest time, taken for UTC, is %1: too far from now to tell."_s.arg(
                             *evidence.newest > evidence.now
                                 ? ago(*evidence.newest - evidence.now) + u" ahead"_s
                                 : ago(evidence.now - *evidence.newest) + u" ago"_s)));
    }
    if (evidence.soonestDue && *evidence.soonestDue < -60 * usPerSecond) {
        return askedForZone(
            evidence,
            u"Some rows would be due before they were written, so that its times and those "
            "of another column may be in two zones."_s);
    }
    if (!zone.isEmpty()
        && offsetAt(zone, evidence.now) != offsetAt(zone, evidence.now - fresh - clocksApart)) {
        return askedForZone(
            evidence, u"The clocks of %1 were changed minutes ago: ask again later."_s.arg(zone));
    }
    const std::optional<qint64> databaseOffset
        = zone.isEmpty() ? evidence.databaseOffset : std::optional(offsetAt(zone, evidence.now));
    const QString newest = u"%1 has no time zone; its newest time is %2 old "_s.arg(
        inBackticks(evidence.column), ago(evidence.now + *offset - *evidence.newest));
    if (*offset == 0 && (zone == u"UTC" || (databaseOffset && *databaseOffset != 0)))
        return {u"UTC"_s, newest + u"in UTC, and hours away from now in any other zone."_s, {}};
    if (*offset == 0) {
        return askedForZone(evidence,
                            zone.isEmpty()
                                ? u"Its newest time is of now in UTC, and in every zone that "
                                  "has the time of UTC in this season."_s
                                : u"Its newest time is of now in UTC, and in %1 too, whose "
                                  "clocks show the same in this season."_s.arg(zone));
    }
    if (!zone.isEmpty() && databaseOffset == offset)
        return {zone, newest + u"in %1, the zone of the database."_s.arg(zone), {}};
    return askedForZone(
        evidence,
        u"Its newest time is of now at %1, which several zones have, and they change "
        "their clocks at different times."_s.arg(offsetText(*offset)));
}

namespace {

/// The newest rows of the table, as t.
QString newestOf(const SqlFlavor &flavor, const CatalogTable &table, const OutboxShape &shape,
                 const QString &by, const QStringList &columns)
{
    const CatalogColumn *key = table.column(shape.keyColumn);
    const bool byKey = by == shape.createdColumn && key && key->typeClass == TypeClass::Integer;
    QStringList names;
    for (const QString &one : columns)
        names += quotedName(one);
    return u" FROM (SELECT "_s + names.join(u", "_s) + u" FROM "_s + quotedName(table.name)
        + u" WHERE "_s + quotedName(by) + u" IS NOT NULL"_s
        + flavor.atMost(newestLookedAt, quotedName(byKey ? key->name : by) + u" DESC"_s)
        + u") AS t"_s;
}

bool isHere(const DatabaseUrl &url)
{
    static const QStringList here{u"localhost"_s, u"127.0.0.1"_s, u"::1"_s};
    return databaseOf(url.dialect).isFile() || url.host.isEmpty() || url.host.startsWith(u'/')
        || here.contains(url.host);
}

/// Where a column may hold any kind of time: whether its texts all say their zone. `saysNone` is
/// the condition that one does not.
Result<bool> sayTheirZone(SqlSession &session, const SqlFlavor &flavor, const CatalogTable &table,
                          const QString &column, const QString &saysNone)
{
    const auto rows = TRY(
        session.query({u"SELECT %1, %2 FROM (SELECT %3 FROM %4 WHERE %3 IS NOT NULL%5) AS t"_s.arg(
                           flavor.numberText(u"sum("_s + saysNone + u')'),
                           flavor.numberText(u"sum(NOT "_s + saysNone + u')'), quotedName(column),
                           quotedName(table.name), flavor.atMost(newestLookedAt)),
                       {}},
                      u"looking at "_s + table.name.text()));
    return rows.integer(0, 0) == 0 && rows.integer(0, 1).value_or(0) > 0;
}

/// Times that say no zone, and are not known by their default.
Result<QStringList> untoldColumns(SqlSession &session, const CatalogTable &table,
                                  DatabaseUrl::Dialect dialect, OutboxShape &shape)
{
    QStringList undecided;
    const OutboxShape known = withKnownTimes(shape, table, dialect);
    const SqlFlavor &flavor = flavorOf(dialect);
    for (const QString &name : known.timeColumns()) {
        if (!known.zoneOf(name).isEmpty() || !table.column(name))
            continue;
        const QString saysNone = flavor.saysNoZone(aliased(name));
        if (!saysNone.isEmpty() && databaseOf(dialect).canName(name)) {
            const auto say = TRY(sayTheirZone(session, flavor, table, name, saysNone));
            if (say) {
                shape.times[name] = u"timestamptz"_s;
                continue;
            }
        }
        undecided += name;
    }
    return undecided;
}

/// That of a library whose framework keeps times in UTC whatever the machine's zone.
bool isUtcByCustom(const QString &family)
{
    static const QStringList families{u"oban"_s, u"good_job"_s, u"solid_queue"_s,
                                      u"rails-event-store"_s};
    return families.contains(family);
}

Result<ZoneEvidence> evidenceOf(SqlSession &session, const CatalogTable &table,
                                const DatabaseUrl &url, const OutboxShape &shape,
                                const QString &column)
{
    const SqlFlavor &flavor = flavorOf(url.dialect);
    const QString time = flavor.untoldMicroseconds(table, column);
    const CatalogColumn *due = column == shape.createdColumn && shape.dueOnlyIn.isEmpty()
        ? table.column(shape.dueColumn)
        : nullptr;
    const bool isDueAlike = due && needsZone(*due, databaseOf(url.dialect).isLoose);
    QStringList names{column};
    if (isDueAlike)
        names += due->name;
    names.removeDuplicates();
    const QString soonest = isDueAlike
        ? flavor.numberText(u"min(("_s + flavor.untoldMicroseconds(table, due->name) + u") - ("_s
                            + time + u"))"_s)
        : u"NULL"_s;
    const auto rows = TRY(session.query(
        u"SELECT "_s + flavor.numberText(u"max("_s + time + u')') + u", "_s + soonest + u", "_s
            + flavor.numberText(flavor.nowUs()) + u", "_s + flavor.serverZone().join(u", "_s)
            + newestOf(flavor, table, shape, column, names),
        u"looking at the times of "_s + table.name.text()));
    ZoneEvidence evidence;
    evidence.column = column;
    evidence.newest = rows.integer(0, 0);
    evidence.soonestDue = rows.integer(0, 1);
    evidence.now = rows.integer(0, 2).value_or(0);
    if (const auto zone = timeZoneNamed(rows.text(0, 3)))
        evidence.databaseZone = *zone;
    if (const auto offset = rows.integer(0, 4))
        evidence.databaseOffset = *offset * usPerSecond;
    const auto system = timeZoneNamed(QString::fromLatin1(QTimeZone::systemTimeZoneId()));
    const bool isOurs = system && isHere(url)
        && (!evidence.databaseOffset
            || *evidence.databaseOffset == offsetAt(*system, evidence.now));
    if (evidence.databaseZone.isEmpty() && isOurs)
        evidence.databaseZone = *system;
    evidence.isUtcByCustom = isUtcByCustom(shape.family);
    return evidence;
}

} // namespace

Result<void> lookAtZone(SqlSession &session, const CatalogTable &table, const DatabaseUrl &url,
                        ProbeFinding &finding)
{
    OutboxShape &shape = finding.shape;
    const auto undecided = TRY(untoldColumns(session, table, url.dialect, shape));
    if (undecided.isEmpty())
        return {};
    // A created time is of now when it is written, and so is a mark; a due time may be of any time.
    const CatalogColumn *created = table.column(shape.createdColumn);
    const QString mark = shape.processedWhenColumn();
    const bool isByDefault = created && created->isUtcByDefault && !undecided.contains(mark);
    QString column = undecided.contains(mark) ? mark : undecided.constFirst();
    if (created && (undecided.contains(created->name) || isByDefault))
        column = created->name;
    ZoneEvidence evidence;
    evidence.column = column;
    const bool tells = column == shape.createdColumn || column == mark;
    if (tells && databaseOf(url.dialect).canName(column)) {
        evidence = TRY(evidenceOf(session, table, url, shape, column));
    }
    evidence.isUtcByCustom = isUtcByCustom(shape.family);
    ZoneOpinion opinion = zoneBy(evidence);
    // What its default makes UTC says nothing of the others, unless rows are due when they are
    // made.
    constexpr qint64 atOnce = qint64{10} * 60 * usPerSecond;
    const bool isBeside = isByDefault && !opinion.zone.isEmpty()
        && evidence.soonestDue.value_or(atOnce + 1) > atOnce;
    if (isBeside) {
        evidence.column = undecided.constFirst();
        opinion = askedForZone(
            evidence,
            u"Its default makes `%1` UTC, which says nothing of it."_s.arg(created->name));
    }
    if (!opinion.zone.isEmpty()) {
        shape.setTimeZone(opinion.zone);
        finding.reasons[u"times"_s] += opinion.reason;
    } else {
        finding.questions += opinion.question;
    }
    return {};
}

} // namespace outbox
