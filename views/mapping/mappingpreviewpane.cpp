// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/mapping/mappingpreviewpane.h"

#include "models/plaintext.h"
#include "models/tables/outboxmodel.h"
#include "views/tables/chipcounts.h"
#include "views/tables/livetable.h"
#include "views/tables/statechips.h"
#include "views/widgets/emptypane.h"
#include "views/widgets/noticebar.h"

#include <QBoxLayout>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

MappingPreviewPane::MappingPreviewPane(QWidget *parent)
    : QWidget(parent), m_chips(new StateChips(u"mappingStates"_s, StateChips::Choice::Several)),
      m_table(new LiveTable(u"mappingRows"_s)), m_model(new OutboxModel(this)),
      m_notice(new NoticeBar(u"mappingNotice"_s))
{
    setObjectName(u"mappingPreview"_s);
    for (const MessageState state : allMessageStates()) {
        if (state != MessageState::Parked) // our relay's own record; no column says it
            m_chips->add(state);
    }
    m_table->setAccessibleName(tr("Rows as they would be read"));
    m_table->show(m_model, {0, 30, 22, 21, 12, 9, 20, 0, 0});
    m_table->hideColumn(OutboxModel::InQueue);
    QVariantList states;
    for (const MessageState state : allMessageStates())
        states += QVariant::fromValue(state);
    m_table->setStates(OutboxModel::State, states);
    m_table->setIdColumns({OutboxModel::Id});
    m_table->setCopyColumn(OutboxModel::Id);
    m_table->setMinimumHeight(172); // five rows and their head
    m_table->emptyPane()->say(tr("No row yet."));
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(8);
    column->addWidget(m_chips);
    column->addWidget(m_notice);
    column->addWidget(m_table, 1);
    connect(m_chips, &StateChips::chosenChanged, this, &MappingPreviewPane::statesChosen);
}

QList<MessageState> MappingPreviewPane::chosenStates() const
{
    QList<MessageState> states;
    for (const QString &word : m_chips->chosen()) {
        if (const auto state = messageStateFromWord(word))
            states += *state;
    }
    return states;
}

void MappingPreviewPane::setPreview(const MappingPreview &preview)
{
    QList<OutboxRow> rows;
    for (const Message &row : preview.rows)
        rows += OutboxRow{row, std::nullopt, std::nullopt};
    {
        const LiveTable::KeepPlace keep(*m_table);
        m_model->merge(rows);
    }
    m_table->fitColumnsOnce();
    m_table->setStale(false);
    m_table->emptyPane()->say(chosenStates().isEmpty() ? tr("The table holds no rows.")
                                                       : tr("No row is in this state."));
    showCounts(*m_chips, preview.counts);
    if (preview.problem.isEmpty())
        m_notice->clear();
    else
        m_notice->say(NoticeBar::Tone::Problem, shownText(preview.problem));
}

void MappingPreviewPane::setAwaiting()
{
    m_table->setStale(true);
}

void MappingPreviewPane::setIncomplete(const QString &why)
{
    {
        const LiveTable::KeepPlace keep(*m_table);
        m_model->merge({});
    }
    showCounts(*m_chips, {});
    m_table->emptyPane()->say(tr("Rows are shown as soon as the mapping can be read."));
    m_notice->say(NoticeBar::Tone::Info, shownText(why));
}

} // namespace outbox
