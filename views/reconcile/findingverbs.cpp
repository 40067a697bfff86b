// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/reconcile/findingverbs.h"

#include "models/payload/celltext.h"

#include <QAction>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

FindingVerbs::FindingVerbs(QWidget *parent)
    : VerbBar(u"findingVerbs"_s, {Verb::Reconcile}, Place::Aside, parent)
{
    setFindings({});
}

void FindingVerbs::setFindings(const QList<Finding> &findings)
{
    m_findings = findings;
    m_repairable = std::count_if(findings.begin(), findings.end(),
                                 [](const Finding &one) { return one.isRepairable(); });
    action(Verb::Reconcile)
        ->setText(m_repairable > 0 ? counted(m_repairable, tr("Preview 1 repair\u2026"),
                                             tr("Preview %1 repairs\u2026"))
                                   : tr("Preview repair\u2026"));
    judge();
}

Selection FindingVerbs::selection(Verb /*verb*/) const
{
    // The kind alone: the plan looks again, so that what came since is not left behind.
    Selection selection;
    selection.meant = m_findings.first().kind;
    return selection;
}

QString FindingVerbs::whyNothing(Verb /*verb*/) const
{
    if (m_findings.isEmpty())
        return tr("Nothing was found, or no kind is chosen.");
    return m_repairable > 0 ? QString() : textOf(m_findings.first().kind).repair;
}

} // namespace outbox
