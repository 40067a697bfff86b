// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/outbox/rowsorgroups.h"

#include "views/failures/failurespane.h"
#include "views/filter/filterbar.h"
#include "views/widgets/pagebuttons.h"

namespace outbox {

using namespace Qt::Literals::StringLiterals;

RowsOrGroups::RowsOrGroups(QWidget *rows, FilterBar *filter, QWidget *parent)
    : QStackedWidget(parent), m_groups(new FailuresPane(FailureSource::Rows)),
      m_button(pageButton(u"outboxGroups"_s, u"group"_s, tr("Groups")))
{
    addWidget(rows);
    addWidget(m_groups);
    m_button->setCheckable(true);
    m_button->setToolTip(tr("Puts what failed and what is stuck into groups: by type and error, "
                            "by queue, by hour"));
    connect(m_button, &QToolButton::toggled, this,
            [this](bool on) { setCurrentIndex(on ? 1 : 0); });
    const auto showRows = [this] { m_button->setChecked(false); };
    connect(filter, &FilterBar::applied, this, showRows);
    connect(m_groups, &FailuresPane::filterChosen, this, [showRows, filter](const QString &text) {
        showRows(); // also where the rows are filtered so already
        filter->apply(text);
    });
}

void RowsOrGroups::forget()
{
    m_button->setChecked(false);
    m_groups->forget();
}

} // namespace outbox
