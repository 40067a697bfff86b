// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/mapping/mappingdraft.h"

#include "models/localtime.h"
#include "models/shape/outboxshapewords.h"

#include <QCoreApplication>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using Processed = OutboxShape::ProcessedHow;
using Locked = OutboxShape::LockedHow;
using Failed = OutboxShape::FailedHow;
using Payload = OutboxShape::PayloadForm;

} // namespace

MappingDraft::MappingDraft(const TableSurvey &survey)
    : m_survey(survey), m_shape(survey.finding.shape)
{ }

void MappingDraft::setShape(const OutboxShape &shape)
{
    m_shape = shape;
    m_shape.table = m_survey.table.name;
}

bool MappingDraft::isShown(Meaning meaning) const
{
    const bool isReference = m_shape.payloadForm == Payload::Reference;
    switch (meaning) {
    case Meaning::Payload:
        return !isReference && m_shape.payloadForm != Payload::None;
    case Meaning::ReferenceTable:
    case Meaning::ReferenceId:
        return isReference;
    case Meaning::Processed:
        return m_shape.processedHow == Processed::Time || m_shape.processedHow == Processed::Flag
            || m_shape.processedHow == Processed::Status;
    case Meaning::ProcessedTime:
        return m_shape.processedHow == Processed::Flag || m_shape.processedHow == Processed::Status;
    case Meaning::LeaseEnd:
        return m_shape.lockedHow == Locked::Until;
    case Meaning::Owner:
        return m_shape.lockedHow == Locked::Until || m_shape.lockedHow == Locked::Owner;
    case Meaning::LockTime:
        return m_shape.lockedHow == Locked::Owner;
    case Meaning::Failed:
        return m_shape.failedHow == Failed::Time || m_shape.failedHow == Failed::Flag;
    case Meaning::MostAttempts:
        return m_shape.failedHow == Failed::Attempts;
    default:
        return true;
    }
}

QStringList MappingDraft::candidates(Meaning meaning) const
{
    QStringList names;
    const QString chosen = column(meaning);
    for (const CatalogColumn &one : m_survey.table.columns) {
        if (one.name == chosen || canCarry(meaning, m_shape, m_survey.table, one, m_survey.isLoose))
            names += one.name;
    }
    if (!chosen.isEmpty() && !names.contains(chosen))
        names.prepend(chosen); // the table has no such column, which `problem` says
    return names;
}

void MappingDraft::setColumn(Meaning meaning, const QString &column)
{
    if (meaning == Meaning::Order)
        return takeOrder(column);
    QString &place = m_shape.*placeOf(meaning);
    const QString before = place;
    if (before == column)
        return;
    place = column;
    const CatalogColumn *known = m_survey.table.column(column);
    switch (meaning) {
    case Meaning::Key:
        m_shape.keyParts.clear();
        if (known) {
            m_shape.keyForm = keyFormOf(*known);
            m_shape.taskId = taskIdTemplateOf(m_shape);
        }
        for (QString &one : m_shape.order) {
            if (one == before)
                one = column;
        }
        m_shape.order.removeAll(QString());
        if (m_shape.order.isEmpty())
            takeOrder(column);
        break;
    case Meaning::Payload:
        if (known && m_shape.payloadForm != Payload::Many)
            m_shape.payloadForm = payloadFormOf(*known);
        break;
    case Meaning::Created:
        m_shape.taskId = taskIdTemplateOf(m_shape);
        break;
    case Meaning::Type:
        m_shape.typeIn = {};
        break;
    case Meaning::Due:
        m_shape.dueOnlyIn.clear();
        break;
    case Meaning::Processed:
        forgetStatus();
        m_shape.processedAnd.clear();
        if (known && m_shape.processedHow == Processed::Status && !known->defaultText.isEmpty())
            assign(known->defaultText, MessageState::Pending); // what new rows have
        break;
    default:
        break;
    }
}

/// The key follows, so that the order is one of single rows.
void MappingDraft::takeOrder(const QString &column)
{
    const CatalogColumn *known = m_survey.table.column(column);
    m_shape.order = column.isEmpty() ? QStringList() : QStringList{column};
    for (const QString &key : m_shape.keyColumns()) {
        if (!m_shape.order.contains(key))
            m_shape.order += key;
    }
    m_shape.orderIs = !known                     ? OutboxShape::OrderIs::None
        : known->typeClass == TypeClass::Integer ? OutboxShape::OrderIs::Sequence
        : known->typeClass == TypeClass::Time    ? OutboxShape::OrderIs::Time
                                                 : OutboxShape::OrderIs::None;
}

