// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What puts the rows of a table into their states, as far as the catalog tells.
#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/probe/tablejudgement.h"

#include "connectors/sql/names/schemawords.h"
#include "connectors/sql/names/statuswords.h"
#include "connectors/sql/probe/schemaneighbours.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

// How sure a kind of evidence makes us (shapes.md 5.6).
constexpr double byElimination = 0.50;

} // namespace

void TableJudgement::judgeProcessed()
{
    OutboxShape &shape = m_finding.shape;
    const CatalogColumn *status = m_table.column(m_roles.status);
    const Positions positions = positionsOf(m_table, m_catalog, shape.keyColumns());
    if (!positions.isEmpty()) {
        m_plain = false;
        shape.processedHow = OutboxShape::ProcessedHow::Offset;
        shape.positions = positions;
        because(u"processed"_s,
                u"%1 holds the positions of consumers: a row counts as processed once all of "
                "them passed it."_s.arg(inBackticks(positions.table.table)),
                byWords);
        if (positions.guard.isEmpty()) {
            because(u"processed"_s,
                    u"Positions may skip rows that were committed late: nothing guards them."_s);
        }
    } else if (status
               && (!status->nullable
                   || (m_roles.processedTime.isEmpty() && m_roles.processedFlag.isEmpty()))) {
        judgeByStatus(*status);
    } else if (!m_roles.processedFlag.isEmpty()) {
        m_plain = false;
        shape.processedHow = OutboxShape::ProcessedHow::Flag;
        shape.processedColumn = m_roles.processedFlag;
        shape.processedTimeColumn = m_roles.processedTime;
        because(u"processed"_s,
                u"%1 says yes or no: a row counts as processed once it is true."_s.arg(
                    inBackticks(m_roles.processedFlag)),
                byWordsAndClass);
    } else if (!m_roles.processedTime.isEmpty()) {
        shape.processedHow = OutboxShape::ProcessedHow::Time;
        shape.processedColumn = m_roles.processedTime;
        because(u"processed"_s,
                u"%1 is a time that may be empty and has no default, and its name says so: a row "
                "counts as processed once it is set."_s.arg(inBackticks(m_roles.processedTime)),
                byWordsAndClass);
    } else if (isReadFromLog()) {
        m_plain = false;
        shape.processedHow = OutboxShape::ProcessedHow::Log;
        because(u"processed"_s,
                u"An aggregate, a type and a payload, but no time and no mark: such tables are "
                "read from the log of the database, and do not tell what was delivered."_s,
                byElimination);
        m_finding.questions
            += u"Is each row deleted once it is delivered? Then a row that is there is pending."_s;
    } else {
        shape.processedHow = OutboxShape::ProcessedHow::Deleted;
        because(u"processed"_s,
                u"No column records delivery, so a row that is still there counts as pending: "
                "whoever delivers it must delete it."_s,
                byElimination);
    }
    if (const TableName archive = archiveOf(m_table, m_catalog); !archive.table.isEmpty()) {
        m_plain = false;
        m_finding.questions += u"%1 has the same columns: are processed rows moved there?"_s.arg(
            inBackticks(archive.table));
    }
}

void TableJudgement::judgeByStatus(const CatalogColumn &status)
{
    OutboxShape &shape = m_finding.shape;
    m_plain = false;
    shape.processedHow = OutboxShape::ProcessedHow::Status;
    shape.processedColumn = status.name;
    shape.processedTimeColumn = m_roles.processedTime;
    because(u"processed"_s, u"%1 says how far a row is."_s.arg(inBackticks(status.name)),
            status.nullable ? byWords : byWordsAndClass);
    if (!status.meanings.isEmpty()) {
        QStringList named;
        for (auto one = status.meanings.cbegin(); one != status.meanings.cend(); ++one)
            named += QString(one.key() + u' ' + one.value());
        because(u"processed"_s, u"Its comment names its values: %1."_s.arg(named.join(u", "_s)));
    }
    if (!status.defaultText.isEmpty()) {
        because(u"pending"_s,
                u"%1 starts as %2, the default of the column."_s.arg(
                    inBackticks(status.name), inBackticks(status.defaultText)));
    }
}

bool TableJudgement::isReadFromLog() const
{
    bool hasType = false;
    bool hasId = false;
    for (const CatalogColumn &column : m_table.columns) {
        const QStringList words = wordsOf(column.name);
        if (column.typeClass == TypeClass::Time || column.typeClass == TypeClass::Flag)
            return false;
        hasType = hasType || words == QStringList{u"aggregate"_s, u"type"_s};
        hasId = hasId || words == QStringList{u"aggregate"_s, u"id"_s};
    }
    return hasType && hasId && m_roles.attempts.isEmpty() && m_roles.owner.isEmpty()
        && m_roles.leaseEnd.isEmpty() && m_roles.created.isEmpty();
}

