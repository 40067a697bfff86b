// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/activity/activityview.h"

#include "models/filter/activityfilter.h"
#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/tables/auditmodel.h"
#include "views/filter/filterbar.h"
#include "views/tables/columnchoice.h"
#include "views/tables/livetable.h"
#include "views/tables/statedelegate.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/card.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/noticebar.h"
#include "views/widgets/pagebuttons.h"
#include "views/widgets/propertylist.h"

#include <QBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>

#include <algorithm>
#include <optional>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

/// One operation of the record: what it was about, what became of each message, what ran.
class ActivityDetail : public QTabWidget
{
    Q_OBJECT

public:
    /// Messages that are listed; an export has all of them.
    static constexpr qsizetype mostMessages = 10'000;

    explicit ActivityDetail(QWidget *parent = nullptr);

    void setActivity(const Activity &activity);
    void clear();

private:
    PropertyList *m_facts;
    QLabel *m_extent;
    LiveTable *m_messages;
    AuditedItemsModel *m_model;
    QPlainTextEdit *m_statements;
    std::optional<Activity> m_shown;
};

namespace {

QList<Fact> factsOf(const Activity &one)
{
    const auto tr = [](const char *text) { return ActivityDetail::tr(text); };
    const bool bad = one.state == Activity::State::Failed || one.state == Activity::State::InDoubt
        || one.state == Activity::State::RecordChanged;
    // An error has a line of its own here.
    const QString outcome = one.error.isEmpty() || one.state == Activity::State::Partly
        ? outcomeSentence(one)
        : label(one.state);
    QList<Fact> facts{{tr("Outcome"), outcome, bad, false}};
    const auto add = [&facts](const QString &name, const QString &value, bool fixed = false) {
        if (!value.isEmpty())
            facts.append({name, value, false, fixed});
    };
    if (one.state != Activity::State::Done && one.state != Activity::State::Partly)
        add(tr("Counts"), countsSentence(one.counts));
    if (!one.error.isEmpty())
        facts.append({tr("Error"), one.error, true, false});
    add(tr("When"), exactTime(one.at));
    add(tr("Who"), one.face.isEmpty() ? one.who : tr("%1, with %2").arg(one.who, one.face));
    add(tr("What"), activityTitle(one));
    add(tr("Profile"), one.profile);
    add(tr("Where"), one.target);
    add(tr("Note"), one.note);
    if (!one.who.isEmpty())
        add(tr("Record"), recordSentence(one.record));
    if (!one.mismatch.isEmpty())
        facts.append({tr("Differs"), one.mismatch, true, false});
    add(tr("Export"), one.exportFile, true);
    add(tr("Undoes"), one.undoOf, true);
    add(tr("Operation"), one.operation, true);
    const QString obstacle = undoObstacle(one);
    add(tr("Undo"), obstacle.isEmpty() ? tr("It can be undone.") : obstacle);
    return facts;
}

QString extentOf(const Activity &one)
{
    if (one.items.size() <= ActivityDetail::mostMessages)
        return {};
    return ActivityDetail::tr("The first %1 of %2 messages; an export has them all.")
        .arg(countText(ActivityDetail::mostMessages), countText(one.items.size()));
}

} // namespace

ActivityDetail::ActivityDetail(QWidget *parent)
    : QTabWidget(parent),
      m_facts(new PropertyList(u"activityFacts"_s, tr("What is on record of the operation"))),
      m_extent(plainLabel({}, true)), m_messages(new LiveTable(u"activityMessages"_s)),
      m_model(new AuditedItemsModel(this)), m_statements(new QPlainTextEdit)
{
    setNames(this, u"activityDetail"_s, tr("Details of the chosen operation"));
    setDocumentMode(true);
    m_messages->setAccessibleName(tr("What became of each message"));
    m_messages->show(m_model, {38, 38, 18, 34, 0});
    m_messages->setIdColumns({AuditedItemsModel::Row, AuditedItemsModel::Task});
    m_messages->setCopyColumn(AuditedItemsModel::Row);
    m_extent->setObjectName(u"activityExtent"_s);
    m_extent->setContentsMargins(12, 4, 12, 4);
    auto *messages = new QWidget;
    auto *column = boxOn<QVBoxLayout>(messages, 0);
    column->addWidget(m_extent);
    column->addWidget(m_messages, 1);
    setNames(m_statements, u"activityStatements"_s, tr("Statements"));
    m_statements->setReadOnly(true);
    m_statements->setFrameShape(QFrame::NoFrame);
    m_statements->setFont(theme::fixedFont(font()));
    m_statements->setPlaceholderText(tr("No statement is on record."));
    addTab(m_facts, tr("Operation"));
    addTab(messages, tr("Messages"));
    addTab(m_statements, tr("Statements"));
    clear();
}

