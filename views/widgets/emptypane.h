// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What an empty table says: a sentence, and what may be done about it.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace outbox {

class EmptyPane : public QWidget
{
    Q_OBJECT

public:
    explicit EmptyPane(QWidget *parent = nullptr);

    /// `sentence` is plain text; an empty `action` shows no button.
    void say(const QString &sentence, const QString &action = {});
    [[nodiscard]] QString sentence() const;

signals:
    void actionAsked();

private:
    QLabel *m_sentence;
    QPushButton *m_action;
};

} // namespace outbox
