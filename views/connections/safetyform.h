// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The Safety tab of a profile: how it opens, who acts, how much at once, and where the receiver
// notes its status.
#pragma once

#include "models/profile/profile.h"

#include <QScrollArea>

class QCheckBox;
class QLineEdit;
class QSpinBox;

namespace outbox {

class SafetyForm : public QScrollArea
{
    Q_OBJECT

public:
    explicit SafetyForm(QWidget *parent = nullptr);

    void setProfile(const Profile &profile);
    /// Writes what is edited here into `profile` and leaves the rest of it.
    void writeTo(Profile &profile) const;

signals:
    void edited();

private:
    [[nodiscard]] QLineEdit *line(const QString &name, const QString &spoken,
                                  const QString &placeholder);

    QCheckBox *m_readOnly;
    QLineEdit *m_actingUser;
    QLineEdit *m_actingRedisUser;
    QSpinBox *m_mostItems;
    QSpinBox *m_refresh;
    QLineEdit *m_statusTable;
    QLineEdit *m_statusId;
    QLineEdit *m_statusColumn;
    QLineEdit *m_statusDone;
};

} // namespace outbox
