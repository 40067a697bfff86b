// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The rows of an outbox of any size in a table that feels whole: what is asked for slides along
// with the scroll bar.
#pragma once

#include "models/filter/pagerequest.h"
#include "models/system/systemview.h"
#include "models/tables/rowwindow.h"

#include <QDateTime>
#include <QWidget>

namespace outbox {

class LiveTable;
class NoticeBar;
class OutboxModel;
class TimelineBar;
class WindowBar;

/// Fetches nothing: it asks by signals and is told by setters. An answer to a question that is no
/// longer asked is dropped.
class RowsPane : public QWidget
{
    Q_OBJECT

public:
    explicit RowsPane(QWidget *parent = nullptr);

    /// Another question, or another order: from its first rows on.
    void setBase(const PageRequest &base);
    [[nodiscard]] const PageRequest &base() const { return m_base; }
    /// What the table shows of it now.
    [[nodiscard]] PageRequest request() const { return m_window.request(m_base); }
    /// How many rows the question has, where somebody counted them already; empty: nobody did. It
    /// is said beside the rows that are shown.
    void setCounted(const QString &count);
    /// Asks for the same rows once more.
    void ask();
    void goToNewest() { goToEnd(m_base.newestFirst); }
    void goToOldest() { goToEnd(!m_base.newestFirst); }
    /// False where it was no answer to `request`, or the rows are kept as they are.
    bool setPage(const OutboxPageView &answer);
    /// The answer to `seekAsked`.
    void setSought(const PageRequest &request, const Result<MessagePage> &found);
    /// While false, only what a person asks for changes the rows.
    void setLive(bool live) { m_live = live; }
    void clear();

    /// True until the first row of an answer is shown.
    [[nodiscard]] bool isAwaiting() const { return m_landing != Landing::None; }
    /// The rows that are shown and answer the question.
    [[nodiscard]] QList<Message> answered() const;
    [[nodiscard]] OutboxModel *model() const { return m_model; }
    [[nodiscard]] LiveTable *table() const { return m_table; }
    /// Says which rows are shown and goes to others; to be put where there is room.
    [[nodiscard]] QWidget *bar() const;

signals:
    void rowsAsked(const outbox::PageRequest &request);
    /// One question of its own, beside the rows that are shown.
    void seekAsked(const outbox::PageRequest &request);
    /// A jump led nowhere, for this reason.
    void notFound(const QString &why);

private:
    enum class Landing { None, Stay, Top, Bottom, Row };
    enum class Aim { Up, Last, Row, Around, Span };

    [[nodiscard]] bool isSearch() const { return m_answer.page.reach == FilterReach::Scan; }
    void ask(Landing landing);
    void seek(Aim aim, const PageRequest &request);
    void slide();
    void land(Landing landing);
    void showNewRows();
    void tellPlace();
    void goToTime(const QDateTime &time);
    void goToEnd(bool isTop);
    /// Those of the first row of all and of the last one.
    void showSpan(const std::optional<QDateTime> &first, const std::optional<QDateTime> &last);

    PageRequest m_base;
    RowWindow m_window;
    OutboxPageView m_answer; // the newest one, held rows included
    Landing m_landing = Landing::Top;
    std::optional<PageRequest> m_sought; // beside the rows that are shown
    Aim m_aim = Aim::Up; // what that is asked for
    MessageId m_wanted; // a jump ends at this row
    bool m_live = true;
    bool m_spanKnown = false;
    bool m_merging = false;

    OutboxModel *m_model;
    LiveTable *m_table;
    NoticeBar *m_newRows;
    TimelineBar *m_timeline;
    WindowBar *m_bar;
};

} // namespace outbox
