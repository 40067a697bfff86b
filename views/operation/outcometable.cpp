// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/operation/outcometable.h"

#include "models/operations/planwords.h"
#include "models/phrases.h"
#include "models/tables/planmodel.h"
#include "views/tables/columnchoice.h"
#include "views/tables/livetable.h"
#include "views/tables/statechips.h"
#include "views/tables/statedelegate.h"
#include "views/widgets/boxes.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/formrows.h"

#include <QBoxLayout>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

OutcomeTable::OutcomeTable(const QString &name, QWidget *parent)
    : QWidget(parent), m_model(new PlanModel(this)),
      m_chips(new StateChips(name + u"Outcome"_s, StateChips::Choice::Several)),
      m_table(new LiveTable(name + u"Table"_s)), m_reason(hint({}))
{
    m_table->setAccessibleName(tr("Messages and what is said of each"));
    m_table->show(m_model, {-32, 20, 18, 58, 36, 0});
    m_table->columns()->hideAtFirst(PlanModel::Queue); // one queue, nearly always
    m_table->setIdColumns({PlanModel::Id});
    m_table->setCopyColumn(PlanModel::Id);
    m_table->setItemDelegate(new StateDelegate(StateRole, StateDelegate::Words::Cell, m_table));
    m_table->setMinimumHeight(120);
    m_table->emptyPane()->say(tr("No message of these outcomes."));
    auto *column = boxOn<QVBoxLayout>(this, 8);
    column->addWidget(m_chips);
    column->addWidget(m_table, 1);
    column->addWidget(m_reason);
    m_reason->setObjectName(name + u"Reason"_s);
    m_reason->setTextInteractionFlags(Qt::TextSelectableByMouse);
    connect(m_table, &LiveTable::rowChosen, this, &OutcomeTable::showReason);
    connect(m_chips, &StateChips::chosenChanged, this, [this](const QStringList &words) {
        const LiveTable::KeepPlace keep(*m_table);
        m_model->setShown(words);
    });
}

void OutcomeTable::setPlan(const Plan &plan)
{
    const LiveTable::KeepPlace keep(*m_table);
    m_model->setPlan(plan);
    showCounts();
}

void OutcomeTable::setReceipt(const Receipt &receipt)
{
    const LiveTable::KeepPlace keep(*m_table);
    m_model->setReceipt(receipt);
    showCounts();
}

void OutcomeTable::clear()
{
    setPlan({});
}

void OutcomeTable::showReason(const QModelIndex &index)
{
    const QString id = index.siblingAtColumn(PlanModel::Id).data().toString();
    const QString reason = index.siblingAtColumn(PlanModel::Reason).data().toString();
    m_reason->setText(reason.isEmpty() ? QString() : QString(id + u": "_s + reason));
    m_reason->setVisible(!reason.isEmpty());
}

void OutcomeTable::showCounts()
{
    showReason({});
    m_chips->clear();
    const QMap<Outcome, qsizetype> counts = m_model->counts();
    for (const Outcome outcome : allOutcomes()) {
        if (!counts.contains(outcome))
            continue;
        m_chips->add(outcome,
                     m_model->hasReceipt() ? outcomeWords(m_model->verb(), outcome)
                                           : expectationWords(m_model->verb(), outcome));
        m_chips->setCount(word(outcome), countText(counts.value(outcome)));
    }
    m_chips->setVisible(!counts.isEmpty());
}

} // namespace outbox
