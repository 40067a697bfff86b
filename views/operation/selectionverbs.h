// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The verbs on the rows of a table: on those that are selected, or on all that match its filter.
#pragma once

#include "views/operation/verbbar.h"

#include <functional>

class QLabel;
class QToolButton;

namespace outbox {

class LiveTable;

class SelectionVerbs : public VerbBar
{
    Q_OBJECT

public:
    /// What the page is asked about its table.
    struct Terms
    {
        std::function<Selection(const QList<int> &rows)> chosen; ///< rows of the table's model
        std::function<Selection()> matching; ///< empty: all at once cannot be asked for
        /// Why the verb means nothing for these rows, or for all that match where there are none.
        std::function<QString(Verb verb, const QList<int> &rows)> whyNot;
    };

    /// `table` has its model; its context menu gets the verbs, too.
    SelectionVerbs(const QString &name, const QList<Verb> &verbs, LiveTable *table, Terms terms,
                   QWidget *parent = nullptr);

    /// How many match, as far as that is known: "412", "~10.2k"; empty: not known.
    void setMatching(const QString &count);
    /// The filter or the rows changed: what is meant by "all" is another thing now.
    void refresh();

private:
    [[nodiscard]] QString whyNothing(Verb verb) const;
    void describe();
    [[nodiscard]] QList<int> rows() const;

    LiveTable *m_table;
    Terms m_terms;
    QString m_count;
    QToolButton *m_all;
    QLabel *m_selected;
};

} // namespace outbox
