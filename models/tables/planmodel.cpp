// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/tables/planmodel.h"

#include "models/operations/findingwords.h"
#include "models/operations/planwords.h"
#include "models/payload/celltext.h"
#include "models/translation.h"

#include <numeric>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

/// One message of a plan, with what became of it once there is a receipt. Points into nothing.
struct PlanRow
{
    PlanItem item;
    Verb verb{};
    Outcome outcome = Outcome::Unknown; ///< expected, or what came of it
    QString reason;
    bool isReceipt = false;
};

namespace {

constexpr Translation planModelText("outbox::PlanModel");

QString idOf(const PlanRow &row)
{
    if (!row.item.row.isEmpty())
        return row.item.row.text;
    return row.item.task.isEmpty() ? row.item.queue.text : row.item.task.text;
}

QString whatWords(const PlanRow &row)
{
    const QString words = row.isReceipt ? outcomeWords(row.verb, row.outcome)
                                        : expectationWords(row.verb, row.outcome);
    return row.item.kind ? QString(word(*row.item.kind) + u": "_s + words) : words;
}

QString seen(const PlanRow &row)
{
    const QDateTime now = QDateTime::currentDateTimeUtc();
    return row.item.evidence.isEmpty() ? seenWords(row.item, now) : evidenceWords(row.item, now);
}

QList<TableColumn<PlanRow>> planColumns()
{
    using Column = TableColumn<PlanRow>;
    const Qt::Alignment left = Qt::AlignLeft;
    return {
        Column(planModelText("Outcome"), left, whatWords).withState([](const PlanRow &row) {
            return QVariant::fromValue(row.outcome);
        }),
        Column::ofText(planModelText("Id"), [](const PlanRow &row) { return idOf(row); }),
        Column::ofText(planModelText("Type"), [](const PlanRow &row) { return row.item.type; }),
        Column::ofText(planModelText("Reason"), [](const PlanRow &row) { return row.reason; }),
        Column::ofText(planModelText("Seen"), [](const PlanRow &row) { return seen(row); })
            .explained(planModelText("What was there when the plan was made")),
        Column(planModelText("Queue"), left,
               [](const PlanRow &row) { return cellText(row.item.queue.text); }),
    };
}

} // namespace

PlanModel::PlanModel(QObject *parent) : QAbstractTableModel(parent), m_columns(planColumns())
{ }

void PlanModel::setPlan(const Plan &plan)
{
    m_plan = plan;
    m_receipt = {};
    m_isReceipt = false;
    m_outcomes.clear();
    filter();
}

void PlanModel::setReceipt(const Receipt &receipt)
{
    if (receipt.operation != m_plan.operation || receipt.items.size() != m_plan.items.size())
        return;
    m_receipt = receipt;
    m_isReceipt = true;
    m_outcomes.clear();
    filter();
}

void PlanModel::setShown(const QStringList &outcomes)
{
    m_outcomes = outcomes;
    filter();
}

void PlanModel::filter()
{
    QList<Outcome> wanted;
    for (const QString &one : std::as_const(m_outcomes)) {
        if (const auto outcome = outcomeFromWord(one))
            wanted += *outcome;
    }
    beginResetModel();
    m_shown.resize(m_plan.items.size());
    std::iota(m_shown.begin(), m_shown.end(), 0);
    if (!wanted.isEmpty())
        m_shown.removeIf([&](int item) { return !wanted.contains(outcomeOf(item)); });
    endResetModel();
}

QMap<Outcome, qsizetype> PlanModel::counts() const
{
    return m_isReceipt ? m_receipt.counts() : m_plan.counts();
}

Outcome PlanModel::outcomeOf(int item) const
{
    return m_isReceipt ? m_receipt.items.at(item).outcome : m_plan.items.at(item).expected;
}

PlanRow PlanModel::at(int row) const
{
    const int item = m_shown.at(row);
    const PlanItem &planned = m_plan.items.at(item);
    if (!m_isReceipt)
        return {planned, m_plan.verb, planned.expected, planned.reason, false};
    const ReceiptItem &told = m_receipt.items.at(item);
    return {planned, m_plan.verb, told.outcome, told.reason, true};
}

int PlanModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shown.size());
}

int PlanModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant PlanModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    if (role == RowRole)
        return QVariant::fromValue(at(index.row()));
    // Views ask for a dozen roles that no column of ours has.
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != Qt::TextAlignmentRole
        && role != StateRole)
        return {};
    return m_columns.at(index.column()).cell(at(index.row()), role);
}

QVariant PlanModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= m_columns.size())
        return {};
    return m_columns.at(section).header(role);
}

} // namespace outbox
