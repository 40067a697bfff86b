// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Asks for one password where a log-in was refused.
#pragma once

#include <QDialog>

class QLineEdit;
class QPushButton;

namespace outbox {

/// Opened with open(), never exec(). What is typed is told once and kept nowhere here.
class PasswordDialog : public QDialog
{
    Q_OBJECT

public:
    /// `why` says who refused whom, as a sentence; `spoken` names the field for screen readers.
    PasswordDialog(const QString &why, const QString &spoken, QWidget *parent = nullptr);

signals:
    void passwordGiven(const QString &password);

private:
    QLineEdit *m_password;
    QPushButton *m_logIn;
};

} // namespace outbox
