// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/outbox/outboxview.h"

#include "models/filter/filter.h"
#include "models/filter/pagerequest.h"
#include "models/filter/rowfilter.h"
#include "models/plaintext.h"
#include "models/tables/outboxmodel.h"
#include "models/tables/statefilter.h"
#include "views/failures/failurespane.h"
#include "views/filter/filterbar.h"
#include "views/message/messagepanel.h"
#include "views/operation/selectionverbs.h"
#include "views/outbox/exactcountbar.h"
#include "views/outbox/exportbar.h"
#include "views/outbox/outboxrows.h"
#include "views/outbox/roworder.h"
#include "views/outbox/rowspane.h"
#include "views/outbox/searchbar.h"
#include "views/tables/compareactions.h"
#include "views/tables/livetable.h"
#include "views/tables/statechips.h"
#include "views/widgets/boxes.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/pagebuttons.h"
#include "views/widgets/sourcenotice.h"

#include <QAction>
#include <QBoxLayout>
#include <QElapsedTimer>
#include <QObject>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>

#include <algorithm>
#include <optional>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

/// Rows, or the groups of those that failed, in one place; a button goes from one to the other.
class RowsOrGroups : public QStackedWidget
{
    Q_OBJECT

public:
    /// Takes the widget with the rows, which is shown first, and again when a filter is applied;
    /// that of a group is.
    RowsOrGroups(QWidget *rows, FilterBar *filter, QWidget *parent = nullptr);

    /// Back to the rows, and no group of the system before stays.
    void forget();

    [[nodiscard]] FailuresPane *groups() const { return m_groups; }
    /// To be put where there is room.
    [[nodiscard]] QToolButton *button() const { return m_button; }

private:
    FailuresPane *m_groups;
    QToolButton *m_button;
};

RowsOrGroups::RowsOrGroups(QWidget *rows, FilterBar *filter, QWidget *parent)
    : QStackedWidget(parent), m_groups(new FailuresPane(FailureSource::Rows)),
      m_button(pageButton(u"outboxGroups"_s, u"group"_s, tr("Groups")))
{
    addWidget(rows);
    addWidget(m_groups);
    m_button->setCheckable(true);
    m_button->setToolTip(tr("Puts what failed and what is stuck into groups: by type and error, "
                            "by queue, by hour"));
    connect(m_button, &QToolButton::toggled, this,
            [this](bool on) { setCurrentIndex(on ? 1 : 0); });
    const auto showRows = [this] { m_button->setChecked(false); };
    connect(filter, &FilterBar::applied, this, showRows);
    connect(m_groups, &FailuresPane::filterChosen, this, [showRows, filter](const QString &text) {
        showRows(); // also where the rows are filtered so already
        filter->apply(text);
    });
}

void RowsOrGroups::forget()
{
    m_button->setChecked(false);
    m_groups->forget();
}

namespace {

constexpr qint64 askAgainMs = 10'000; ///< a task moves without its row

/// What stands under the row as it was seen; ages grow by themselves.
OutboxRow withoutAges(OutboxRow row)
{
    row.message.ageSeconds.reset();
    if (row.message.lockedBy)
        row.message.lockedBy->sinceSeconds.reset();
    return row;
}

} // namespace

/// Which message the details of the Outbox page speak of: the selected row as it is now, or the one
/// id that was asked for, wherever its message is.
class ChosenMessage : public QObject
{
    Q_OBJECT

public:
    /// Both outlive this.
    ChosenMessage(RowsPane *rows, MessagePanel *panel, QObject *parent = nullptr)
        : QObject(parent), m_rows(rows), m_panel(panel)
    {
        connect(m_rows->table(), &LiveTable::rowChosen, this, [this](const QModelIndex &index) {
            show(m_rows->model()->row(index.row()).message);
        });
    }

    /// Another question, told before the rows are asked it: what is shown now may not be in its
    /// answer.
    void setFilter(const Filter &filter)
    {
        if (filter != m_rows->base().filter)
            m_wanted = {}; // the same one in the other order lists it, too
        m_typed = idAlone(filter);
        m_isOther = true;
    }
    /// The next page, or the one that is there, is to have this row selected.
    void want(const MessageId &id)
    {
        m_wanted = id;
        followPage();
    }

