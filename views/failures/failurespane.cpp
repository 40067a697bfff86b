// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/failures/failurespane.h"

#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/tables/groupmodel.h"
#include "views/failures/groupchoices.h"
#include "views/failures/groupdelegate.h"
#include "views/failures/groupnotebar.h"
#include "views/tables/livetable.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/noticebar.h"

#include <QBoxLayout>
#include <QHideEvent>
#include <QShowEvent>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QLabel *asideLabel(const QString &name)
{
    auto *label = new QLabel;
    label->setObjectName(name);
    label->setTextFormat(Qt::PlainText);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // as wide as there is room
    return label;
}

} // namespace

FailuresPane::FailuresPane(FailureSource source, QWidget *parent)
    : QWidget(parent), m_source(source), m_choices(new GroupChoices(source)),
      m_problem(new NoticeBar(u"groupsProblem"_s)), m_model(new GroupModel(this)),
      m_table(new LiveTable(u"groupsTable"_s)), m_example(asideLabel(u"groupsExample"_s)),
      m_filter(asideLabel(u"groupsFilter"_s)), m_show(new QPushButton), m_note(new GroupNoteBar)
{
    setObjectName(u"failuresPane"_s);
    build();
    connect(m_choices, &GroupChoices::groupingChanged, this, &FailuresPane::regroup);
    connect(m_choices, &GroupChoices::lookAsked, this, &FailuresPane::ask);
    connect(m_problem, &NoticeBar::actionAsked, this, &FailuresPane::ask);
    connect(m_table->emptyPane(), &EmptyPane::actionAsked, m_choices, &GroupChoices::chooseEver);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &FailuresPane::describe);
    connect(m_model, &QAbstractItemModel::dataChanged, this, &FailuresPane::describe);
    connect(m_table, &QAbstractItemView::activated, this, &FailuresPane::choose);
    connect(m_note, &GroupNoteBar::noteWritten, this, &FailuresPane::noteWritten);
    connect(m_show, &QPushButton::clicked, this, &FailuresPane::choose);
    regroup();
}

