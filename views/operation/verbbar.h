// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A row of buttons with the verbs that may be asked for here; what cannot act says why.
#pragma once

#include "models/operations/arming.h"
#include "models/operations/commandline.h"
#include "models/operations/selection.h"
#include "models/operations/verb.h"

#include <QHash>
#include <QWidget>

#include <functional>

class QAction;
class QHBoxLayout;

namespace outbox {

/// Asking opens a preview and changes nothing. The page knows what is selected.
class VerbBar : public QWidget
{
    Q_OBJECT

public:
    /// The menu of the window offers the verbs of the page that is shown, not those on its asides.
    enum class Place { Page, Aside };

    /// Asks the page what a verb would act on.
    using SelectionOf = std::function<Selection(Verb verb)>;
    /// Asks the page why a verb has nothing to act on; empty: it has.
    using WhyNothing = std::function<QString(Verb verb)>;

    VerbBar(const QString &name, const QList<Verb> &verbs, Place place, SelectionOf selectionOf,
            WhyNothing whyNothing, QWidget *parent = nullptr);

    [[nodiscard]] Place place() const { return m_place; }
    /// nullptr for a verb that is not offered here. Also for context menus.
    [[nodiscard]] QAction *action(Verb verb) const { return m_actions.value(verb); }
    [[nodiscard]] QList<QAction *> actionsInOrder() const;

    /// What decides at this moment; until it is told, nothing may be asked for.
    void setTerms(const ActingTerms &terms);
    /// Why this system has no such thing ("no leases"); empty: it has.
    void setNotOffered(Verb verb, const QString &reason);
    /// Another system comes: nothing may be asked for until it is told again.
    void forget();
    /// Judges every verb again; for a page whose selection changed.
    void judge();
    void setShown(Verb verb, bool shown);
    /// What the verb is called where it means something narrower than usual.
    void rename(Verb verb, const QString &name);
    /// The row of buttons; the page may add to it.
    [[nodiscard]] QHBoxLayout *row() const { return m_row; }

signals:
    void operationAsked(const outbox::OperationRequest &request);
    /// An action was enabled, disabled, or has another reason.
    void changed();

private:
    /// Why `verb` cannot be asked for at this moment; empty: it can.
    [[nodiscard]] QString whyNot(Verb verb) const;

    Place m_place;
    SelectionOf m_selectionOf;
    WhyNothing m_whyNothing;
    QList<Verb> m_verbs;
    QHash<Verb, QAction *> m_actions;
    QHash<Verb, QWidget *> m_buttons;
    QHash<Verb, QString> m_notOffered;
    std::optional<ActingTerms> m_terms;
    QHBoxLayout *m_row;
};

/// What it does, as menus and buttons say it.
[[nodiscard]] QString verbTip(Verb verb);
[[nodiscard]] QString verbIcon(Verb verb);

} // namespace outbox
