// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What can be done about one message, beside what is said about it.
#pragma once

#include "models/system/systemview.h"
#include "views/operation/verbbar.h"

namespace outbox {

class OfferedVerbs : public VerbBar
{
    Q_OBJECT

public:
    explicit OfferedVerbs(const QString &name, QWidget *parent = nullptr);

    /// Offers what fits; nothing for an id that has neither row nor task.
    void setVerdict(const IdVerdict &verdict);
    void clear() { setVerdict({}); }

private:
    [[nodiscard]] Selection selection(Verb verb) const;

    IdVerdict m_verdict;
};

} // namespace outbox
