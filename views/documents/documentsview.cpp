// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/documents/documentsview.h"

#include "models/journeys/entrytimeline.h"
#include "models/message/messagestate.h"
#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/tables/entrymodel.h"
#include "views/documents/documentverbs.h"
#include "views/message/journeyline.h"
#include "views/tables/livetable.h"
#include "views/tables/statedelegate.h"
#include "views/tables/tablecopy.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/card.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/metriccard.h"
#include "views/widgets/noticebar.h"
#include "views/widgets/pagebuttons.h"
#include "views/widgets/sourcenotice.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QEvent>
#include <QLabel>
#include <QStackedWidget>

#include <optional>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

/// What all documents come to: a card for each figure, and whether the store beside them holds.
class DocumentFigures : public QWidget
{
    Q_OBJECT

public:
    explicit DocumentFigures(QWidget *parent = nullptr);

    void setDesign(Design design)
    {
        m_design = design;
        m_leaked->setVisible(design != Design::EntityState);
        m_dispatched->setVisible(design == Design::EntityState);
        setSummary(std::nullopt);
    }

    /// nullopt: nothing is known.
    void setSummary(const std::optional<DocumentSummary> &summary);
    void setStale(const std::optional<QDateTime> &asOf)
    {
        for (MetricCard *one : std::as_const(m_cards))
            one->setStale(asOf);
    }

protected:
    void changeEvent(QEvent *event) override
    {
        QWidget::changeEvent(event);
        if (event->type() == QEvent::PaletteChange) // the colours of the states are others now
            setSummary(std::optional<DocumentSummary>(m_summary));
    }

signals:
    /// A figure was clicked: the entries behind it.
    void listAsked(outbox::DesignList list);

private:
    [[nodiscard]] MetricCard *card(const QString &title, const QString &name, const QString &tip,
                                   DesignList list)
    {
        auto *made = new MetricCard(title);
        made->setObjectName(name);
        made->setToolTip(plainTooltip(tip));
        connect(made, &QAbstractButton::clicked, this, [this, list] { emit listAsked(list); });
        m_cards += made;
        return made;
    }

    void tellTrust(const std::optional<StoreDurability> &store)
    {
        if (!store)
            return m_store->clear();
        const QString words = shownText(store->words);
        if (store->holds)
            m_store->say(NoticeBar::Tone::Info,
                         m_design == Design::Tokens ? tr("The store of tokens: %1").arg(words)
                                                    : tr("The dedup store: %1").arg(words));
        else
            m_store->say(NoticeBar::Tone::Problem, tr("Not safe: %1").arg(words));
    }

    Design m_design = Design::EntityState;
    std::optional<DocumentSummary> m_summary;
    QList<MetricCard *> m_cards;
    MetricCard *m_undispatched;
    MetricCard *m_leaked;
    MetricCard *m_dispatched;
    MetricCard *m_documents;
    MetricCard *m_size;
    NoticeBar *m_store;
};

namespace {

QString oldestText(const std::optional<double> &seconds)
{
    return seconds ? DocumentFigures::tr("oldest %1").arg(spanText(*seconds)) : QString();
}

/// Where the look ended before the documents did the number is the least there is.
QString atLeast(qint64 count, bool exact)
{
    return exact ? countText(count) : QString(countText(count) + u'+');
}

} // namespace

