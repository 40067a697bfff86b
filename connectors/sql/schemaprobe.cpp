// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/schemaprobe.h"

#include "connectors/sql/columnroles.h"
#include "connectors/sql/dialect.h"
#include "connectors/sql/schemawords.h"

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int enoughPoints = 45;

// How sure a kind of evidence makes us (shapes.md 5.6).
constexpr double byFingerprint = 0.98;
constexpr double byWordsAndClass = 0.90;
constexpr double byWords = 0.80;
constexpr double byElimination = 0.50;
constexpr double cannotBeMapped = 0.30;
constexpr double rivalCost = 0.20;

QString quoted(const QString &name)
{
    return u'`' + name + u'`';
}

int pointsOf(const QStringList &tableWords, const ColumnRoles &roles)
{
    static const QStringList likely{u"message"_s, u"event"_s,     u"publication"_s, u"envelope"_s,
                                    u"job"_s,     u"published"_s, u"outgoing"_s,    u"log"_s};
    static const QStringList neighbours{
        u"inbox"_s,  u"received"_s, u"incoming"_s,  u"archive"_s,     u"dead"_s,
        u"letter"_s, u"lock"_s,     u"sequence"_s,  u"offset"_s,      u"version"_s,
        u"peer"_s,   u"process"_s,  u"execution"_s, u"task"_s,        u"history"_s,
        u"state"_s,  u"server"_s,   u"node"_s,      u"notification"_s};
    int points = 0;
    if (hasWord(tableWords, u"outbox"_s))
        points += 50;
    if (hasAnyWord(tableWords, likely))
        points += 15;
    if (hasAnyWord(tableWords, neighbours))
        points -= 40;
    if (!roles.payload.isEmpty())
        points += 20;
    else if (!roles.referenceId.isEmpty())
        points += 15;
    if (!roles.processedTime.isEmpty() || !roles.processedFlag.isEmpty() || !roles.status.isEmpty())
        points += 10;
    points += roles.type.isEmpty() ? 0 : 5;
    points += roles.created.isEmpty() ? 0 : 5;
    points += roles.attempts.isEmpty() ? 0 : 3;
    points += roles.error.isEmpty() ? 0 : 3;
    return roles.key.isEmpty() ? points - 5 : points;
}

/// A table of the same schema in which consumers note how far they are.
const CatalogTable *positionsOf(const CatalogTable &table, const Catalog &catalog)
{
    const QStringList words = wordsOf(table.name.table);
    for (const CatalogTable &other : catalog.tables) {
        if (other.name.schema != table.name.schema || other.name == table.name
            || !hasAnyWord(wordsOf(other.name.table), words))
            continue;
        bool consumer = false;
        bool position = false;
        for (const CatalogColumn &column : other.columns) {
            const QStringList names = wordsOf(column.name);
            consumer = consumer || hasAnyWord(names, {u"consumer"_s, u"group"_s, u"subscriber"_s});
            position = position
                || (column.typeClass == TypeClass::Integer
                    && hasAnyWord(names, {u"offset"_s, u"position"_s, u"consumed"_s, u"last"_s}));
        }
        if (consumer && position)
            return &other;
    }
    return nullptr;
}

/// Judges one table; the shape grows member by member, each with its reason.
class Judgement
{
public:
    Judgement(const CatalogTable &table, const Catalog &catalog)
        : m_table(table), m_catalog(catalog), m_roles(rolesOf(table))
    { }

