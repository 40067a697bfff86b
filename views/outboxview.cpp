// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/outboxview.h"

#include "models/celltext.h"
#include "models/filter/rowfilter.h"
#include "models/outboxmodel.h"
#include "models/plaintext.h"
#include "models/statefilter.h"
#include "views/emptypane.h"
#include "views/filterbar.h"
#include "views/livetable.h"
#include "views/messagepanel.h"
#include "views/outboxcounts.h"
#include "views/outboxrows.h"
#include "views/pagebuttons.h"
#include "views/pagingbar.h"
#include "views/selectionverbs.h"
#include "views/sourcenotice.h"
#include "views/statechips.h"

#include <QBoxLayout>
#include <QSplitter>
#include <QToolButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

OutboxView::OutboxView(QWidget *parent)
    : QWidget(parent), m_states(new StateChips(u"outboxState"_s, StateChips::Choice::Several)),
      m_filter(new FilterBar(u"outboxFilter"_s, tr("state:pending type:email:* age>5m"))),
      m_source(new SourceNotice(u"outboxSource"_s, tr("the database"))),
      m_problem(new NoticeBar(u"outboxProblem"_s)), m_newRows(new NoticeBar(u"outboxNewRows"_s)),
      m_model(new OutboxModel(this)), m_table(makeRowsTable(m_model)),
      m_verbs(makeRowVerbs(m_table, m_model, m_filter)), m_panel(new MessagePanel),
      m_split(new QSplitter(Qt::Vertical)),
      m_paging(new PagingBar(u"outboxPaging"_s, tr("Newer"), tr("Older"))),
      m_live(pageButton(u"outboxLive"_s, u"pause"_s, tr("Live")))
{
    setObjectName(u"outboxView"_s);
    build();
    connect(m_states, &StateChips::chosenChanged, this, [this](const QStringList &words) {
        m_filter->apply(filterWithStates(m_filter->appliedText(), words));
    });
    connect(m_filter, &FilterBar::applied, this, &OutboxView::useFilter);
    connect(m_filter, &FilterBar::edited, this, [this](const QString &text) {
        if (const auto request = pageRequestFromFilter(text, m_base); !request)
            m_filter->refuse(request.error());
    });
    connect(m_table, &LiveTable::rowChosen, this, [this](const QModelIndex &index) {
        const Message &message = m_model->row(index.row()).message;
        m_panel->showRow(message);
        emit rowChosen(message.id);
    });
    connect(m_table->emptyPane(), &EmptyPane::actionAsked, this, [this] {
        if (m_health.state == SourceHealth::State::NotConnected)
            emit connectAsked();
        else
            openFilter({});
    });
    connect(m_newRows, &NoticeBar::actionAsked, this, &OutboxView::showNewRows);
    connect(m_source, &SourceNotice::staleChanged, m_table, &LiveTable::setStale);
    connect(m_source, &SourceNotice::retryAsked, this, &OutboxView::retryAsked);
    connect(m_problem, &NoticeBar::actionAsked, this, &OutboxView::ask);
    connect(m_live, &QToolButton::toggled, this, [this](bool live) {
        m_live->setText(live ? tr("Live") : tr("Paused"));
        emit livePaused(!live);
    });
    connect(m_paging, &PagingBar::stepped, this, &OutboxView::ask);
    describeNothing();
}

void OutboxView::build()
{
    for (const MessageState state : allMessageStates())
        m_states->add(state);
    auto *rows = new QWidget;
    auto *rowsColumn = new QVBoxLayout(rows);
    rowsColumn->setContentsMargins({});
    rowsColumn->setSpacing(6);
    rowsColumn->addWidget(m_newRows);
    rowsColumn->addWidget(m_table, 1);
    rowsColumn->addWidget(m_verbs);
    m_verbs->layout()->addWidget(m_paging); // at the end of the same line
    m_split->setObjectName(u"outboxSplit"_s);
    m_split->setChildrenCollapsible(false);
    m_split->setHandleWidth(10);
    m_split->addWidget(rows);
    m_split->addWidget(m_panel);
    m_split->setStretchFactor(0, 3);
    m_split->setStretchFactor(1, 2);
    m_panel->setMinimumHeight(140);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(14, 14, 14, 14);
    column->setSpacing(8);
    column->addWidget(m_filter);
    column->addWidget(buildStateBar());
    column->addWidget(m_source);
    column->addWidget(m_problem);
    column->addWidget(m_split, 1);
}