QString MappingDraft::chosen(Choice choice) const
{
    using namespace shapewords;
    switch (choice) {
    case Choice::PayloadForm:
        return payloadWords.word(m_shape.payloadForm);
    case Choice::Processed:
        return processedWords.word(m_shape.processedHow);
    case Choice::Locked:
        return lockedWords.word(m_shape.lockedHow);
    case Choice::Failed:
        return failedWords.word(m_shape.failedHow);
    }
    return {};
}

void MappingDraft::choose(Choice choice, const QString &word)
{
    using namespace shapewords;
    if (word == chosen(choice))
        return;
    switch (choice) {
    case Choice::PayloadForm:
        if (const auto form = payloadWords.fromWord(word))
            setPayloadForm(*form);
        break;
    case Choice::Processed:
        if (const auto how = processedWords.fromWord(word))
            setProcessed(*how);
        break;
    case Choice::Locked:
        if (const auto how = lockedWords.fromWord(word))
            setLocked(*how);
        break;
    case Choice::Failed:
        if (const auto how = failedWords.fromWord(word))
            setFailed(*how);
        break;
    }
}

void MappingDraft::setPayloadForm(Payload form)
{
    m_shape.payloadForm = form;
    if (form == Payload::Reference || form == Payload::None)
        m_shape.payloadColumn.clear();
    if (form != Payload::Reference) {
        m_shape.referenceTableColumn.clear();
        m_shape.referenceIdColumn.clear();
        m_shape.referenceTables.clear();
    }
}

void MappingDraft::setProcessed(Processed how)
{
    forgetStatus();
    m_shape.processedHow = how;
    m_shape.processedColumn.clear();
    m_shape.processedTimeColumn.clear();
    m_shape.processedAnd.clear();
    m_shape.processedIn = {};
    m_shape.positions = {};
}

void MappingDraft::setLocked(Locked how)
{
    m_shape.lockedHow = how;
    m_shape.leaseColumn.clear();
    m_shape.lockTimeColumn.clear();
    if (how != Locked::Until && how != Locked::Owner)
        m_shape.ownerColumn.clear();
    m_shape.leaseSeconds = 0;
    m_shape.freeOwners.clear();
    m_shape.lockedColumn = how == Locked::Status ? statusColumn() : QString();
    m_shape.lockedValues.clear();
    m_shape.lockedIn = {};
    m_shape.node = {};
}

void MappingDraft::setFailed(Failed how)
{
    m_shape.failedHow = how;
    m_shape.failedColumn = how == Failed::Status ? statusColumn() : QString();
    m_shape.failedValues.clear();
    m_shape.failedIn = {};
    if (how != Failed::Attempts) {
        m_shape.maxAttempts = 0;
        m_shape.maxAttemptsColumn.clear();
    }
}

void MappingDraft::setRelayed(bool isRelayed)
{
    m_shape.use = isRelayed ? OutboxShape::Use::Relay : OutboxShape::Use::Watch;
}

void MappingDraft::setTimeZone(const QString &text)
{
    const auto zone = timeZoneNamed(text);
    m_shape.setTimeZone(zone.value_or(QString()));
    m_writtenZone = zone ? QString() : text.trimmed();
}

QString MappingDraft::timeZone() const
{
    return m_writtenZone.isEmpty() ? m_shape.zoneOf(u"*"_s) : m_writtenZone;
}

QStringList MappingDraft::columnsWithoutZone() const
{
    QStringList names = m_shape.timeColumns();
    names.removeIf([this](const QString &name) {
        const CatalogColumn *known = m_survey.table.column(name);
        return !known || !needsZone(*known, m_survey.isLoose)
            || m_shape.times.value(name) == u"timestamptz";
    });
    return names;
}

QString MappingDraft::columnWithUntoldZone() const
{
    const QStringList names = columnsWithoutZone();
    for (const QString &name : {m_shape.leaseColumn, m_shape.lockTimeColumn, m_shape.dueColumn}) {
        if (names.contains(name) && m_shape.zoneOf(name).isEmpty())
            return m_shape.use == OutboxShape::Use::Relay ? name : QString();
    }
    return {};
}

QString MappingDraft::whyNotRelayed() const
{
    OutboxShape relayed = m_shape;
    relayed.use = OutboxShape::Use::Relay;
    return relayed.whyNotRelay();
}

