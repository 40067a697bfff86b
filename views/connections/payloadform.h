// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Payloads tab of a profile: what its payloads are.
#pragma once

#include "models/profile/profile.h"

#include <QScrollArea>

class QLabel;
class QLineEdit;
class QPlainTextEdit;

namespace outbox {

class PayloadForm : public QScrollArea
{
    Q_OBJECT

public:
    explicit PayloadForm(QWidget *parent = nullptr);

    void setProfile(const Profile &profile);
    /// Writes what is edited here into `profile` and leaves the rest of it.
    void writeTo(Profile &profile) const;

signals:
    void edited();

private:
    void chooseFile();
    void tellProblem();

    QLineEdit *m_file;
    QPlainTextEdit *m_messages;
    QPlainTextEdit *m_decoder;
    QLabel *m_problem;
};

} // namespace outbox
