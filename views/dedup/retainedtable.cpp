// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dedup/retainedtable.h"

#include "models/phrases.h"
#include "models/tables/retainedmodel.h"
#include "views/tables/livetable.h"
#include "views/widgets/card.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/metriccard.h"

#include <QBoxLayout>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

RetainedTable::RetainedTable(QWidget *parent)
    : QWidget(parent), m_model(new RetainedModel(this)), m_table(new LiveTable(u"retainedTable"_s)),
      m_card(new Card(tr("Kept ids, first to expire on top")))
{
    m_table->setAccessibleName(tr("Kept ids"));
    m_table->show(m_model, {26, 44, 26, 14, 14, 40});
    m_table->setIdColumns({RetainedModel::Id});
    m_table->setCopyColumn(RetainedModel::Id);
    m_table->setMinimumHeight(90);
    m_table->emptyPane()->say(tr("No id is kept: nothing was completed with a retention."));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_card);
    m_card->body()->addWidget(m_table);
    connect(m_table, &QAbstractItemView::activated, this,
            [this](const QModelIndex &index) { emit idChosen(m_model->row(index.row()).id.text); });
}

void RetainedTable::setPage(const TaskPage &page)
{
    const LiveTable::KeepPlace place(*m_table);
    m_model->merge(page.tasks);
}

void RetainedTable::setStale(const std::optional<QDateTime> &asOf)
{
    m_table->setStale(asOf.has_value());
    m_card->setNote(asOf ? asOfText(*asOf) : QString());
}

} // namespace outbox
