// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The repair of one kind of finding: of the cases that are selected, or of all.
#pragma once

#include "models/operations/finding.h"
#include "views/operation/verbbar.h"

namespace outbox {

class FindingVerbs : public VerbBar
{
    Q_OBJECT

public:
    explicit FindingVerbs(QWidget *parent = nullptr);

    /// `findings` are of one kind; empty: no kind is chosen.
    void setFindings(const QList<Finding> &findings);

protected:
    [[nodiscard]] Selection selection(Verb verb) const override;
    [[nodiscard]] QString whyNothing(Verb verb) const override;

private:
    QList<Finding> m_findings;
    qsizetype m_repairable = 0;
};

} // namespace outbox
