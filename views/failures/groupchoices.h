// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is grouped, by what, since when, and how far the numbers go.
#pragma once

#include "models/groups/failuregroups.h"

#include <QWidget>

class QComboBox;
class QLabel;

namespace outbox {

class GroupChoices : public QWidget
{
    Q_OBJECT

public:
    explicit GroupChoices(FailureSource source, QWidget *parent = nullptr);

    [[nodiscard]] GroupBy grouping() const;
    [[nodiscard]] FailureQuestion question() const;
    /// No limit of time any more.
    void chooseEver();
    /// What a table says that found nothing.
    [[nodiscard]] QString nothingText() const;
    /// `text` is plain.
    void setSize(const QString &text);

signals:
    /// The same things in other groups.
    void groupingChanged();
    /// Other things, or the same once more.
    void lookAsked();

private:
    FailureSource m_source;
    QComboBox *m_by;
    QComboBox *m_scope;
    QComboBox *m_within;
    QLabel *m_size;
};

} // namespace outbox