void ActivityDetail::setActivity(const Activity &activity)
{
    if (m_shown == activity)
        return;
    m_shown = activity;
    m_facts->setFacts(factsOf(activity));
    m_extent->setText(extentOf(activity));
    m_extent->setVisible(!m_extent->text().isEmpty());
    m_messages->emptyPane()->say(
        activity.items.isEmpty() ? tr("No message is on record for this entry.") : QString());
    {
        const LiveTable::KeepPlace keep(*m_messages);
        m_model->merge(activity.items.first(qMin(activity.items.size(), mostMessages)));
    }
    const QString statements = shownPage(activity.statements.join(u";\n\n"_s));
    if (m_statements->toPlainText() != statements)
        m_statements->setPlainText(statements);
}

void ActivityDetail::clear()
{
    setActivity(Activity());
    m_facts->setFacts({});
    m_messages->emptyPane()->say(tr("Select an operation."));
}

/// Where the entries of the page were read, in a line above them, and the way to older ones.
class RecordSources : public QWidget
{
    Q_OBJECT

public:
    explicit RecordSources(QWidget *parent = nullptr);

    /// Hidden while there is nothing to say. `isProblem`: something that is there could not be
    /// read.
    void say(const QString &sentence, bool isProblem, bool hasMore);

signals:
    void moreAsked();

private:
    QLabel *m_sentence;
    QToolButton *m_more;
};

RecordSources::RecordSources(QWidget *parent)
    : QWidget(parent), m_sentence(plainLabel({}, true)),
      m_more(pageButton(u"activityMore"_s, u"down"_s, tr("Older entries")))
{
    setObjectName(u"activitySources"_s);
    wrapLines(m_sentence);
    m_more->setToolTip(plainTooltip(tr("Reads older entries of the table outbox_audit")));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->addWidget(m_sentence, 1);
    row->addWidget(m_more, 0, Qt::AlignTop);
    connect(m_more, &QToolButton::clicked, this, &RecordSources::moreAsked);
    say({}, false, false);
}

void RecordSources::say(const QString &sentence, bool isProblem, bool hasMore)
{
    const QString plain = shownText(sentence, Lines::Many);
    m_sentence->setText(isProblem ? tr("Not all is shown. %1").arg(plain) : plain);
    m_more->setVisible(hasMore);
    setVisible(!sentence.isEmpty());
}

namespace {

QPushButton *actButton(const QString &name, const QString &icon, const QString &text,
                       const QString &accessibleName)
{
    auto *button = new QPushButton(theme::icon(icon), text);
    setNames(button, name, accessibleName);
    button->setEnabled(false);
    return button;
}

} // namespace

ActivityView::ActivityView(QWidget *parent)
    : QWidget(parent),
      m_filter(new FilterBar(u"activityFilter"_s, tr("verb:purge who:ana* outcome:partly"),
                             FilterSubject::Activities)),
      m_export(pageButton(u"activityExport"_s, u"export"_s, tr("Export…"))),
      m_verify(pageButton(u"activityVerify"_s, u"tick"_s, tr("Verify chain"))),
      m_sources(new RecordSources), m_problem(new NoticeBar(u"activityProblem"_s)),
      m_chain(new NoticeBar(u"activityChain"_s)), m_table(new LiveTable(u"activityTable"_s)),
      m_model(new AuditModel(this)), m_title(titleLabel({})),
      m_undo(actButton(u"activityUndo"_s, u"undo"_s, tr("&Undo…"), tr("Undo the operation"))),
      m_check(
          actButton(u"activityCheck"_s, u"search"_s, tr("Chec&k"), tr("Check what is in doubt"))),
      m_detail(new ActivityDetail)
{
    setObjectName(u"activityPage"_s);
    build();
    connect(m_sources, &RecordSources::moreAsked, this, &ActivityView::moreAsked);
    connect(m_filter, &FilterBar::applied, this, &ActivityView::showActivities);
    connect(m_table, &LiveTable::rowChosen, this, &ActivityView::showChosen);
    connect(m_table->emptyPane(), &EmptyPane::actionAsked, this, [this] { openFilter({}); });
    connect(m_undo, &QPushButton::clicked, this, [this] { emit undoAsked(m_chosen); });
    connect(m_check, &QPushButton::clicked, this, [this] { emit checkAsked(m_chosen); });
    connect(m_verify, &QToolButton::clicked, this, &ActivityView::verifyAsked);
    connect(m_export, &QToolButton::clicked, this, [this] {
        const QList<Activity> rows = selected();
        emit exportAsked(rows.size() > 1 ? rows : m_model->rows());
    });
    m_export->setEnabled(false);
    showChosen();
    describeNothing();
}

