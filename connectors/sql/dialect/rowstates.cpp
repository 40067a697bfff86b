// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/dialect/conditions.h"
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/dialect/rowstates.h"

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace conditions;

namespace {

using Processed = OutboxShape::ProcessedHow;
using Locked = OutboxShape::LockedHow;
using Failed = OutboxShape::FailedHow;

} // namespace

QString RowStates::scope(const QString &prefix) const
{
    return all(prefix, m_shape.where);
}

QString RowStates::finished(const QString &prefix) const
{
    const CatalogColumn *column = m_table.column(m_shape.processedColumn);
    switch (m_shape.processedHow) {
    case Processed::Time:
        return cell(prefix, m_shape.processedColumn) + u" IS NOT NULL"_s;
    case Processed::Flag:
        return isTrue(cell(prefix, m_shape.processedColumn), column);
    case Processed::Status:
        return isAmong(prefix, m_shape.processedColumn, m_shape.processedValues);
    case Processed::Member:
        return exists(prefix, m_shape.processedIn);
    case Processed::Offset:
        return passedByAll(prefix);
    case Processed::Deleted:
    case Processed::Archive: // absent here
    case Processed::Log:
        break;
    }
    return sqlFalse;
}

QString RowStates::processed(const QString &prefix) const
{
    return both({scope(prefix), finished(prefix), all(prefix, m_shape.processedAnd)});
}

QString RowStates::open(const QString &prefix) const
{
    if (m_shape.processedHow == Processed::Time && m_shape.processedAnd.isEmpty())
        return both({scope(prefix), cell(prefix, m_shape.processedColumn) + u" IS NULL"_s});
    if (m_shape.processedHow == Processed::Flag && m_shape.processedAnd.isEmpty()) {
        const CatalogColumn *column = m_table.column(m_shape.processedColumn);
        if (column && column->typeClass == TypeClass::Flag && !column->nullable)
            return both({scope(prefix), m_flavor.isFalse(cell(prefix, m_shape.processedColumn))});
    }
    return both(
        {scope(prefix), opposite(both({finished(prefix), all(prefix, m_shape.processedAnd)}))});
}

QString RowStates::failed(const QString &prefix) const
{
    switch (m_shape.failedHow) {
    case Failed::Time:
        return cell(prefix, m_shape.failedColumn) + u" IS NOT NULL"_s;
    case Failed::Flag:
        return isTrue(cell(prefix, m_shape.failedColumn), m_table.column(m_shape.failedColumn));
    case Failed::Status:
    case Failed::Queue:
        return isAmong(prefix, m_shape.failedColumn, m_shape.failedValues);
    case Failed::Error:
        return both({finished(prefix), cell(prefix, m_shape.failedColumn) + u" IS NOT NULL"_s});
    case Failed::Member:
        return exists(prefix, m_shape.failedIn);
    case Failed::None:
    case Failed::Attempts:
    case Failed::Table: // absent here
        break;
    }
    return sqlFalse;
}

QString RowStates::lockMark(const QString &prefix) const
{
    switch (m_shape.lockedHow) {
    case Locked::Owner:
    case Locked::Node:
        return m_shape.ownerColumn.isEmpty()
            ? cell(prefix, m_shape.lockTimeColumn) + u" IS NOT NULL"_s
            : ownerIsSet(cell(prefix, m_shape.ownerColumn), m_table.column(m_shape.ownerColumn));
    case Locked::Status:
        return isAmong(prefix, m_shape.lockedColumn, m_shape.lockedValues);
    case Locked::Member:
        return exists(prefix, m_shape.lockedIn);
    case Locked::LockRow: {
        const RelatedTable &in = m_shape.lockedIn;
        if (in.ownerColumn.isEmpty())
            return sqlFalse; // an open transaction holds that row
        return exists(prefix, {in.table, in.on, in.ownerColumn, {}, {}, {}, {}});
    }
    case Locked::None:
    case Locked::Row:
    case Locked::Until:
        break;
    }
    return sqlFalse;
}

