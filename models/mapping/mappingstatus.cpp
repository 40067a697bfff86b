// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of a mapping in the making that says what the values of a status column mean.
#include "models/mapping/mappingdraft.h"

namespace outbox {

namespace {

using Processed = OutboxShape::ProcessedHow;
using Locked = OutboxShape::LockedHow;
using Failed = OutboxShape::FailedHow;

} // namespace

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
