// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/compareactions.h"

#include "views/tables/livetable.h"
#include "views/tables/tablecopy.h"
#include "views/theme/theme.h"

#include <QAction>
#include <QItemSelectionModel>

#include <utility>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

CompareActions::CompareActions(LiveTable *table, IdOf idOf)
    : QObject(table), m_table(table), m_idOf(std::move(idOf)),
      m_compare(new QAction(theme::icon(u"group"_s), tr("Compare"), this)),
      m_compareWith(new QAction(theme::icon(u"group"_s), tr("Compare with\u2026"), this))
{
    m_compare->setObjectName(u"compareRows"_s);
    m_compareWith->setObjectName(u"compareWith"_s);
    m_compare->setToolTip(tr("Shows two selected messages beside each other"));
    m_compareWith->setToolTip(tr("Asks for the id of the message to compare it with"));
    for (QAction *one : {m_compare, m_compareWith})
        connect(one, &QAction::triggered, this, [this] { emit asked(chosen()); });
    connect(table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &CompareActions::follow);
    addLinks(*table, {m_compare, m_compareWith});
    follow();
}

QList<ComparedId> CompareActions::chosen() const
{
    const QList<int> rows = selectedRows(*m_table);
    QList<ComparedId> ids;
    if (rows.size() > 2)
        return ids;
    for (const int row : rows)
        ids += m_idOf(row);
    return ids;
}

void CompareActions::follow()
{
    const int count = selectedCount(*m_table);
    m_compare->setEnabled(count == 2);
    m_compareWith->setEnabled(count == 1);
}

} // namespace outbox
