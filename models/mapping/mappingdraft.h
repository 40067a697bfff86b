// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A mapping while a person makes it: which choices there are, what follows from each, and what is
// wrong with it yet, in words.
#pragma once

#include "models/mapping/meaning.h"
#include "models/mapping/tablesurvey.h"
#include "models/message/messagestate.h"

#include <optional>
#include <utility>

namespace outbox {

class MappingDraft
{
public:
    /// What is chosen by a word, not by a column.
    enum class Choice { PayloadForm, Processed, Locked, Failed };

    /// A value of the status column and the state it stands for; Unknown: nobody said.
    struct StatusValue
    {
        QString value;
        std::optional<qint64> count; ///< nullopt: not among the rows that were looked at
        MessageState state = MessageState::Unknown;

        bool operator==(const StatusValue &) const = default;
    };

    MappingDraft() = default;
    /// Begins with what the probe found.
    explicit MappingDraft(const TableSurvey &survey);

    [[nodiscard]] const TableSurvey &survey() const { return m_survey; }
    [[nodiscard]] const OutboxShape &shape() const { return m_shape; }
    /// Takes a ready mapping of this table; what its columns cannot do is told by `problem`.
    void setShape(const OutboxShape &shape);

    /// False where the rest of the mapping leaves no use for it.
    [[nodiscard]] bool isShown(Meaning meaning) const;
    /// The columns that can carry it, in the order of the table; the chosen one among them.
    [[nodiscard]] QStringList candidates(Meaning meaning) const;
    [[nodiscard]] QString column(Meaning meaning) const { return columnOf(m_shape, meaning); }
    /// Takes what follows with it: the form of a key and of its task id, the form of a payload.
    void setColumn(Meaning meaning, const QString &column);
    /// The type of the chosen column and why the probe chose it.
    [[nodiscard]] QString note(Meaning meaning) const;
    /// What is wrong with this choice; empty: nothing.
    [[nodiscard]] QString problem(Meaning meaning) const;

    /// Those that the table can do, and the one that it was found with: words as in the shape's
    /// JSON, each with its label.
    [[nodiscard]] QList<std::pair<QString, QString>> options(Choice choice) const;
    [[nodiscard]] QString chosen(Choice choice) const;
    void choose(Choice choice, const QString &word);

    /// The column whose values say the state; empty where none does.
    [[nodiscard]] QString statusColumn() const;
    [[nodiscard]] QList<StatusValue> statusValues() const;
    void setSeenValues(const QString &column, const QList<ValueCount> &values);
    void assign(const QString &value, MessageState state);
    /// The states that a value may stand for.
    [[nodiscard]] QList<MessageState> valueStates() const;

    void setFixedType(const QString &type) { m_shape.fixedType = type; }
    void setTaskId(const QString &text) { m_shape.taskId = text; }
    void setMaxAttempts(int attempts) { m_shape.maxAttempts = attempts; }
    void setReferenceTables(const QStringList &tables) { m_shape.referenceTables = tables; }
    /// What a person writes for the zone of times that have none; `zoneProblem` says what is wrong
    /// with it.
    void setTimeZone(const QString &text);
    [[nodiscard]] QString timeZone() const;
    /// The columns whose times are moments in a known zone only; where there are none, none is
    /// asked for.
    [[nodiscard]] QStringList columnsWithoutZone() const;
    [[nodiscard]] QString zoneNote() const;
    [[nodiscard]] QString zoneProblem() const;
    /// The column by which a relay would go without knowing its zone; empty: there is none.
    [[nodiscard]] QString columnWithUntoldZone() const;
    void setLeaseSeconds(double seconds) { m_shape.leaseSeconds = seconds; }
    void setRelayed(bool isRelayed);
    /// Why our relay could not deliver it; empty: it could.
    [[nodiscard]] QString whyNotRelayed() const;

    /// What belongs to the mapping and has no field here; it stays as it was found.
    [[nodiscard]] QString kept() const;
    /// What is to be done yet, the first of it; empty: it is ready.
    [[nodiscard]] QString problem() const;
    /// Whether rows can be read like this, ready or not: a status is seen before it is explained.
    [[nodiscard]] bool isReadable() const;

private:
    [[nodiscard]] QString problemOfColumn(Meaning meaning) const;
    [[nodiscard]] bool isNeeded(Meaning meaning) const;
    void setProcessed(OutboxShape::ProcessedHow how);
    void setLocked(OutboxShape::LockedHow how);
    void setFailed(OutboxShape::FailedHow how);
    void setPayloadForm(OutboxShape::PayloadForm form);
    void forgetStatus();
    void takeOrder(const QString &column);

    TableSurvey m_survey;
    OutboxShape m_shape;
    QString m_writtenZone; ///< that is none
    QString m_seenColumn;
    QList<ValueCount> m_seen;
};

} // namespace outbox
