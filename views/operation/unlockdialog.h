// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Asks for the roles that may act, their passwords and a reason, before writing is armed.
#pragma once

#include "models/operations/arming.h"
#include "models/profile/profile.h"
#include "models/result.h"

#include <QDialog>

class QLineEdit;
class QPushButton;

namespace outbox {

class EnvironmentBand;
class NoticeBar;

/// Non-modal. It stays open while the roles are tried: whoever tries them closes it, or shows why
/// not.
class UnlockDialog : public QDialog
{
    Q_OBJECT

public:
    explicit UnlockDialog(const Profile &profile, QWidget *parent = nullptr);

    /// The roles were refused, or the record could not be written.
    void showError(const Error &error);
    [[nodiscard]] Unlocking unlocking() const;

signals:
    void armAsked(const outbox::Unlocking &unlocking);

private:
    [[nodiscard]] QWidget *buildForm();
    [[nodiscard]] QLineEdit *line(const QString &name, const QString &spoken,
                                  const QString &placeholder);
    void judge();

    Profile m_profile;
    EnvironmentBand *m_band;
    QLineEdit *m_databaseUser;
    QLineEdit *m_databasePassword;
    QLineEdit *m_redisUser;
    QLineEdit *m_redisPassword;
    QLineEdit *m_reason;
    NoticeBar *m_problem;
    QPushButton *m_unlock;
    bool m_trying = false;
};

} // namespace outbox