    /// The rows were merged. The selected row is asked for again when it has changed or has left
    /// the page, and now and then: its task moves, too.
    void followPage();
    void forget()
    {
        m_panel->clear();
        m_typed.reset();
        m_wanted = {};
        m_isOther = false;
        m_last.reset();
    }

signals:
    /// What the outbox and the queue say about this id is wanted.
    void asked(const outbox::MessageId &id);

private:
    void show(const Message &message)
    {
        m_panel->showRow(message);
        const int row = m_rows->model()->rowOf(message.id);
        m_last = row < 0 ? std::nullopt : std::optional(withoutAges(m_rows->model()->row(row)));
        m_sinceAsked.start();
        emit asked(message.id);
    }

    /// False where this is not among the rows.
    [[nodiscard]] bool select(const MessageId &id)
    {
        const int row = id.isEmpty() ? -1 : m_rows->model()->rowOf(id);
        if (row < 0)
            return false;
        m_rows->table()->selectRow(row);
        if (m_panel->shownId() != id) // it was the current row already
            show(m_rows->model()->row(row).message);
        return true;
    }

    /// The message that was shown is not among the rows of a new question.
    void showAnother()
    {
        m_panel->clear();
        const OutboxModel *model = m_rows->model();
        if (!m_rows->base().filter.isEmpty() && model->rowCount() == 1) {
            m_rows->table()->selectRow(0);
        } else if (m_typed && model->rowCount() == 0) {
            Message typed; // it may have been delivered, and its row deleted
            typed.id = *m_typed;
            show(typed);
        }
    }

    RowsPane *m_rows;
    MessagePanel *m_panel;
    std::optional<MessageId> m_typed; ///< the filter asks for this id and for nothing else
    MessageId m_wanted; ///< to be selected; empty: none
    bool m_isOther = false; ///< no page of the new filter has come yet
    std::optional<OutboxRow> m_last; ///< as the last page had it, without its ages
    QElapsedTimer m_sinceAsked;
};

void ChosenMessage::followPage()
{
    if (m_rows->isAwaiting())
        return;
    const OutboxModel *model = m_rows->model();
    if (select(std::exchange(m_wanted, {}))) {
        m_isOther = false;
        return;
    }
    const int row = model->rowOf(m_panel->shownId());
    if (std::exchange(m_isOther, false) && row < 0)
        return showAnother();
    if (m_panel->shownId().isEmpty())
        return;
    if (row >= 0)
        m_panel->showRow(model->row(row).message);
    const auto now = row < 0 ? std::nullopt : std::optional(withoutAges(model->row(row)));
    if (std::exchange(m_last, now) == now && !m_sinceAsked.hasExpired(askAgainMs))
        return;
    m_sinceAsked.start();
    emit asked(m_panel->shownId());
}

namespace {

constexpr int roomyWidth = 1100;

} // namespace