QWidget *OutboxView::buildStateBar()
{
    m_live->setCheckable(true);
    m_live->setChecked(true);
    m_live->setToolTip(tr("Shows new rows as they come; off keeps what is shown"));
    auto *bar = new QWidget;
    auto *row = new QHBoxLayout(bar);
    row->setContentsMargins({});
    row->setSpacing(6);
    row->addWidget(m_states, 1);
    row->addWidget(m_live);
    return bar;
}

PageRequest OutboxView::request() const
{
    PageRequest request = m_base;
    request.after = m_paging->cursor();
    return request;
}

bool OutboxView::isPaused() const
{
    return !m_live->isChecked();
}

void OutboxView::ask()
{
    m_awaiting = true;
    m_newRows->clear();
    m_paging->wait();
    emit rowsAsked(request());
}

void OutboxView::setPage(const OutboxPageView &answer)
{
    // Paused rows stay, but what the queue says of these very rows may come after them.
    if (answer.request != request() || (isPaused() && !m_awaiting && answer.page != m_answer.page))
        return;
    m_problem->clear();
    m_answer = answer;
    QList<OutboxRow> rows = OutboxModel::joined(answer);
    // Rows that came on top wait while somebody reads further down; whoever asked sees all at once.
    const bool reading = !m_awaiting && !m_table->isAtTop() && m_paging->isFirst();
    const qsizetype held = reading ? newOnTop(*m_model, rows) : 0;
    if (held > 0 && held < rows.size()) {
        rows = rows.mid(held);
        m_newRows->say(NoticeBar::Tone::Info, counted(held, tr("1 new row"), tr("%1 new rows")),
                       tr("Show"));
    } else {
        m_newRows->clear();
    }
    {
        const LiveTable::KeepPlace keep(*m_table);
        m_model->merge(rows);
    }
    if (m_awaiting)
        m_table->scrollToTop();
    m_awaiting = false;
    m_paging->arrived(answer.page.next, rangeText(answer, m_paging->number()));
    m_panel->setStatements(answer.page.statements, answer.page.tookMs);
    describeNothing();
}

void OutboxView::showNewRows()
{
    m_table->scrollToTop();
    m_newRows->clear();
    const LiveTable::KeepPlace keep(*m_table);
    m_model->merge(OutboxModel::joined(m_answer));
}

void OutboxView::describeNothing()
{
    sayWhyEmpty(*m_table->emptyPane(), m_health.state != SourceHealth::State::NotConnected,
                m_awaiting, !m_filter->appliedText().isEmpty());
}

void OutboxView::setPageError(const Error &error)
{
    m_problem->say(NoticeBar::Tone::Problem, shownText(oneLine(error)), tr("Try again"));
}

void OutboxView::setCounts(const OutboxSnapshot &counts)
{
    showCounts(*m_states, counts);
    m_verbs->setMatching(matchingText(request(), counts));
}

void OutboxView::setVerdict(const IdVerdict &verdict)
{
    m_panel->setVerdict(verdict);
}

void OutboxView::setHealth(const SourceHealth &database)
{
    m_health = database;
    m_source->setHealth(database);
    describeNothing();
}

void OutboxView::forget()
{
    m_live->setChecked(true);
    m_filter->apply({});
    m_paging->arrived({}, {});
    m_problem->clear();
    {
        const LiveTable::KeepPlace keep(*m_table);
        m_model->merge({});
    }
    m_answer = {};
    m_panel->clear();
    setCounts({});
    setHealth({});
}

void OutboxView::openFilter(const QString &text)
{
    m_filter->apply(text);
}

void OutboxView::useFilter(const QString &text)
{
    m_states->setChosen(statesInFilter(text));
    const auto request = pageRequestFromFilter(text, m_base);
    if (!request)
        return m_filter->refuse(request.error());
    m_base = *request;
    m_verbs->refresh();
    m_paging->restart();
    ask();
}

void OutboxView::focusFilter()
{
    m_filter->focusLine();
}

} // namespace outbox
