// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/probe/tablejudgement.h"

#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/names/schemawords.h"
#include "connectors/sql/names/statuswords.h"
#include "connectors/sql/probe/schemaneighbours.h"
#include "connectors/sql/probe/schemapoints.h"
#include "connectors/sql/probe/shapefamilies.h"
#include "models/mapping/meaning.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

// How sure a kind of evidence makes us (shapes.md 5.6).
constexpr double byFingerprint = 0.98;
constexpr double byWordsAndClass = 0.90;
constexpr double byMostOfFingerprint = 0.85;
constexpr double byWords = 0.80;
constexpr double byElimination = 0.50;
constexpr double cannotBeMapped = 0.30;
constexpr double rivalCost = 0.20;

class TableJudgement
{
public:
    /// `roles`: which columns play which part, by names or by rows.
    TableJudgement(const CatalogTable &table, const Catalog &catalog, ColumnRoles roles)
        : m_table(table), m_catalog(catalog), m_roles(std::move(roles))
    { }

    [[nodiscard]] ProbeFinding finding()
    {
        const QStringList words = wordsOf(m_table.name.table);
        m_finding.score = pointsOf(m_table, m_roles);
        m_finding.confidence = byFingerprint;
        m_finding.shape.table = m_table.name;
        m_finding.shape.name = m_table.name.table;
        judgeTable(words);
        judgeKey();
        judgePayload();
        judgeProcessed();
        judgeRest();
        judgeLocked();
        judgeFailed();
        judgeStatus();
        judgeOrder();
        if (!judgeKnownFamily())
            judgePlainFamily(words);
        return m_finding;
    }

private:
    void because(const QString &member, const QString &reason, double confidence = 1)
    {
        m_finding.reasons[member] += reason;
        m_finding.confidence = std::min(m_finding.confidence, confidence);
    }
    /// Something of the table that no shape of this version can say: never passed over in silence.
    void cannotSay(const QString &what)
    {
        m_finding.questions += what + u" Map it by hand, or watch the table only."_s;
        m_finding.confidence = std::min(m_finding.confidence, cannotBeMapped);
        m_plain = false;
    }
    void judgeTable(const QStringList &words)
    {
        const bool named = hasWord(words, u"outbox"_s);
        because(u"table"_s,
                named ? u"The name of the table says outbox."_s
                      : u"The table has %1 points by its name and columns."_s.arg(m_finding.score),
                named ? byFingerprint : byWords);
        if (m_table.rowSecurity && m_table.estimatedRows <= 0) {
            m_finding.questions
                += u"Row level security is on and no rows are known: not allowed, or empty?"_s;
        }
    }
    void judgeKey()
    {
        OutboxShape &shape = m_finding.shape;
        if (m_roles.key.isEmpty()) {
            for (const QString &name : m_roles.keyParts) {
                const bool isNumber = m_table.column(name)->typeClass == TypeClass::Integer;
                const OutboxShape::KeyPart part{
                    name, isNumber ? OutboxShape::KeyForm::Integer : OutboxShape::KeyForm::Text};
                if (m_table.column(name)->type == u"xid8") // commits come first
                    shape.keyParts.prepend(part);
                else
                    shape.keyParts += part;
            }
            m_plain = false;
            if (!shape.keyParts.isEmpty())
                because(u"key"_s, u"The key has several columns: rows can be watched only."_s);
            else
                cannotSay(u"The table has no key, so a message would have no task id."_s);
            return;
        }
        const CatalogColumn &key = *m_table.column(m_roles.key);
        shape.keyColumn = key.name;
        shape.keyForm = keyFormOf(key);
        because(u"key"_s, u"%1 is the key, of type %2."_s.arg(inBackticks(key.name), key.type),
                byWordsAndClass);
    }
    void judgePayload()
    {
        OutboxShape &shape = m_finding.shape;
        if (!m_roles.payload.isEmpty()) {
            const CatalogColumn &payload = *m_table.column(m_roles.payload);
            shape.payloadColumn = payload.name;
            shape.payloadForm = payloadFormOf(payload);
            because(u"payload"_s,
                    u"%1 is of type %2 and its name says payload."_s.arg(inBackticks(payload.name),
                                                                         payload.type),
                    byWordsAndClass);
            if (!m_roles.rivalPayload.isEmpty()) {
                m_finding.confidence -= rivalCost;
                m_finding.questions
                    += u"Not sure: %1 and %2 could both be the payload. Which one?"_s.arg(
                        inBackticks(payload.name), inBackticks(m_roles.rivalPayload));
            }
        } else if (!m_roles.referenceId.isEmpty()) {
            shape.payloadForm = OutboxShape::PayloadForm::Reference;
            shape.referenceTableColumn = m_roles.referenceTable;
            shape.referenceIdColumn = m_roles.referenceId;
            because(u"payload"_s,
                    u"No column holds a payload; %1 and %2 name a row of another table."_s.arg(
                        inBackticks(m_roles.referenceTable), inBackticks(m_roles.referenceId)),
                    byWordsAndClass);
        } else {
            cannotSay(u"No column looks like a payload."_s);
        }
    }
    void judgeProcessed()
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
                because(
                    u"processed"_s,
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
            because(
                u"processed"_s,
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
            m_finding.questions
                += u"%1 has the same columns: are processed rows moved there?"_s.arg(
                    inBackticks(archive.table));
        }
    }
    void judgeByStatus(const CatalogColumn &status)
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
            because(u"processed"_s,
                    u"Its comment names its values: %1."_s.arg(named.join(u", "_s)));
        }
        if (!status.defaultText.isEmpty()) {
            because(u"pending"_s,
                    u"%1 starts as %2, the default of the column."_s.arg(
                        inBackticks(status.name), inBackticks(status.defaultText)));
        }
    }
    /// Aggregate, type, payload, and nothing that a reader of the table itself would need.
    [[nodiscard]] bool isReadFromLog() const
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
    void judgeRest()
    {
        OutboxShape &shape = m_finding.shape;
        const auto note = [this](const QString &member, const QString &column, QString &place) {
            place = column;
            if (!column.isEmpty())
                because(member, u"%1 by its name and type."_s.arg(inBackticks(column)));
        };
        note(u"type"_s, m_roles.type, shape.typeColumn);
        note(u"headers"_s, m_roles.headers, shape.headersColumn);
        note(u"created"_s, m_roles.created, shape.createdColumn);
        note(u"attempts"_s, m_roles.attempts, shape.attemptsColumn);
        note(u"error"_s, m_roles.error, shape.errorColumn);
        note(u"queue"_s, m_roles.queue, shape.queueColumn);
        note(u"due"_s, m_roles.due, shape.dueColumn);
        shape.taskId = taskIdTemplateOf(shape);
        shape.startedColumn = m_roles.startedAttempts;
        shape.maxAttemptsColumn = m_roles.maxAttempts;
        if (!shape.dueColumn.isEmpty())
            m_plain = false;
        if (shape.typeColumn.isEmpty() && !m_roles.referenceTable.isEmpty()) {
            shape.typeColumn = m_roles.referenceTable;
            because(u"type"_s,
                    u"No column gives a type: the name of the referenced table serves as one."_s);
        }
        if (shape.typeColumn.isEmpty()) {
            shape.typeIn = typeLookupOf(m_table, m_catalog);
            if (!shape.typeIn.isEmpty()) {
                because(u"type"_s,
                        u"%1 of %2 gives the type, by %3."_s.arg(
                            inBackticks(shape.typeIn.column), inBackticks(shape.typeIn.table.table),
                            inBackticks(shape.typeIn.on.first())));
            } else if (shape.processedHow == OutboxShape::ProcessedHow::Offset) {
                shape.fixedType = m_table.name.table;
                because(u"type"_s,
                        u"No column gives a type: the name of the table serves as one."_s);
            }
        }
    }
    void judgeLocked()
    {
        OutboxShape &shape = m_finding.shape;
        const RelatedTable member
            = memberOf(m_table, m_catalog, {u"claimed"_s, u"running"_s, u"locked"_s});
        const RelatedTable lockRow = lockRowsOf(m_table, m_catalog);
        if (!m_roles.leaseEnd.isEmpty()) {
            shape.lockedHow = OutboxShape::LockedHow::Until;
            shape.leaseColumn = m_roles.leaseEnd;
            shape.ownerColumn = m_roles.owner;
            because(u"locked"_s,
                    u"%1 is the time until which a row is held; once it is past, the row is free."_s
                        .arg(inBackticks(m_roles.leaseEnd)),
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
                because(
                    u"locked"_s,
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
            because(
                u"locked"_s,
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
    void judgeFailed()
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
            m_finding.reasons[u"failed"_s]
                = QStringList{u"A row has failed when %1 reached %2."_s.arg(
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
    /// What the catalog alone tells of the status; its values are looked at later.
    void judgeStatus()
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
    void judgeOrder()
    {
        OutboxShape &shape = m_finding.shape;
        if (m_roles.key.isEmpty()) {
            shape.order = shape.keyColumns();
            shape.orderIs = shape.positions.guard.isEmpty() ? OutboxShape::OrderIs::Sequence
                                                            : OutboxShape::OrderIs::Commit;
            return;
        }
        const CatalogColumn &key = *m_table.column(m_roles.key);
        const CatalogColumn *created
            = m_roles.created.isEmpty() ? nullptr : m_table.column(m_roles.created);
        if (key.typeClass == TypeClass::Integer) {
            shape.order = QStringList{key.name};
            shape.orderIs = OutboxShape::OrderIs::Sequence;
            because(u"order"_s, u"%1 is a number that counts up."_s.arg(inBackticks(key.name)));
        } else if (created && !created->nullable) {
            shape.order = QStringList{created->name, key.name};
            shape.orderIs = OutboxShape::OrderIs::Time;
            because(u"order"_s, u"%1 is never empty."_s.arg(inBackticks(created->name)));
        } else {
            shape.order = QStringList{key.name};
            shape.orderIs = OutboxShape::OrderIs::None;
            because(u"order"_s, u"Nothing tells in which order rows came."_s);
        }
    }
    /// A family that a library delivers: watched, never relayed unless somebody says so.
    [[nodiscard]] bool judgeKnownFamily()
    {
        const auto match = familyOf(m_table, m_catalog);
        if (!match)
            return false;
        m_finding.shape = withFamily(m_finding.shape, match->family, m_table, m_catalog);
        m_finding.score = qMax(m_finding.score, enoughPoints);
        m_finding.questions.clear();
        m_finding.confidence = match->missing == 0 ? byFingerprint : byMostOfFingerprint;
        because(u"table"_s,
                u"Taken for *%1* because it has %2 of its %3 columns."_s.arg(match->family)
                    .arg(match->columns - match->missing)
                    .arg(match->columns));
        return true;
    }
    /// The families that a relay of ours may deliver: every column has a known part.
    void judgePlainFamily(const QStringList &words)
    {
        OutboxShape &shape = m_finding.shape;
        const bool hasType = !shape.typeColumn.isEmpty() || !shape.fixedType.isEmpty();
        if (!m_plain || !hasType || !hasWord(words, u"outbox"_s))
            return;
        if (!m_roles.unknown.isEmpty()) {
            m_finding.questions
                += u"The table could be relayed, but nobody knows what %1 means here: "
                   "confirm the shape."_s.arg(inBackticks(m_roles.unknown.join(u"`, `"_s)));
            return;
        }
        const bool dated = hasWord(wordsOf(m_roles.processedTime), u"date"_s)
            && hasWord(wordsOf(m_roles.created), u"occurred"_s);
        if (shape.payloadForm == OutboxShape::PayloadForm::Reference)
            shape.family = u"classic by reference"_s;
        else
            shape.family = dated ? u"processed-date"_s : u"classic"_s;
        shape.use = OutboxShape::Use::Relay;
        m_finding.confidence = byFingerprint;
        because(u"table"_s,
                u"Taken for *%1* because every column has its part in it."_s.arg(shape.family));
    }

    const CatalogTable &m_table;
    const Catalog &m_catalog;
    const ColumnRoles m_roles;
    ProbeFinding m_finding;
    bool m_plain = true; ///< nothing was found that a shape cannot say
};

} // namespace

ProbeFinding judgementOf(const CatalogTable &table, const Catalog &catalog,
                         const ColumnRoles &roles)
{
    return TableJudgement(table, catalog, roles).finding();
}

} // namespace outbox
