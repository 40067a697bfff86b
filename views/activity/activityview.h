// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The activity page: everything that was done, from here and from elsewhere, newest first, and what
// can be done about it.
#pragma once

#include "models/operations/auditentry.h"
#include "models/result.h"

#include <QList>
#include <QWidget>

#include <optional>

class QLabel;
class QPushButton;
class QToolButton;

namespace outbox {

class ActivityDetail;
class AuditModel;
class FilterBar;
class LiveTable;
class NoticeBar;
class RecordSources;

/// Reads and writes nothing: it is given activities, and asks by signals.
class ActivityView : public QWidget
{
    Q_OBJECT

public:
    explicit ActivityView(QWidget *parent = nullptr);

    /// Takes over what is on record, newest first; what is chosen stays chosen.
    void setActivities(const QList<Activity> &newestFirst);
    /// Why the record could not be read; what is shown stays, with the time it was read.
    void setError(const Error &error);
    /// Says where the activities were read, in a line that is hidden while there is nothing to say.
    /// `isProblem`: something that is there could not be read; `hasMore`: there are older ones.
    void setSources(const QString &sentence, bool isProblem, bool hasMore);
    /// What `verifyAsked` found.
    void setChain(const QString &sentence, bool holds);
    /// Chooses an operation, as a link from another page does; a filter that hides it is cleared.
    void openOperation(const QString &operation);
    /// Writes a filter and applies it; an empty one is everything.
    void openFilter(const QString &text);
    void focusFilter();
    [[nodiscard]] FilterBar *filter() const { return m_filter; }

signals:
    /// Older entries are wanted.
    void moreAsked();
    void undoAsked(const QString &operation);
    void checkAsked(const QString &operation);
    void verifyAsked();
    /// The rows that are selected when there are several, else all that the filter shows.
    void exportAsked(const QList<outbox::Activity> &activities);

private:
    void build();
    [[nodiscard]] QWidget *buildChosen();
    void showActivities();
    void showChosen();
    void describeNothing();
    [[nodiscard]] QList<Activity> selected() const;

    QList<Activity> m_all;
    std::optional<QDateTime> m_readAt; ///< the record, by our clock, UTC
    QString m_chosen; ///< operation; empty: none, or an entry that is no operation

    FilterBar *m_filter;
    QToolButton *m_export;
    QToolButton *m_verify;
    RecordSources *m_sources;
    NoticeBar *m_problem;
    NoticeBar *m_chain;
    LiveTable *m_table;
    AuditModel *m_model;
    QLabel *m_title;
    QPushButton *m_undo;
    QPushButton *m_check;
    ActivityDetail *m_detail;
};

} // namespace outbox
