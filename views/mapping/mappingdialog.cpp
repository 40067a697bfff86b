// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/mapping/mappingdialog.h"

#include "models/plaintext.h"
#include "views/mapping/mappingform.h"
#include "views/mapping/mappingpreviewpane.h"
#include "views/mapping/mappingtables.h"
#include "views/widgets/card.h"
#include "views/widgets/formrows.h"
#include "views/widgets/noticebar.h"

#include <QBoxLayout>
#include <QScrollArea>
#include <QSplitter>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

MappingDialog::MappingDialog(QWidget *parent)
    : QDialog(parent), m_tables(new MappingTables), m_form(new MappingForm),
      m_preview(new MappingPreviewPane), m_notice(new NoticeBar(u"mappingProblem"_s)),
      m_problem(plainLabel({}, true)), m_export(dialogButton(u"mappingExport"_s, tr("Export…"))),
      m_confirm(dialogButton(u"mappingConfirm"_s, tr("Use this mapping")))
{
    setObjectName(u"mappingDialog"_s);
    setWindowTitle(tr("Map the columns"));
    auto *area = new QScrollArea;
    area->setObjectName(u"mappingArea"_s);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(m_form);
    auto *right = new QSplitter(Qt::Vertical);
    right->setChildrenCollapsible(false);
    right->addWidget(area);
    right->addWidget(m_preview);
    right->setStretchFactor(0, 3);
    right->setStretchFactor(1, 1);
    right->setSizes({520, 240});
    auto *both = new QSplitter;
    both->setChildrenCollapsible(false);
    both->addWidget(m_tables);
    both->addWidget(right);
    both->setStretchFactor(1, 1);
    both->setSizes({270, 890});
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(14, 14, 14, 14);
    column->setSpacing(10);
    column->addWidget(m_notice);
    column->addWidget(both, 1);
    column->addLayout(buildButtons());
    resize(1180, 860);
    connect(m_tables, &MappingTables::tableChosen, this, [this](const TableName &table) {
        if (m_given && m_given->table == table)
            return; // the list shows the table that is being read
        m_given.reset();
        openTable(table);
    });
    connect(m_form, &MappingForm::edited, this, &MappingDialog::askPreview);
    connect(m_preview, &MappingPreviewPane::statesChosen, this, &MappingDialog::askPreview);
    m_form->setEnabled(false);
    judge();
}

QLayout *MappingDialog::buildButtons()
{
    QPushButton *import = dialogButton(u"mappingImport"_s, tr("Import…"));
    QPushButton *cancel = dialogButton(u"mappingCancel"_s, tr("Cancel"));
    // No default button: Enter in a field takes what was typed there, and no more.
    m_problem->setObjectName(u"mappingToDo"_s);
    wrapLines(m_problem);
    auto *row = new QHBoxLayout;
    row->addWidget(import);
    row->addWidget(m_export);
    row->addSpacing(12);
    row->addWidget(m_problem, 1);
    row->addWidget(cancel);
    row->addWidget(m_confirm);
    connect(import, &QPushButton::clicked, this, &MappingDialog::importAsked);
    connect(m_export, &QPushButton::clicked, this, [this] { emit exportAsked(shape()); });
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_confirm, &QPushButton::clicked, this, [this] {
        emit confirmed(shape());
        accept();
    });
    return row;
}

OutboxShape MappingDialog::shape() const
{
    OutboxShape shape = m_form->draft().shape();
    if (!m_given || shape != *m_given)
        shape.confirmed.clear(); // what somebody confirmed was another one
    return shape;
}

void MappingDialog::setTables(const QList<ProbeFinding> &findings, const QStringList &names)
{
    m_tables->setTables(findings, names);
    if (m_hasTable)
        m_tables->showTable(m_form->draft().survey().finding);
    else if (!m_given && !findings.isEmpty())
        openTable(findings.constFirst().shape.table);
}

void MappingDialog::openShape(const OutboxShape &shape)
{
    m_given = shape;
    openTable(shape.table);
}

void MappingDialog::openTable(const TableName &table)
{
    m_isSeen = false;
    m_notice->clear();
    emit previewUnwanted();
    emit tableChosen(table);
    judge();
}

void MappingDialog::setSurvey(const TableSurvey &survey)
{
    m_hasTable = true;
    MappingDraft draft(survey);
    if (m_given)
        draft.setShape(*m_given);
    m_tables->showTable(survey.finding);
    m_form->setEnabled(true);
    m_form->setDraft(draft);
    askPreview();
}

void MappingDialog::askPreview()
{
    const MappingDraft &draft = m_form->draft();
    m_isSeen = false;
    if (draft.isReadable()) {
        m_preview->setAwaiting();
        emit previewAsked(draft.shape(), draft.statusColumn(), m_preview->chosenStates());
    } else {
        m_preview->setIncomplete(draft.problem());
        emit previewUnwanted();
    }
    judge();
}

void MappingDialog::setPreview(const MappingPreview &preview)
{
    if (preview.problem.isEmpty() && !preview.statusColumn.isEmpty())
        m_form->setSeenValues(preview.statusColumn, preview.values);
    m_preview->setPreview(preview);
    m_isSeen = preview.problem.isEmpty();
    judge();
}

void MappingDialog::tell(const QString &problem)
{
    m_notice->say(NoticeBar::Tone::Problem, shownText(problem));
}

void MappingDialog::judge()
{
    const QString why = m_hasTable ? m_form->draft().problem() : tr("Choose a table.");
    m_problem->setText(shownText(why));
    m_confirm->setEnabled(why.isEmpty() && m_isSeen);
    m_export->setEnabled(why.isEmpty());
}

} // namespace outbox
