// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/reconcile/reconcileview.h"

#include "models/payload/celltext.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/tables/findingmodel.h"
#include "views/operation/verbbar.h"
#include "views/tables/livetable.h"
#include "views/tables/statedelegate.h"
#include "views/widgets/boxes.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/formrows.h"
#include "views/widgets/noticebar.h"
#include "views/widgets/propertylist.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QKeyEvent>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>

#include <algorithm>
#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// What one repair takes away at most: hash, lock, and each list that is empty without the id.
constexpr qint64 mostKeysOfRepair = 12;

QCheckBox *source(const QString &name, const QString &text, const QString &tip)
{
    auto *box = new QCheckBox(text);
    setNames(box, name, spokenWords(text));
    box->setToolTip(plainTooltip(tip));
    box->setChecked(true);
    return box;
}

} // namespace

/// What a scan looks at, and for how long.
class ScanScope : public QWidget
{
    Q_OBJECT

public:
    ScanScope()
        : m_queue(source(u"lookQueue"_s, tr("Q&ueue"), tr("Lists, hashes and locks of the queue"))),
          m_rows(source(u"lookRows"_s, tr("Rows against &queue"),
                        tr("Each row with what stands under its id"))),
          m_outbox(source(u"lookOutbox"_s, tr("&Outbox"), tr("Rows by themselves"))),
          m_budget(new QSpinBox)
    {
        setNames(m_budget, u"lookBudget"_s, tr("Longest time of a check"));
        m_budget->setRange(5, 3'600);
        m_budget->setValue(30);
        m_budget->setSuffix(tr(" s"));
        auto *row = boxOn<QHBoxLayout>(this, 12);
        row->addWidget(plainLabel(tr("Look at")));
        addWidgets(row, {m_queue, m_rows, m_outbox});
        row->addSpacing(12);
        row->addWidget(plainLabel(tr("for at most")));
        row->addWidget(m_budget);
    }

    void setRowsOffered(bool offered)
    {
        m_rowsOffered = offered;
        for (QCheckBox *box : {m_rows, m_outbox}) {
            box->setVisible(offered);
            box->setChecked(offered);
        }
    }

    void setChangeable(bool changeable)
    {
        for (QWidget *one : QList<QWidget *>{m_queue, m_rows, m_outbox, m_budget})
            one->setEnabled(changeable);
    }

    /// Ticks the parts that `terms` look at.
    void setParts(const ScanOptions &terms)
    {
        m_queue->setChecked(terms.scansQueue);
        m_rows->setChecked(terms.scansRows);
        m_outbox->setChecked(terms.scansOutbox);
    }

    /// Whether `terms` leave out no part that is there.
    [[nodiscard]] bool isWhole(const ScanOptions &terms) const
    {
        return terms.scansQueue && (!m_rowsOffered || (terms.scansRows && terms.scansOutbox));
    }

    [[nodiscard]] ScanOptions options() const
    {
        ScanOptions options;
        options.scansQueue = m_queue->isChecked();
        options.scansRows = m_rows->isChecked();
        options.scansOutbox = m_outbox->isChecked();
        options.budgetMs = m_budget->value() * qint64(1'000);
        return options;
    }

private:
    QCheckBox *m_queue;
    QCheckBox *m_rows;
    QCheckBox *m_outbox;
    QSpinBox *m_budget;
    bool m_rowsOffered = true;
};

/// The kinds; the space bar takes the tick of the row in hand away or sets it, in whichever column
/// the focus is.
class FindingKinds : public LiveTable
{
public:
    using LiveTable::LiveTable;

protected:
    void keyPressEvent(QKeyEvent *event) override
    {
        const QModelIndex tick = currentIndex().siblingAtColumn(FindingGroupModel::Meaning);
        const QVariant state = tick.data(Qt::CheckStateRole);
        if (event->key() != Qt::Key_Space || !state.isValid())
            return LiveTable::keyPressEvent(event);
        const bool isChosen = static_cast<Qt::CheckState>(state.toInt()) == Qt::Checked;
        model()->setData(tick, isChosen ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
        event->accept();
    }
};

ReconcileView::ReconcileView(QWidget *parent)
    : QWidget(parent), m_scope(new ScanScope), m_look(dialogButton(u"lookGo"_s, tr("Check now"))),
      m_words(hint({})), m_notice(new NoticeBar(u"lookNotice"_s)),
      m_groups(new FindingKinds(u"findingKinds"_s)), m_groupModel(new FindingGroupModel(this)),
      m_cases(new QWidget), m_why(new PropertyList(u"findingWhy"_s, tr("Why it is inconsistent"))),
      m_caseModel(new FindingModel(this)), m_verbs(makeFindingVerbs())
{
    setObjectName(u"reconcilePage"_s);
    build();
    connect(m_look, &QPushButton::clicked, this, &ReconcileView::press);
    connect(m_groups, &LiveTable::rowChosen, this, &ReconcileView::showKind);
    connect(m_groupModel, &FindingGroupModel::chosenChanged, this, &ReconcileView::nameRepair);
    forget();
}

VerbBar *ReconcileView::makeFindingVerbs()
{
    const auto selectionOf = [this](Verb /*verb*/) {
        // The kinds alone: the plan looks again, so that what came since is not left behind.
        Selection selection;
        selection.meant = m_groupModel->chosen();
        return selection;
    };
    const auto whyNothing = [this](Verb /*verb*/) {
        if (!m_report)
            return tr("Not checked yet.");
        if (!m_groupModel->chosen().isEmpty())
            return QString();
        const auto &groups = m_groupModel->rows();
        const bool isOffered
            = std::any_of(groups.begin(), groups.end(),
                          [](const FindingGroup &one) { return one.repairable > 0; });
        return isOffered ? tr("Select a kind.")
                         : tr("Nothing was found that can be repaired here.");
    };
    return new VerbBar(u"findingVerbs"_s, {Verb::Reconcile}, VerbBar::Place::Page, selectionOf,
                       whyNothing);
}

std::optional<FindingGroup> ReconcileView::currentGroup() const
{
    const int row = m_groups->currentIndex().row();
    if (row < 0 || row >= m_groupModel->rowCount() || !m_report)
        return std::nullopt;
    return m_groupModel->row(row);
}

void ReconcileView::build()
{
    auto *cases = new LiveTable(u"findings"_s);
    cases->setAccessibleName(tr("Cases of the kind in hand"));
    cases->setItemDelegate(new StateDelegate(StateRole, StateDelegate::Words::Cell, cases));
    cases->show(m_caseModel, {-22, 22, 14, 60, 0});
    cases->setIdColumns({FindingModel::Id});
    cases->setCopyColumn(FindingModel::Id);
    cases->setMinimumHeight(90);
    m_why->setMinimumHeight(96);
    auto *below = boxOn<QVBoxLayout>(m_cases, 6);
    below->addWidget(m_why, 2);
    below->addWidget(cases, 3);
    QSplitter *split = splitOf(u"reconcileSplit"_s, buildKinds(), 3, m_cases, 2);
    auto *column = boxOn<QVBoxLayout>(this, 8, {14, 10, 14, 14});
    column->addWidget(buildHead());
    addWidgets(column, {m_words, m_notice});
    column->addWidget(split, 1);
}

QWidget *ReconcileView::buildHead()
{
    m_words->setObjectName(u"lookWords"_s);
    m_look->setDefault(true);
    auto *head = new QWidget;
    auto *row = boxOn<QHBoxLayout>(head, 12);
    addWidgets(row, {m_look, m_scope});
    row->addStretch();
    return head;
}

QWidget *ReconcileView::buildKinds()
{
    m_groups->setAccessibleName(tr("Kinds of inconsistencies"));
    m_groups->setSelectionMode(QAbstractItemView::SingleSelection);
    m_groups->show(m_groupModel, {66, 9, 44, 18, 20, 0});
    m_groups->setCopyColumn(FindingGroupModel::Kind);
    m_groups->setMinimumHeight(110);
    auto *kinds = new QWidget;
    auto *column = boxOn<QVBoxLayout>(kinds, 6);
    column->addWidget(m_groups, 1);
    column->addWidget(m_verbs);
    return kinds;
}

ScanOptions ReconcileView::scanOptions() const
{
    ScanOptions terms = m_scope->options();
    if (m_report) {
        terms.watched = m_report->watched;
        terms.redisBefore = m_report->redis;
    }
    return terms;
}

void ReconcileView::press()
{
    if (m_looking) {
        m_look->setEnabled(false); // until it has ended
        emit stopAsked();
        return;
    }
    const bool resumes = m_report && m_report->position;
    if (resumes)
        m_scope->setParts(m_lookedAt);
    ScanOptions asked = scanOptions();
    if (resumes)
        asked.resume = m_report;
    setLooking(true);
    m_words->setText(tr("Checking\u2026"));
    emit lookAsked(asked);
}

void ReconcileView::lookAgain(qsizetype repairs)
{
    if (m_report->position)
        return;
    m_scope->setParts(m_lookedAt);
    ScanOptions asked = scanOptions();
    if (asked.redisBefore) { // what repairs took away is no loss; less than the rest of it is one
        qint64 &keys = asked.redisBefore->second;
        keys = std::max<qint64>(0, keys - mostKeysOfRepair * repairs);
    }
    // What was seen in one look, or in several, is seen in this one.
    asked.budgetMs = std::max(asked.budgetMs, 2 * static_cast<qint64>(m_report->tookMs));
    setLooking(true);
    QString words;
    if (m_repaired > 0)
        words = counted(m_repaired, tr("1 finding was repaired."), tr("%1 findings were repaired."))
            + u' ';
    words += tr("Checking again\u2026");
    m_words->setText(words);
    emit lookAsked(asked);
}

void ReconcileView::setRowsOffered(bool offered)
{
    m_scope->setRowsOffered(offered);
}

void ReconcileView::setLooking(bool looking)
{
    m_looking = looking;
    const bool resumes = m_report && m_report->position;
    m_look->setText(looking ? tr("&Stop") : resumes ? tr("&Resume") : tr("Check &now"));
    m_look->setAccessibleName(spokenWords(m_look->text()));
    m_look->setEnabled(true);
    m_scope->setChangeable(!looking);
    describeNothing();
}

void ReconcileView::setProgress(const QString &phase, qint64 looked, qsizetype suspects)
{
    m_words->setText(tr("Checking: %1 \u00b7 %2 looked at \u00b7 %3 suspects")
                         .arg(shownText(phase), countText(looked), countText(suspects)));
}

void ReconcileView::setReport(const ScanReport &report)
{
    m_report = report;
    m_lookedAt = m_scope->options(); // which cannot be changed during a look
    m_repaired = 0;
    const auto meanwhile = std::exchange(m_meanwhile, {});
    qsizetype repairs = 0;
    for (const auto &[plan, receipt] : meanwhile) {
        m_report = withoutRepaired(*m_report, plan, receipt);
        repairs += receipt.items.size();
    }
    showGroups();
    m_notice->clear();
    if (!report.notes.isEmpty())
        m_notice->say(NoticeBar::Tone::Warning, shownText(report.notes.join(u'\n'), Lines::Many));
    setLooking(false);
    describe();
    if (!meanwhile.isEmpty())
        lookAgain(repairs); // it may have seen what a repair was about to end
}

void ReconcileView::describe()
{
    const qsizetype found = m_report->findings.size();
    QString words;
    if (found > 0)
        words = counted(found, tr("1 inconsistency."), tr("%1 inconsistencies.")) + u' ';
    words += lookWords(*m_report, QDateTime::currentDateTimeUtc());
    if (m_repaired > 0)
        words += u' '
            + counted(m_repaired, tr("1 finding was repaired since."),
                      tr("%1 findings were repaired since."));
    m_words->setText(words);
    if (!m_groups->currentIndex().isValid() && m_groupModel->rowCount() > 0)
        m_groups->selectRow(0);
    showKind();
    nameRepair();
    emit reportChanged();
}

void ReconcileView::setRepaired(const Plan &plan, const Receipt &receipt)
{
    const bool isOfHere
        = std::any_of(plan.items.begin(), plan.items.end(), [](const PlanItem &item) {
              return item.kind && textOf(*item.kind).isLookedFor;
          });
    if (!isOfHere)
        return;
    if (m_looking)
        m_meanwhile.emplaceBack(plan, receipt);
    if (!m_report)
        return;
    const qsizetype found = m_report->findings.size();
    m_report = withoutRepaired(*m_report, plan, receipt);
    m_repaired += found - m_report->findings.size();
    showGroups();
    if (m_looking) { // whose words stand there
        showKind();
        nameRepair();
        emit reportChanged();
        return;
    }
    describe();
    lookAgain(receipt.items.size());
}

std::optional<ScanSummary> ReconcileView::summary() const
{
    if (!m_report)
        return std::nullopt;
    ScanSummary summary = summaryOf(*m_report);
    summary.complete = summary.complete && m_scope->isWhole(m_lookedAt);
    return summary;
}

void ReconcileView::setError(const Error &error)
{
    m_meanwhile.clear();
    setLooking(false);
    if (m_report)
        describe();
    else
        m_words->clear();
    m_notice->say(NoticeBar::Tone::Problem, shownText(oneLine(error)));
}

void ReconcileView::forget()
{
    m_meanwhile.clear();
    m_report.reset();
    m_repaired = 0;
    showGroups();
    m_notice->clear();
    m_words->setText(tr("Compares rows and queue, twice before it reports anything. It changes "
                        "nothing and may run beside relays and workers."));
    setLooking(false);
    showKind();
    nameRepair();
    emit reportChanged();
}

void ReconcileView::showGroups()
{
    const LiveTable::KeepPlace keep(*m_groups);
    m_groupModel->setGroups(m_report ? groupsOf(*m_report) : QList<FindingGroup>());
}

void ReconcileView::showKind()
{
    const auto group = currentGroup();
    QList<Finding> cases;
    QList<Fact> facts;
    if (group) {
        const KindText text = textOf(group->kind);
        for (const Finding &finding : m_report->findings) {
            if (finding.kind == text.kind)
                cases += finding;
        }
        facts = {{tr("Kind"), text.title, false, false},
                 {tr("Why it is wrong"), text.why, false, false},
                 {tr("What a repair does"), text.repair, false, false},
                 {tr("If this finding is wrong"), text.risk, false, false}};
    }
    m_why->setFacts(facts);
    {
        const LiveTable::KeepPlace keep(*m_cases->findChild<LiveTable *>());
        m_caseModel->merge(cases);
    }
    m_cases->setVisible(!cases.isEmpty());
    describeNothing();
}

void ReconcileView::nameRepair()
{
    const qsizetype repairs = m_groupModel->chosenRepairs();
    m_verbs->rename(Verb::Reconcile,
                    repairs > 0 ? counted(repairs, tr("Preview 1 repair"), tr("Preview %1 repairs"))
                                : tr("Preview repair"));
    m_verbs->judge();
}

void ReconcileView::describeNothing()
{
    m_groups->emptyPane()->say(m_looking            ? tr("Checking\u2026")
                                   : !m_report      ? tr("Not checked yet.")
                                   : m_repaired > 0 ? tr("All that was found is repaired.")
                                   : m_report->unread
                                   ? tr("Nothing was found in what could be read.")
                                   : tr("Nothing was found."));
}

} // namespace outbox

#include "reconcileview.moc"
