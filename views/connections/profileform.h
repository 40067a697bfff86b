// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The tabs that edit one profile: a value goes in, an edited value comes out.
#pragma once

#include "models/profile/addressparts.h"
#include "models/profile/profile.h"
#include "models/profile/profilepasswords.h"
#include "models/shape/catalog.h"

#include <QTabWidget>

class QButtonGroup;
class QLineEdit;

namespace outbox {

class DurationEdit;
class PayloadForm;
class PropertyList;
class SafetyForm;

class ProfileForm : public QTabWidget
{
    Q_OBJECT

public:
    explicit ProfileForm(QWidget *parent = nullptr);

    /// What the fields beside the addresses read and write them with; without it there are none.
    void setAddressParser(const AddressParser &parser);
    /// Shows a profile; nothing of the one before is left. Emits nothing.
    void setProfile(const Profile &profile, const ProfilePasswords &passwords);
    [[nodiscard]] Profile profile() const;
    /// Why a field cannot be taken over; empty: all are.
    [[nodiscard]] QString problem() const;
    [[nodiscard]] ProfilePasswords passwords() const;
    /// A mapping that a person confirmed: it is that of the profile from now on.
    void setShape(const OutboxShape &shape);
    /// What a probe says of the table, with its reasons.
    void setFinding(const ProbeFinding &finding);
    void focusName();

signals:
    void edited();
    /// The columns of what is typed now are to be mapped.
    void mapAsked();

private:
    [[nodiscard]] QWidget *buildGeneral();
    [[nodiscard]] QWidget *buildOutbox();
    [[nodiscard]] QLineEdit *line(const QString &name, const QString &spoken,
                                  const QString &placeholder = {});
    void takePassword(QLineEdit *address, QLineEdit *password);
    void showShape();

    Profile m_profile;
    std::optional<ProbeFinding> m_finding;
    QLineEdit *m_name;
    QLineEdit *m_group;
    QButtonGroup *m_environment;
    QLineEdit *m_database;
    QLineEdit *m_databasePassword;
    QLineEdit *m_redis;
    QLineEdit *m_redisPassword;
    QLineEdit *m_sentinelPassword;
    QLineEdit *m_table;
    PropertyList *m_shape;
    DurationEdit *m_retention;
    QLineEdit *m_queue;
    SafetyForm *m_safety;
    PayloadForm *m_payloads;
};

} // namespace outbox
