// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/mapping/mappingform.h"

#include "models/plaintext.h"
#include "views/widgets/card.h"
#include "views/widgets/choicefield.h"
#include "views/widgets/statusvalues.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>

namespace outbox {

using namespace Qt::Literals::StringLiterals;
using namespace mappinglines;

using Choice = MappingDraft::Choice;

MappingForm::MappingForm(QWidget *parent)
    : QWidget(parent), m_taskId(textField(u"mappingTaskId"_s, tr("Task id"))),
      m_fixedType(textField(u"mappingFixedType"_s, tr("Type of every message"))),
      m_tables(textField(u"mappingTables"_s, tr("Tables that may be read, by commas"))),
      m_zone(textField(u"mappingTimeZone"_s, tr("Time zone of times without one"))),
      m_leaseSeconds(numberField(u"mappingLease"_s, tr("Lease length in seconds"))),
      m_mostAttempts(numberField(u"mappingMostAttempts"_s, tr("Attempts at most"))),
      m_values(new StatusValues),
      m_relayed(new QCheckBox(tr("Deliver its rows from here (relay)"))),
      m_kept(plainLabel({}, true))
{
    setObjectName(u"mappingForm"_s);
    auto *columns = new QHBoxLayout(this);
    columns->setContentsMargins({});
    columns->setSpacing(12);
    auto *left = new QVBoxLayout;
    auto *right = new QVBoxLayout;
    for (QVBoxLayout *one : {left, right}) {
        one->setSpacing(12);
        columns->addLayout(one, 1);
    }
    addMessage(left);
    addTries(left);
    addStates(right);
    left->addStretch(1);
    right->addStretch(1);

    const auto changes = [this](QLineEdit *field, auto take) {
        connect(field, &QLineEdit::textChanged, this, [this, take](const QString &text) {
            take(m_draft, text);
            change();
        });
    };
    changes(m_taskId, [](MappingDraft &draft, const QString &text) { draft.setTaskId(text); });
    changes(m_fixedType,
            [](MappingDraft &draft, const QString &text) { draft.setFixedType(text.trimmed()); });
    changes(m_zone, [](MappingDraft &draft, const QString &text) { draft.setTimeZone(text); });
    changes(m_tables, [](MappingDraft &draft, const QString &text) {
        QStringList tables;
        for (const QString &one : text.split(u',', Qt::SkipEmptyParts))
            tables += one.trimmed();
        draft.setReferenceTables(tables);
    });
    connect(m_leaseSeconds, &QSpinBox::valueChanged, this, [this](int seconds) {
        m_draft.setLeaseSeconds(seconds);
        change();
    });
    connect(m_mostAttempts, &QSpinBox::valueChanged, this, [this](int attempts) {
        m_draft.setMaxAttempts(attempts);
        change();
    });
    connect(m_values, &StatusValues::assigned, this,
            [this](const QString &value, MessageState state) {
                m_draft.assign(value, state);
                change();
            });
    connect(m_relayed, &QCheckBox::toggled, this, [this](bool isOn) {
        m_draft.setRelayed(isOn);
        change();
    });
    refresh();
}

void MappingForm::addColumn(QGridLayout *grid, Meaning meaning)
{
    auto *field
        = new ChoiceField(u"column-"_s + label(meaning), tr("Column for %1").arg(label(meaning)));
    connect(field, &ChoiceField::valueChosen, this, [this, meaning](const QString &name) {
        m_draft.setColumn(meaning, name);
        change();
    });
    m_columns[meaning] = addLine(grid, label(meaning), field);
}

void MappingForm::addChoice(QGridLayout *grid, Choice choice, const QString &name)
{
    auto *field = new ChoiceField(u"choice-"_s + name, name);
    connect(field, &ChoiceField::valueChosen, this, [this, choice](const QString &word) {
        m_draft.choose(choice, word);
        change();
    });
    m_choices[choice] = field;
    (void)addLine(grid, name, field);
}

void MappingForm::addMessage(QBoxLayout *place)
{
    QGridLayout *grid = addGroup(place, tr("Message"));
    addColumn(grid, Meaning::Key);
    (void)addLine(grid, tr("Task id"), m_taskId);
    addColumn(grid, Meaning::Type);
    m_fixedTypeLine = addLine(grid, tr("Type is always"), m_fixedType);
    addChoice(grid, Choice::PayloadForm, tr("Payload is"));
    for (const Meaning meaning : {Meaning::Payload, Meaning::ReferenceTable, Meaning::ReferenceId})
        addColumn(grid, meaning);
    m_tablesLine = addLine(grid, tr("May read"), m_tables);
    for (const Meaning meaning : {Meaning::Headers, Meaning::Queue})
        addColumn(grid, meaning);
}

void MappingForm::addTries(QBoxLayout *place)
{
    QGridLayout *grid = addGroup(place, tr("Times and tries"));
    for (const Meaning meaning :
         {Meaning::Created, Meaning::Order, Meaning::Due, Meaning::Attempts, Meaning::LastError})
        addColumn(grid, meaning);
    m_zone->setPlaceholderText(tr("Europe/Berlin, UTC, +05:30"));
    m_zoneLine = addLine(grid, tr("Time zone"), m_zone);
}

void MappingForm::addStates(QBoxLayout *place)
{
    QGridLayout *grid = addGroup(place, tr("States of a row"));
    addChoice(grid, Choice::Processed, tr("Processed how"));
    addColumn(grid, Meaning::Processed);
    m_valuesLine = addLine(grid, tr("Its values"), m_values);
    addColumn(grid, Meaning::ProcessedTime);
    addChoice(grid, Choice::Locked, tr("Locked how"));
    for (const Meaning meaning : {Meaning::LeaseEnd, Meaning::Owner, Meaning::LockTime})
        addColumn(grid, meaning);
    m_leaseLine = addLine(grid, tr("Lease length, s"), m_leaseSeconds);
    addChoice(grid, Choice::Failed, tr("Failed how"));
    addColumn(grid, Meaning::Failed);
    m_mostLine = addLine(grid, tr("Attempts at most"), m_mostAttempts);
    addColumn(grid, Meaning::MostAttempts);
    m_relayed->setObjectName(u"mappingRelayed"_s);
    m_relayed->setAccessibleName(m_relayed->text());
    QGridLayout *use = addGroup(place, tr("Use"));
    m_relayedLine = addLine(use, QString(), m_relayed);
    wrapLines(m_kept);
    use->addWidget(m_kept, use->rowCount(), 1);
}

void MappingForm::setDraft(const MappingDraft &draft)
{
    m_draft = draft;
    refresh();
}

void MappingForm::setSeenValues(const QString &column, const QList<ValueCount> &values)
{
    m_draft.setSeenValues(column, values);
    refresh();
}

void MappingForm::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        refresh();
}

