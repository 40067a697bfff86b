// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a first start shows: three ways to begin.
#pragma once

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace outbox {

class WelcomeView : public QWidget
{
    Q_OBJECT

public:
    explicit WelcomeView(QWidget *parent = nullptr);

    /// Why the demo cannot be asked for: it starts, or cannot run here, with what to install;
    /// empty = it can.
    void setDemoProblem(const QString &sentence);

signals:
    void demoAsked();
    void connectAsked();
    /// An address as it was pasted; it may hold a password.
    void importAsked(const QString &url);

private:
    QPushButton *m_demo;
    QPushButton *m_connect;
    QPushButton *m_import;
    QLineEdit *m_url;
    QLabel *m_demoText;
    QString m_demoPromise;
};

} // namespace outbox
