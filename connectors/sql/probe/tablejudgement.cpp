// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "connectors/sql/probe/tablejudgement.h"

#include "connectors/sql/driver/sqlnames.h"
#include "connectors/sql/names/schemawords.h"
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
constexpr double byMostOfFingerprint = 0.85;
constexpr double cannotBeMapped = 0.30;
constexpr double rivalCost = 0.20;

} // namespace

TableJudgement::TableJudgement(const CatalogTable &table, const Catalog &catalog, ColumnRoles roles)
    : m_table(table), m_catalog(catalog), m_roles(std::move(roles))
{ }

ProbeFinding TableJudgement::finding()
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

void TableJudgement::because(const QString &member, const QString &reason, double confidence)
{
    m_finding.reasons[member] += reason;
    m_finding.confidence = std::min(m_finding.confidence, confidence);
}

void TableJudgement::cannotSay(const QString &what)
{
    m_finding.questions += what + u" Map it by hand, or watch the table only."_s;
    m_finding.confidence = std::min(m_finding.confidence, cannotBeMapped);
    m_plain = false;
}

void TableJudgement::judgeTable(const QStringList &words)
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

void TableJudgement::judgeKey()
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

void TableJudgement::judgePayload()
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

void TableJudgement::judgeRest()
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
                    u"%1 of %2 gives the type, by %3."_s.arg(inBackticks(shape.typeIn.column),
                                                             inBackticks(shape.typeIn.table.table),
                                                             inBackticks(shape.typeIn.on.first())));
        } else if (shape.processedHow == OutboxShape::ProcessedHow::Offset) {
            shape.fixedType = m_table.name.table;
            because(u"type"_s, u"No column gives a type: the name of the table serves as one."_s);
        }
    }
}

void TableJudgement::judgeOrder()
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

bool TableJudgement::judgeKnownFamily()
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

void TableJudgement::judgePlainFamily(const QStringList &words)
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

} // namespace outbox
