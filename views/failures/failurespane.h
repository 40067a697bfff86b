// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What failed and what is stuck, in groups: one long bar or many short ones. A group is a filter.
#pragma once

#include "models/groups/failuregroups.h"
#include "models/result.h"

#include <QHash>
#include <QWidget>

#include <optional>
#include <utility>

class QLabel;
class QPushButton;

namespace outbox {

class GroupChoices;
class GroupModel;
class GroupNoteBar;
class LiveTable;
class NoticeBar;

/// Asks while it is on screen, and is told by setters. Fails alone: what it showed stays.
class FailuresPane : public QWidget
{
    Q_OBJECT

public:
    explicit FailuresPane(FailureSource source, QWidget *parent = nullptr);

    /// An answer to a question that is no longer asked is dropped.
    void setSample(const FailureSample &sample);
    void setError(const Error &error);
    /// What was written of groups, of these and of others.
    void setNotes(const QList<GroupNote> &notes);
    /// Another system comes: nothing of the one before stays.
    void forget();
    /// Puts what is in this scope, one of `scopesOf`, into groups by error, whenever it happened,
    /// and selects the queue's group of this error as soon as it is known. Where there is none, or
    /// none is named, that is the greatest one.
    void showGroup(const QString &scope, const QueueName &queue, const QString &cause = {});

    [[nodiscard]] FailureQuestion question() const;

signals:
    /// It is on screen, or was told to look again, or asks something else.
    void sampleAsked(const outbox::FailureQuestion &question);
    /// It is no longer on screen.
    void sampleNotWanted();
    /// Members are to be listed: all of them in this queue, where they are tasks.
    void filterChosen(const QString &filter, const QString &queue);
    /// To be kept, or to be forgotten where it is empty; `setNotes` follows.
    void noteWritten(const outbox::GroupNote &note);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void build();
    void ask();
    void regroup();
    void describe();
    void describeNothing();
    void choose();
    void chooseWanted();
    [[nodiscard]] const FailureGroup *chosen() const;

    FailureSource m_source;
    FailureSample m_sample;
    QHash<QString, GroupNote> m_notes; ///< by group
    bool m_read = false;
    std::optional<std::pair<QueueName, QString>> m_wanted; ///< group that is to be selected

    GroupChoices *m_choices;
    NoticeBar *m_problem;
    GroupModel *m_model;
    LiveTable *m_table;
    QLabel *m_example;
    QLabel *m_filter;
    QPushButton *m_show;
    GroupNoteBar *m_note;
};

} // namespace outbox
