// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What failed and what is stuck, in groups: one long bar or many short ones. A group is a filter.
#pragma once

#include "models/groups/failuregroups.h"
#include "models/result.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace outbox {

class GroupChoices;
class GroupModel;
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
    /// Another system comes: nothing of the one before stays.
    void forget();
    /// Whether there is a place where the members of a group can be listed.
    void setListable(bool listable);

    [[nodiscard]] FailureQuestion question() const;

signals:
    /// It is on screen, or was told to look again, or asks something else.
    void sampleAsked(const outbox::FailureQuestion &question);
    /// It is no longer on screen.
    void sampleNotWanted();
    /// Members are to be listed: all of them in this queue, where they are tasks.
    void filterChosen(const QString &filter, const QString &queue);

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
    [[nodiscard]] const FailureGroup *chosen() const;

    FailureSource m_source;
    FailureSample m_sample;
    bool m_read = false;
    bool m_listable = true;

    GroupChoices *m_choices;
    NoticeBar *m_problem;
    GroupModel *m_model;
    LiveTable *m_table;
    QLabel *m_example;
    QLabel *m_filter;
    QPushButton *m_show;
};

} // namespace outbox