void ActivityView::build()
{
    m_table->setAccessibleName(tr("What was done, newest first"));
    m_table->setFrameShape(QFrame::StyledPanel);
    m_table->show(m_model, {26, 18, 44, 28, 9, 30, 20, 0, 0});
    m_table->setItemDelegateForColumn(
        AuditModel::State, new StateDelegate(StateRole, StateDelegate::Words::Cell, m_table));
    m_table->columns()->hideAtFirst(AuditModel::Operation);
    m_table->setCopyColumn(AuditModel::Operation);
    m_table->setMinimumHeight(120);
    m_export->setToolTip(
        plainTooltip(tr("The selected entries, or all that the filter shows, as JSON lines")));
    m_verify->setToolTip(
        plainTooltip(tr("Looks whether an entry was changed or taken out since it was written")));
    auto *bar = boxOn<QHBoxLayout>(nullptr, 6);
    bar->addWidget(m_filter, 1);
    bar->addWidget(m_export, 0, Qt::AlignTop);
    bar->addWidget(m_verify, 0, Qt::AlignTop);
    QSplitter *split = splitOf(u"activitySplit"_s, m_table, 3, buildChosen(), 2);
    auto *column = boxOn<QVBoxLayout>(this, 8, {14, 14, 14, 14});
    column->addLayout(bar);
    addWidgets(column, {m_sources, m_problem, m_chain});
    column->addWidget(split, 1);
}

QWidget *ActivityView::buildChosen()
{
    m_title->setObjectName(u"activityTitle"_s);
    wrapLines(m_title);
    m_detail->setMinimumHeight(140);
    auto *head = boxOn<QHBoxLayout>(nullptr, 6);
    head->addWidget(m_title, 1);
    addWidgets(head, {m_check, m_undo});
    auto *pane = new QWidget;
    auto *column = boxOn<QVBoxLayout>(pane, 6);
    column->addLayout(head);
    column->addWidget(m_detail, 1);
    return pane;
}

void ActivityView::setActivities(const QList<Activity> &newestFirst)
{
    m_all = newestFirst;
    m_readAt = QDateTime::currentDateTimeUtc();
    m_problem->clear();
    showActivities();
}

void ActivityView::setSources(const QString &sentence, bool isProblem, bool hasMore)
{
    m_sources->say(sentence, isProblem, hasMore);
}

void ActivityView::setError(const Error &error)
{
    QString text = shownText(oneLine(error));
    if (m_readAt)
        text += u' ' + tr("What is shown was read at %1.").arg(momentText(*m_readAt, *m_readAt));
    m_problem->say(NoticeBar::Tone::Problem, text);
}

void ActivityView::setChain(const QString &sentence, bool holds)
{
    m_chain->say(holds ? NoticeBar::Tone::Info : NoticeBar::Tone::Problem, shownText(sentence));
}

void ActivityView::openOperation(const QString &operation)
{
    if (m_model->rowOf(operation) < 0)
        openFilter({});
    if (const int row = m_model->rowOf(operation); row >= 0)
        m_table->selectRow(row);
}

void ActivityView::openFilter(const QString &text)
{
    m_filter->apply(text);
}

void ActivityView::focusFilter()
{
    m_filter->focusLine();
}

void ActivityView::showActivities()
{
    // Read again each time: "today" and "-15m" move on.
    const auto checks = activityChecksOf(m_filter->appliedText(), QDateTime::currentDateTime());
    if (!checks)
        return;
    QList<Activity> shown;
    std::copy_if(m_all.begin(), m_all.end(), std::back_inserter(shown),
                 [&checks](const Activity &one) { return matches(*checks, one); });
    {
        const LiveTable::KeepPlace keep(*m_table);
        m_model->merge(shown);
    }
    m_export->setEnabled(m_model->rowCount() > 0);
    showChosen();
    describeNothing();
}

void ActivityView::showChosen()
{
    const QModelIndex current = m_table->currentIndex();
    m_chosen.clear();
    if (!current.isValid()) {
        m_title->setText(m_model->rowCount() > 0 ? tr("Select an operation.") : QString());
        m_undo->setEnabled(false);
        m_check->setEnabled(false);
        m_detail->clear();
        return;
    }
    const Activity activity = m_model->row(current.row());
    m_chosen = activity.operation;
    m_title->setText(cellText(activityTitle(activity)));
    const QString obstacle = undoObstacle(activity);
    m_undo->setEnabled(obstacle.isEmpty());
    m_undo->setToolTip(plainTooltip(
        obstacle.isEmpty() ? tr("Shows what undoing it would do; nothing is changed yet")
                           : obstacle));
    const bool doubtful = activity.state == Activity::State::InDoubt;
    m_check->setEnabled(doubtful);
    m_check->setToolTip(plainTooltip(doubtful ? tr("Looks at each message again; changes nothing")
                                              : tr("Nothing about it is in doubt.")));
    m_detail->setActivity(activity);
}

void ActivityView::describeNothing()
{
    EmptyPane *pane = m_table->emptyPane();
    if (!m_readAt)
        pane->say(tr("Reading…"));
    else if (!m_all.isEmpty())
        pane->say(tr("No entry matches this filter."), tr("Clear filter"));
    else
        pane->say(tr(
            "Nothing was done yet. Every replay, purge and repair will be listed here, with what "
            "became of each message; so will starts and stops of relays."));
}

QList<Activity> ActivityView::selected() const
{
    QList<Activity> rows;
    for (const QModelIndex &index : m_table->selectionModel()->selectedRows())
        rows.append(m_model->row(index.row()));
    return rows;
}

} // namespace outbox
#include "activityview.moc"