DocumentFigures::DocumentFigures(QWidget *parent)
    : QWidget(parent),
      m_undispatched(card(tr("Undispatched"), u"undispatchedCard"_s,
                          tr("Entries whose messages are still inside their document"),
                          DesignList::Unsettled)),
      m_leaked(card(tr("Leaked"), u"leakedCard"_s,
                    tr("Entries that stayed although their message is done: a handler died before "
                       "it cleaned up"),
                    DesignList::Unsettled)),
      m_dispatched(card(tr("Dispatched"), u"dispatchedCard"_s,
                        tr("Entries that are null: their messages are out, the id is kept"),
                        DesignList::Dispatched)),
      m_documents(card(tr("Documents"), u"documentsCard"_s,
                       tr("Documents of the table; how many cannot be read"),
                       DesignList::Unsettled)),
      m_size(card(tr("Size"), u"documentSizeCard"_s,
                  tr("All documents as text: they grow with every entry that stays"),
                  DesignList::Dispatched)),
      m_store(new NoticeBar(u"documentStore"_s))
{
    auto *cards = boxOn<QHBoxLayout>(nullptr, 10);
    for (MetricCard *one : std::as_const(m_cards))
        cards->addWidget(one);
    auto *column = boxOn<QVBoxLayout>(this, 8);
    column->addLayout(cards);
    column->addWidget(m_store);
    setDesign(Design::EntityState);
}

void DocumentFigures::setSummary(const std::optional<DocumentSummary> &summary)
{
    const auto color = [](bool stands, MessageState state) {
        return stands ? theme::appearance(state).color : QColor();
    };
    m_summary = summary;
    tellTrust(summary ? summary->store : std::nullopt);
    if (!summary) {
        for (MetricCard *one : std::as_const(m_cards))
            one->setValue(std::nullopt, {});
        return;
    }
    m_undispatched->setValue(atLeast(summary->undispatched, summary->exact),
                             oldestText(summary->oldestUndispatchedSeconds));
    m_undispatched->setValueColor(color(summary->undispatched > 0, MessageState::Pending));
    m_leaked->setValue(summary->leaked ? std::optional(atLeast(*summary->leaked, summary->exact))
                                       : std::nullopt,
                       summary->leaked ? tr("safe to remove") : tr("no store was named"));
    m_leaked->setValueColor(color(summary->leaked.value_or(0) > 0, MessageState::Locked));
    m_dispatched->setValue(atLeast(summary->dispatched, summary->exact),
                           oldestText(summary->oldestDispatchedSeconds));
    m_dispatched->setValueColor(color(summary->dispatched > 0, MessageState::Processed));
    const qint64 unreadable = summary->malformed + summary->unreadable;
    m_documents->setValue(
        atLeast(summary->documents, summary->exact),
        unreadable == 0 ? QString()
                        : counted(unreadable, tr("1 cannot be read"), tr("%1 cannot be read")));
    m_size->setValue(bytesText(summary->bytes),
                     summary->documents == 0 ? QString()
                                             : tr("largest %1: %2")
                                                   .arg(bytesText(summary->largest.bytes),
                                                        shownText(summary->largest.id)));
}

/// Chooses one of the lists of a design, and says how much is in each.
class DocumentChips : public QWidget
{
    Q_OBJECT

public:
    DocumentChips();

    void setDesign(Design design)
    {
        chip(DesignList::Tokens)->setVisible(design == Design::Tokens);
        chip(DesignList::Dispatched)->setVisible(design == Design::EntityState);
        m_count->clear();
    }
    void choose(DesignList list) { chip(list)->setChecked(true); }
    void setSummary(const DocumentSummary &summary);
    /// How much of the chosen list is shown.
    void setCount(const QString &text) { m_count->setText(text); }

signals:
    /// By a person.
    void chosen(outbox::DesignList list);

private:
    [[nodiscard]] QAbstractButton *chip(DesignList list) const
    {
        return m_lists->button(static_cast<int>(list));
    }

    QButtonGroup *m_lists;
    QLabel *m_count;
};