bool MappingDraft::isReadable() const
{
    for (const QString &name : m_shape.columns()) {
        if (!m_survey.table.column(name))
            return false;
    }
    return !m_shape.keyColumns().isEmpty() && OutboxShape::fromJson(m_shape.toJson()).has_value();
}

QString MappingDraft::statusColumn() const
{
    return m_shape.processedHow == Processed::Status ? m_shape.processedColumn : QString();
}

/// Values belong to one column.
void MappingDraft::forgetStatus()
{
    m_shape.processedValues.clear();
    m_shape.pendingValues.clear();
    m_shape.pendingColumn.clear();
    m_shape.waitingValues.clear();
    m_shape.waitingColumn.clear();
    if (m_shape.failedHow == Failed::Status)
        setFailed(Failed::None);
    if (m_shape.lockedHow == Locked::Status)
        setLocked(Locked::Row);
}

QList<MappingDraft::StatusValue> MappingDraft::statusValues() const
{
    const QString column = statusColumn();
    if (column.isEmpty())
        return {};
    QStringList values;
    QMap<QString, qint64> counts;
    if (m_seenColumn == column) {
        for (const ValueCount &one : m_seen) {
            values += one.value;
            counts[one.value] = one.count;
        }
    }
    const CatalogColumn *known = m_survey.table.column(column);
    if (known) {
        values += known->labels;
        if (!known->defaultText.isEmpty())
            values += known->defaultText;
    }
    values += m_shape.pendingValues + m_shape.processedValues + m_shape.failedValues
        + m_shape.lockedValues + m_shape.waitingValues;
    values.removeDuplicates();
    QList<StatusValue> all;
    for (const QString &value : std::as_const(values)) {
        StatusValue one{value, std::nullopt, MessageState::Unknown};
        if (counts.contains(value))
            one.count = counts.value(value);
        if (m_shape.processedValues.contains(value))
            one.state = MessageState::Processed;
        else if (m_shape.failedColumn == column && m_shape.failedValues.contains(value))
            one.state = MessageState::Failed;
        else if (m_shape.lockedColumn == column && m_shape.lockedValues.contains(value))
            one.state = MessageState::Locked;
        else if (m_shape.waitingValues.contains(value))
            one.state = MessageState::Waiting;
        else if (m_shape.pendingValues.contains(value))
            one.state = MessageState::Pending;
        all += one;
    }
    return all;
}

void MappingDraft::setSeenValues(const QString &column, const QList<ValueCount> &values)
{
    m_seenColumn = column;
    m_seen = values;
}

QList<MessageState> MappingDraft::valueStates() const
{
    QList<MessageState> states{MessageState::Unknown, MessageState::Pending,
                               MessageState::Processed, MessageState::Failed,
                               MessageState::Waiting};
    if (m_shape.lockedHow != Locked::Until && m_shape.lockedHow != Locked::Owner)
        states += MessageState::Locked; // else whether it is held stands in other columns
    return states;
}

void MappingDraft::assign(const QString &value, MessageState state)
{
    const QString column = statusColumn();
    for (QStringList *list :
         {&m_shape.processedValues, &m_shape.pendingValues, &m_shape.waitingValues})
        list->removeAll(value);
    if (m_shape.failedHow == Failed::Status)
        m_shape.failedValues.removeAll(value);
    if (m_shape.lockedHow == Locked::Status)
        m_shape.lockedValues.removeAll(value);
    switch (state) {
    case MessageState::Processed:
        m_shape.processedValues += value;
        break;
    case MessageState::Pending:
        m_shape.pendingValues += value;
        break;
    case MessageState::Waiting:
        m_shape.waitingValues += value;
        break;
    case MessageState::Failed:
        if (m_shape.failedHow != Failed::Status)
            setFailed(Failed::Status);
        m_shape.failedValues += value;
        break;
    case MessageState::Locked:
        if (m_shape.lockedHow != Locked::Status)
            setLocked(Locked::Status);
        m_shape.lockedValues += value;
        break;
    default:
        break;
    }
    m_shape.pendingColumn = m_shape.pendingValues.isEmpty() ? QString() : column;
    m_shape.waitingColumn = m_shape.waitingValues.isEmpty() ? QString() : column;
    if (m_shape.failedHow == Failed::Status && m_shape.failedValues.isEmpty())
        setFailed(Failed::None);
    if (m_shape.lockedHow == Locked::Status && m_shape.lockedValues.isEmpty())
        setLocked(Locked::Row);
}

} // namespace outbox
