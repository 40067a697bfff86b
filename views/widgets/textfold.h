// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// A longer text behind one line that opens and closes it, with a button that copies it.
#pragma once

#include <QWidget>

class QPlainTextEdit;
class QToolButton;

namespace outbox {

class TextFold : public QWidget
{
    Q_OBJECT

public:
    /// `title` carries its mnemonic; closed at first.
    TextFold(const QString &name, const QString &title, QWidget *parent = nullptr);

    /// Plain text; an empty one hides everything. What is copied is all of it, however much is
    /// shown.
    void setText(const QString &text);
    void setOpen(bool open);
    [[nodiscard]] bool isOpen() const;

private:
    QToolButton *m_head;
    QToolButton *m_copy;
    QPlainTextEdit *m_text;
    QString m_whole;
};

} // namespace outbox