    ProbeFinding finding()
    {
        const QStringList words = wordsOf(m_table.name.table);
        m_finding.score = pointsOf(words, m_roles);
        m_finding.confidence = byFingerprint;
        m_finding.shape.table = m_table.name;
        m_finding.shape.name = m_table.name.table;
        judgeTable(words);
        judgeKey();
        judgePayload();
        judgeProcessed();
        judgeRest();
        judgeOrder();
        judgeFamily(words);
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
        m_finding.questions += what + u" This version cannot map that: watch the table only."_s;
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
            cannotSay(m_table.primaryKey.isEmpty()
                          ? u"The table has no key, so a message would have no task id."_s
                          : u"The key has several columns."_s);
            return;
        }
        const CatalogColumn &key = *m_table.column(m_roles.key);
        shape.keyColumn = key.name;
        shape.keyForm = OutboxShape::KeyForm::Text;
        if (isUuidBytes(key))
            shape.keyForm = OutboxShape::KeyForm::UuidBytes;
        else if (key.typeClass == TypeClass::Uuid)
            shape.keyForm
                = key.type == u"uuid" ? OutboxShape::KeyForm::Uuid : OutboxShape::KeyForm::UuidText;
        else if (key.typeClass == TypeClass::Integer)
            shape.keyForm = OutboxShape::KeyForm::Integer;
        // Numbers repeat from table to table; texts and uuids are made to be unique. It must follow
        // from the catalog alone: an id that changes with the rows at hand is no dedup id.
        const bool unique = key.typeClass != TypeClass::Integer;
        shape.taskId = unique ? u"{id}"_s : QString(m_table.name.table + u":{id}"_s);
        because(u"key"_s, u"%1 is the key, of type %2."_s.arg(quoted(key.name), key.type),
                byWordsAndClass);
    }

    void judgePayload()
    {
        OutboxShape &shape = m_finding.shape;
        if (!m_roles.payload.isEmpty()) {
            const CatalogColumn &payload = *m_table.column(m_roles.payload);
            shape.payloadColumn = payload.name;
            shape.payloadForm = OutboxShape::PayloadForm::Text;
            if (payload.typeClass == TypeClass::Json)
                shape.payloadForm = OutboxShape::PayloadForm::Json;
            else if (payload.typeClass == TypeClass::Bytes)
                shape.payloadForm = OutboxShape::PayloadForm::Bytes;
            because(u"payload"_s,
                    u"%1 is of type %2 and its name says payload."_s.arg(quoted(payload.name),
                                                                         payload.type),
                    byWordsAndClass);
            if (!m_roles.rivalPayload.isEmpty()) {
                m_finding.confidence -= rivalCost;
                m_finding.questions
                    += u"Not sure: %1 and %2 could both be the payload. Which one?"_s.arg(
                        quoted(payload.name), quoted(m_roles.rivalPayload));
            }
        } else if (!m_roles.referenceId.isEmpty()) {
            shape.payloadForm = OutboxShape::PayloadForm::Reference;
            shape.referenceTableColumn = m_roles.referenceTable;
            shape.referenceIdColumn = m_roles.referenceId;
            because(u"payload"_s,
                    u"No column holds a payload; %1 and %2 name a row of another table."_s.arg(
                        quoted(m_roles.referenceTable), quoted(m_roles.referenceId)),
                    byWordsAndClass);
        } else {
            cannotSay(u"No column looks like a payload."_s);
        }
    }

    void judgeProcessed()
    {
        OutboxShape &shape = m_finding.shape;
        const CatalogColumn *status
            = m_roles.status.isEmpty() ? nullptr : m_table.column(m_roles.status);
        if (status && (!status->nullable || m_roles.processedTime.isEmpty())) {
            cannotSay(u"%1 looks like a status that says what was delivered."_s.arg(
                quoted(m_roles.status)));
        }
        if (!m_roles.processedFlag.isEmpty()) {
            cannotSay(
                u"%1 is a flag that says what was delivered."_s.arg(quoted(m_roles.processedFlag)));
        }
        if (const CatalogTable *positions = positionsOf(m_table, m_catalog)) {
            cannotSay(u"%1 seems to hold the positions of consumers."_s.arg(
                quoted(positions->name.table)));
        }
        if (!m_roles.processedTime.isEmpty()) {
            shape.processedHow = OutboxShape::ProcessedHow::Time;
            shape.processedColumn = m_roles.processedTime;
            because(
                u"processed"_s,
                u"%1 is a time that may be empty and has no default, and its name says so: a row "
                "counts as processed once it is set."_s.arg(quoted(m_roles.processedTime)),
                byWordsAndClass);
            return;
        }
        shape.processedHow = OutboxShape::ProcessedHow::Deleted;
        because(u"processed"_s,
                u"No column records delivery, so a row that is still there counts as pending: "
                "whoever delivers it must delete it."_s,
                byElimination);
    }

    void judgeRest()
    {
        OutboxShape &shape = m_finding.shape;
        const auto note = [this](const QString &member, const QString &column, QString &place) {
            place = column;
            if (!column.isEmpty())
                because(member, u"%1 by its name and type."_s.arg(quoted(column)));
        };
        note(u"type"_s, m_roles.type, shape.typeColumn);
        note(u"headers"_s, m_roles.headers, shape.headersColumn);
        note(u"created"_s, m_roles.created, shape.createdColumn);
        note(u"attempts"_s, m_roles.attempts, shape.attemptsColumn);
        note(u"error"_s, m_roles.error, shape.errorColumn);
        note(u"queue"_s, m_roles.queue, shape.queueColumn);
        if (shape.typeColumn.isEmpty() && !m_roles.referenceTable.isEmpty()) {
            shape.typeColumn = m_roles.referenceTable;
            because(u"type"_s,
                    u"No column gives a type: the name of the referenced table serves as one."_s);
        }
        if (!m_roles.leaseEnd.isEmpty())
            judgeLease();
        if (!m_roles.lease.isEmpty())
            cannotSay(u"%1 looks like the lock or lease of a row."_s.arg(quoted(m_roles.lease)));
        if (!m_roles.due.isEmpty())
            cannotSay(u"%1 looks like the time a row is due."_s.arg(quoted(m_roles.due)));
        if (!m_roles.failed.isEmpty())
            cannotSay(u"%1 looks like the mark of failed rows."_s.arg(quoted(m_roles.failed)));
        if (m_roles.leaseEnd.isEmpty()) {
            because(u"locked"_s,
                    u"Nothing in this table shows a lock; open transactions are asked for it."_s);
        }
    }

    void judgeLease()
    {
        OutboxShape &shape = m_finding.shape;
        shape.lockedHow = OutboxShape::LockedHow::Until;
        shape.leaseColumn = m_roles.leaseEnd;
        shape.ownerColumn = m_roles.leaseOwner;
        m_plain = false; // its relays hold leases, ours holds row locks
        because(
            u"locked"_s,
            u"%1 is the time until which a row is held; once it is past, the row is free."_s.arg(
                quoted(m_roles.leaseEnd)),
            byWordsAndClass);
        if (!m_roles.leaseOwner.isEmpty())
            because(u"locked"_s, u"%1 names the holder."_s.arg(quoted(m_roles.leaseOwner)));
    }

    void judgeOrder()
    {
        OutboxShape &shape = m_finding.shape;
        if (m_roles.key.isEmpty())
            return;
        const CatalogColumn &key = *m_table.column(m_roles.key);
        const CatalogColumn *created
            = m_roles.created.isEmpty() ? nullptr : m_table.column(m_roles.created);
        if (key.typeClass == TypeClass::Integer) {
            shape.order = QStringList{key.name};
            shape.orderIs = OutboxShape::OrderIs::Sequence;
            because(u"order"_s, u"%1 is a number that counts up."_s.arg(quoted(key.name)));
        } else if (created && !created->nullable) {
            shape.order = QStringList{created->name, key.name};
            shape.orderIs = OutboxShape::OrderIs::Time;
            because(u"order"_s, u"%1 is never empty."_s.arg(quoted(created->name)));
        } else {
            shape.order = QStringList{key.name};
            shape.orderIs = OutboxShape::OrderIs::None;
            because(u"order"_s, u"Nothing tells in which order rows came."_s);
        }
    }

    /// The families that a relay of ours may deliver: every column has a known part.
    void judgeFamily(const QStringList &words)
    {
        OutboxShape &shape = m_finding.shape;
        const bool hasType = !shape.typeColumn.isEmpty() || !shape.fixedType.isEmpty();
        if (!m_plain || !hasType || !hasWord(words, u"outbox"_s))
            return;
        if (!m_roles.unknown.isEmpty()) {
            m_finding.questions
                += u"The table could be relayed, but nobody knows what %1 means here: "
                   "confirm the shape."_s.arg(quoted(m_roles.unknown.join(u"`, `"_s)));
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

QList<ProbeFinding> probeCatalog(const Catalog &catalog, const std::optional<TableName> &only)
{
    if (only) {
        const CatalogTable *table = catalog.find(*only);
        return table ? QList<ProbeFinding>{Judgement(*table, catalog).finding()}
                     : QList<ProbeFinding>();
    }
    QList<ProbeFinding> findings;
    for (const CatalogTable &table : catalog.tables) {
        const ColumnRoles roles = rolesOf(table);
        if (roles.payload.isEmpty() && roles.referenceId.isEmpty())
            continue;
        if (pointsOf(wordsOf(table.name.table), roles) >= enoughPoints)
            findings += Judgement(table, catalog).finding();
    }
    std::stable_sort(
        findings.begin(), findings.end(),
        [](const ProbeFinding &a, const ProbeFinding &b) { return a.score > b.score; });
    return findings;
}

} // namespace outbox
