// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the mapping editor says: its choices, why a column was chosen, and what is wrong with one.
#include "models/localtime.h"
#include "models/mapping/mappingdraft.h"
#include "models/shape/outboxshapewords.h"
#include "models/translation.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

using Processed = OutboxShape::ProcessedHow;
using Locked = OutboxShape::LockedHow;
using Failed = OutboxShape::FailedHow;
using Payload = OutboxShape::PayloadForm;

constexpr Translation mappingText("outbox::MappingDraft");

/// Those of `offered`, and the one that is chosen.
template <typename Texts, typename Enum>
QList<std::pair<QString, QString>> optionsOf(const Texts &texts, QList<Enum> offered, Enum chosen)
{
    if (!offered.contains(chosen))
        offered += chosen;
    QList<std::pair<QString, QString>> options;
    for (const Enum one : std::as_const(offered))
        options += std::pair(texts.word(one), texts.label(one, "outbox::MappingDraft"));
    return options;
}

QList<Payload> formsOf(const CatalogColumn *column)
{
    QList<Payload> forms;
    switch (column ? column->typeClass : TypeClass::Other) {
    case TypeClass::Json:
        forms = {Payload::Json, Payload::Many};
        break;
    case TypeClass::Bytes:
        forms = {Payload::Bytes, Payload::Opaque};
        break;
    case TypeClass::Text:
        forms = {Payload::Text, Payload::Opaque};
        break;
    default:
        forms = {Payload::Json, Payload::Text, Payload::Bytes};
        break;
    }
    return forms + QList<Payload>{Payload::Reference, Payload::None};
}

} // namespace

QList<std::pair<QString, QString>> MappingDraft::options(Choice choice) const
{
    using namespace shapewords;
    const bool hasStatus = !statusColumn().isEmpty();
    switch (choice) {
    case Choice::PayloadForm:
        return optionsOf(payloadWords, formsOf(m_survey.table.column(m_shape.payloadColumn)),
                         m_shape.payloadForm);
    case Choice::Processed:
        return optionsOf(
            processedWords,
            QList{Processed::Deleted, Processed::Time, Processed::Flag, Processed::Status},
            m_shape.processedHow);
    case Choice::Locked: {
        QList<Locked> offered{Locked::Row, Locked::Until, Locked::Owner};
        if (hasStatus)
            offered += Locked::Status;
        return optionsOf(lockedWords, offered, m_shape.lockedHow);
    }
    case Choice::Failed: {
        QList<Failed> offered{Failed::None, Failed::Time, Failed::Flag, Failed::Attempts};
        if (hasStatus)
            offered += Failed::Status;
        return optionsOf(failedWords, offered, m_shape.failedHow);
    }
    }
    return {};
}

QString MappingDraft::note(Meaning meaning) const
{
    const QString name = column(meaning);
    const CatalogColumn *known = m_survey.table.column(name);
    if (!known && meaning == Meaning::Type && !m_shape.typeIn.isEmpty())
        return mappingText("Looked up in %1.").arg(m_shape.typeIn.table.text());
    if (!known && meaning == Meaning::Key && !m_shape.keyParts.isEmpty())
        return mappingText("Several columns together: %1.").arg(m_shape.keyColumns().join(u", "_s));
    if (!known)
        return {};
    QString words = known->type;
    if (known->nullable)
        words += mappingText(", may be empty");
    if (columnOf(m_survey.finding.shape, meaning) != name)
        return words;
    const QStringList reasons = m_survey.finding.reasons.value(memberOf(meaning));
    for (const QString &reason : reasons) {
        if (reason.contains(u'`' + name + u'`'))
            return words + u". "_s + reason;
    }
    return words;
}

QString MappingDraft::kept() const
{
    const auto columnsOf = [](const QList<ShapeTest> &tests) {
        QStringList names;
        for (const ShapeTest &one : tests)
            names += one.column;
        return names.join(u", "_s);
    };
    QStringList words;
    if (!m_shape.where.isEmpty())
        words += mappingText("Only some rows are read, by %1.").arg(columnsOf(m_shape.where));
    if (!m_shape.processedAnd.isEmpty())
        words
            += mappingText("Processed depends on %1 besides.").arg(columnsOf(m_shape.processedAnd));
    if (!m_shape.dueOnlyIn.isEmpty())
        words += mappingText("The due time counts by %1 only.").arg(columnsOf(m_shape.dueOnlyIn));
    for (const auto &[table, columns] : m_shape.neighbours())
        words += mappingText("%1 is read too.").arg(table.text());
    words.removeDuplicates();
    return words.join(u' ');
}

