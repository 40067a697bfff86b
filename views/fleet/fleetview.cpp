// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/fleet/fleetview.h"

#include "models/phrases.h"
#include "models/plaintext.h"
#include "models/tables/fleetmodel.h"
#include "views/tables/livetable.h"
#include "views/tables/statedelegate.h"
#include "views/theme/theme.h"
#include "views/widgets/boxes.h"
#include "views/widgets/card.h"
#include "views/widgets/emptypane.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Paints what is old in grey, and the line of the healthy as a link to them.
class FleetDelegate : public StateDelegate
{
public:
    explicit FleetDelegate(QObject *parent) : StateDelegate(StateRole, parent) { }

protected:
    void initStyleOption(QStyleOptionViewItem *option, const QModelIndex &index) const override
    {
        StateDelegate::initStyleOption(option, index);
        const auto row = index.data(RowRole).value<FleetRow>();
        const bool isWell = row.totals.has_value();
        if (isWell && index.column() == FleetModel::Sentence) {
            option->features |= QStyleOptionViewItem::HasDecoration;
            option->icon = theme::icon(row.isOpen ? u"up"_s : u"down"_s);
            option->decorationSize = {14, 14};
        }
        if (!isWell && (row.isStale() || !row.line.at.isValid())) {
            option->palette.setColor(QPalette::Text, theme::inks().secondary);
            option->palette.setColor(QPalette::HighlightedText, theme::inks().secondary);
        }
    }
};

constexpr int fleetGroupRole = Qt::UserRole;

} // namespace

FleetView::FleetView(QWidget *parent)
    : QWidget(parent), m_filter(new QLineEdit), m_group(new QComboBox),
      m_always(new QCheckBox(tr("&Watch all systems"))),
      m_open(new QPushButton(theme::icon(u"show"_s), tr("&Open"))), m_note(plainLabel({}, true)),
      m_model(new FleetModel(this)), m_table(new LiveTable(u"fleetTable"_s)),
      m_cost(plainLabel({}, true))
{
    setObjectName(u"fleetView"_s);
    build();
    connect(m_filter, &QLineEdit::textChanged, this, &FleetView::showRows);
    connect(m_group, &QComboBox::currentIndexChanged, this, &FleetView::showRows);
    connect(m_always, &QCheckBox::clicked, this, &FleetView::watchingAlwaysChosen);
    connect(m_open, &QPushButton::clicked, this, &FleetView::activate);
    connect(m_table, &LiveTable::rowChosen, this, &FleetView::choose);
    connect(m_table, &QAbstractItemView::activated, this, &FleetView::activate);
    connect(m_table->emptyPane(), &EmptyPane::actionAsked, this, [this] {
        m_group->setCurrentIndex(0);
        m_filter->clear();
    });
    fillGroups();
    setNote({});
    setCost({});
    showRows();
}

void FleetView::build()
{
    setNames(m_filter, u"fleetFilter"_s, tr("Filter of systems"));
    m_filter->setPlaceholderText(tr("A part of the name, the group or the sentence"));
    m_filter->setClearButtonEnabled(true);
    setNames(m_group, u"fleetGroup"_s, tr("Group"));
    m_group->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_group->setMinimumContentsLength(16);
    setNames(m_always, u"fleetAlways"_s, tr("Watch all systems"));
    m_always->setToolTip(
        plainTooltip(tr("Looks at them while another page is shown, too, and counts those that are "
                        "not well in the list of pages")));
    setNames(m_open, u"fleetOpen"_s, tr("Open the system"));
    m_open->setToolTip(plainTooltip(tr("Shows the chosen system in this window")));
    m_note->setObjectName(u"fleetNote"_s);
    wrapLines(m_note);
    m_cost->setObjectName(u"fleetCost"_s);
    wrapLines(m_cost);
    m_table->setAccessibleName(tr("Systems"));
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setItemDelegate(new FleetDelegate(m_table));
    m_table->show(m_model, {12, 20, 12, 0, 10, 9, 8, 9, 0});
    m_table->setStates(
        FleetModel::Level,
        {QVariant::fromValue(HealthLevel::Ok), QVariant::fromValue(HealthLevel::Watch),
         QVariant::fromValue(HealthLevel::Stalled), QVariant::fromValue(HealthLevel::Broken),
         QVariant::fromValue(HealthLevel::Unknown)});
    m_table->setCopyColumn(FleetModel::Name);
    m_table->horizontalHeader()->setStretchLastSection(false);
    m_table->horizontalHeader()->setSectionResizeMode(FleetModel::Sentence, QHeaderView::Stretch);
    auto *row = boxOn<QHBoxLayout>(nullptr, 8);
    row->addWidget(m_filter, 1);
    addWidgets(row, {m_group, m_always, m_open});
    auto *column = boxOn<QVBoxLayout>(this, 8, {14, 14, 14, 14});
    column->addLayout(row);
    column->addWidget(m_note);
    column->addWidget(m_table, 1);
    column->addWidget(m_cost);
}

