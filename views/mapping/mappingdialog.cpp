// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/mapping/mappingdialog.h"

#include "models/mapping/tablesurvey.h"
#include "models/payload/celltext.h"
#include "models/plaintext.h"
#include "models/shape/catalog.h"
#include "models/tables/outboxmodel.h"
#include "views/mapping/mappingform.h"
#include "views/tables/columnchoice.h"
#include "views/tables/livetable.h"
#include "views/tables/shapefacts.h"
#include "views/tables/statechips.h"
#include "views/widgets/boxes.h"
#include "views/widgets/card.h"
#include "views/widgets/formfields.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/formrows.h"
#include "views/widgets/noticebar.h"
#include "views/widgets/propertylist.h"
#include "views/widgets/scrolledpage.h"

#include <QBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QWidget>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

/// Which table is the outbox: those that look like one, best first, with reasons; or any other.
class MappingTables : public QWidget
{
    Q_OBJECT

public:
    explicit MappingTables(QWidget *parent = nullptr);

    /// `names` are all tables, as "schema.table".
    void setTables(const QList<ProbeFinding> &findings, const QStringList &names);
    /// Marks the table that is being mapped, with what the probe says of it; emits nothing.
    void showTable(const ProbeFinding &finding)
    {
        const QSignalBlocker quiet(m_list);
        const QString name = finding.shape.table.text();
        m_list->setCurrentRow(static_cast<int>(m_found.indexOf(name)));
        showNames(name);
        m_reasons->setFacts(reasonFacts(finding));
    }

signals:
    void tableChosen(const outbox::TableName &table);

private:
    void showNames(const QString &chosen)
    {
        QList<NamedChoice> choices;
        for (const QString &one : std::as_const(m_names))
            choices += NamedChoice{one, one, {}};
        m_any->setChoices(choices, chosen);
    }

    QLabel *m_headline;
    QListWidget *m_list;
    ChoiceField *m_any;
    PropertyList *m_reasons;
    QStringList m_found;
    QStringList m_names;
};

MappingTables::MappingTables(QWidget *parent)
    : QWidget(parent), m_headline(plainLabel(tr("Looking for tables…"), true)),
      m_list(new QListWidget), m_any(new ChoiceField(u"mappingAnyTable"_s, tr("Any other table"))),
      m_reasons(new PropertyList(u"mappingReasons"_s, tr("What the probe says")))
{
    setObjectName(u"mappingTables"_s);
    wrapLines(m_headline);
    setNames(m_list, u"mappingTableList"_s, tr("Tables that look like an outbox"));
    m_list->setSpacing(1);
    m_reasons->setFrameShape(QFrame::StyledPanel);
    auto *column = boxOn<QVBoxLayout>(this, 8);
    column->addWidget(titleLabel(tr("Table")));
    column->addWidget(m_headline);
    column->addWidget(m_list, 2);
    column->addWidget(plainLabel(tr("Any other table"), true));
    column->addWidget(m_any);
    column->addWidget(titleLabel(tr("What the probe says")));
    column->addWidget(m_reasons, 3);
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0)
            emit tableChosen(TableName::fromText(m_found.at(row)));
    });
    connect(m_any, &ChoiceField::valueChosen, this,
            [this](const QString &name) { emit tableChosen(TableName::fromText(name)); });
}

void MappingTables::setTables(const QList<ProbeFinding> &findings, const QStringList &names)
{
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    m_found.clear();
    m_names = names;
    for (const ProbeFinding &finding : findings) {
        const OutboxShape &shape = finding.shape;
        m_found += shape.table.text();
        m_list->addItem(
            shownText(shape.table.text()) + u'\n'
            + tr("%1 % sure, %2 points%3")
                  .arg(qRound(finding.confidence * 100))
                  .arg(finding.score)
                  .arg(shape.family.isEmpty() ? QString() : u", "_s + shownText(shape.family)));
    }
    m_headline->setText(
        findings.isEmpty() ? tr("No table looks like an outbox. Name one below and map it by hand.")
                           : counted(findings.size(), tr("One table looks like an outbox."),
                                     tr("%1 tables look like an outbox, best first.")));
    m_list->setVisible(!findings.isEmpty());
    showNames({});
}

/// What a mapping makes of its table: rows by state, counted, and the first of them as they are
/// read.
class MappingPreviewPane : public QWidget
{
    Q_OBJECT

public:
    explicit MappingPreviewPane(QWidget *parent = nullptr);

    void setPreview(const MappingPreview &preview);
    /// A new answer is on its way; what is shown is from before the change.
    void setAwaiting() { m_table->setStale(true); }

