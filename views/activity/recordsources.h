// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the entries of the activity page were read, in a line above them, and the way to older
// ones.
#pragma once

#include <QWidget>

class QLabel;
class QToolButton;

namespace outbox {

class RecordSources : public QWidget
{
    Q_OBJECT

public:
    explicit RecordSources(QWidget *parent = nullptr);

    /// Hidden while there is nothing to say. `isProblem`: something that is there could not be
    /// read.
    void say(const QString &sentence, bool isProblem, bool hasMore);

signals:
    void moreAsked();

private:
    QLabel *m_sentence;
    QToolButton *m_more;
};

} // namespace outbox
