// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/relay/relaylogpane.h"

#include "models/plaintext.h"
#include "models/tables/relaylogmodel.h"
#include "views/tables/livetable.h"
#include "views/tables/statedelegate.h"
#include "views/widgets/card.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/pagebuttons.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QItemSelectionModel>
#include <QLabel>
#include <QToolButton>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

RelayLogPane::RelayLogPane(QWidget *parent)
    : QWidget(parent), m_model(new RelayLogModel(this)), m_table(new LiveTable(u"relayLog"_s)),
      m_pause(pageButton(u"pauseLog"_s, u"pause"_s, tr("Pause log")))
{
    m_table->setAccessibleName(tr("Steps of the relay, newest first"));
    m_table->show(m_model, {14, 10, 10, 12, 14, 10, 10, 60});
    m_table->setItemDelegateForColumn(
        RelayLogModel::Verdict,
        new StateDelegate(RelayLogModel::LevelRole, StateDelegate::Words::Cell, m_table));
    m_table->emptyPane()->say(tr("No step yet. What the relay does will be listed here."));
    m_table->setMinimumHeight(90);
    auto *copyButton = pageButton(u"copyLog"_s, u"copy"_s, tr("Copy"));
    copyButton->setToolTip(plainTooltip(tr("Copy the selected steps, or all of them, as text")));
    m_pause->setCheckable(true);

    auto *card = new Card({});
    auto *head = new QHBoxLayout;
    head->addWidget(titleLabel(tr("Steps")));
    head->addStretch();
    head->addWidget(m_pause);
    head->addWidget(copyButton);
    card->body()->addLayout(head);
    card->body()->addWidget(m_table);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(card);
    connect(m_pause, &QToolButton::toggled, this, &RelayLogPane::setPaused);
    connect(copyButton, &QToolButton::clicked, this, &RelayLogPane::copy);
}

void RelayLogPane::add(const QList<RelayStep> &steps)
{
    if (m_pause->isChecked()) {
        m_heldBack.append(steps);
        if (m_heldBack.size() > RelayLogModel::capacity)
            m_heldBack = m_heldBack.last(RelayLogModel::capacity);
        return;
    }
    const LiveTable::KeepPlace place(*m_table);
    m_model->add(steps);
}

void RelayLogPane::clear()
{
    m_heldBack.clear();
    m_pause->setChecked(false);
    m_model->clear();
}

void RelayLogPane::setPaused(bool paused)
{
    m_pause->setText(paused ? tr("Resume log") : tr("Pause log"));
    m_pause->setAccessibleName(m_pause->text());
    m_pause->setIcon(theme::icon(paused ? u"play"_s : u"pause"_s));
    if (!paused)
        add(std::exchange(m_heldBack, {}));
}

void RelayLogPane::copy()
{
    QList<int> rows;
    const QModelIndexList selected = m_table->selectionModel()->selectedRows();
    for (const QModelIndex &index : selected)
        rows.append(index.row());
    if (rows.isEmpty()) {
        for (int row = 0; row < m_model->rowCount(); ++row)
            rows.append(row);
    }
    std::sort(rows.begin(), rows.end());
    QApplication::clipboard()->setText(m_model->asText(rows));
}

} // namespace outbox
