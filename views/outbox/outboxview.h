// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The outbox page: states with their counts, a filter, live rows, and the message that was chosen.
#pragma once

#include "models/filter/pagerequest.h"
#include "models/message/rowsearch.h"
#include "models/profile/profile.h"
#include "models/system/systemview.h"

#include <QWidget>

#include <functional>

class QToolButton;

namespace outbox {

class ChosenMessage;
class ExactCountBar;
class ExportBar;
class FailuresPane;
class FilterBar;
class MessagePanel;
class NoticeBar;
class PayloadMasks;
class RowOrder;
class RowsOrGroups;
class RowsPane;
class SearchBar;
class SelectionVerbs;
class SourceNotice;
class StateChips;

/// Fetches nothing: it asks by signals and is told by setters, in any order and as often as one
/// likes.
class OutboxView : public QWidget
{
    Q_OBJECT

public:
    explicit OutboxView(QWidget *parent = nullptr);

    /// The question a page must answer to be shown.
    [[nodiscard]] PageRequest request() const;
    /// Takes the rows of an answer; one to a question that is no longer asked is dropped.
    void setPage(const OutboxPageView &answer);
    /// The answer to `seekAsked`.
    void setSought(const PageRequest &request, const Result<MessagePage> &found);
    /// Why the last question could not be answered; the rows stay.
    void setPageError(const Error &error);
    void setCounts(const OutboxSnapshot &counts);
    /// The table of the system that is open, as it was recognized. `keyList` writes keys of its
    /// rows as its database reads them, for the clipboard; empty: it cannot.
    void setShape(const Profile &profile, const OutboxShape &shape,
                  const std::function<QString(const QList<MessageId> &keys)> &keyList);
    /// What of payloads is not to be seen, before the first page of a system is shown.
    void setMasks(const PayloadMasks &masks);
    void setVerdict(const IdVerdict &verdict);
    void setHealth(const SourceHealth &database);
    /// Another system comes: nothing of the one before stays, neither numbers nor questions.
    void forget();

    /// Writes a filter and applies it, as a link from another page does. An empty one is
    /// everything. `oldestFirst`: the oldest row is on screen, at the top where rows can be put
    /// into that order; else they come in the order that was chosen.
    void openFilter(const QString &text, bool oldestFirst = false);
    /// Selects this row if it is among the rows that are shown, or in the first answer that is
    /// still to come.
    void chooseRow(const MessageId &id);
    /// The whole window is paused.
    void setHeld(bool held);
    void focusFilter();

    [[nodiscard]] MessagePanel *panel() const { return m_panel; }
    /// Replay, Purge and Release of the selected rows, or of all that match.
    [[nodiscard]] SelectionVerbs *verbs() const { return m_verbs; }
    /// The count of all rows one by one.
    [[nodiscard]] ExactCountBar *exactCount() const { return m_exact; }
    /// The groups of what failed, in the place of the rows while the button is checked.
    [[nodiscard]] FailuresPane *groups() const;
    [[nodiscard]] QToolButton *groupsButton() const;
    /// The search through all rows, and how far it is.
    [[nodiscard]] SearchBar *search() const { return m_search; }
    void setSearch(const RowSearchState &state);
    /// The export into a file, and how far it is.
    [[nodiscard]] ExportBar *exportBar() const { return m_export; }
    /// Those that are selected in the table.
    [[nodiscard]] QList<MessageId> selectedIds() const;
    /// Those that are shown and answer the question.
    [[nodiscard]] QList<Message> shownRows() const;
    [[nodiscard]] bool isPaused() const;
    [[nodiscard]] FilterBar *filter() const { return m_filter; }
    /// Which rows come first.
    [[nodiscard]] RowOrder *order() const { return m_order; }

signals:
    /// The question changed; its answers are wanted again and again until the next one.
    void rowsAsked(const outbox::PageRequest &request);
    /// Rows beside those that are shown are looked for, once.
    void seekAsked(const outbox::PageRequest &request);
    void rowChosen(const outbox::MessageId &id);
    void livePaused(bool paused);
    /// A person wants rows in a file.
    void exportAsked();
    void connectAsked();
    void retryAsked();

private:
    void build();
    [[nodiscard]] QWidget *buildRows();
    [[nodiscard]] QWidget *buildStateBar();
    void describeNothing();
    void useFilter(const QString &text);

    SourceHealth m_health;
    bool m_isFailing = false; ///< the last question for rows was not answered

    StateChips *m_states;
    FilterBar *m_filter;
    SourceNotice *m_source;
    NoticeBar *m_problem;
    ExactCountBar *m_exact;
    SearchBar *m_search;
    ExportBar *m_export;
    RowsPane *m_rows;
    RowOrder *m_order;
    SelectionVerbs *m_verbs;
    MessagePanel *m_panel;
    ChosenMessage *m_chosen;
    RowsOrGroups *m_body;
    QToolButton *m_countExactly;
    QToolButton *m_live;
};

} // namespace outbox