OutboxView::OutboxView(QWidget *parent)
    : QWidget(parent), m_states(new StateChips(u"outboxState"_s, StateChips::Choice::Several)),
      m_filter(new FilterBar(u"outboxFilter"_s, tr("state:pending type:email:* age>5m"),
                             FilterSubject::Rows)),
      m_source(new SourceNotice(u"outboxSource"_s, tr("the database"))),
      m_problem(new NoticeBar(u"outboxProblem"_s)), m_exact(new ExactCountBar),
      m_search(new SearchBar), m_export(new ExportBar), m_rows(new RowsPane),
      m_order(new RowOrder(m_rows->table(), m_rows->model(), this)),
      m_verbs(makeRowVerbs(m_rows->table(), m_rows->model(), m_filter)), m_panel(new MessagePanel),
      m_chosen(new ChosenMessage(m_rows, m_panel, this)),
      m_body(new RowsOrGroups(buildRows(), m_filter)),
      m_countExactly(pageButton(u"outboxCountExactly"_s, u"tick"_s, tr("Count exactly"))),
      m_live(makeLiveButton())
{
    setObjectName(u"outboxView"_s);
    build();
    connect(m_states, &StateChips::chosenChanged, this, [this](const QStringList &words) {
        m_filter->apply(filterWithStates(m_filter->appliedText(), words));
    });
    connect(m_states, &StateChips::menuAsked, this,
            [this](const QString &, const QPoint &where) { openCountMenu(*m_exact, where); });
    connect(m_countExactly, &QToolButton::clicked, m_exact, &ExactCountBar::begin);
    connect(m_filter, &FilterBar::applied, this, &OutboxView::useFilter);
    connect(m_order, &RowOrder::turned, this, [this] { useFilter(m_filter->appliedText()); });
    connect(m_rows->table(), &LiveTable::filterAsked, this, [this](const QString &term) {
        m_filter->apply(filterNarrowedTo(m_filter->appliedText(), term));
    });
    connect(m_chosen, &ChosenMessage::asked, this, &OutboxView::rowChosen);
    connect(m_rows->table()->emptyPane(), &EmptyPane::actionAsked, this, [this] {
        m_health.state == SourceHealth::State::NotConnected ? emit connectAsked() : openFilter({});
    });
    connect(m_rows, &RowsPane::rowsAsked, this, &OutboxView::rowsAsked);
    connect(m_rows, &RowsPane::seekAsked, this, &OutboxView::seekAsked);
    connect(m_rows, &RowsPane::notFound, this,
            [this](const QString &why) { m_problem->say(NoticeBar::Tone::Info, shownText(why)); });
    connect(m_rows, &RowsPane::rowsAsked, m_problem, &NoticeBar::clear);
    connect(m_source, &SourceNotice::staleChanged, m_rows->table(), &LiveTable::setStale);
    connect(m_source, &SourceNotice::retryAsked, this, &OutboxView::retryAsked);
    connect(m_problem, &NoticeBar::actionAsked, m_rows, qOverload<>(&RowsPane::ask));
    connect(m_live, &QToolButton::toggled, this, [this](bool live) {
        showLive(*m_live, false);
        m_rows->setLive(live);
        emit livePaused(!live);
    });
    describeNothing();
}

void OutboxView::build()
{
    for (const MessageState state : allMessageStates())
        m_states->add(state);
    auto *column = boxOn<QVBoxLayout>(this, 8, {14, 14, 14, 14});
    column->addWidget(m_filter);
    column->addWidget(buildStateBar());
    addWidgets(column, {m_source, m_problem, m_exact, m_search, m_export});
    column->addWidget(m_body, 1);
}

/// The rows with their verbs, over the details of the chosen message.
QWidget *OutboxView::buildRows()
{
    auto *rows = new QWidget;
    auto *rowsColumn = boxOn<QVBoxLayout>(rows, 6);
    rowsColumn->addWidget(m_rows, 1);
    rowsColumn->addWidget(m_verbs);
    m_verbs->layout()->addWidget(m_rows->bar()); // at the end of the same line
    QSplitter *split = splitOf(u"outboxSplit"_s, rows, 3, m_panel, 2);
    m_panel->setMinimumHeight(140);
    addLinks(*m_rows->table(), m_panel->links());
    new CompareActions(m_rows->table(), [model = m_rows->model()](int row) {
        return ComparedId{model->row(row).message.id};
    });
    auto *exporting = new QAction(theme::icon(u"export"_s), tr("Export rows\u2026"), this);
    exporting->setObjectName(u"outboxExportRows"_s);
    exporting->setToolTip(tr("Writes the rows of the filter, or the selected ones, to a file"));
    connect(exporting, &QAction::triggered, this, &OutboxView::exportAsked);
    addLinks(*m_rows->table(), {exporting});
    return split;
}

QWidget *OutboxView::buildStateBar()
{
    m_countExactly->setToolTip(tr("Counts all rows one by one in the background, at half speed"));
    m_countExactly->hide();
    auto *bar = new QWidget;
    auto *row = boxOn<QHBoxLayout>(bar, 6);
    row->addWidget(m_states, 1);
    row->addWidget(m_countExactly);
    row->addWidget(m_body->button());
    row->addWidget(m_live);
    return bar;
}

PageRequest OutboxView::request() const
{
    return m_rows->request();
}

bool OutboxView::isPaused() const
{
    return !m_live->isChecked();
}

void OutboxView::setPage(const OutboxPageView &answer)
{
    if (!m_rows->setPage(answer))
        return;
    if (m_isFailing) // what a jump did not find stays told until something else is asked
        m_problem->clear();
    m_isFailing = false;
    m_filter->setKnown(wordsOf(answer.page.rows));
    m_filter->setReach(answer.page.reach);
    m_search->setPage(answer.page);
    m_panel->setStatements(answer.page.statements, answer.page.tookMs);
    describeNothing();
    m_chosen->followPage();
    if (answer.page.isByTime)
        m_order->setByTime(*answer.page.isByTime); // last: it may ask for other rows
}