    /// Nothing can be shown yet, and why.
    void setIncomplete(const QString &why)
    {
        {
            const LiveTable::KeepPlace keep(*m_table);
            m_model->merge({});
        }
        showCounts(*m_chips, {});
        m_table->emptyPane()->say(tr("Rows are shown as soon as the mapping can be read."));
        m_notice->say(NoticeBar::Tone::Info, shownText(why));
    }

    void setMasks(const PayloadMasks &masks) { m_model->setMasks(masks); }

    [[nodiscard]] QList<MessageState> chosenStates() const
    {
        QList<MessageState> states;
        for (const QString &word : m_chips->chosen()) {
            if (const auto state = messageStateFromWord(word))
                states += *state;
        }
        return states;
    }

signals:
    /// Rows of other states are wanted.
    void statesChosen();

private:
    StateChips *m_chips;
    LiveTable *m_table;
    OutboxModel *m_model;
    NoticeBar *m_notice;
};

MappingPreviewPane::MappingPreviewPane(QWidget *parent)
    : QWidget(parent), m_chips(new StateChips(u"mappingStates"_s, StateChips::Choice::Several)),
      m_table(new LiveTable(u"mappingRows"_s)),
      m_model(new OutboxModel(PayloadMasks::none(), this)),
      m_notice(new NoticeBar(u"mappingNotice"_s))
{
    setObjectName(u"mappingPreview"_s);
    for (const MessageState state : allMessageStates()) {
        if (state != MessageState::Parked) // our relay's own record; no column says it
            m_chips->add(state);
    }
    m_table->setAccessibleName(tr("Rows as they would be read"));
    m_table->show(m_model, {0, 30, 22, 21, 12, 9, 20, 0, 0, 0});
    m_table->columns()->setOffered(OutboxModel::InQueue, false); // no queue is asked
    m_table->columns()->setOffered(OutboxModel::LastError, false);
    QVariantList states;
    for (const MessageState state : allMessageStates())
        states += QVariant::fromValue(state);
    m_table->setStates(OutboxModel::State, states);
    m_table->setIdColumns({OutboxModel::Id});
    m_table->setCopyColumn(OutboxModel::Id);
    m_table->setMinimumHeight(172); // five rows and their head
    m_table->emptyPane()->say(tr("No row yet."));
    auto *column = boxOn<QVBoxLayout>(this, 8);
    addWidgets(column, {m_chips, m_notice});
    column->addWidget(m_table, 1);
    connect(m_chips, &StateChips::chosenChanged, this, &MappingPreviewPane::statesChosen);
}

void MappingPreviewPane::setPreview(const MappingPreview &preview)
{
    QList<OutboxRow> rows;
    for (const Message &row : preview.rows)
        rows += OutboxRow{row, std::nullopt, std::nullopt};
    {
        const LiveTable::KeepPlace keep(*m_table);
        m_model->merge(rows);
    }
    m_table->fitColumnsOnce();
    m_table->setStale(false);
    m_table->emptyPane()->say(chosenStates().isEmpty() ? tr("The table holds no rows.")
                                                       : tr("No row is in this state."));
    showCounts(*m_chips, preview.counts);
    if (preview.problem.isEmpty())
        m_notice->clear();
    else
        m_notice->say(NoticeBar::Tone::Problem, shownText(preview.problem));
}

void MappingDialog::setMasks(const PayloadMasks &masks)
{
    m_preview->setMasks(masks);
}

MappingDialog::MappingDialog(QWidget *parent)
    : QDialog(parent), m_tables(new MappingTables), m_form(new MappingForm),
      m_preview(new MappingPreviewPane), m_notice(new NoticeBar(u"mappingProblem"_s)),
      m_problem(plainLabel({}, true)), m_export(dialogButton(u"mappingExport"_s, tr("Export…"))),
      m_confirm(dialogButton(u"mappingConfirm"_s, tr("Use this mapping")))
{
    setObjectName(u"mappingDialog"_s);
    setWindowTitle(tr("Map the columns"));
    auto *area = new QScrollArea;
    setNames(area, u"mappingArea"_s, tr("Columns and their meanings"));
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
    auto *column = boxOn<QVBoxLayout>(this, 10, {14, 14, 14, 14});
    column->addWidget(m_notice);
    column->addWidget(both, 1);
    column->addLayout(buildButtons());
    keepOnScreen(this, {1180, 860});
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
    addWidgets(row, {import, m_export});
    row->addSpacing(12);
    row->addWidget(m_problem, 1);
    addWidgets(row, {cancel, m_confirm});
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

#include "mappingdialog.moc"