void FailuresPane::build()
{
    m_table->setAccessibleName(tr("Groups of failures"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->show(m_model, {24, 42, 14, 22, 9, 22, 14, 26, 21, 0});
    m_table->setItemDelegate(new GroupDelegate(m_table));
    m_table->setMinimumHeight(120);
    m_show->setObjectName(u"groupsShow"_s);
    m_show->setAccessibleName(tr("Show the members of the group"));
    m_filter->setAccessibleName(tr("The filter of the group"));
    m_example->setAccessibleName(tr("What one of them says"));
    auto *below = new QHBoxLayout;
    below->setSpacing(10);
    below->addWidget(m_show);
    auto *words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_example);
    words->addWidget(m_filter);
    below->addLayout(words, 1);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(8);
    column->addWidget(m_choices);
    column->addWidget(m_problem);
    column->addWidget(m_table, 1);
    column->addLayout(below);
    column->addWidget(m_note);
}

FailureQuestion FailuresPane::question() const
{
    return m_choices->question();
}

void FailuresPane::ask()
{
    if (isVisible())
        emit sampleAsked(question());
    describeNothing();
}

void FailuresPane::setSample(const FailureSample &sample)
{
    if (sample.question != question())
        return;
    m_sample = sample;
    m_read = true;
    m_problem->clear();
    m_table->setStale(false);
    regroup();
}

void FailuresPane::regroup()
{
    FailureGroups groups = groupsOf(m_sample, m_choices->grouping());
    bool hasNotes = false;
    for (FailureGroup &group : groups.groups) {
        group.note = noteWords(m_notes.value(noteKey(group)));
        hasNotes = hasNotes || !group.note.isEmpty();
    }
    {
        const LiveTable::KeepPlace keep(*m_table);
        m_model->merge(groups.groups);
    }
    auto shown = GroupModel::shownColumns(m_choices->grouping(), m_source);
    if (hasNotes)
        shown += GroupModel::Note;
    for (int column = 0; column < GroupModel::ColumnCount; ++column)
        m_table->setColumnHidden(column, !shown.contains(GroupModel::Columns(column)));
    // Errors are what is read here: they take the room that the figures leave.
    const bool hasErrors = shown.contains(GroupModel::Cause);
    QHeaderView *head = m_table->horizontalHeader();
    head->setStretchLastSection(!hasErrors);
    head->setSectionResizeMode(GroupModel::Cause,
                               hasErrors ? QHeaderView::Stretch : QHeaderView::Interactive);
    QString size;
    if (m_read) {
        size = tr("%1, as of %2")
                   .arg(sizeWords(m_sample),
                        momentText(m_sample.at, QDateTime::currentDateTimeUtc()));
    }
    if (groups.others > 0)
        size += tr("; %1 in smaller groups").arg(countText(groups.others));
    m_choices->setSize(size);
    if (!m_table->currentIndex().isValid() && m_model->rowCount() > 0)
        m_table->selectRow(0);
    describe();
    describeNothing();
}

const FailureGroup *FailuresPane::chosen() const
{
    const QModelIndex index = m_table->currentIndex();
    return index.isValid() ? &m_model->row(index.row()) : nullptr;
}

void FailuresPane::describe()
{
    const FailureGroup *group = chosen();
    const bool says = group && !group->example.isEmpty();
    m_example->setText(says ? tr("One of them: %1").arg(cellText(group->example)) : QString());
    m_example->setToolTip(says ? tipText(group->example) : QString());
    m_filter->setText(group ? shownText(group->filter) : QString());
    m_filter->setToolTip(group ? tipText(group->filter) : QString());
    const QString key = group ? noteKey(*group) : QString();
    m_note->setNote(key, m_notes.value(key));
    m_example->setVisible(group);
    m_filter->setVisible(group);
    m_show->setVisible(group && !group->filter.isEmpty());
    if (group) {
        m_show->setText(!m_sample.isWhole       ? tr("Show all of these")
                            : group->count == 1 ? tr("Show this one")
                                                : tr("Show these %1").arg(countText(group->count)));
        m_show->setAccessibleDescription(plainText(titleOf(*group)));
    }
}

void FailuresPane::describeNothing()
{
    EmptyPane *pane = m_table->emptyPane();
    if (!m_read || m_sample.question != question())
        pane->say(tr("Reading…"));
    else if (question().withinSeconds)
        pane->say(m_choices->nothingText(), tr("Look at all times"));
    else
        pane->say(m_choices->nothingText());
}

void FailuresPane::choose()
{
    const FailureGroup *group = chosen();
    if (group && !group->filter.isEmpty())
        emit filterChosen(group->filter, group->queue);
}

void FailuresPane::setError(const Error &error)
{
    QString text = shownText(oneLine(error));
    if (!text.isEmpty())
        text[0] = text.at(0).toUpper();
    if (m_read) {
        text += u". "_s
            + tr("What is shown is from %1.")
                  .arg(momentText(m_sample.at, QDateTime::currentDateTimeUtc()));
    }
    m_problem->say(NoticeBar::Tone::Problem, text, tr("Try again"));
    m_table->setStale(m_read);
}

void FailuresPane::setNotes(const QList<GroupNote> &notes)
{
    m_notes.clear();
    for (const GroupNote &note : notes)
        m_notes.insert(note.group, note);
    regroup();
}

void FailuresPane::forget()
{
    m_notes.clear();
    m_sample = {};
    m_read = false;
    m_problem->clear();
    m_table->setStale(false);
    regroup();
}

void FailuresPane::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    if (!event->spontaneous())
        emit sampleAsked(question());
}

void FailuresPane::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    if (!event->spontaneous())
        emit sampleNotWanted();
}

} // namespace outbox
