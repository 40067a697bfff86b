// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Asks whether figures are served to a collector on this computer, and at which port.
#pragma once

#include <QDialog>

class QCheckBox;
class QSpinBox;

namespace outbox {

class NoticeBar;

/// Opened with open(), never exec().
class MetricsDialog : public QDialog
{
    Q_OBJECT

public:
    explicit MetricsDialog(QWidget *parent = nullptr);

    /// `url` is served at this port; 0: nothing is.
    void setServed(quint16 port, const QString &url);
    /// What was asked cannot be done; a clause.
    void showProblem(const QString &why);

signals:
    /// 0: nothing is to be served.
    void chosen(quint16 port);

private:
    QCheckBox *m_serve;
    QSpinBox *m_port;
    NoticeBar *m_notice;
};

} // namespace outbox
