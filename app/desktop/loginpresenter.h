// SPDX-FileCopyrightText: Outbox Deck contributors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Says in the window that a log-in was refused, and asks there for another password.
#pragma once

#include "app/system/system.h"
#include "models/system/login.h"

#include <QObject>
#include <QPointer>

namespace outbox {

class PasswordDialog;
struct Pages;

/// Made anew for each opened profile. Lives in the GUI thread.
class LogInPresenter : public QObject
{
    Q_OBJECT

public:
    /// `system` and `pages` outlive this.
    LogInPresenter(System &system, const Pages &pages, QObject *parent = nullptr);
    ~LogInPresenter() override;

signals:
    /// The profile that is open, to be opened anew with these.
    void passwordGiven(const outbox::Profile &profile, const outbox::ProfilePasswords &secrets);

private:
    void join(Source source, SourceFeed &feed);
    void tell(Source source, const SourceHealth &health);
    void ask(Source source);
    void take(Source source, const QString &password);

    System &m_system;
    const Pages &m_pages;
    QPointer<PasswordDialog> m_dialog;
};

} // namespace outbox
