// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/documents/documentsview.h"

#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/tables/entrymodel.h"
#include "models/tables/tokenmodel.h"
#include "views/documents/documentfigures.h"
#include "views/documents/documentverbs.h"
#include "views/tables/livetable.h"
#include "views/tables/statedelegate.h"
#include "views/tables/tablecopy.h"
#include "views/widgets/card.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/pagebuttons.h"
#include "views/widgets/sourcenotice.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QLabel>
#include <QStackedWidget>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

DocumentsView::DocumentsView(QWidget *parent)
    : QWidget(parent), m_source(new SourceNotice(u"documentsSource"_s, tr("the database"))),
      m_figures(new DocumentFigures), m_chips(new QButtonGroup(this)),
      m_count(plainLabel({}, true)), m_notes(new NoticeBar(u"documentsNotes"_s)),
      m_entries(new EntryModel(this)), m_tokens(new TokenModel(this)),
      m_entryTable(new LiveTable(u"entryTable"_s)), m_tokenTable(new LiveTable(u"tokenTable"_s)),
      m_tables(new QStackedWidget), m_detail(plainLabel({}, true)), m_verbs(new DocumentVerbs)
{
    setObjectName(u"documentsView"_s);
    joinTables();
    build();
    connect(m_figures, &DocumentFigures::listAsked, this, &DocumentsView::showList);
    connect(m_chips, &QButtonGroup::idClicked, this,
            [this](int id) { showList(static_cast<DesignList>(id)); });
    connect(m_source, &SourceNotice::staleChanged, this, [this](bool stale) {
        m_entryTable->setStale(stale);
        m_tokenTable->setStale(stale);
        m_figures->setStale(stale ? m_health.lastGood : std::nullopt);
    });
    connect(m_source, &SourceNotice::retryAsked, this, &DocumentsView::retryAsked);
    setDesign(Design::EntityState);
}

void DocumentsView::joinTables()
{
    m_entryTable->setAccessibleName(tr("Entries of documents"));
    m_entryTable->show(m_entries, {-24, 26, 24, -18, -9, -12, 0});
    m_entryTable->setIdColumns({EntryModel::Incoming});
    m_entryTable->setStates(EntryModel::State, EntryModel::states());
    m_entryTable->setCopyColumn(EntryModel::Incoming);
    m_tokenTable->setAccessibleName(tr("Tokens"));
    m_tokenTable->show(m_tokens, {-16, 30, -9, 24, 24, 0});
    m_tokenTable->setIdColumns({TokenModel::Id, TokenModel::Attempt, TokenModel::Incoming});
    m_tokenTable->setStates(TokenModel::Reach, EntryModel::states());
    m_tokenTable->setCopyColumn(TokenModel::Id);
    for (LiveTable *table : {m_entryTable, m_tokenTable}) {
        table->setFrameShape(QFrame::StyledPanel);
        table->setItemDelegateForColumn(
            0, new StateDelegate(StateRole, StateDelegate::Words::Cell, table));
        table->setMinimumHeight(140);
        m_tables->addWidget(table);
    }
    m_detail->setObjectName(u"documentsDetail"_s);
    wrapLines(m_detail);
    connect(m_entryTable, &LiveTable::rowChosen, this, [this](const QModelIndex &index) {
        m_detail->setText(shownText(m_entries->row(index.row()).seen.next.reason));
    });
    connect(m_tokenTable, &LiveTable::rowChosen, this, [this](const QModelIndex &index) {
        m_detail->setText(shownText(m_tokens->row(index.row()).judged.words));
    });
    m_entryTable->addActions(m_verbs->actionsInOrder().mid(0, 2));
    connect(m_entryTable->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &DocumentsView::tellSelection);
}

void DocumentsView::build()
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(14, 14, 14, 14);
    column->setSpacing(8);
    column->addWidget(m_figures);
    column->addWidget(buildChips());
    column->addWidget(m_source);
    column->addWidget(m_notes);
    column->addWidget(m_tables, 1);
    column->addWidget(m_detail);
    column->addWidget(m_verbs);
}

