// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The verbs on entries of documents and on tokens; with nothing selected they mean all of them.
#pragma once

#include "models/designs/designview.h"
#include "views/operation/verbbar.h"

class QLabel;
class QLineEdit;

namespace outbox {

class DocumentVerbs : public VerbBar
{
    Q_OBJECT

public:
    explicit DocumentVerbs(QWidget *parent = nullptr);

    void setDesign(Design design);
    /// What is on screen, and what is selected of it.
    void setSelected(DesignList list, const QList<SeenEntry> &selected);
    /// What all documents come to; without it nothing is known to be there.
    void setSummary(const std::optional<DocumentSummary> &summary);
    /// Into the line for a forced execution.
    void setToken(const QString &token);

private:
    [[nodiscard]] Selection selection(Verb verb) const;
    [[nodiscard]] QString whyNothing(Verb verb) const;
    [[nodiscard]] QString whyNotSettle() const;
    [[nodiscard]] QString whyNotPurgeHere() const;
    void describe();

    Design m_design = Design::EntityState;
    DesignList m_list = DesignList::None;
    QList<SeenEntry> m_selected;
    std::optional<DocumentSummary> m_summary;
    QLineEdit *m_token;
    QLabel *m_label;
};

} // namespace outbox