bool MappingDraft::isNeeded(Meaning meaning) const
{
    switch (meaning) {
    case Meaning::ReferenceTable:
    case Meaning::ReferenceId:
    case Meaning::Payload:
    case Meaning::Processed:
    case Meaning::LeaseEnd:
    case Meaning::Failed:
        return isShown(meaning);
    case Meaning::Owner:
    case Meaning::LockTime:
        return m_shape.lockedHow == Locked::Owner && m_shape.ownerColumn.isEmpty()
            && m_shape.lockTimeColumn.isEmpty();
    case Meaning::Attempts:
        return m_shape.failedHow == Failed::Attempts;
    case Meaning::MostAttempts:
        return m_shape.failedHow == Failed::Attempts && m_shape.maxAttempts <= 0;
    case Meaning::Key:
        return m_shape.keyParts.isEmpty();
    default:
        return false;
    }
}

QString MappingDraft::problemOfColumn(Meaning meaning) const
{
    const QString name = column(meaning);
    const CatalogColumn *known = m_survey.table.column(name);
    if (!known)
        return mappingText("The table has no column \"%1\".").arg(name);
    if (!canCarry(meaning, m_shape, m_survey.table, *known, m_survey.isLoose)) {
        return meaning == Meaning::Key
            ? mappingText("By the catalog \"%1\" does not tell the rows apart.").arg(name)
            : mappingText("\"%1\" is of type %2, which cannot say that.").arg(name, known->type);
    }
    if (meaning == Meaning::Processed && m_shape.processedHow == Processed::Time
        && !known->nullable)
        return mappingText("\"%1\" is never empty, so every row would count as processed.")
            .arg(name);
    // Two marks in one column would overwrite each other.
    static const QList<Meaning> marks{Meaning::Key,           Meaning::Payload,  Meaning::Processed,
                                      Meaning::ProcessedTime, Meaning::LeaseEnd, Meaning::Owner,
                                      Meaning::LockTime,      Meaning::Failed,   Meaning::Attempts,
                                      Meaning::LastError};
    if (!marks.contains(meaning))
        return {};
    for (const Meaning other : marks) {
        if (other == meaning)
            return {}; // told at the later of the two
        if (isShown(other) && column(other) == name)
            return mappingText("\"%1\" is taken for \"%2\" already.").arg(name, label(other));
    }
    return {};
}

QString MappingDraft::problem(Meaning meaning) const
{
    if (!isShown(meaning))
        return {};
    if (column(meaning).isEmpty()) {
        if (meaning == Meaning::Key && isNeeded(meaning)) {
            return mappingText(
                "No column is chosen that tells the rows apart: without one the table "
                "can be counted, not listed.");
        }
        return isNeeded(meaning) ? mappingText("Choose the column that says it.") : QString();
    }
    if (QString why = problemOfColumn(meaning); !why.isEmpty())
        return why;
    if (meaning == Meaning::Processed && m_shape.processedHow == Processed::Status) {
        if (m_shape.processedValues.isEmpty())
            return mappingText("No value means processed yet: say below what each value means.");
        if (m_shape.pendingValues.isEmpty())
            return mappingText("No value means pending yet: say below what each value means.");
    }
    return {};
}

QString MappingDraft::zoneNote() const
{
    if (timeZone().isEmpty() || m_shape.times != m_survey.finding.shape.times)
        return mappingText("Of %1.").arg(columnsWithoutZone().join(u", "_s));
    return m_survey.finding.reasons.value(u"times"_s).join(u' ');
}

QString MappingDraft::zoneProblem() const
{
    if (!m_writtenZone.isEmpty())
        return timeZoneNamed(m_writtenZone).error().hint;
    if (const QString name = columnWithUntoldZone(); !name.isEmpty())
        return mappingText("Say the zone of \"%1\": what may be sent depends on it.").arg(name);
    const QStringList names = columnsWithoutZone();
    const bool isUntold = !names.isEmpty() && m_shape.zoneOf(names.constFirst()).isEmpty();
    return isUntold ? mappingText("Nobody said it, so ages are not known.") : QString();
}

QString MappingDraft::problem() const
{
    for (const Meaning meaning : allMeanings()) {
        if (meaning == Meaning::Key && candidates(meaning).isEmpty())
            continue; // it can be counted at least
        if (const QString why = problem(meaning); !why.isEmpty())
            return label(meaning) + u": "_s + why;
    }
    if (QString why = m_shape.whyNoTaskIds(); !why.isEmpty())
        return why;
    if (m_shape.failedHow == Failed::Status && m_shape.failedValues.isEmpty())
        return mappingText("No value means failed yet.");
    if (m_shape.lockedHow == Locked::Status && m_shape.lockedValues.isEmpty())
        return mappingText("No value means in progress yet.");
    if (!m_writtenZone.isEmpty() || !columnWithUntoldZone().isEmpty())
        return zoneProblem();
    const auto read = OutboxShape::fromJson(m_shape.toJson());
    return read ? QString() : read.error().text;
}

} // namespace outbox
