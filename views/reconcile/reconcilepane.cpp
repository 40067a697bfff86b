// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/reconcile/reconcilepane.h"

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

#include <QAction>
#include <QBoxLayout>
#include <QCheckBox>
#include <QSpinBox>
#include <QSplitter>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

QCheckBox *source(const QString &name, const QString &text, const QString &tip)
{
    auto *box = new QCheckBox(text);
    setNames(box, name, QString(text).remove(u'&'));
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
        setNames(m_budget, u"lookBudget"_s, tr("Longest time of a look"));
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
};

ReconcilePane::ReconcilePane(QWidget *parent)
    : QWidget(parent), m_scope(new ScanScope), m_look(dialogButton(u"lookGo"_s, tr("Look"))),
      m_words(hint({})), m_notice(new NoticeBar(u"lookNotice"_s)),
      m_groups(new LiveTable(u"findingKinds"_s)), m_groupModel(new FindingGroupModel(this)),
      m_chosen(new QWidget), m_why(new PropertyList(u"findingWhy"_s)),
      m_cases(new LiveTable(u"findings"_s)), m_caseModel(new FindingModel(this)),
      m_verbs(makeFindingVerbs())
{
    setObjectName(u"reconcilePane"_s);
    build();
    connect(m_look, &QPushButton::clicked, this, &ReconcilePane::press);
    connect(m_groups, &LiveTable::rowChosen, this, &ReconcilePane::showKind);
    forget();
}

VerbBar *ReconcilePane::makeFindingVerbs()
{
    const auto selectionOf = [this](Verb /*verb*/) {
        // The kind alone: the plan looks again, so that what came since is not left behind.
        Selection selection;
        selection.meant = QList<FindingKind>{chosenGroup()->kind};
        return selection;
    };
    const auto whyNothing = [this](Verb /*verb*/) {
        const auto group = chosenGroup();
        if (!group)
            return tr("Nothing was found, or no kind is chosen.");
        return group->repairable > 0 ? QString() : textOf(group->kind).repair;
    };
    return new VerbBar(u"findingVerbs"_s, {Verb::Reconcile}, VerbBar::Place::Aside, selectionOf,
                       whyNothing);
}

std::optional<FindingGroup> ReconcilePane::chosenGroup() const
{
    const int row = m_groups->currentIndex().row();
    if (row < 0 || row >= m_groupModel->rowCount() || !m_report)
        return std::nullopt;
    return m_groupModel->row(row);
}

void ReconcilePane::build()
{
    m_groups->setAccessibleName(tr("Kinds of inconsistencies"));
    m_groups->setSelectionMode(QAbstractItemView::SingleSelection);
    m_groups->show(m_groupModel, {48, 22, 9, 18, 0});
    m_groups->setMinimumHeight(90);
    m_cases->setAccessibleName(tr("Cases of the chosen kind"));
    m_cases->setItemDelegate(new StateDelegate(StateRole, StateDelegate::Words::Cell, m_cases));
    m_cases->show(m_caseModel, {-22, 22, 14, 60, 0});
    m_cases->setIdColumns({FindingModel::Id});
    m_cases->setCopyColumn(FindingModel::Id);
    m_cases->setMinimumHeight(90);
    m_why->setMinimumHeight(96);
    auto *below = boxOn<QVBoxLayout>(m_chosen, 6);
    below->addWidget(m_why, 2);
    below->addWidget(m_cases, 3);
    below->addWidget(m_verbs);
    QSplitter *split = splitOf(u"reconcileSplit"_s, m_groups, 2, m_chosen, 5);
    auto *column = boxOn<QVBoxLayout>(this, 8, {0, 10, 0, 0});
    column->addWidget(buildHead());
    addWidgets(column, {m_words, m_notice});
    column->addWidget(split, 1);
}

QWidget *ReconcilePane::buildHead()
{
    m_words->setObjectName(u"lookWords"_s);
    auto *head = new QWidget;
    auto *row = boxOn<QHBoxLayout>(head, 12);
    addWidgets(row, {m_scope, m_look});
    row->addStretch();
    return head;
}

void ReconcilePane::press()
{
    if (m_looking) {
        m_look->setEnabled(false); // until it has ended
        emit stopAsked();
        return;
    }
    ScanOptions terms = m_scope->options();
    if (m_report) {
        terms.watched = m_report->watched;
        terms.redisBefore = m_report->redis;
        if (m_report->position)
            terms.resume = m_report;
    }
    setLooking(true);
    m_words->setText(tr("Looking\u2026"));
    emit lookAsked(terms);
}