void FleetView::setLines(const QList<FleetLine> &lines, const QDateTime &now)
{
    m_lines = m_order.arranged(lines, now);
    m_now = now;
    fillGroups();
    showRows();
}

void FleetView::setNote(const QString &note)
{
    m_note->setText(shownText(note));
    m_note->setVisible(!note.isEmpty());
}

void FleetView::setCost(const std::optional<FleetCost> &cost)
{
    if (!cost) {
        m_cost->setText(tr("No system is looked at now."));
        return;
    }
    const QString sessions = cost->sessions == 1
        ? tr("1 session with a database")
        : tr("%1 sessions with databases").arg(countText(cost->sessions));
    m_cost->setText(tr("Looking: %1 looks a second, %2, %3 read a second, %4 % of a processor")
                        .arg(rateText(cost->looksPerSecond), sessions,
                             bytesText(cost->bytesPerSecond),
                             QLocale().toString(cost->processorShare * 100, 'f', 1)));
}

void FleetView::setWatchingAlways(bool always)
{
    m_always->setChecked(always);
}

void FleetView::focusFilter()
{
    m_filter->setFocus();
    m_filter->selectAll();
}

void FleetView::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    emit looksAsked();
}

void FleetView::hideEvent(QHideEvent *event)
{
    QWidget::hideEvent(event);
    emit looksNotWanted();
}

FleetFilter FleetView::wanted() const
{
    return {m_group->currentData(fleetGroupRole).toString(), m_filter->text().trimmed()};
}

/// The list of groups, hidden where no system is in one; the chosen one stays.
void FleetView::fillGroups()
{
    QStringList groups;
    for (const FleetLine &line : std::as_const(m_lines)) {
        if (!line.group.isEmpty())
            groups += line.group;
    }
    groups.removeDuplicates();
    groups.sort();
    QStringList shown;
    for (int at = 1; at < m_group->count(); ++at)
        shown += m_group->itemData(at, fleetGroupRole).toString();
    m_group->setVisible(!groups.isEmpty());
    if (groups == shown && m_group->count() > 0)
        return;
    const QString chosen = wanted().group;
    const QSignalBlocker quiet(m_group);
    m_group->clear();
    m_group->addItem(tr("All groups"), QString());
    for (const QString &group : std::as_const(groups))
        m_group->addItem(shownText(group, Lines::One, 60), group);
    m_group->setCurrentIndex(qMax(0, m_group->findData(chosen, fleetGroupRole)));
}

void FleetView::showRows()
{
    const QModelIndex before = m_table->currentIndex();
    const bool wasInView
        = before.isValid() && m_table->viewport()->rect().intersects(m_table->visualRect(before));
    const FleetFilter filter = wanted();
    {
        const LiveTable::KeepPlace keep(*m_table);
        m_model->merge(fleetRows(m_lines, filter, m_isOpen, m_chosen, m_now));
        if (!m_chosen.isEmpty() && !m_model->contains(m_chosen)) {
            m_chosen.clear(); // the filter has taken it away, or it is saved no more
            m_table->selectionModel()->clear();
        }
    }
    if (wasInView && m_table->currentIndex().isValid())
        m_table->scrollTo(m_table->currentIndex());
    if (m_lines.isEmpty())
        m_table->emptyPane()->say(tr("No saved system can be looked at here."));
    else if (m_model->rowCount() == 0)
        m_table->emptyPane()->say(tr("No system matches this filter."), tr("Clear filter"));
    describe();
}

void FleetView::choose()
{
    const QModelIndex current = m_table->currentIndex();
    m_chosen.clear();
    if (current.isValid()) {
        const FleetRow &row = m_model->row(current.row());
        if (!row.totals)
            m_chosen = row.line.key;
    }
    describe();
}

/// Opens the system, or shows and folds those that are well.
void FleetView::activate()
{
    const QModelIndex current = m_table->currentIndex();
    if (!current.isValid())
        return;
    const FleetRow row = m_model->row(current.row());
    if (row.totals) {
        m_isOpen = !m_isOpen;
        showRows();
    } else if (!row.line.name.isEmpty()) {
        emit openAsked(row.line.name);
    }
}

void FleetView::describe()
{
    const int row = m_chosen.isEmpty() ? -1 : m_model->rowOf(m_chosen);
    m_open->setEnabled(row >= 0 && !m_model->row(row).line.name.isEmpty());
}

} // namespace outbox