void TableJudgement::judgeLocked()
{
    OutboxShape &shape = m_finding.shape;
    const RelatedTable member
        = memberOf(m_table, m_catalog, {u"claimed"_s, u"running"_s, u"locked"_s});
    const RelatedTable lockRow = lockRowsOf(m_table, m_catalog);
    if (!m_roles.leaseEnd.isEmpty()) {
        shape.lockedHow = OutboxShape::LockedHow::Until;
        shape.leaseColumn = m_roles.leaseEnd;
        shape.ownerColumn = m_roles.owner;
        because(
            u"locked"_s,
            u"%1 is the time until which a row is held; once it is past, the row is free."_s.arg(
                inBackticks(m_roles.leaseEnd)),
            byWordsAndClass);
        if (!m_roles.owner.isEmpty())
            because(u"locked"_s, u"%1 names the holder."_s.arg(inBackticks(m_roles.owner)));
    } else if (!m_roles.owner.isEmpty() || !m_roles.lockTime.isEmpty()) {
        shape.lockedHow = OutboxShape::LockedHow::Owner;
        shape.ownerColumn = m_roles.owner;
        shape.lockTimeColumn = m_roles.lockTime;
        const bool isNamed = !m_roles.owner.isEmpty();
        because(u"locked"_s,
                u"%1 says who holds a row%2; how long that is good, no column says."_s.arg(
                    inBackticks(isNamed ? m_roles.owner : m_roles.lockTime),
                    isNamed && !m_roles.lockTime.isEmpty()
                        ? u", since "_s + inBackticks(m_roles.lockTime)
                        : QString()),
                byWords);
        const CatalogColumn *owner = m_table.column(m_roles.owner);
        if (owner && !owner->nullable && owner->typeClass == TypeClass::Integer) {
            shape.freeOwners = QStringList{u"0"_s};
            because(u"locked"_s,
                    u"%1 is never empty: 0 is taken as nobody."_s.arg(inBackticks(owner->name)));
        }
    } else if (!member.isEmpty()) {
        shape.lockedHow = OutboxShape::LockedHow::Member;
        shape.lockedIn = member;
        shape.node = nodesOf(member, m_table, m_catalog);
        because(u"locked"_s,
                u"A row of %1 says that it is taken."_s.arg(inBackticks(member.table.table)));
    } else if (!lockRow.isEmpty()) {
        shape.lockedHow = OutboxShape::LockedHow::LockRow;
        shape.lockedIn = lockRow;
        because(u"locked"_s,
                u"%1 has one lock for a group of rows."_s.arg(inBackticks(lockRow.table.table)));
    } else if (!shape.positions.guard.isEmpty()) {
        shape.lockedHow = OutboxShape::LockedHow::LockRow;
        shape.lockedIn.table = shape.positions.table;
        because(u"locked"_s,
                u"Consumers lock their row of %1 while they read; no column shows it."_s.arg(
                    inBackticks(shape.positions.table.table)));
    } else {
        because(u"locked"_s,
                u"Nothing in this table shows a lock; open transactions are asked for it."_s);
        return;
    }
    m_plain = false;
}

void TableJudgement::judgeFailed()
{
    using How = OutboxShape::FailedHow;
    OutboxShape &shape = m_finding.shape;
    const RelatedTable member = memberOf(m_table, m_catalog, {u"failed"_s, u"failure"_s});
    const RelatedTable dead = deadLettersOf(m_table, m_catalog);
    const auto take = [this, &shape](How how, const QString &column) {
        shape.failedHow = how;
        shape.failedColumn = column;
        because(u"failed"_s, u"%1 marks rows that were given up."_s.arg(inBackticks(column)));
        m_plain = false;
    };
    if (!m_roles.failedTime.isEmpty()) {
        take(How::Time, m_roles.failedTime);
    } else if (!m_roles.failedFlag.isEmpty()) {
        take(How::Flag, m_roles.failedFlag);
    } else if (!m_roles.attempts.isEmpty() && !m_roles.maxAttempts.isEmpty()) {
        take(How::Attempts, {});
        m_finding.reasons[u"failed"_s] = QStringList{u"A row has failed when %1 reached %2."_s.arg(
            inBackticks(m_roles.attempts), inBackticks(m_roles.maxAttempts))};
    } else if (!member.isEmpty()) {
        shape.failedHow = How::Member;
        shape.failedIn = member;
    } else if (!dead.isEmpty()) {
        shape.failedHow = How::Table;
        shape.failedIn = dead;
    }
    if (!shape.failedIn.isEmpty()) {
        m_plain = false;
        because(u"failed"_s,
                u"%1 holds what was given up."_s.arg(inBackticks(shape.failedIn.table.table)));
    }
    shape.waitingIn = memberOf(m_table, m_catalog, {u"scheduled"_s, u"delayed"_s});
    shape.pendingIn = memberOf(m_table, m_catalog, {u"ready"_s, u"pending"_s});
    if (!shape.pendingIn.isEmpty() && !shape.waitingIn.isEmpty())
        shape.dueColumn.clear(); // the neighbour says it
    if (!shape.waitingIn.isEmpty() || !shape.pendingIn.isEmpty()) {
        m_plain = false;
        because(u"pending"_s, u"Tables beside it say whether a row is ready or waits."_s);
    }
}

void TableJudgement::judgeStatus()
{
    const CatalogColumn *status = m_table.column(m_roles.status);
    if (!status)
        return;
    m_plain = false;
    QStringList values = status->labels + status->meanings.keys();
    if (!status->defaultText.isEmpty() && !values.contains(status->defaultText))
        values += status->defaultText;
    mapStatus(values, *status, m_finding);
}

} // namespace outbox