void ReconcilePane::setRowsOffered(bool offered)
{
    m_scope->setRowsOffered(offered);
}

void ReconcilePane::setLooking(bool looking)
{
    m_looking = looking;
    const bool resumes = m_report && m_report->position;
    m_look->setText(looking ? tr("&Stop") : resumes ? tr("&Resume") : tr("&Look"));
    m_look->setAccessibleName(QString(m_look->text()).remove(u'&'));
    m_look->setEnabled(true);
    m_scope->setChangeable(!looking);
    describeNothing();
}

void ReconcilePane::setProgress(const QString &phase, qint64 looked, qsizetype suspects)
{
    m_words->setText(tr("Looking: %1 \u00b7 %2 looked at \u00b7 %3 suspects")
                         .arg(shownText(phase), countText(looked), countText(suspects)));
}

void ReconcilePane::setReport(const ScanReport &report)
{
    m_report = report;
    m_repaired = 0;
    m_words->setText(lookWords(report, QDateTime::currentDateTimeUtc()));
    m_notice->clear();
    if (!report.notes.isEmpty())
        m_notice->say(NoticeBar::Tone::Warning, shownText(report.notes.join(u'\n'), Lines::Many));
    setLooking(false);
    showFindings();
}

void ReconcilePane::showFindings()
{
    {
        const LiveTable::KeepPlace keep(*m_groups);
        m_groupModel->merge(groupsOf(*m_report));
    }
    if (!m_groups->currentIndex().isValid() && m_groupModel->rowCount() > 0)
        m_groups->selectRow(0);
    showKind();
}

void ReconcilePane::setRepaired(const Plan &plan, const Receipt &receipt)
{
    if (!m_report)
        return;
    const qsizetype found = m_report->findings.size();
    m_report = withoutRepaired(*m_report, plan, receipt);
    m_repaired += found - m_report->findings.size();
    if (m_report->findings.size() == found)
        return;
    if (!m_looking) {
        m_words->setText(lookWords(*m_report, QDateTime::currentDateTimeUtc()) + u' '
                         + counted(m_repaired, tr("1 finding was repaired since."),
                                   tr("%1 findings were repaired since.")));
    }
    showFindings();
}

void ReconcilePane::setError(const Error &error)
{
    m_words->setText(m_report ? lookWords(*m_report, QDateTime::currentDateTimeUtc()) : QString());
    m_notice->say(NoticeBar::Tone::Problem, shownText(oneLine(error)));
    setLooking(false);
}

void ReconcilePane::forget()
{
    setReport({});
    m_report.reset();
    m_words->setText(tr("Compares rows and queue, twice before it reports anything. It changes "
                        "nothing and may run beside relays and workers."));
    setLooking(false);
}

void ReconcilePane::showKind()
{
    const auto group = chosenGroup();
    QList<Finding> cases;
    QList<Fact> facts;
    if (group) {
        const KindText text = textOf(group->kind);
        for (const Finding &finding : m_report->findings) {
            if (finding.kind == text.kind)
                cases += finding;
        }
        facts = {{tr("Why it is wrong"), text.why, false, false},
                 {tr("What a repair does"), text.repair, false, false},
                 {tr("If this finding is wrong"), text.risk, false, false}};
    }
    m_why->setFacts(facts);
    {
        const LiveTable::KeepPlace keep(*m_cases);
        m_caseModel->merge(cases);
    }
    const qsizetype repairable = group ? group->repairable : 0;
    m_verbs->action(Verb::Reconcile)
        ->setText(repairable > 0 ? counted(repairable, tr("Preview 1 repair\u2026"),
                                           tr("Preview %1 repairs\u2026"))
                                 : tr("Preview repair\u2026"));
    m_verbs->judge();
    m_chosen->setVisible(!cases.isEmpty());
    describeNothing();
}

void ReconcilePane::describeNothing()
{
    m_groups->emptyPane()->say(m_looking            ? tr("Looking\u2026")
                                   : !m_report      ? tr("Nobody has looked yet.")
                                   : m_repaired > 0 ? tr("All that was found is repaired.")
                                   : m_report->unread
                                   ? tr("Nothing was found in what could be read.")
                                   : tr("Nothing was found."));
}

} // namespace outbox

#include "reconcilepane.moc"