void MappingForm::change()
{
    refresh();
    emit edited();
}

void MappingForm::refreshColumn(Meaning meaning)
{
    const MappingLine &line = m_columns[meaning];
    reveal(line, m_draft.isShown(meaning));
    const TableSurvey &survey = m_draft.survey();
    QList<NamedChoice> choices{{QString(), tr("(none)"), {}}};
    for (const QString &name : m_draft.candidates(meaning)) {
        const CatalogColumn *column = survey.table.column(name);
        const QString sample = survey.samples.value(name).value(0);
        QString about = column ? column->type : QString();
        if (!sample.isEmpty())
            about += u"   "_s + sample;
        choices += NamedChoice{name, name, about};
    }
    qobject_cast<ChoiceField *>(line.field)->setChoices(choices, m_draft.column(meaning));
    say(line, m_draft.note(meaning), m_draft.problem(meaning));
}

void MappingForm::refresh()
{
    const OutboxShape &shape = m_draft.shape();
    for (auto choice = m_choices.cbegin(); choice != m_choices.cend(); ++choice) {
        QList<NamedChoice> options;
        for (const MappingDraft::Option &one : m_draft.options(choice.key()))
            options += NamedChoice{one.word, one.label, {}};
        choice.value()->setChoices(options, m_draft.chosen(choice.key()));
    }
    for (const Meaning meaning : m_columns.keys())
        refreshColumn(meaning);
    showText(m_taskId, shape.taskId);
    showText(m_fixedType, shape.fixedType);
    showText(m_tables, shape.referenceTables.join(u", "_s));
    showText(m_zone, m_draft.timeZone());
    reveal(m_zoneLine, !m_draft.columnsWithoutZone().isEmpty());
    say(m_zoneLine, m_draft.zoneNote(), m_draft.zoneProblem());
    showNumber(m_leaseSeconds, qRound(shape.leaseSeconds));
    showNumber(m_mostAttempts, shape.maxAttempts);
    const QList<MappingDraft::StatusValue> values = m_draft.statusValues();
    m_values->setValues(values, m_draft.valueStates());
    reveal(m_fixedTypeLine, shape.typeColumn.isEmpty() && shape.typeIn.isEmpty());
    reveal(m_tablesLine, shape.payloadForm == OutboxShape::PayloadForm::Reference);
    reveal(m_leaseLine, shape.lockedHow == OutboxShape::LockedHow::Owner);
    reveal(m_mostLine, shape.failedHow == OutboxShape::FailedHow::Attempts);
    reveal(m_valuesLine, !values.isEmpty());
    {
        const QSignalBlocker quiet(m_relayed);
        m_relayed->setChecked(shape.use == OutboxShape::Use::Relay);
    }
    const QString why = m_draft.whyNotRelayed();
    const QString words = why.isEmpty() ? QString() : tr("It cannot be: %1.").arg(why);
    m_kept->setText(shownText(m_draft.kept()));
    m_kept->setVisible(!m_kept->text().isEmpty());
    say(m_relayedLine, words, m_relayed->isChecked() ? words : QString());
}

} // namespace outbox