DocumentChips::DocumentChips() : m_lists(new QButtonGroup(this)), m_count(plainLabel({}, true))
{
    auto *row = boxOn<QHBoxLayout>(this, 6);
    const auto add = [this, row](DesignList list, const QString &name, const QString &icon,
                                 const QString &text, const QString &tip) {
        auto *button = pageButton(name, icon, text);
        button->setCheckable(true);
        button->setFocusPolicy(Qt::StrongFocus);
        button->setToolTip(plainTooltip(tip));
        m_lists->addButton(button, static_cast<int>(list));
        row->addWidget(button);
    };
    add(DesignList::Unsettled, u"listUnsettled"_s, u"filter"_s, tr("Needs something"),
        tr("Entries that are to be dispatched, that leaked, or that nobody can read"));
    add(DesignList::Dispatched, u"listDispatched"_s, u"tick"_s, tr("Dispatched"),
        tr("Entries that are null: they keep a copy of their message from running again"));
    add(DesignList::Tokens, u"listTokens"_s, u"lock"_s, tr("Tokens"),
        tr("Every token, and what still refers to it; looking never deletes one"));
    row->addStretch();
    m_count->setObjectName(u"documentsCount"_s);
    row->addWidget(m_count);
    connect(m_lists, &QButtonGroup::idClicked, this,
            [this](int id) { emit chosen(static_cast<DesignList>(id)); });
}

void DocumentChips::setSummary(const DocumentSummary &summary)
{
    const auto tell = [this](DesignList list, qint64 count) {
        QAbstractButton *button = chip(list);
        button->setText(button->accessibleName() + u"  "_s + countText(count));
        button->setAccessibleDescription(counted(count, tr("1 entry"), tr("%1 entries")));
    };
    tell(DesignList::Unsettled,
         summary.undispatched + summary.leaked.value_or(0) + summary.malformed);
    tell(DesignList::Dispatched, summary.dispatched);
}

DocumentsView::DocumentsView(QWidget *parent)
    : QWidget(parent), m_source(new SourceNotice(u"documentsSource"_s, tr("the database"))),
      m_figures(new DocumentFigures), m_chips(new DocumentChips),
      m_notes(new NoticeBar(u"documentsNotes"_s)), m_entries(new EntryModel(this)),
      m_tokens(new TokenModel(this)), m_entryTable(new LiveTable(u"entryTable"_s)),
      m_tokenTable(new LiveTable(u"tokenTable"_s)), m_tables(new QStackedWidget),
      m_detail(plainLabel({}, true)), m_line(new JourneyLine), m_verbs(new DocumentVerbs)
{
    setObjectName(u"documentsView"_s);
    joinTables();
    build();
    connect(m_figures, &DocumentFigures::listAsked, this, &DocumentsView::showList);
    connect(m_chips, &DocumentChips::chosen, this, &DocumentsView::showList);
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
        connect(table->emptyPane(), &EmptyPane::actionAsked, this, &DocumentsView::connectAsked);
        m_tables->addWidget(table);
    }
    m_detail->setObjectName(u"documentsDetail"_s);
    wrapLines(m_detail);
    connect(m_entryTable, &LiveTable::rowChosen, this, &DocumentsView::showDetail);
    connect(m_tokenTable, &LiveTable::rowChosen, this, &DocumentsView::showDetail);
    m_entryTable->addActions(m_verbs->actionsInOrder().mid(0, 2));
    connect(m_entryTable->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &DocumentsView::tellSelection);
}

void DocumentsView::build()
{
    auto *column = boxOn<QVBoxLayout>(this, 8, {14, 14, 14, 14});
    addWidgets(column, {m_figures, m_chips, m_source, m_notes});
    column->addWidget(m_tables, 1);
    addWidgets(column, {m_detail, m_line, m_verbs});
}

void DocumentsView::setDesign(Design design)
{
    m_design = design;
    m_figures->setDesign(design);
    m_verbs->setDesign(design);
    m_verbs->setSummary(std::nullopt);
    m_chips->setDesign(design);
    m_entries->merge({});
    m_tokens->merge({});
    m_list = DesignList::None;
    setHealth({});
    showList(DesignList::Unsettled);
}

void DocumentsView::showList(DesignList list)
{
    m_chips->choose(list);
    if (std::exchange(m_list, list) == list)
        return;
    m_isWhole.reset();
    m_notes->clear();
    m_entries->merge({});
    m_detail->clear();
    m_line->setLine({}, {});
    m_tables->setCurrentWidget(list == DesignList::Tokens ? m_tokenTable : m_entryTable);
    tellSelection();
    describeNothing();
    emit listAsked(list);
}

