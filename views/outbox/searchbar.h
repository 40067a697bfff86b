// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The search through all rows for what no index finds: its offer, how far it is, what it costs the
// database, and its end at will.
#pragma once

#include "models/message/rowsearch.h"
#include "models/system/snapshots.h"
#include "views/widgets/noticebar.h"

class QProgressBar;
class QToolButton;

namespace outbox {

class SearchBar : public NoticeBar
{
    Q_OBJECT

public:
    explicit SearchBar(QWidget *parent = nullptr);

    /// Which rows are searched first, from the next answer on.
    void setNewestFirst(bool newestFirst) { m_isNewestFirst = newestFirst; }
    /// What is known without counting, for how much there is to search.
    void setCounts(const OutboxSnapshot &counts);
    /// The answer to a question: where it searched some rows only, the others are offered. While a
    /// search is held, that one goes on to be told.
    void setPage(const MessagePage &page);
    /// No index found the rows in time: a search is offered instead.
    void offer();
    void setState(const RowSearchState &state);
    /// Another question: nothing of the search before stays.
    void forget();
    [[nodiscard]] bool isRunning() const
    {
        return m_state && m_state->phase == RowSearchState::Phase::Running;
    }
    /// Whether it is offered to search rows that were not.
    [[nodiscard]] bool hasMore() const { return m_hasMore && !isHidden(); }
    /// Of the time: how much the database may work for it, 0 to 1.
    [[nodiscard]] double share() const { return m_percent / 100.0; }

signals:
    void searchAsked();
    void cancelAsked();
    void goOnAsked();
    void shareChosen(double share);

private:
    void act();
    void tell(Tone tone, const QString &text, const QString &action);
    /// "the newest 3,220,000": so many of those that come first.
    [[nodiscard]] QString firstOf(const QString &rows) const;
    [[nodiscard]] QString reached() const;
    [[nodiscard]] QString ending() const;
    void chooseShare(int percent);

    qint64 m_about = 0;
    int m_percent = 0;
    bool m_hasMore = false;
    bool m_isNewestFirst = true;
    QString m_total; ///< of all rows; empty where it is not known
    std::optional<RowSearchState> m_state;
    QProgressBar *m_progress;
    QToolButton *m_load;
};

} // namespace outbox