void OutboxView::setSought(const PageRequest &request, const Result<MessagePage> &found)
{
    m_rows->setSought(request, found);
}

void OutboxView::setSearch(const RowSearchState &state)
{
    m_search->setState(state);
    describeNothing();
}

void OutboxView::describeNothing()
{
    sayWhyEmpty(*m_rows->table()->emptyPane(), *m_search,
                {.isConnected = m_health.state != SourceHealth::State::NotConnected,
                 .isFailing = m_isFailing || m_health.state == SourceHealth::State::Failing,
                 .isAwaiting = m_rows->isAwaiting(),
                 .isFiltered = !m_filter->appliedText().isEmpty()});
}

QList<MessageId> OutboxView::selectedIds() const
{
    return idsOf(*m_rows->model(), selectedRows(*m_rows->table()));
}

QList<Message> OutboxView::shownRows() const
{
    return m_rows->answered();
}

void OutboxView::setPageError(const Error &error)
{
    if (error.kind == Error::Kind::Timeout && !m_filter->appliedText().trimmed().isEmpty())
        m_search->offer();
    m_isFailing = true;
    m_problem->say(NoticeBar::Tone::Problem, shownText(oneLine(error)), tr("Try again"));
    describeNothing();
}

void OutboxView::setCounts(const OutboxSnapshot &counts)
{
    m_exact->setEstimate(counts);
    showCounts(*m_states, counts, m_exact->result());
    // Where the page is narrow, the chips need the room; their menus offer it, too.
    m_countExactly->setVisible(!counts.exact && width() >= roomyWidth);
    m_search->setCounts(counts);
    const QString matching = matchingText(m_rows->base(), counts);
    m_verbs->setMatching(matching);
    m_rows->setCounted(matching);
    m_export->setTotal(m_rows->base().filter.isEmpty() ? totalText(counts) : matching);
    m_order->setIndexed(std::none_of(counts.missingIndexes.begin(), counts.missingIndexes.end(),
                                     [](const IndexAdvice &one) { return one.isOfPages; }));
}

void OutboxView::setShape(const Profile &profile, const OutboxShape &shape,
                          const std::function<QString(const QList<MessageId> &keys)> &keyList)
{
    showRowsOf(*m_rows->table(), *m_rows->model(), profile, shape, keyList);
}

void OutboxView::setMasks(const PayloadMasks &masks)
{
    m_rows->model()->setMasks(masks);
    m_panel->setMasks(masks);
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

FailuresPane *OutboxView::groups() const
{
    return m_body->groups();
}

QToolButton *OutboxView::groupsButton() const
{
    return m_body->button();
}

void OutboxView::forget()
{
    m_live->setChecked(true);
    m_order->forget();
    m_filter->apply({});
    m_rows->clear();
    showRowsOfNone(*m_rows->table());
    m_body->forget();
    m_problem->clear();
    m_chosen->forget();
    m_exact->forget();
    m_search->forget();
    m_export->forget();
    m_isFailing = false;
    setCounts({});
    setHealth({});
}

void OutboxView::openFilter(const QString &text, bool oldestFirst)
{
    m_order->show(oldestFirst);
    m_filter->apply(text);
    if (oldestFirst && !m_order->isOldestFirst())
        m_rows->goToOldest();
}

void OutboxView::chooseRow(const MessageId &id)
{
    m_chosen->want(id);
}

void OutboxView::setHeld(bool held)
{
    showLive(*m_live, held);
}

void OutboxView::useFilter(const QString &text)
{
    m_states->setChosen(statesInFilter(text));
    auto request = pageRequestFromFilter(text, m_rows->base(), QDateTime::currentDateTime());
    if (!request)
        return; // the bar applies no other
    request->at = {}; // whoever asks says from when on
    request->newestFirst = !m_order->isOldestFirst();
    m_search->forget();
    m_search->setNewestFirst(request->newestFirst);
    m_chosen->setFilter(request->filter);
    m_rows->setBase(*request);
    m_export->setTotal({}); // that of the filter before
    m_verbs->refresh();
}

void OutboxView::focusFilter()
{
    m_filter->focusLine();
}

} // namespace outbox

#include "outboxview.moc"
