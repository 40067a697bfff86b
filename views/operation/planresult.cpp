// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/operation/planresult.h"

#include "models/operations/planwords.h"
#include "models/phrases.h"
#include "models/plaintext.h"
#include "views/operation/outcometable.h"
#include "views/widgets/card.h"
#include "views/widgets/formrows.h"
#include "views/widgets/noticebar.h"
#include "views/widgets/pagebuttons.h"

#include <QApplication>
#include <QBoxLayout>
#include <QClipboard>
#include <QLineEdit>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

PlanResult::PlanResult(QWidget *parent)
    : QWidget(parent), m_sentence(titleLabel({})), m_about(hint({})),
      m_problem(new NoticeBar(u"resultProblem"_s)), m_items(new OutcomeTable(u"result"_s)),
      m_exported(new QWidget), m_file(new QLineEdit)
{
    m_sentence->setObjectName(u"resultSentence"_s);
    wrapLines(m_sentence);
    m_sentence->setFont(theme::scaledFont(font(), 1.25, QFont::DemiBold));
    m_about->setObjectName(u"resultAbout"_s);
    m_file->setObjectName(u"resultExport"_s);
    m_file->setAccessibleName(tr("Export file"));
    m_file->setReadOnly(true);
    m_file->setFont(theme::fixedFont(font()));
    QToolButton *copy = pageButton(u"resultExportCopy"_s, u"copy"_s, tr("Copy path"));
    connect(copy, &QToolButton::clicked, this,
            [this] { QApplication::clipboard()->setText(m_file->text()); });
    auto *row = new QHBoxLayout(m_exported);
    row->setContentsMargins({});
    row->addWidget(plainLabel(tr("Exported to"), true));
    row->addWidget(m_file, 1);
    row->addWidget(copy);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(8);
    column->addWidget(m_sentence);
    column->addWidget(m_about);
    column->addWidget(m_problem);
    column->addWidget(m_items, 1);
    column->addWidget(m_exported);
}

void PlanResult::setReceipt(const Plan &plan, const Receipt &receipt)
{
    m_sentence->setText(shownText(receiptSentence(plan, receipt)));
    const double seconds = static_cast<double>(receipt.started.msecsTo(receipt.ended)) / 1000;
    m_about->setText(shownText(tr("%1 \u00b7 took %2 \u00b7 recorded as %3")
                                   .arg(plan.selection, spanText(seconds), receipt.operation)));
    m_problem->clear();
    if (receipt.error)
        m_problem->say(NoticeBar::Tone::Problem, shownText(oneLine(*receipt.error)));
    else if (receipt.isInDoubt())
        m_problem->say(NoticeBar::Tone::Warning,
                       tr("An answer is missing: whether these messages were changed is not known. "
                          "Check the operation on the Activity page."));
    else if (receipt.cancelled)
        m_problem->say(NoticeBar::Tone::Info, tr("Cancelled: what had been done stays done."));
    m_items->setPlan(plan);
    m_items->setReceipt(receipt);
    m_exported->setVisible(!receipt.exportFile.isEmpty());
    m_file->setText(shownText(receipt.exportFile));
    m_file->setCursorPosition(0);
}

} // namespace outbox
