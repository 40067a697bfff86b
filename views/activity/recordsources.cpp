// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/activity/recordsources.h"

#include "models/plaintext.h"
#include "views/widgets/card.h"
#include "views/widgets/pagebuttons.h"

#include <QBoxLayout>
#include <QLabel>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

RecordSources::RecordSources(QWidget *parent)
    : QWidget(parent), m_sentence(plainLabel({}, true)),
      m_more(pageButton(u"activityMore"_s, u"down"_s, tr("Older entries")))
{
    setObjectName(u"activitySources"_s);
    wrapLines(m_sentence);
    m_more->setToolTip(plainTooltip(tr("Reads older entries of the table outbox_audit")));
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins({});
    row->addWidget(m_sentence, 1);
    row->addWidget(m_more, 0, Qt::AlignTop);
    connect(m_more, &QToolButton::clicked, this, &RecordSources::moreAsked);
    say({}, false, false);
}

void RecordSources::say(const QString &sentence, bool isProblem, bool hasMore)
{
    const QString plain = shownText(sentence, Lines::Many);
    m_sentence->setText(isProblem ? tr("Not all is shown. %1").arg(plain) : plain);
    m_more->setVisible(hasMore);
    setVisible(!sentence.isEmpty());
}

} // namespace outbox