QWidget *DocumentsView::buildChips()
{
    auto *bar = new QWidget;
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins({});
    row->setSpacing(6);
    const auto chip = [this, row](DesignList list, const QString &name, const QString &icon,
                                  const QString &text, const QString &tip) {
        auto *button = pageButton(name, icon, text);
        button->setCheckable(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setToolTip(plainTooltip(tip));
        m_chips->addButton(button, static_cast<int>(list));
        row->addWidget(button);
    };
    chip(DesignList::Unsettled, u"listUnsettled"_s, u"filter"_s, tr("Needs something"),
         tr("Entries that are to be dispatched, that leaked, or that nobody can read"));
    chip(DesignList::Dispatched, u"listDispatched"_s, u"tick"_s, tr("Dispatched"),
         tr("Entries that are null: they keep a copy of their message from running again"));
    chip(DesignList::Tokens, u"listTokens"_s, u"lock"_s, tr("Tokens"),
         tr("Every token, and what still refers to it; looking never deletes one"));
    row->addStretch();
    m_count->setObjectName(u"documentsCount"_s);
    row->addWidget(m_count);
    return bar;
}

void DocumentsView::setDesign(Design design)
{
    m_design = design;
    m_figures->setDesign(design);
    m_verbs->setDesign(design);
    m_verbs->setSummary(std::nullopt);
    m_chips->button(int(DesignList::Tokens))->setVisible(design == Design::Tokens);
    m_chips->button(int(DesignList::Dispatched))->setVisible(design == Design::EntityState);
    m_entries->merge({});
    m_tokens->merge({});
    m_count->clear();
    m_list = DesignList::None;
    setHealth({});
    showList(DesignList::Unsettled);
}

void DocumentsView::showList(DesignList list)
{
    m_chips->button(int(list))->setChecked(true);
    if (std::exchange(m_list, list) == list)
        return;
    m_awaiting = true;
    m_notes->clear();
    m_detail->clear();
    m_entries->merge({});
    m_tables->setCurrentWidget(list == DesignList::Tokens ? m_tokenTable : m_entryTable);
    tellSelection();
    describeNothing();
    emit listAsked(list);
}

void DocumentsView::setView(const DesignView &view)
{
    m_isWhole = view.summary.exact && !view.isCut;
    m_figures->setSummary(view.summary);
    m_verbs->setSummary(view.summary);
    tellChips(view.summary);
    if (view.list != m_list)
        return;
    m_awaiting = false;
    if (view.tokens) {
        const LiveTable::KeepPlace keep(*m_tokenTable);
        m_tokens->merge(TokenModel::rowsOf(view));
    } else {
        const LiveTable::KeepPlace keep(*m_entryTable);
        m_entries->merge(EntryModel::rowsOf(view));
    }
    tellCounts(view);
    tellSelection();
    describeNothing();
}

void DocumentsView::tellChips(const DocumentSummary &summary)
{
    const auto tell = [this](DesignList list, qint64 count) {
        QAbstractButton *chip = m_chips->button(static_cast<int>(list));
        chip->setText(chip->accessibleName() + u"  "_s + countText(count));
        chip->setAccessibleDescription(counted(count, tr("1 entry"), tr("%1 entries")));
    };
    tell(DesignList::Unsettled,
         summary.undispatched + summary.leaked.value_or(0) + summary.malformed);
    tell(DesignList::Dispatched, summary.dispatched);
}

void DocumentsView::tellCounts(const DesignView &view)
{
    // What is said again is not taken away before: the page would be laid out twice.
    if (!view.tokens || view.tokens->notes.isEmpty())
        m_notes->clear();
    if (view.tokens) {
        m_count->setText(tokenCountsText(*view.tokens));
        if (!view.tokens->notes.isEmpty())
            m_notes->say(NoticeBar::Tone::Warning, shownText(view.tokens->notes.join(u". "_s)));
        return;
    }
    const qsizetype count = view.entries.size();
    m_count->setText(view.isCut ? tr("the first %1").arg(countText(count))
                                : counted(count, tr("1 entry"), tr("%1 entries")));
}

void DocumentsView::tellSelection()
{
    QList<SeenEntry> selected;
    if (m_list != DesignList::Tokens) {
        for (const int row : selectedRows(*m_entryTable))
            selected += m_entries->row(row).seen;
    }
    m_verbs->setSelected(m_list, selected);
}

void DocumentsView::describeNothing()
{
    QString sentence = tr("Reading\u2026");
    if (m_health.state == SourceHealth::State::NotConnected)
        sentence = tr("Not connected.");
    else if (!m_awaiting && m_isWhole && m_list == DesignList::Dispatched)
        sentence = tr("No entry is null.");
    else if (!m_awaiting && !m_isWhole)
        sentence = tr("None among the documents that were read; the look ended before all were.");
    else if (!m_awaiting)
        sentence = tr("Nothing waits: no entry is undispatched, and none leaked.");
    m_entryTable->emptyPane()->say(sentence);
    m_tokenTable->emptyPane()->say(m_awaiting ? tr("Reading\u2026")
                                              : tr("There is no token: nothing is under way."));
}

void DocumentsView::setHealth(const SourceHealth &database)
{
    m_health = database;
    m_source->setHealth(database);
    describeNothing();
}

} // namespace outbox