QString RowStates::locked(const QString &prefix) const
{
    if (m_shape.lockedHow == Locked::Until)
        return isAfter(prefix, m_shape.leaseColumn, m_shape.leaseSeconds);
    QString mark = lockMark(prefix);
    if (mark == sqlFalse)
        return sqlFalse;
    const RelatedTable &in = m_shape.lockedIn;
    switch (m_shape.lockedHow) {
    case Locked::Owner:
    case Locked::Status:
        if (m_shape.leaseSeconds > 0 && !m_shape.lockTimeColumn.isEmpty()) {
            return both({mark, isAfter(prefix, m_shape.lockTimeColumn, m_shape.leaseSeconds)});
        }
        return mark;
    case Locked::Node:
        return both(
            {mark,
             nodeLives(cell(prefix, m_shape.ownerColumn), m_table.column(m_shape.ownerColumn))});
    case Locked::Member:
        return m_shape.node.isEmpty() || in.ownerColumn.isEmpty()
            ? mark
            : exists(prefix, in,
                     nodeLives(u"n."_s + quotedName(in.ownerColumn),
                               neighbourColumn(in.table, in.ownerColumn)));
    case Locked::LockRow:
        if (const CatalogColumn *time = neighbourColumn(in.table, in.timeColumn);
            time && m_shape.leaseSeconds > 0) {
            const QString since = u"n."_s + quotedName(in.timeColumn);
            return exists(prefix, {in.table, in.on, in.ownerColumn, {}, {}, {}, {}},
                          m_flavor.notNull(m_flavor.isAfter(since, *time, zoneOf(in.timeColumn),
                                                            m_shape.leaseSeconds)));
        }
        return mark;
    case Locked::None:
    case Locked::Row:
    case Locked::Until:
        break;
    }
    return mark;
}

QString RowStates::lockIsOver(const QString &prefix) const
{
    const QString mark = lockMark(prefix);
    const QString alive = locked(prefix);
    return mark == alive ? sqlFalse : both({mark, opposite(alive)});
}

QString RowStates::spent(const QString &prefix) const
{
    if (m_shape.failedHow != Failed::Attempts || m_shape.attemptsColumn.isEmpty())
        return sqlFalse;
    const QString most = m_shape.maxAttemptsColumn.isEmpty()
        ? QString::number(m_shape.maxAttempts)
        : cell(prefix, m_shape.maxAttemptsColumn);
    return m_flavor.notNull(cell(prefix, m_shape.attemptsColumn) + u" >= "_s + most);
}

QString RowStates::waiting(const QString &prefix) const
{
    const QString later = m_shape.dueColumn.isEmpty()
        ? sqlFalse
        : both({all(prefix, m_shape.dueOnlyIn), isAfter(prefix, m_shape.dueColumn, 0)});
    return either({isAmong(prefix, m_shape.waitingColumn, m_shape.waitingValues), later,
                   exists(prefix, m_shape.waitingIn)});
}

QString RowStates::pending(const QString &prefix) const
{
    if (m_shape.processedHow == Processed::Log)
        return sqlFalse;
    if (!m_shape.pendingIn.isEmpty())
        return either({exists(prefix, m_shape.pendingIn), lockIsOver(prefix)});
    const QString column
        = m_shape.pendingColumn.isEmpty() && m_shape.processedHow == Processed::Status
        ? m_shape.processedColumn
        : m_shape.pendingColumn;
    if (column.isEmpty())
        return sqlTrue;
    const bool isLock = m_shape.lockedHow == Locked::Status && m_shape.lockedColumn == column;
    return either(
        {isAmong(prefix, column, m_shape.pendingValues), isLock ? lockIsOver(prefix) : sqlFalse});
}

QString RowStates::due(const QString &prefix) const
{
    return both({open(prefix), pending(prefix), opposite(failed(prefix)), opposite(locked(prefix)),
                 opposite(spent(prefix)), opposite(waiting(prefix))});
}

QString RowStates::left(const QString &prefix) const
{
    return both({open(prefix), either({pending(prefix), locked(prefix)}), opposite(failed(prefix)),
                 opposite(spent(prefix)), opposite(waiting(prefix))});
}

QString RowStates::state(const QString &prefix, bool ofOpen) const
{
    const QList<std::pair<QString, QString>> ways{
        {ofOpen ? sqlFalse : processed(prefix), u"'processed'"_s},
        {failed(prefix), u"'failed'"_s},
        {isLockUntold(prefix), u"'unknown'"_s},
        {locked(prefix), u"'locked'"_s},
        {spent(prefix), u"'failed'"_s},
        {isDueUntold(prefix), u"'unknown'"_s},
        {waiting(prefix), u"'waiting'"_s},
        {pending(prefix), u"'pending'"_s}};
    QString text;
    for (const auto &[condition, word] : ways) {
        if (condition == sqlFalse)
            continue;
        if (condition == sqlTrue)
            return text.isEmpty() ? word
                                  : QString(u"CASE"_s + text + u" ELSE "_s + word + u" END"_s);
        text += u" WHEN "_s + condition + u" THEN "_s + word;
    }
    return text.isEmpty() ? u"'unknown'"_s : QString(u"CASE"_s + text + u" ELSE 'unknown' END"_s);
}

