// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/operation/planrun.h"

#include "models/operations/planwords.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "views/theme/theme.h"
#include "views/widgets/formrows.h"

#include <QBoxLayout>
#include <QProgressBar>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

PlanRun::PlanRun(QWidget *parent)
    : QWidget(parent), m_sentence(titleLabel({})), m_bar(new QProgressBar), m_words(hint({}))
{
    m_sentence->setObjectName(u"runSentence"_s);
    m_sentence->setFont(theme::scaledFont(font(), 1.25, QFont::DemiBold));
    m_bar->setObjectName(u"runBar"_s);
    m_bar->setAccessibleName(tr("Progress of the operation"));
    m_bar->setTextVisible(false);
    m_words->setObjectName(u"runWords"_s);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(10);
    column->addWidget(m_sentence);
    column->addWidget(m_bar);
    column->addWidget(m_words);
    column->addWidget(hint(tr("It works in batches; pause and cancel take effect between two of "
                              "them. It goes on when this window is closed.")));
    column->addStretch();
}

void PlanRun::begin(const Plan &plan)
{
    m_sentence->setText(shownText(actWords(plan)));
    m_clock.start();
    m_paused = m_cancelling = false;
    setProgress({0, plan.acting(), tr("beginning")});
}

void PlanRun::setProgress(const OperationProgress &progress)
{
    m_progress = progress;
    m_bar->setRange(0, static_cast<int>(progress.total));
    m_bar->setValue(static_cast<int>(progress.done));
    describe();
}

void PlanRun::setPaused(bool paused)
{
    m_paused = paused;
    describe();
}

void PlanRun::setCancelling()
{
    m_cancelling = true;
    describe();
}

void PlanRun::describe()
{
    QString words = tr("%1 of %2").arg(countText(m_progress.done), countText(m_progress.total));
    if (m_cancelling)
        words += u" \u00b7 "_s + tr("ends after the batch in hand");
    else if (m_paused)
        words += u" \u00b7 "_s + tr("paused");
    else if (!m_progress.phase.isEmpty())
        words += u" \u00b7 "_s + shownText(m_progress.phase);
    // The first second says nothing about the rest.
    const double spent = static_cast<double>(m_clock.elapsed()) / 1000;
    if (!m_paused && !m_cancelling && spent > 1 && m_progress.done > 0
        && m_progress.done < m_progress.total) {
        const auto left = static_cast<double>(m_progress.total - m_progress.done);
        words += u" \u00b7 "_s
            + tr("about %1 left")
                  .arg(spanText(spent * left / static_cast<double>(m_progress.done)));
    }
    m_words->setText(words);
    m_bar->setAccessibleDescription(words);
}

} // namespace outbox
