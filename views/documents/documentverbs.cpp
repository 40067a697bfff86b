// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/documents/documentverbs.h"

#include "models/operations/designselection.h"
#include "models/payload/celltext.h"
#include "views/widgets/boxes.h"
#include "views/widgets/card.h"

#include <QAction>
#include <QBoxLayout>
#include <QLabel>
#include <QLineEdit>

#include <algorithm>

namespace outbox {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int tokenLetters = 43;

} // namespace

DocumentVerbs::DocumentVerbs(QWidget *parent)
    : VerbBar(
        u"documentVerbs"_s, {Verb::Reconcile, Verb::Purge, Verb::Replay}, Place::Page,
        [this](Verb verb) { return selection(verb); },
        [this](Verb verb) { return whyNothing(verb); }, parent),
      m_token(new QLineEdit), m_label(plainLabel({}, true))
{
    rename(Verb::Replay, tr("Force execution"));
    setNames(m_token, u"documentToken"_s, tr("Token to execute once more"));
    m_token->setPlaceholderText(tr("Token of a message that was executed"));
    setMostLetters(m_token, tokenLetters);
    m_label->setObjectName(u"documentVerbsSelected"_s);
    row()->insertWidget(2, m_token); // before the verb that takes it
    setTabOrder(row()->itemAt(1)->widget(), m_token);
    row()->addWidget(m_label);
    connect(m_token, &QLineEdit::textChanged, this, &DocumentVerbs::judge);
    setDesign(Design::EntityState);
}

void DocumentVerbs::setDesign(Design design)
{
    m_design = design;
    const bool hasTokens = design == Design::Tokens;
    m_token->setVisible(hasTokens);
    m_token->clear();
    setShown(Verb::Replay, hasTokens);
    // Only another store tells that an entry is a leftover; without one all there is is to send.
    const bool dispatches = design == Design::EntityState;
    rename(Verb::Reconcile, dispatches ? tr("Dispatch") : tr("Reconcile"));
    // Where another store tells what is done, no null entry is kept: there is nothing to purge.
    setShown(Verb::Purge, design == Design::EntityState);
    describe();
}

void DocumentVerbs::setSelected(DesignList list, const QList<SeenEntry> &selected)
{
    if (m_list == list && m_selected == selected)
        return;
    m_list = list;
    m_selected = selected;
    describe();
}

void DocumentVerbs::setSummary(const std::optional<DocumentSummary> &summary)
{
    m_summary = summary;
    judge();
}

void DocumentVerbs::setToken(const QString &token)
{
    m_token->setText(token);
}

Selection DocumentVerbs::selection(Verb verb) const
{
    Selection selection;
    if (verb == Verb::Replay) {
        selection.meant = DocumentPart::Tokens;
        selection.tasks = {TaskId{m_token->text().trimmed()}};
        return selection;
    }
    selection.meant = verb == Verb::Purge ? DocumentPart::Entries
        : m_design == Design::EntityState ? DocumentPart::Undispatched
                                          : DocumentPart::Unsettled;
    for (const SeenEntry &seen : m_selected) {
        selection.rows += MessageId{seen.document};
        selection.tasks += TaskId{seen.entry.incoming};
    }
    return selection;
}

QString DocumentVerbs::whyNothing(Verb verb) const
{
    if (!m_summary)
        return tr("The documents have not been read yet.");
    switch (verb) {
    case Verb::Reconcile:
        return whyNotSettle();
    case Verb::Purge:
        return whyNotPurgeHere();
    case Verb::Replay:
        return m_design != Design::Tokens         ? tr("This design has no tokens.")
            : m_token->text().trimmed().isEmpty() ? tr("Type the token of a message that was "
                                                       "executed: it is made again.")
                                                  : QString();
    default:
        return {};
    }
}

QString DocumentVerbs::whyNotSettle() const
{
    if (m_selected.isEmpty()) {
        return m_summary->undispatched + m_summary->leaked.value_or(0) > 0 || !m_summary->exact
            ? QString()
            : tr("No entry is undispatched, and none leaked.");
    }
    for (const SeenEntry &seen : m_selected) {
        if (seen.next.act == NextStep::Act::Dispatch || seen.next.act == NextStep::Act::Remove)
            return {}; // the plan tells of the others
    }
    return m_selected.first().next.reason;
}

QString DocumentVerbs::whyNotPurgeHere() const
{
    if (m_design != Design::EntityState)
        return tr("Only the other store tells whether an entry may go: reconcile.");
    if (m_selected.isEmpty())
        return m_summary->dispatched > 0 || !m_summary->exact ? QString()
                                                              : tr("No entry is dispatched.");
    const bool any = std::any_of(m_selected.begin(), m_selected.end(), [](const SeenEntry &seen) {
        return seen.entry.state == OutboxEntry::State::Dispatched;
    });
    return any ? QString() : tr("Messages are inside: to purge them is to lose them.");
}

void DocumentVerbs::describe()
{
    m_label->setText(m_selected.isEmpty()
                         ? tr("Nothing selected: applies to all")
                         : counted(m_selected.size(), tr("1 selected"), tr("%1 selected")));
    m_label->setVisible(m_list != DesignList::Tokens);
    judge();
}

} // namespace outbox