QString RowStates::filter(const QString &prefix, const QList<MessageState> &states,
                          const QString &isHeld) const
{
    if (states.isEmpty())
        return sqlTrue;
    const auto wants = [&states](MessageState one) { return states.contains(one); };
    const QString marked = both({open(prefix), failed(prefix)});
    const QString unmarked = both({open(prefix), opposite(failed(prefix))});
    const QString leased = surelyLocked(prefix);
    const QString free = both({unmarked, opposite(leased), opposite(isHeld)});
    const auto inState = [&](const QString &word) -> QString {
        const QString kind = state(prefix, true);
        if (!kind.startsWith(u"CASE"))
            return kind == word ? free : sqlFalse;
        return both({free, kind + u" = "_s + word});
    };
    QStringList ways;
    if (wants(MessageState::Processed))
        ways += processed(prefix);
    if (wants(MessageState::Failed)) {
        ways += marked;
        ways += both({free, spent(prefix)});
    }
    if (wants(MessageState::Pending) && wants(MessageState::Locked) && spent(prefix) == sqlFalse
        && waiting(prefix) == sqlFalse && pending(prefix) == sqlTrue
        && isLockUntold(prefix) == sqlFalse) {
        ways += unmarked; // the two together need no look at the locks
    } else {
        if (wants(MessageState::Locked))
            ways += both({unmarked, either({leased, isHeld})});
        if (wants(MessageState::Pending))
            ways += both({due(prefix), opposite(isHeld)});
    }
    if (wants(MessageState::Waiting))
        ways += inState(u"'waiting'"_s);
    if (wants(MessageState::Unknown))
        ways += inState(u"'unknown'"_s);
    return either(ways);
}

QString RowStates::owner(const QString &prefix) const
{
    if (!m_shape.lockedIn.ownerColumn.isEmpty())
        return lookedUp(prefix, m_shape.lockedIn, m_shape.lockedIn.ownerColumn);
    return m_shape.ownerColumn.isEmpty() ? QString()
                                         : m_flavor.asText(cell(prefix, m_shape.ownerColumn));
}

QString RowStates::error(const QString &prefix) const
{
    if (!m_shape.errorColumn.isEmpty())
        return m_flavor.asText(cell(prefix, m_shape.errorColumn));
    return m_shape.failedIn.errorColumn.isEmpty() || m_shape.failedIn.on.isEmpty()
        ? QString()
        : lookedUp(prefix, m_shape.failedIn, m_shape.failedIn.errorColumn);
}

QString RowStates::type(const QString &prefix) const
{
    if (!m_shape.typeIn.isEmpty())
        return lookedUp(prefix, m_shape.typeIn, m_shape.typeIn.column);
    return m_shape.typeColumn.isEmpty() ? QString()
                                        : m_flavor.asText(cell(prefix, m_shape.typeColumn));
}

QString RowStates::key(const QString &prefix) const
{
    if (m_shape.keyParts.isEmpty())
        return m_flavor.asText(cell(prefix, m_shape.keyColumn));
    QStringList parts; // the colon between them stands in none
    for (const OutboxShape::KeyPart &part : m_shape.keyParts) {
        parts += u"replace(replace("_s + m_flavor.asText(cell(prefix, part.column))
            + u", '%', '%25'), ':', '%3A')"_s;
    }
    return m_flavor.joined(parts, u"':'"_s);
}

QString RowStates::markProcessed(bool withTime) const
{
    const QString name = quotedName(m_shape.processedColumn);
    const CatalogColumn *column = m_table.column(m_shape.processedColumn);
    QStringList sets;
    if (m_shape.processedHow == Processed::Flag) {
        const bool isFlag = column && column->typeClass == TypeClass::Flag;
        sets += name + u" = "_s + (isFlag ? sqlTrue : value(u"1"_s, column));
    } else if (m_shape.processedHow == Processed::Status) {
        sets += name + u" = "_s + value(m_shape.processedValues.value(0), column);
    }
    const CatalogColumn *time = m_table.column(m_shape.processedWhenColumn());
    if (time && withTime) {
        const QString zone = m_shape.zoneOf(time->name);
        const QString now = m_flavor.now(m_shape, *time, zone.isEmpty() ? u"UTC"_s : zone);
        if (!now.isEmpty())
            sets += quotedName(time->name) + u" = "_s + now;
    }
    return sets.join(u", "_s);
}

QString RowStates::markPending() const
{
    const QString name = quotedName(m_shape.processedColumn);
    const CatalogColumn *column = m_table.column(m_shape.processedColumn);
    QStringList sets;
    if (m_shape.processedHow == Processed::Flag) {
        const bool isFlag = column && column->typeClass == TypeClass::Flag;
        sets += name + u" = "_s + (isFlag ? sqlFalse : value(u"0"_s, column));
    } else if (m_shape.processedHow == Processed::Status) {
        sets += name + u" = "_s + value(m_shape.pendingValues.value(0), column);
    }
    const QString when = m_shape.processedWhenColumn();
    if (!when.isEmpty())
        sets += quotedName(when) + u" = NULL"_s;
    return sets.join(u", "_s);
}

} // namespace outbox