void DocumentsView::setView(const DesignView &view)
{
    if (view.list == m_list || m_isWhole.has_value())
        m_isWhole = view.summary.exact && !view.isCut;
    m_figures->setSummary(view.summary);
    m_verbs->setSummary(view.summary);
    m_chips->setSummary(view.summary);
    if (view.list != m_list)
        return;
    if (view.tokens) {
        const LiveTable::KeepPlace keep(*m_tokenTable);
        m_tokens->merge(TokenModel::rowsOf(view));
    } else {
        const LiveTable::KeepPlace keep(*m_entryTable);
        m_entries->merge(view.entries);
    }
    tellCounts(view);
    tellSelection();
    describeNothing();
    showDetail();
}

void DocumentsView::tellCounts(const DesignView &view)
{
    // What is said again is not taken away before: the page would be laid out twice.
    if (!view.tokens || view.tokens->notes.isEmpty())
        m_notes->clear();
    if (view.tokens) {
        m_chips->setCount(tokenCountsText(*view.tokens));
        if (!view.tokens->notes.isEmpty())
            m_notes->say(NoticeBar::Tone::Warning, shownText(view.tokens->notes.join(u". "_s)));
        return;
    }
    const qsizetype count = view.entries.size();
    m_chips->setCount(view.isCut ? tr("the first %1").arg(countText(count))
                                 : counted(count, tr("1 entry"), tr("%1 entries")));
}

void DocumentsView::tellSelection()
{
    QList<SeenEntry> selected;
    if (m_list != DesignList::Tokens) {
        for (const int row : selectedRows(*m_entryTable))
            selected += m_entries->row(row);
    }
    m_verbs->setSelected(m_list, selected);
}

void DocumentsView::showDetail()
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    const bool isToken = m_list == DesignList::Tokens;
    const QModelIndex index = (isToken ? m_tokenTable : m_entryTable)->currentIndex();
    if (!index.isValid()) { // nobody chose one, or it is settled
        m_detail->clear();
        m_line->setLine({}, {});
    } else if (isToken) {
        const JudgedToken &token = m_tokens->row(index.row());
        m_detail->setText(shownText(token.words));
        m_line->setLine(timelineOf(token, now), now);
    } else {
        const SeenEntry &entry = m_entries->row(index.row());
        m_detail->setText(shownText(entry.next.reason));
        m_line->setLine(timelineOf(entry, m_design, now), now);
    }
}

void DocumentsView::describeNothing()
{
    using State = SourceHealth::State;
    const bool isOff = m_health.state == State::NotConnected;
    if (isOff || (m_health.state == State::Failing && !m_isWhole.has_value())) {
        for (LiveTable *table : {m_entryTable, m_tokenTable}) {
            table->emptyPane()->say(isOff ? tr("Not connected.")
                                          : tr("Nothing was read: see the reason above."),
                                    isOff ? tr("Connect") : QString());
        }
        return;
    }
    QString sentence = tr("Reading\u2026");
    if (m_isWhole.value_or(false) && m_list == DesignList::Dispatched)
        sentence = tr("No entry is null.");
    else if (!m_isWhole.value_or(true))
        sentence = tr("None among the documents that were read; the look ended before all were.");
    else if (m_isWhole.has_value())
        sentence = tr("Nothing waits: no entry is undispatched, and none leaked.");
    m_entryTable->emptyPane()->say(sentence);
    m_tokenTable->emptyPane()->say(!m_isWhole.has_value()
                                       ? tr("Reading\u2026")
                                       : tr("There is no token: nothing is under way."));
}

void DocumentsView::setHealth(const SourceHealth &database)
{
    m_health = database;
    m_source->setHealth(database);
    describeNothing();
}

} // namespace outbox

#include "documentsview.moc"
