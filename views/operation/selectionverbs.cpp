// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/operation/selectionverbs.h"

#include "models/payload/celltext.h"
#include "models/plaintext.h"
#include "views/tables/livetable.h"
#include "views/tables/tablecopy.h"
#include "views/widgets/card.h"
#include "views/widgets/pagebuttons.h"

#include <QAction>
#include <QBoxLayout>
#include <QLabel>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

SelectionVerbs::SelectionVerbs(const QString &name, const QList<Verb> &verbs, LiveTable *table,
                               Terms terms, QWidget *parent)
    : VerbBar(
        name, verbs, Place::Page,
        [this](Verb) { return m_all->isChecked() ? m_terms.matching() : m_terms.chosen(rows()); },
        [this](Verb verb) { return whyNothing(verb); }, parent),
      m_table(table), m_terms(std::move(terms)),
      m_all(pageButton(name + u"All"_s, u"filter"_s, {})), m_selected(plainLabel({}, true))
{
    m_selected->setObjectName(name + u"Selected"_s);
    m_all->setCheckable(true);
    m_all->setFocusPolicy(Qt::StrongFocus);
    row()->addWidget(m_selected);
    row()->addWidget(m_all);
    m_table->addActions(actionsInOrder());
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &SelectionVerbs::describe);
    connect(m_all, &QToolButton::toggled, this, &SelectionVerbs::describe);
    describe();
}

QList<int> SelectionVerbs::rows() const
{
    return m_all->isChecked() ? QList<int>() : selectedRows(*m_table);
}

QString SelectionVerbs::whyNothing(Verb verb) const
{
    const QList<int> chosen = rows();
    if (chosen.isEmpty() && !m_all->isChecked())
        return tr("Nothing is selected.");
    return m_terms.whyNot(verb, chosen);
}

void SelectionVerbs::setMatching(const QString &count)
{
    if (m_count == count)
        return;
    m_count = count;
    describe();
}

void SelectionVerbs::refresh()
{
    m_all->setChecked(false);
    m_count.clear();
    describe();
}

void SelectionVerbs::describe()
{
    const bool possible = !m_terms.matching().isEmpty();
    if (!possible)
        m_all->setChecked(false);
    m_all->setEnabled(possible);
    m_all->setText(m_count.isEmpty() ? tr("All that match") : tr("All %1 that match").arg(m_count));
    m_all->setAccessibleName(spokenWords(m_all->text()));
    m_all->setToolTip(plainTooltip(
        possible ? tr("The verbs act on everything that matches the filter, not only on what is "
                      "shown; the preview freezes what that is")
                 : tr("Everything at once is asked for by name: type a filter first, such as "
                      "state:processed")));
    const int selected = selectedCount(*m_table);
    m_selected->setText(m_all->isChecked() ? QString()
                            : selected == 0
                            ? tr("none selected")
                            : counted(selected, tr("1 selected"), tr("%1 selected")));
    judge();
}

} // namespace outbox
